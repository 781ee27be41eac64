// CMMN in a browser: a case with every kind of element has its picture and its legend, and a run that gets stuck steps through it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { arrived, backAndForth, fits, folder, gsmc, open, picture, serve, write } from './lib.mjs';

/** One of everything. The milestone waits for the exit of the stage, so the case is stuck once that has completed by itself. */
const file = write('every.cmmn', `<definitions xmlns="http://www.omg.org/spec/CMMN/20151109/MODEL">
<case id="every" name="Everything"><casePlanModel id="plan" name="Everything">
  <planItem id="h" name="Human" definitionRef="dh"><itemControl><requiredRule/></itemControl></planItem>
  <planItem id="s" name="Stage" definitionRef="ds"><entryCriterion id="ce" sentryRef="s1"/><exitCriterion id="cx" sentryRef="s2"/></planItem>
  <planItem id="m" name="Milestone" definitionRef="dm"><entryCriterion id="cm" sentryRef="s3"/></planItem>
  <planItem id="u" name="User" definitionRef="du"/>
  <planItem id="t" name="Timer" definitionRef="dt"/>
  <planItem id="r" name="Repeating" definitionRef="dr"><itemControl><repetitionRule/></itemControl><entryCriterion id="cr" sentryRef="s4"/></planItem>
  <sentry id="s1"><planItemOnPart sourceRef="h"><standardEvent>complete</standardEvent></planItemOnPart></sentry>
  <sentry id="s2"><planItemOnPart sourceRef="u"><standardEvent>occur</standardEvent></planItemOnPart></sentry>
  <sentry id="s3"><planItemOnPart sourceRef="s"><standardEvent>exit</standardEvent></planItemOnPart></sentry>
  <sentry id="s4"><planItemOnPart sourceRef="t"><standardEvent>occur</standardEvent></planItemOnPart></sentry>
  <humanTask id="dh"/><milestone id="dm"/><userEventListener id="du"/><timerEventListener id="dt"/><humanTask id="dr"/>
  <stage id="ds" autoComplete="true">
    <planItem id="d" name="Decision" definitionRef="dd"><itemControl><manualActivationRule/></itemControl></planItem>
    <planItem id="p" name="Process" definitionRef="dp"/>
    <planItem id="c" name="Case" definitionRef="dc"/>
    <planItem id="x" name="Plain" definitionRef="dx"/>
    <planningTable><discretionaryItem id="o" definitionRef="do"/></planningTable>
    <decisionTask id="dd"/><processTask id="dp"/><caseTask id="dc"/><task id="dx" isBlocking="false"/><humanTask id="do" name="Optional"/>
  </stage>
</casePlanModel></case></definitions>
`);
const choices = ['--profile', 'spec', '--property', 'never-stuck'];
const items = ['Everything', 'Human', 'Stage', 'Milestone', 'User', 'Timer', 'Repeating', 'Decision', 'Process', 'Case', 'Plain', 'Optional'].sort();

/** The run that gets stuck, and the file it is in. */
async function run() {
  const results = path.join(folder, 'every.json');
  await gsmc(['check', file, ...choices, '--format', 'json', '-o', results], { code: 1 });
  const { trace } = JSON.parse(readFileSync(results, 'utf8')).results[0];
  const snapshots = [trace.initial];
  for (const step of trace.steps) snapshots.push({ ...snapshots.at(-1), ...step.changes });
  return { results, trace, snapshots };
}

/** Every item in its shape, every criterion, the decorators and the signs of kinds. */
async function whole(page, svg) {
  const list = (what, key) => page.$$eval(`${svg} ${what}`, (all, key) => all.map((n) => n.dataset[key]).sort(), key);
  assert.deepEqual(await list('[data-item]', 'item'), items);
  assert.deepEqual(await list('.entry[data-criterion]', 'criterion'), ['ce', 'cm', 'cr']);
  assert.deepEqual(await list('.exit[data-criterion]', 'criterion'), ['cx']);
  const count = (what) => page.$$eval(`${svg} ${what}`, (all) => all.length);
  assert.equal(await count('.connector'), 4);
  assert.equal(await count('.item.listener .inner'), 2, 'listeners are double circles');
  assert.equal(await count('.item.milestone rect'), 1);
  assert.equal(await count('.item.discretionary'), 1);
  assert.equal(await count('.item .instance'), 2, 'a repeating task has a mark for each instance');
  const titles = await page.$$eval(`${svg} .decorator title`, (all) => all.map((t) => t.textContent).sort());
  assert.deepEqual(titles, ['completes by itself (autoComplete)', 'repeats', 'required', 'started by hand']);
  // Human, Repeating, Optional, Decision, Process, Case, User, Timer: a plain task has no sign.
  assert.equal(await count('.item > .sign'), 8);
}

/** What the picture shows is what the snapshot says. */
async function painted(page, svg, values, what) {
  const shown = await page.$$eval(`${svg} [data-var]`, (all) => all.map((g) => [g.dataset.var, g.dataset.value]));
  assert.equal(shown.length, items.length + 1, what);
  for (const [name, value] of shown) assert.equal(value, String(values[name]), `${what}: ${name}`);
}

test('the report: everything in its shape, a legend for it, and the run that gets stuck', async () => {
  const { trace, snapshots } = await run();
  assert.ok(trace.certified && trace.steps.length >= 4);
  const html = path.join(folder, 'every.html');
  await gsmc(['report', file, ...choices, '-o', html], { code: 1 });
  for (const [name, look] of [['light', {}], ['phone', { phone: true, dark: true }]]) {
    const view = await open(html, look);
    const { page } = view;
    const svg = look.phone ? 'svg.narrow' : 'svg.wide';
    await whole(page, svg);
    const legend = await page.textContent('.legend');
    for (const word of ['case', 'stage', 'task', 'milestone', 'listener', 'discretionary', 'entry criterion', 'exit criterion', 'required', 'repeats',
      'started by hand', 'autoComplete', 'instances', 'available', 'enabled', 'active', 'completed', 'terminated', 'failed', 'just changed']) {
      assert.ok(legend.includes(word), `the legend has ${word}`);
    }
    assert.match(await page.textContent('main'), /cannot end any more: .*Milestone \(available: cm still waits for 'exit' of Stage, which is completed already\)/);
    await page.click('a.see');
    for (const [s, step] of trace.steps.entries()) {
      await page.click('#next-step');
      assert.match(await page.textContent('.position'), new RegExp(`^Step ${s + 1} of ${trace.steps.length}`));
      await painted(page, svg, snapshots[s + 1], `after ${step.event}`);
    }
    await fits(page);
    view.quiet();
    await picture(page, `cmmn-report-${name}`, { fullPage: true });
    await view.close();
  }
});

test('the explorer: the same run back and forth, and why nothing goes on', async () => {
  const { results, trace, snapshots } = await run();
  const server = await serve(['explore', file, '--profile', 'spec', '--port', '0', '--trace', results]);
  const view = await open(server.url);
  const { page } = view;
  await arrived(page, trace.steps.length);
  await whole(page, '#picture svg');
  await backAndForth(page, trace.steps.length, (n, what) => painted(page, '#picture svg', snapshots[n], what));
  await fits(page);
  view.quiet();
  await picture(page, 'cmmn-explore', { fullPage: true });
  await view.close();
  await server.stop();
});
