// The explorer: walks traces, forks, undoes, predicts; shows hostile names as text; answers nobody but its own page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { chipsFit, example, fits, folder, get, gsmc, open, otherAddress, picture, serve, wordsWhole, write } from './lib.mjs';

/** Waits until the page stands at a snapshot. */
const at = (page, n) => page.waitForSelector(`#path [data-at="${n}"][aria-current="step"]`);

/** Takes the first choice of an event. */
async function take(page, event, n) {
  await page.click(`#choices [data-event="${event}"]`);
  await at(page, n);
}

/** The last column of the tables as the page shows it: { name: true | false | text }. */
const shown = (page) => page.evaluate(() => {
  const value = (cell) => {
    if (cell.classList.contains('stage') || cell.classList.contains('milestone')) return cell.classList.contains('on');
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('.hint').forEach((hint) => hint.remove());
    return copy.textContent;
  };
  return Object.fromEntries([...document.querySelectorAll('#values tr[data-variable]')].map((row) => [row.dataset.variable, value(row.lastElementChild)]));
});

/** What a row of the page must say for a value of a trace. */
const told = (cell, value) => (typeof cell === 'boolean' ? value : String(value));

test('walks traces of a check to their end and back, with the values of the JSON', async () => {
  for (const [name, property] of [['fixed-price', 'order-consistent'], ['teaching/lasso', 'comes-in-the-end'], ['teaching/two-views', 'patient-knows']]) {
    const results = path.join(folder, 'results.json');
    await gsmc(['check', example(name), '--property', property, '--format', 'json', '-o', results], { code: null });
    const { trace } = JSON.parse(readFileSync(results, 'utf8')).results[0];
    const server = await serve(['explore', example(name), '--port', '0', '--trace', results]);
    const { page, quiet, close } = await open(server.url);
    const snapshots = [trace.initial];
    for (const step of trace.steps) snapshots.push({ ...snapshots.at(-1), ...step.changes });
    for (let n = trace.steps.length; n >= 0; n -= 1) {
      await at(page, n);
      const cells = await shown(page);
      for (const [variable, cell] of Object.entries(cells)) {
        if (!variable.endsWith('.created')) assert.equal(cell, told(cell, snapshots[n][variable]), `${name}, snapshot ${n}: ${variable}`);
      }
      const changed = n > 0 ? Object.keys(trace.steps[n - 1].changes).filter((v) => v !== 'overflow') : [];
      for (const variable of changed) assert.ok(variable in cells, `${name}, snapshot ${n}: ${variable} is shown`);
      if (n > 0) await page.click('#undo');
    }
    assert.equal(await page.$$eval('#path .loop', (all) => all.length), trace.loop_start === null ? 0 : 1, `${name}: the loop is marked`);
    for (const side of trace.sides ?? []) assert.match(await page.textContent('#runs'), new RegExp(`looks the same to ${side.agents.join(', ')}`));
    assert.ok(await page.isDisabled('#undo'));
    for (let n = 1; n <= trace.steps.length; n += 1) {
      await page.keyboard.press('r');
      await at(page, n);
      const fired = await page.$$eval('#rules > .card .label', (all) => all.map((x) => x.textContent));
      assert.deepEqual(fired, trace.steps[n - 1].rules, `${name}: rules of step ${n}`);
    }
    assert.ok(await page.isDisabled('#redo'));
    quiet();
    await close();
    assert.equal(await server.stop(), 0, 'Ctrl-C ends it in order');
  }
});

test('goes by hand, undoes, forks and comes back to the old branch', async () => {
  const server = await serve(['explore', example('order-to-cash'), '--port', '0']);
  const { page, quiet, close } = await open(server.url);
  await at(page, 0);
  await take(page, 'Create_CustomerOrder', 1);
  await take(page, 'OnSubmit', 2);
  await take(page, 'OnCancel', 3);
  assert.equal(await page.getAttribute('#picture .milestone[data-milestone="Cancelled"]', 'class'), 'milestone achieved');
  const old = await page.evaluate(() => location.hash);
  await page.keyboard.press('u');
  await at(page, 2);
  await take(page, 'OnResearch', 3);
  const kept = await page.$$('#runs [data-run]');
  assert.equal(kept.length, 1, 'the old branch is listed');
  await kept[0].click();
  await page.waitForFunction((hash) => location.hash === hash, old);
  await page.waitForFunction(() => /OnCancel/.test(document.getElementById('step-title').textContent));
  // The browser's own Back is an undo as well.
  await page.goBack();
  await page.waitForFunction(() => /OnResearch/.test(document.getElementById('step-title').textContent));
  // Micro-steps by keyboard: the first one is the snapshot before.
  const count = await page.$$eval('#micro button', (all) => all.length);
  for (let i = 1; i < count; i += 1) await page.keyboard.press('k');
  assert.match(await page.textContent('#micro [aria-pressed="true"]'), /before/);
  await page.keyboard.press('j');
  assert.match(await page.textContent('#micro [aria-pressed="true"]'), /event/);
  quiet();
  await close();
  await server.stop();
});

test('the address and the command lead to the same place', async () => {
  const server = await serve(['explore', example('order-to-cash'), '--port', '0']);
  const first = await open(server.url);
  await at(first.page, 0);
  await take(first.page, 'Create_CustomerOrder', 1);
  await take(first.page, 'OnSubmit', 2);
  const values = await shown(first.page);
  const [link, command] = await Promise.all(['#share-link', '#share-command'].map((id) => first.page.inputValue(id)));
  const second = await open(link);
  await at(second.page, 2);
  assert.deepEqual(await shown(second.page), values);
  const third = await serve([...command.split(' ').slice(1), '--port', '0']);
  const again = await open(third.url);
  await at(again.page, 2);
  assert.deepEqual(await shown(again.page), values);
  // An address that cannot be gone says which step, and the way back works.
  await again.page.evaluate(() => { location.hash = '#/1/nonsense'; });
  await again.page.waitForSelector('#fault:not([hidden])');
  assert.match(await again.page.textContent('#fault'), /step 2 of the path, 'nonsense'/);
  await again.page.click('#fault button');
  await again.page.waitForSelector('#fault', { state: 'hidden' });
  await at(again.page, 2);
  for (const view of [first, second, again]) await view.close();
  assert.equal((await gsmc(['explore', example('order-to-cash'), '--path', 'nonsense'], { code: 2 })).code, 2);
});

test('predict: right, wrong and missed', async () => {
  const server = await serve(['explore', example('order-to-cash'), '--port', '0', '--path', 'Create_CustomerOrder']);
  const { page, quiet, close } = await open(server.url);
  await at(page, 1);
  await page.click('#predict');
  await page.click('#choices [data-event="OnSubmit"]');
  await page.check('[data-guess="CustomerOrder[1].Submitting"]');
  await page.check('[data-guess="CustomerOrder[1].Paid"]');
  assert.equal(await page.$('#path [data-at="2"]'), null, 'nothing is given away');
  await page.click('.reveal');
  await at(page, 2);
  const score = await page.$$eval('.score li', (all) => all.map((x) => `${x.dataset.score} ${x.dataset.variable}`));
  assert.deepEqual(score, ['right CustomerOrder[1].Submitting', 'wrong CustomerOrder[1].Paid', 'missed CustomerOrder[1].Preparing',
    'missed CustomerOrder[1].CollectingParts', 'missed CustomerOrder[1].Submitted']);
  quiet();
  await close();
});

test('why not, other order, properties, who sees what', async () => {
  const race = await serve(['explore', example('teaching/real-race'), '--port', '0', '--path', 'Create_Car/Visit/Confirm/Call']);
  const one = await open(race.url);
  await at(one.page, 4);
  assert.match(await one.page.textContent('#other-order'), /Car\[1\]\.PAC-2 Sold\/SoldIfFree would decide otherwise/s);
  await one.page.click('#values tr[data-variable="Car[1].Sold"] button');
  assert.match(await one.page.textContent('#rules'), /Only rules that write Car\[1\]\.Sold/);
  assert.match(await one.page.textContent('#rules .culprit'), /this is why not/);
  await one.close();
  const views = await serve(['explore', example('teaching/two-views'), '--port', '0', '--path', 'Create_Test/Result,positive=true']);
  const two = await open(views.url);
  await at(two.page, 2);
  await two.page.waitForSelector('[data-property="doctor-knows"][data-value="true"]');
  await two.page.fill('#own-text', 'EX exists x : Test (x.Treating)');
  await two.page.keyboard.press('Enter');
  await two.page.waitForSelector('#own-answer [data-value="true"]');
  await two.page.fill('#own-text', 'AG exists x : Tset (x.Done)');
  await two.page.keyboard.press('Enter');
  await two.page.waitForSelector('#own-answer pre');
  assert.match(await two.page.textContent('#own-answer'), /'Tset'/);
  const alike = '[data-agent="patient"] .alike';
  await two.page.waitForSelector(alike);
  assert.match(await two.page.textContent(alike), /1 other snapshot looks the same.*Test\[1\]\.positive true → false/s);
  await two.page.click(`${alike} summary`);
  await two.page.click(`${alike} button`);
  await two.page.waitForFunction(() => /positive = false/.test(document.getElementById('step-title').textContent));
  one.quiet();
  two.quiet();
  await two.close();
});

test('names that look like markup are text everywhere', async () => {
  const bad = '&lt;script&gt;document.title=1&lt;/script&gt;';
  write('hostile/model.xml', `<?xml version="1.0" encoding="UTF-8"?>
<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="&lt;img src=x onerror=alert(1)&gt; &quot;q&quot; 'ü' 漢">
  <ca:Component id="T${bad}" name="T${bad}">
    <ca:InformationModel rootDataItemId="O"><ca:DataItem id="O" schemaUri="o.xsd" rootElement="O"/></ca:InformationModel>
    <ca:GuardedStageModel id="G">
      <ca:Stage id="S &amp; &quot;${bad}&quot;" name="&lt;b&gt;S">
        <ca:StageGuard id="g'${bad}" name="&lt;i&gt;" eventIds="Go/now?x=1&amp;y=#2"/>
        <ca:Milestone id="M Ω${bad}" name="M" eventIds="idle"><ca:Condition id="c&quot;${bad}"/></ca:Milestone>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
  <ca:EventModel id="E"><ca:Event id="Go/now?x=1&amp;y=#2"/><ca:Event id="idle"/><ca:Event id="42"/></ca:EventModel>
</ca:CompositeApplication>`);
  write('hostile/o.xsd', `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="O"><xs:complexType>
    <xs:attribute name="n" type="xs:string"/></xs:complexType></xs:element></xs:schema>`);
  write('hostile/p.gsmp', '"<script>alert(4)</script>": EF overflow;');
  write('hostile/gsmc.toml', 'model = "model.xml"\nproperties = ["p.gsmp"]\n');
  const server = await serve(['explore', path.join(folder, 'hostile'), '--port', '0']);
  for (const phone of [false, true]) {
    const { page, quiet, close } = await open(server.url, { phone, dark: phone });
    await at(page, 0);
    await page.click('#choices .go');
    await at(page, 1);
    await page.click('#choices [data-event="Go/now?x=1&y=#2"]');
    await at(page, 2);
    await page.click('#choices [data-event="idle"][data-target]');
    await at(page, 3);
    await page.waitForSelector('[data-property]:not([data-value="null"])');
    assert.match(await page.textContent('h1'), /<img src=x onerror=alert\(1\)> "q" 'ü' 漢/);
    assert.match(await page.textContent('#rules'), /M Ω<script>document\.title=1<\/script>/);
    assert.match(await page.textContent('#properties'), /<script>alert\(4\)<\/script>/);
    assert.match(await page.title(), /^3\. /);
    assert.equal(await page.evaluate(() => document.querySelectorAll('main script, main img, nav script, nav img, h1 img').length), 0);
    await page.reload();
    await at(page, 3);
    await fits(page);
    quiet();
    await picture(page, `explore-hostile-${phone ? 'phone' : 'desk'}`, { fullPage: true });
    await close();
  }
});

test('fits a phone and a desk, light and dark, and has all stages', async () => {
  for (const name of ['order-to-cash', 'fixed-price', 'teaching/nested']) {
    const server = await serve(['explore', example(name), '--port', '0', '--path', '1/1']);
    for (const look of [{ phone: true }, { phone: true, dark: true }, {}, { dark: true }]) {
      const { page, quiet, close } = await open(server.url, look);
      await at(page, 2);
      await page.waitForSelector('#picture svg');
      if (name === 'fixed-price') assert.equal(await page.$$eval('#picture .stage', (all) => all.length), 28);
      await fits(page);
      quiet();
      await picture(page, `explore-${path.basename(name)}-${look.phone ? 'phone' : 'desk'}-${look.dark ? 'dark' : 'light'}`, { fullPage: true });
      await close();
    }
    await server.stop();
  }
});

test('every control has a name, and the keyboard reaches them', async () => {
  const server = await serve(['explore', example('order-to-cash'), '--port', '0', '--path', '1/1']);
  const { page, close } = await open(server.url);
  await at(page, 2);
  const nameless = await page.$$eval('button, input, select, summary', (all) => all.filter((x) => {
    const name = x.textContent.trim() || x.getAttribute('aria-label') || (x.labels && x.labels.length && x.labels[0].textContent.trim());
    return !name;
  }).map((x) => x.outerHTML));
  assert.deepEqual(nameless, []);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
  await page.keyboard.type('Preparing');
  const rows = await page.$$eval('#values tr[data-variable]', (all) => all.map((x) => x.dataset.variable));
  assert.deepEqual(rows, ['CustomerOrder[1].Preparing']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
  await close();
});

test('answers its own page only', async () => {
  const server = await serve(['explore', example('teaching/one-stage'), '--port', '0']);
  const { port } = new URL(server.url);
  const api = `${server.url}api/model`;
  assert.equal((await get(api)).status, 200);
  assert.equal((await get(api, { headers: { Host: `localhost:${port}` } })).status, 200);
  for (const Host of [`evil.example:${port}`, 'evil.example', 'localhost', `127.0.0.1.evil.example:${port}`]) {
    assert.equal((await get(api, { headers: { Host } })).status, 403, Host);
  }
  for (const Origin of ['http://evil.example', 'null', `https://localhost:${port}`]) {
    assert.equal((await get(api, { headers: { Origin } })).status, 403, Origin);
  }
  assert.equal((await get(api, { method: 'POST' })).status, 405);
  const answer = await get(server.url);
  assert.match(answer.headers['content-security-policy'], /^default-src 'self';/);
  assert.equal(answer.headers['access-control-allow-origin'], undefined);
  const other = otherAddress();
  if (other) await assert.rejects(get(api, { to: other }), 'a client that is not on loopback gets no connection');
  // A page from elsewhere cannot read it, even in the same browser.
  const stranger = write('stranger.html', '<!doctype html><title>x</title>');
  const view = await open(stranger, { offline: false });
  const read = await view.page.evaluate((url) => fetch(url).then((r) => `read ${r.status}`, () => 'refused'), api);
  assert.equal(read, 'refused');
  await view.close();
});

test('follows the files: a change is shown at the same place, what cannot be read is told', async () => {
  const text = readFileSync(path.join(example('teaching/reopen'), 'model.gsm'), 'utf8');
  const model = write('followed/model.gsm', text);
  write('followed/gsmc.toml', 'model = "model.gsm"\n');
  const server = await serve(['explore', path.dirname(model), '--port', '0', '--path', 'Create_Report/Submit']);
  const { page, quiet, close } = await open(server.url);
  await at(page, 2);
  assert.equal(await page.$('#choices [data-event="Escalate"]'), null);
  write('followed/model.gsm', text.replace('event Submit,', 'event Escalate, Submit,').replace('on Reject', 'on Reject, Escalate'));
  await page.waitForSelector('#choices [data-event="Escalate"]');
  await at(page, 2);
  write('followed/model.gsm', text.replace('on Approve', 'on Aprove'));
  await page.waitForSelector('#stale:not([hidden])');
  assert.match(await page.textContent('#stale-why'), /'Aprove'/);
  assert.ok(await page.$('#choices [data-event="Escalate"]'), 'the model before is still there');
  write('followed/model.gsm', text);
  await page.waitForSelector('#stale', { state: 'hidden' });
  await page.waitForFunction(() => !document.querySelector('#choices [data-event="Escalate"]'));
  quiet();
  await close();
  assert.equal(await server.stop(), 0, 'Ctrl-C ends it in order');
});

test('from a property to its run with one click, played; light and dark; larger and whole', async () => {
  const server = await serve(['explore', example('teaching/reopen'), '--port', '0']);
  const { page, quiet, close } = await open(server.url);
  const property = '[data-property="approval-lasts"]';
  await page.waitForSelector(`${property} [data-run]`, { state: 'attached' });
  await page.click(`${property} summary`);
  assert.match(await page.textContent(`${property} .told`), /false, as expected/);
  await page.click(`${property} [data-run]`);
  await page.waitForFunction(() => document.querySelectorAll('#path [data-at]').length > 1);
  const steps = await page.$$eval('#path [data-at]', (all) => all.length - 1);
  await at(page, steps);
  // Played from the start to the end, where it stops by itself.
  await page.click('#play');
  await at(page, 0);
  await at(page, steps);
  await page.waitForSelector('#play[aria-pressed="false"]');
  const colours = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colours();
  await page.click('#theme');
  assert.notEqual(await colours(), light);
  await page.keyboard.press('t');
  assert.equal(await colours(), light);
  const box = () => page.getAttribute('#picture svg', 'viewBox');
  const whole = await box();
  await page.click('.zoom button[title="Larger"]');
  assert.ok(Number((await box()).split(' ')[2]) < Number(whole.split(' ')[2]), 'a part of it, larger');
  await page.click('.zoom button[title="The whole picture"]');
  assert.equal((await box()).split(' ')[2], whole.split(' ')[2]);
  quiet();
  await close();
  await server.stop();
});

test('words stay whole, values fit into their chips and the legend says what signs mean, wide and narrow, light and dark', async () => {
  const LOOKED_AT = '#rules, #values, #path, #choices, #micro, #micro-note, #legend';
  for (const [name, steps] of [['garage', 4], ['fixed-price', 3], ['cmmn/claim.cmmn', 4], ['shipment', 3]]) {
    const server = await serve(['explore', example(name), '--port', '0']);
    for (const [dark, phone] of [[false, false], [true, false], [false, true], [true, true]]) {
      const { page, quiet, close } = await open(server.url, { dark, phone });
      await at(page, 0);
      for (let n = 1; n <= steps; n += 1) {
        await page.click('#choices .go');
        await at(page, n);
      }
      await page.waitForSelector('#picture svg.painted');
      await chipsFit(page);
      await fits(page);
      if (!phone) await wordsWhole(page, LOOKED_AT);
      assert.match(await page.textContent('#legend'), /just changed/);
      await picture(page, `explore-${name.replace(/\W/g, '-')}-${phone ? 390 : 1280}-${dark ? 'dark' : 'light'}`, { fullPage: true });
      quiet();
      await close();
    }
    await server.stop();
  }
});

test('steps on exact values: payload by value, what the check tells apart, one click to a run', async () => {
  const model = write('invoice/model.gsm', `application Payments
event Bill { number: int, amount: real }
event Pay { paid: real }
type Invoice {
  number: int
  amount: real
  paid: real
  stage Waiting { guard on Bill; milestone Settled on Pay when paid >= amount; milestone Short on Pay when paid < amount }
}
properties {
  settled: AG forall i: Invoice (i.Settled -> i.paid >= i.amount);
  never:   AG forall i: Invoice (i.number != 7)
}
`);
  const server = await serve(['explore', '-m', model, '--abstract', '--port', '0']);
  const { page, quiet, close } = await open(server.url);
  await take(page, 'Create_Invoice', 1);
  await page.fill('#choices [data-field="number"]', '1000000000000');
  await page.fill('#choices [data-field="amount"]', '12345.67');
  await take(page, 'Bill', 2);
  await page.fill('#choices [data-field="paid"]', '12345.66');
  await take(page, 'Pay', 3);
  const cells = await shown(page);
  assert.equal(cells['Invoice[1].number'], '1000000000000');
  assert.equal(cells['Invoice[1].amount'], '12345.67');
  assert.deepEqual([cells['Invoice[1].Short'], cells['Invoice[1].Settled']], [true, false]);
  await page.click('#micro button:has-text("PAC-2 Short")');
  assert.match(await page.textContent('#rules'), /paid < amount/);
  // Without a solver the page says why there is no check.
  await page.waitForSelector('#properties .abstracted, #properties .progress:has-text("says nothing")');
  if (await page.$('#properties .abstracted')) {
    const holds = await page.$$eval('#properties .predicate', (all) => Object.fromEntries(all.map((p) => [p.querySelector('.text').textContent, p.dataset.holds])));
    assert.deepEqual([holds['Invoice[1]: amount == paid'], holds['Invoice[1]: number == 7']], ['false', 'false']);
    assert.match(await page.textContent('#properties .abstracted'), /may be reached/);
    const never = '#properties [data-property="never"]';
    assert.match(await page.textContent(`${never} summary`), /not as expected/);
    await page.click(`${never} summary`);
    await page.click(`${never} [data-run]`);
    await at(page, 2);
    assert.equal((await shown(page))['Invoice[1].number'], '7');
  }
  await fits(page);
  quiet();
  await close();
  await server.stop();
});
