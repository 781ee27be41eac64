// AMBER in a browser: the garage's picture has all its nodes, and a run steps through it, in the report and in the explorer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { arrived, backAndForth, example, fits, folder, gsmc, open, picture, serve } from './lib.mjs';

const garage = ['accident occurs', 'damage assessment', 'receive decision', 'damage repair', 'deliver car', 'submit invoice', 'receive payment',
  'ready', 'verdict', 'andsplit1'];
const insurer = ['receipt assessment', 'claim receipt', 'evaluate', 'notify of decision', 'receive invoice', 'pay invoice'];
const nodes = [...garage.map((n) => `GARAGE.${n}`), ...insurer.map((n) => `PRO-FIT.${n}`)].sort();

/** The counterexample of prop2 as JSON, and the file it is in. */
async function run() {
  const results = path.join(folder, 'garage.json');
  await gsmc(['check', example('amber/garage'), '--property', 'prop2', '--format', 'json', '-o', results]);
  const { trace } = JSON.parse(readFileSync(results, 'utf8')).results[0];
  const snapshots = [trace.initial];
  for (const step of trace.steps) snapshots.push({ ...snapshots.at(-1), ...step.changes });
  return { results, trace, snapshots };
}

/** Words of GSM that mean nothing in AMBER. */
const GSM = /B-step|[Ll]ifecycle|[Mm]ilestone|\b[Ss]tages?\b|[Aa]rtifact/;

const repeated = (list) => list.filter((x, i) => list.indexOf(x) !== i);

/** Every node once, in two blocks, with four relations. */
async function whole(page, svg) {
  const all = await page.$$eval(`${svg} [data-node]`, (found) => found.map((n) => n.dataset.node));
  assert.deepEqual(all.sort(), nodes);
  assert.deepEqual(await page.$$eval(`${svg} [data-block]`, (found) => found.map((b) => b.dataset.block).sort()), ['GARAGE', 'PRO-FIT']);
  assert.equal(await page.$$eval(`${svg} [data-relation]`, (found) => found.length), 4);
}

/** What the picture shows is what the snapshot says. */
async function painted(page, svg, values, what) {
  const shown = await page.$$eval(`${svg} [data-var]`, (all) => all.map((g) => [g.dataset.var, g.dataset.value]));
  assert.ok(shown.length >= 28, `${what}: ${shown.length} marks`);
  for (const [name, value] of shown) if (name in values) assert.equal(value, String(values[name]), `${what}: ${name}`);
}

test('the report: all nodes, and a run to its end', async () => {
  const { trace, snapshots } = await run();
  assert.ok(trace.certified && trace.steps.length >= 5);
  const file = path.join(folder, 'garage.html');
  await gsmc(['report', example('amber/garage'), '--property', 'prop2', '-o', file]);
  for (const [name, look] of [['light', {}], ['phone', { phone: true, dark: true }]]) {
    const view = await open(file, look);
    const { page } = view;
    const svg = look.phone ? 'svg.narrow' : 'svg.wide';
    await whole(page, svg);
    assert.match(await page.textContent('.legend'), /waits.*has happened.*disabled/s);
    assert.doesNotMatch(await page.textContent('main, header'), GSM);
    assert.deepEqual(repeated(await page.$$eval('.numbers dt', (all) => all.map((x) => x.textContent))), [], 'no number has the name of another');
    await page.click('a.see');
    for (const [s, step] of trace.steps.entries()) {
      await page.click('#next-step');
      assert.match(await page.textContent('.position'), new RegExp(`^Step ${s + 1} of ${trace.steps.length}`));
      await painted(page, svg, snapshots[s + 1], `after ${step.event ?? 'nothing'}`);
    }
    await fits(page);
    view.quiet();
    await picture(page, `amber-report-${name}`, { fullPage: true });
    await view.close();
  }
});

test('the explorer: all nodes, and the same run back and forth', async () => {
  const { results, trace, snapshots } = await run();
  const server = await serve(['explore', example('amber/garage'), '--port', '0', '--trace', results]);
  const view = await open(server.url);
  const { page } = view;
  await arrived(page, trace.steps.length);
  await whole(page, '#picture svg');
  await backAndForth(page, trace.steps.length, (n, what) => painted(page, '#picture svg', snapshots[n], what));
  assert.doesNotMatch(await page.textContent('body'), GSM);
  assert.equal(await page.textContent('#picture-title'), 'Process');
  // The hint is a formula of this model: it can be typed as it is. After a rejected claim nobody pays.
  await page.fill('#own-text', await page.getAttribute('#own-text', 'placeholder'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('#own-answer [data-value="false"]');
  await fits(page);
  view.quiet();
  await picture(page, 'amber-explore', { fullPage: true });
  await view.close();
  await server.stop();
});

test('other languages have their own words, pictures with values, and hints that can be typed', async () => {
  const foreign = /B-step|[Ll]ifecycle/;
  for (const [name, words, part] of [['shipment', /Stages, milestones and items/, '.chip'], ['cmmn/claim.cmmn', /Items of the case/, '.item .body']]) {
    const server = await serve(['explore', example(name), '--port', '0']);
    const view = await open(server.url);
    const { page } = view;
    await page.waitForSelector(`#picture svg ${part}[data-value]`);
    assert.match(await page.textContent('#picture-title'), words);
    assert.doesNotMatch(await page.textContent('body'), foreign);
    if (name === 'shipment') assert.match(await page.textContent('#picture svg .chip'), / = (\w+|⊥)/);
    const box = await page.$eval(`#picture svg ${part}`, (p) => getComputedStyle(p.querySelector('rect, .shape')).fill);
    assert.notEqual(box, 'rgb(0, 0, 0)', 'the style of the picture is there');
    await page.fill('#own-text', await page.getAttribute('#own-text', 'placeholder'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#own-answer [data-value]');
    // Moves of one event with different payloads are one choice, and each leads where it says.
    if (name === 'shipment') {
      await page.click('#picture svg [data-name="Load"] > .title, #picture svg [data-name="Load"] .body');
      await page.waitForFunction(() => /Load has not opened: its guard Load_g waits for event loading/.test(document.getElementById('why').textContent));
      await page.selectOption('#choices [data-field="status"]', 'OnRoad');
      await page.click('#choices [data-event="Truck"]');
      await page.waitForFunction(() => /status = OnRoad/.test(document.getElementById('step-title').textContent));
    }
    view.quiet();
    await view.close();
    await server.stop();
  }
});
