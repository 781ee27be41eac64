// The report in a browser: loads from disk and is quiet, the stepper shows what the JSON trace says, keys, search, colours, phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { example, fits, folder, gsmc, open, picture, write } from './lib.mjs';

const number = (text) => Number(text.replace(/\D+/g, ' ').trim().split(' ')[0]);

/** Writes a report and checks with the same options; gives the file and the results. */
async function made(name, args, { code = 0 } = {}) {
  const file = path.join(folder, `${name}.html`);
  await gsmc(['report', ...args, '-o', file], { code });
  const { stdout } = await gsmc(['check', ...args, '--format', 'json'], { code });
  return { file, results: JSON.parse(stdout) };
}

const models = {
  'fixed-price': [example('fixed-price'), '--property', 'order-consistent', '--property', 'reach-WinnerAssigned', '--property', 'p1'],
  'order-to-cash': [example('order-to-cash'), '--builtin'],
};

/** The values of a snapshot as the page's own tables show them. */
async function shown(page) {
  if (!(await page.isChecked('#values input'))) await page.check('#values input');
  return page.$$eval('#values tr[data-variable]', (rows) => Object.fromEntries(rows.map((r) =>
    [r.dataset.variable, r.querySelector('td.now').textContent.replace(' changed', '').replace('–', '')])));
}

const word = (value) => String(value);
const words = { open: 'true', closed: 'false', achieved: 'true', 'not achieved': 'false', exists: 'true', 'not created': 'false' };

for (const [name, args] of Object.entries(models)) {
  test(`${name}: every trace steps to its end, with the values of the JSON trace`, async () => {
    const { file, results } = await made(name, args);
    const view = await open(file);
    const { page } = view;
    for (const property of new Set(results.results.map((r) => r.property))) {
      assert.ok((await page.$$eval('.property', (all) => all.map((p) => p.textContent))).includes(property), property);
    }
    const traced = results.results.filter((r) => r.trace && r.trace.certified);
    assert.ok(traced.length >= 2, 'there are traces to step through');
    const links = await page.$$('a.see');
    assert.equal(links.length, traced.length);
    for (const [i, result] of traced.slice(0, 6).entries()) {
      await links[i].click();
      assert.match(await page.textContent('#run option:checked'), new RegExp(`${result.trace.steps.length} step`));
      let values = { ...result.trace.initial };
      for (const [s, step] of result.trace.steps.entries()) {
        await page.click('#next-step');
        values = { ...values, ...step.changes };
        assert.match(await page.textContent('.position'), new RegExp(`^Step ${s + 1} of ${result.trace.steps.length}`));
        assert.equal(await page.textContent('.sender dd'), step.event === null ? 'nobody' : step.agent ?? 'anyone');
        const seen = await shown(page);
        for (const [variable, said] of Object.entries(seen)) {
          assert.equal(words[said] ?? said, word(values[variable]), `${result.property}: ${variable} after step ${s + 1}`);
        }
        const fired = await page.$$eval('#steps ol.micro button', (all) => all.map((b) => b.textContent).filter((t) => t.includes('PAC-')));
        assert.deepEqual(fired, step.rules);
      }
      await inDiagram(page, values);
    }
    await fits(page);
    view.quiet();
    await picture(page, `report-${name}`, { fullPage: true });
    await view.close();
  });
}

/** Open stages and achieved milestones of the diagram are those of the snapshot, in the slots that it shows. */
async function inDiagram(page, values) {
  const painted = await page.$$eval('svg.wide .artifact', (all) => all.flatMap((a) => [...a.querySelectorAll('.stage, .milestone')].map((n) =>
    [a.dataset.type, n.dataset.milestone ?? n.dataset.stage, n.classList.contains('open') || n.classList.contains('achieved')])));
  const slots = Object.fromEntries(await page.$$eval('.slots', (all) => all.map((s) =>
    [s.firstChild.textContent.trim(), s.querySelector('[aria-pressed=true]').title])));
  for (const [type, element, on] of painted) {
    const variable = `${slots[type] ?? `${type}[1]`}.${element}`;
    if (variable in values) assert.equal(on, values[variable], variable);
  }
}

test('the diagram of fixed-price has all 28 stages and fits a screen of 1280', async () => {
  const { file } = await made('diagram', [example('fixed-price'), '--property', 'p1']);
  const view = await open(file, { width: 1280 });
  assert.equal(await view.page.$$eval('svg.wide .stage', (all) => all.length), 28);
  assert.equal(await view.page.$$eval('svg.wide .milestone', (all) => all.length), 37);
  assert.equal(await view.page.$$eval('svg.wide .guard', (all) => all.length), 33);
  const { scale, smallest, frame } = await view.page.$eval('svg.wide', (svg) => ({
    scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
    smallest: Math.min(...[...svg.querySelectorAll('text')].map((t) => parseFloat(getComputedStyle(t).fontSize))),
    frame: svg.parentElement.scrollWidth <= svg.parentElement.clientWidth,
  }));
  assert.ok(scale * smallest >= 11, 'text is large enough to read');
  assert.ok(frame, 'no scrolling sideways');
  view.quiet();
  await view.close();
});

test('a stage tells its guards and milestones, and where they stand', async () => {
  const { file } = await made('inspect', [example('order-to-cash'), '--property', 'can-be-received']);
  const view = await open(file);
  await view.page.click('svg.wide [data-stage=Receiving] > text');
  const told = await view.page.textContent('#inspect');
  assert.match(told, /Stage Receiving/);
  assert.match(told, /on OnPartReceived/);
  assert.match(told, /Milestone PartReceived/);
  assert.match(told, /model\.xml:\d+:\d+/);
  await view.page.keyboard.press('Escape');
  assert.ok(!(await view.page.isVisible('#inspect')));
  await view.page.focus('svg.wide [data-stage=Assembling]');
  await view.page.keyboard.press('Enter');
  assert.match(await view.page.textContent('#inspect'), /Stage Assembling/);
  await view.page.click('#inspect .close');
  assert.equal(await view.page.evaluate(() => document.activeElement.dataset.stage), 'Assembling', 'the focus comes back');
  view.quiet();
  await view.close();
});

test('texts of the diagram stay in their boxes and apart from each other', async () => {
  const { file } = await made('boxes', [example('fixed-price'), '--property', 'p1']);
  for (const phone of [false, true]) {
    const view = await open(file, { phone });
    const faults = await view.page.$eval(phone ? 'svg.narrow' : 'svg.wide', (svg) => {
      const box = (n) => n.getBoundingClientRect();
      const texts = [...svg.querySelectorAll('text')].map((t) => [t.textContent, box(t), t.closest('.stage, .artifact').querySelector('rect')]);
      const found = texts.filter(([, b, r]) => b.left < box(r).left || b.right > box(r).right || b.bottom > box(r).bottom + 1).map(([t]) => `${t} sticks out`);
      texts.forEach(([t, a], i) => texts.slice(i + 1).forEach(([u, b]) => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4) found.push(`${t} and ${u} overlap`);
      }));
      return found;
    });
    assert.deepEqual(faults, []);
    await fits(view.page);
    await view.close();
  }
});

test('keys: micro-steps, B-steps, ends, traces, search, theme, help', async () => {
  const { file, results } = await made('keys', [example('teaching/lasso')]);
  const view = await open(file);
  const { page } = view;
  const place = () => page.textContent('.position');
  await page.keyboard.press('j');
  const trace = results.results.find((r) => r.trace).trace;
  assert.equal(await place(), `Step 0 of ${trace.steps.length}`);
  await page.keyboard.press('ArrowRight');
  assert.match(await place(), /^Step 1 of \d+, micro-step 1 of/);
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await place(), /^Step 2 of \d+, micro-step (\d+) of \1$/);
  await page.keyboard.press('ArrowLeft');
  assert.match(await place(), /^Step 2 of \d+, micro-step 1 of 2$/);
  await page.keyboard.press('ArrowRight');
  assert.match(await place(), /^Step 2 of \d+, micro-step 2 of 2$/);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.match(await place(), /^Step 1 of/);
  await page.keyboard.press('End');
  assert.match(await place(), new RegExp(`^Step ${trace.steps.length} of`));
  assert.notEqual(trace.loop_start, null, 'a lasso');
  assert.match(await page.textContent('#steps'), /from here on again and again/);
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await place(), new RegExp(`^Step ${trace.loop_start + 1} of`), 'round the loop');
  await page.keyboard.press('Home');
  assert.equal(number(await place()), 0);
  assert.match(await page.textContent('#said'), /Step 0/);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
  await page.keyboard.type('writer-can');
  assert.equal(await page.$$eval('.verdicts tbody tr:not([hidden])', (all) => all.length), 1);
  await page.keyboard.press('Escape');
  assert.equal(await page.$$eval('.verdicts tbody tr[hidden]', (all) => all.length), 0);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.keyboard.press('t');
  assert.notEqual(await ground(), light);
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
  await page.click('#next-micro');
  // Buttons are made anew, and the focus comes back a moment later.
  await page.waitForFunction(() => document.activeElement.id === 'next-micro', null, { timeout: 10000 });
  assert.match(page.url(), /#run=0&at=1\.1$/);
  view.quiet();
  await view.close();
});

test('what agents see, and snapshots they cannot tell apart', async () => {
  const { file } = await made('views', [example('teaching/two-views')]);
  const view = await open(file, { dark: true });
  await view.page.keyboard.press('j');
  await view.page.keyboard.press('End');
  assert.match(await view.page.textContent('#sights'), /patient cannot tell this snapshot/);
  assert.ok((await view.page.$$('.sight')).length >= 2);
  await view.page.click('.same button');
  assert.match(await view.page.textContent('#steps-title'), /looks the same/);
  await view.page.click('#steps button >> nth=0');
  assert.equal(await view.page.textContent('#steps-title'), 'Run');
  view.quiet();
  await view.close();
});

test('without script, and printed, table, picture and traces are there', async () => {
  const { file } = await made('paper', [example('teaching/lasso')]);
  const bare = await open(file, { javaScriptEnabled: false });
  assert.ok(await bare.page.isVisible('.verdicts'));
  assert.ok(await bare.page.isVisible('svg.wide'));
  assert.ok(await bare.page.isVisible('.story'));
  assert.ok(!(await bare.page.isVisible('#search')));
  await bare.close();
  const view = await open(file);
  assert.ok(!(await view.page.isVisible('.story')));
  await view.page.emulateMedia({ media: 'print' });
  assert.ok(await view.page.isVisible('.story'));
  assert.ok(await view.page.isVisible('svg.wide'));
  assert.ok(!(await view.page.isVisible('#player')));
  assert.ok(!(await view.page.isVisible('#search')) && !(await view.page.isVisible('.filters')));
  await view.close();
});

const NASTY = ['</script><script>alert(1)</script>', '"><img src=x onerror=alert(2)>', "it's \\ & <b>bold</b> 'quoted'", 'Überprüfung 检查 🚚 \u202eabc'];
const attribute = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** A model whose names are hostile, or simply many. */
function model(stages, name) {
  const one = (i) => `<ca:${i % 8 ? 'Sub' : ''}Stage id="S${i}" name="${attribute(name(i))}"><ca:StageGuard id="g${i}" name="${attribute(name(i))}" eventIds="Go${i}"/>
    <ca:Milestone id="M${i}" name="${attribute(`done ${name(i)}`)}" eventIds="Stop${i}"><ca:Condition id="c${i}"/></ca:Milestone>`;
  let text = '';
  const events = Array.from({ length: stages }, (_, i) => `<ca:Event id="Go${i}" name="${attribute(name(i))}"/><ca:Event id="Stop${i}"/>`).join('');
  for (let i = 0; i < stages; i += 1) {
    text += one(i);
    const end = i + 1 === stages || (i + 1) % 8 === 0;
    text += i % 8 ? `</ca:SubStage>${end ? '</ca:Stage>' : ''}` : end ? '</ca:Stage>' : '';
  }
  return `<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="${attribute(name(0))}">
    <ca:Component id="T" name="${attribute(name(1))}"><ca:GuardedStageModel id="T">${text}</ca:GuardedStageModel></ca:Component>
    <ca:EventModel id="E">${events}</ca:EventModel></ca:CompositeApplication>`;
}

test('hostile names are text', async () => {
  const file = write('hostile/model.xml', model(5, (i) => NASTY[i % NASTY.length]));
  const properties = write('hostile/p.gsmp', "reached: EF GSM.isMilestoneAchieved('T', 'M1');\n");
  const { file: page } = await made('hostile', ['-m', file, '-s', properties]);
  assert.ok(!readFileSync(page, 'utf8').includes('<script>alert'));
  for (const phone of [false, true]) {
    const view = await open(page, { phone });
    await view.page.evaluate(() => { window.alert = () => { throw new Error('a name ran as script'); }; });
    await view.page.keyboard.press('j');
    await view.page.keyboard.press('End');
    await view.page.fill('#search', '<script>');
    assert.equal(await view.page.$$eval('img, b img, .stage script, svg script', (all) => all.length), 0);
    assert.equal(await view.page.textContent('h1'), NASTY[0]);
    const named = await view.page.$$eval('svg.wide .stage', (all) => all.map((s) => s.getAttribute('aria-label')));
    // Marks that turn the direction of text are written as codes.
    const plain = (n) => n.split('\u202e')[0];
    NASTY.forEach((n) => assert.ok(named.some((s) => s === `Stage ${n}` || (plain(n) !== n && s.startsWith(`Stage ${plain(n)}`) && !s.includes('\u202e'))), n));
    await fits(view.page);
    view.quiet();
    await picture(view.page, `report-hostile${phone ? '-phone' : ''}`, { fullPage: true });
    await view.close();
  }
});

test('two hundred stages', async (t) => {
  const file = write('large/model.xml', model(200, (i) => `Handling of matter ${i}`));
  const properties = write('large/p.gsmp', "reached: EF GSM.isMilestoneAchieved('T', 'M1');\n");
  // One agent that sends few of the events: what is large here is the model, not its behaviour.
  const protocol = ['Create_T', 'Go0', 'Go1', 'Stop1', 'Stop0'].map((e) => `${e}: true -> `).join(', ');
  const agents = write('large/a.gsma', `role R { instantiation: T; };\nagent Ann { role: R; protocol: ${protocol}; };\n`);
  const { file: page } = await made('large', ['-m', file, '-a', agents, '-s', properties]);
  const view = await open(write('blank.html', '<!doctype html><title>x</title>'));
  // Told, not demanded: how long it takes depends on what else the machine does.
  const taken = [];
  for (const attempt of [1, 2, 3]) {
    const begun = Date.now();
    await view.page.goto(`file://${page}?${attempt}`);
    await view.page.keyboard.press('j');
    await view.page.keyboard.press('End');
    assert.match(await view.page.textContent('.position'), /^Step \d+/);
    taken.push(Date.now() - begun);
  }
  t.diagnostic(`opened in ${taken} ms`);
  assert.equal(await view.page.$$eval('svg.wide .stage', (all) => all.length), 200);
  await view.page.fill('#search', 'matter 17');
  assert.ok((await view.page.$$('svg.wide .stage.match')).length >= 11);
  await fits(view.page);
  await picture(view.page, 'report-large', { fullPage: true });
  await view.close();
});

test('what is not as expected comes first and is chosen; filters count; numbers say what they count', async () => {
  const file = path.join(folder, 'claim.html');
  await gsmc(['report', path.join(example('cmmn'), 'claim.cmmn'), '-o', file], { code: 1 });
  const { page, quiet, close } = await open(file);
  const first = '.verdicts tbody tr:first-child';
  assert.match(await page.textContent(first), /no-surprise-completion/);
  assert.match(await page.textContent(first), /true\s+not as expected/);
  assert.match(await page.textContent('#run option:checked'), /no-surprise-completion/);
  // Colours say whether a verdict is as expected: a false one that is expected looks like a true one that is.
  const heads = await page.$$eval('.verdicts thead th', (all) => all.map((h) => h.textContent.trim()));
  assert.deepEqual(heads, ['Property', 'native', 'Expected', 'Trace']);
  for (const button of await page.$$('.filters button')) {
    const count = number(await button.$eval('.count', (c) => c.textContent));
    await button.click();
    assert.equal(await page.$$eval('.verdicts tbody tr:not([hidden])', (all) => all.length), count, await button.textContent());
  }
  await page.click('.filters button >> nth=0');
  for (const what of ['ground rules', 'state bits', 'dead ends', 'reachable snapshots']) {
    const box = page.locator('.numbers div', { has: page.locator(`dt:text-is("${what}")`) });
    assert.ok((await box.getAttribute('title')).length > 20, what);
    await box.focus();
    assert.notEqual(await box.evaluate((e) => getComputedStyle(e, '::after').content), 'none', what);
  }
  quiet();
  await close();
});

test('verdict colours mean as expected or not', async () => {
  const file = path.join(folder, 'garage.html');
  await gsmc(['report', example('garage'), '-o', file]);
  const { page, close } = await open(file);
  const colours = await page.$$eval('.verdicts tbody .verdict, .verdicts tbody .v', (all) => all.map((v) => [v.textContent.trim(), getComputedStyle(v).color]));
  const words = new Set(colours.map(([text]) => text));
  assert.ok(words.has('true') && words.has('false'), [...words].join(', '));
  assert.equal(new Set(colours.filter(([text]) => text === 'true' || text === 'false').map(([, colour]) => colour)).size, 1, 'all are as expected');
  await close();
});

test('addresses lead to their places, when the page is opened and later', async () => {
  const file = path.join(folder, 'places.html');
  await gsmc(['report', example('garage'), '-o', file]);
  const view = await open(file);
  const { page } = view;
  const place = (id) => page.waitForFunction((id) => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    const end = document.documentElement.scrollHeight - innerHeight - scrollY;
    return Math.abs(top) < 40 || (end < 2 && bottom > 0);
  }, id, { timeout: 5000 });
  assert.equal(await page.evaluate(() => scrollY), 0, 'without a place the page begins at its beginning');
  assert.equal(new URL(page.url()).hash, '');
  for (const [hash, id] of [['#diagram', 'diagram'], ['#model', 'model'], ['#trace-1', 'diagram'], ['#run=1&at=2.0', 'diagram']]) {
    await page.goto('about:blank');
    await page.goto(`file://${file}${hash}`);
    await place(id);
  }
  assert.match(await page.textContent('.position'), /^Step 2 of/);
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => { location.hash = '#model'; });
  await place('model');
  await page.evaluate(() => { location.hash = '#trace-0'; });
  await place('diagram');
  view.quiet();
  await view.close();
});

test('where nothing was checked, nothing is green', async () => {
  const model = write('nothing/model.gsm', 'application N\ntype T {\n  stage S {\n    guard on create\n  }\n}\n');
  const file = path.join(folder, 'nothing.html');
  await gsmc(['report', model, '-o', file]);
  const view = await open(file);
  assert.equal(await view.page.textContent('.overall'), 'no properties: nothing was checked');
  assert.equal(await view.page.getAttribute('.overall', 'class'), 'overall none');
  await view.close();
});
