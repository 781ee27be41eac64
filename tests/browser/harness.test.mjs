// The harness itself: it shows a quiet page as quiet, and sees what a page must not do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { existsSync } from 'node:fs';
import { example, fits, folder, get, gsmc, open, write } from './lib.mjs';

test('a page from disk works and is quiet', async () => {
  const file = write('a page & more.html', `<!doctype html><title>x</title><p id="said"></p>
    <img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">
    <script>document.getElementById('said').textContent = 'dark: ' + matchMedia('(prefers-color-scheme: dark)').matches</script>`);
  for (const dark of [false, true]) {
    const view = await open(file, { dark });
    assert.equal(await view.page.textContent('#said'), `dark: ${dark}`);
    await fits(view.page);
    view.quiet();
    await view.close();
  }
});

test('errors, exceptions and requests are seen', async () => {
  const file = write('loud.html', `<!doctype html><title>x</title><div style="width: 3000px">wide</div>
    <script>console.error('a complaint')</script><script>throw new Error('thrown')</script>
    <img alt="" src="missing.png"><script>fetch('http://127.0.0.1:9/').catch(() => {})</script>`);
  const view = await open(file);
  await view.page.waitForTimeout(300);
  const errors = view.errors.join('\n');
  assert.match(errors, /error: a complaint/);
  assert.match(errors, /exception: thrown/);
  const requests = view.requests.join('\n');
  assert.match(requests, /missing\.png/);
  assert.match(requests, /127\.0\.0\.1:9/);
  assert.throws(() => view.quiet(), /complains/);
  await assert.rejects(fits(view.page), /in a window of 1280/);
  await view.close();
});

test('gsmc runs, and its exit code counts', async () => {
  const { stdout } = await gsmc(['validate', example('fixed-price')]);
  assert.match(stdout, /FixedPriceRequest/);
  await assert.rejects(gsmc(['validate', 'no such folder']));
  assert.equal((await gsmc(['validate', 'no such folder'], { code: null })).code, 2);
  await assert.rejects(get('http://127.0.0.1:9/'));
  assert.ok(existsSync(folder));
});
