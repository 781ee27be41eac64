// What the browser tests share: gsmc run as a program, pages opened in Debian's
// chromium, and everything a page did that it should not have done.
//
// tests/browser.rs sets the environment: GSMC (the binary), GSMC_CHROMIUM (the
// browser), GSMC_BROWSER_MODULES (where playwright-core is) and GSMC_REPO.
// GSMC_PICTURES=DIR keeps the screenshots that tests take with `picture`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const setting = (name) => process.env[name] ?? assert.fail(`${name} is not set: run this with cargo test --test browser`);
const { chromium } = createRequire(path.join(setting('GSMC_BROWSER_MODULES'), 'package.json'))('playwright-core');

/** The repository. */
export const repo = setting('GSMC_REPO');

/** The folder of an example. */
export const example = (name) => path.join(repo, 'examples', name);

/** A fresh folder that goes away with the test file. */
export const folder = mkdtempSync(path.join(tmpdir(), 'gsmc-browser-'));

const running = new Set();
let browser;

after(async () => {
  await browser?.close();
  await Promise.all([...running].map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file into the fresh folder; gives its path. */
export function write(name, text) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Runs gsmc to its end: { code, stdout, stderr }. `code`: the exit code that is expected, or null for any. */
export async function gsmc(args, { code = 0, cwd = folder } = {}) {
  const child = spawn(setting('GSMC'), args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const result = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (result.stderr += text));
  result.code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== null) assert.equal(result.code, code, `gsmc ${args.join(' ')}\n${result.stderr}`);
  return result;
}

/**
 * Starts a server such as `gsmc explore DIR --port 0` and waits for the address it prints:
 * { url, output(), stop() }. `stop` is Ctrl-C and gives the exit code.
 */
export async function serve(args, { cwd = folder, seconds = 30 } = {}) {
  const child = spawn(setting('GSMC'), args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise((resolve) => child.on('close', resolve));
  const url = new Promise((resolve, reject) => {
    const give_up = setTimeout(() => reject(new Error(`no address after ${seconds} s:\n${output}`)), seconds * 1000);
    const listen = (text) => {
      output += text;
      const found = output.match(/https?:\/\/[^\s'"<>]+(?=\s)/);
      if (found) clearTimeout(give_up), resolve(found[0]);
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    child.on('error', reject);
    ended.then((code) => reject(new Error(`gsmc ${args.join(' ')} ended with ${code}:\n${output}`)));
  });
  const server = { output: () => output };
  server.stop = async () => {
    running.delete(server);
    child.kill('SIGINT');
    const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
    const code = await ended;
    clearTimeout(hard);
    return code;
  };
  running.add(server);
  try {
    server.url = await url;
  } catch (e) {
    await server.stop();
    throw e;
  }
  return server;
}

/**
 * Opens an address, or a file from disk without any network, in a context of its own:
 * { page, errors, requests, quiet(), close() }.
 *
 * `errors`: console errors and warnings, uncaught exceptions. `requests`: every request but the one for the page itself.
 * Options: width, height, dark, phone, reduced (motion), and what a playwright context takes.
 */
export async function open(target, { width = 1280, height = 800, dark = false, phone = false, reduced = true, ...more } = {}) {
  browser ??= await chromium.launch({
    executablePath: setting('GSMC_CHROMIUM'),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const served = /^https?:/.test(target);
  const url = served ? target : pathToFileURL(target).href;
  const context = await browser.newContext({
    offline: !served,
    viewport: phone ? { width: 390, height: 844 } : { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: reduced ? 'reduce' : 'no-preference',
    ...more,
  });
  const page = await context.newPage();
  const [errors, requests] = [[], []];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && errors.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => errors.push(`exception: ${e.message}`));
  page.on('request', (r) => {
    const itself = r.isNavigationRequest() && r.frame() === page.mainFrame() && r.url().split('#')[0] === url.split('#')[0];
    if (!itself && !r.url().startsWith('data:')) requests.push(`${r.method()} ${r.url()}`);
  });
  await page.goto(url, { waitUntil: 'load' });
  return {
    page,
    errors,
    requests,
    /** Fails if the page complained, or, from disk, asked for anything. */
    quiet() {
      assert.deepEqual(errors, [], 'the page complains');
      if (!served) assert.deepEqual(requests, [], 'the page asks for more than itself');
    },
    close: () => context.close(),
  };
}

/** Keeps a picture of the page, where GSMC_PICTURES says so. */
export async function picture(page, name, options = {}) {
  const pictures = process.env.GSMC_PICTURES;
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), ...options });
}

/** Nothing sticks out to the right: the page is as wide as its window. */
export async function fits(page) {
  const [content, frame] = await page.evaluate(() => {
    const root = document.documentElement;
    return [root.scrollWidth, root.clientWidth];
  });
  assert.ok(content <= frame, `the page is ${content} wide in a window of ${frame}`);
}

/** No word is broken inside that would fit on a line of its own: words end at blanks and signs, and at the humps of compound names. */
export async function wordsWhole(page, selector) {
  const broken = await page.evaluate((selector) => {
    const found = [];
    for (const root of document.querySelectorAll(selector)) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode;
        if (node.parentElement.closest('.hint, .sr')) continue;
        for (const word of node.data.matchAll(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top)));
          if (lines.size > 1) found.push(`${word[0]} in ${node.data}`);
        }
      }
    }
    return found;
  }, selector);
  assert.deepEqual(broken, [], 'words that break inside');
}

/** Every text of a data chip ends within its box. */
export async function chipsFit(page) {
  const wide = await page.$$eval('svg.drawn .attr, svg.drawn .chip', (all) => all.filter((chip) => {
    const [box, text] = [chip.querySelector('rect'), chip.querySelector('text')].map((n) => n.getBoundingClientRect());
    return box.width > 0 && text.right > box.right + 1;
  }).map((chip) => chip.textContent));
  assert.deepEqual(wide, [], 'chips that are too small for what they say');
}

/** The explorer is at a step. */
export const arrived = (page, n) => page.waitForSelector(`#path [data-at="${n}"][aria-current="step"]`);

/** From the end of a run of so many steps to its beginning and back again; `look` is told where it is. */
export async function backAndForth(page, steps, look) {
  for (let n = steps; n >= 0; n -= 1) {
    await arrived(page, n);
    await look(n, `snapshot ${n}`);
    if (n > 0) await page.click('#undo');
  }
  for (let n = 1; n <= steps; n += 1) {
    await page.keyboard.press('r');
    await arrived(page, n);
    await look(n, `snapshot ${n} again`);
  }
}

/** A bare HTTP request, with headers no browser would send: { status, headers, body }. `to`: the address to connect to. */
export function get(url, { headers = {}, method = 'GET', to, body } = {}) {
  const { hostname, port, pathname, search } = new URL(url);
  const options = { host: to ?? hostname, port, path: pathname + search, method, headers, timeout: 5000 };
  return new Promise((resolve, reject) => {
    const request = http.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
    });
    request.on('timeout', () => request.destroy(new Error('timeout'))).on('error', reject);
    request.end(body);
  });
}

/** An address of this machine that is not loopback, or undefined. */
export function otherAddress() {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((a) => !a.internal && a.family === 'IPv4')?.address;
}
