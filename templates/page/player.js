// The stepper: one run at a time, step by step and micro-step by micro-step.
//
// A place in a run is { step, micro }: `micro` micro-steps of step `step` (from 1) are done. Step 0 is the first snapshot. The
// snapshot there is computed from the first one and the changes on the way, so the page holds no snapshot twice.
'use strict';

const Player = (() => {
  const { el } = Cards;

  function make(data, diagram, bar, details, say) {
    const { model } = data;
    let run = null;      // number of the run that is shown
    let aside = [];      // side runs gone into: positions in `sides`
    let at = { step: 0, micro: 0 };
    let slots = [];      // per type: the slot that the diagram shows
    let filter = '';
    let everything = false;

    const path = () => aside.reduce((p, side) => p.sides[side].run, data.runs[run].path);
    const steps = () => path().steps.map((s) => data.steps[s]);
    const micros = (step) => (step === 0 ? 0 : data.steps[path().steps[step - 1]].micro.length);
    const end = (step) => ({ step, micro: micros(step) });
    const last = () => path().steps.length;
    const atEnd = () => at.step === last() && at.micro >= micros(last());

    /** The snapshot at a place. */
    function values(place) {
      let now = data.initial;
      steps().slice(0, Math.max(place.step - 1, 0)).forEach((s) => { now = Cards.apply(now, s.changes); });
      if (place.step > 0) steps()[place.step - 1].micro.slice(0, place.micro).forEach((m) => { now = Cards.apply(now, m.changes); });
      return now;
    }

    function current() {
      const step = at.step > 0 ? steps()[at.step - 1] : null;
      const micro = step && at.micro > 0 ? step.micro[at.micro - 1] : null;
      const card = micro && micro.rule !== null ? step.rules[micro.rule] : null;
      return { step, micro, card };
    }

    // Moving

    function go(place, { follow = true } = {}) {
      at = place;
      if (follow) showSlots();
      render();
      announce();
    }

    function nextStep() {
      if (at.step < last()) go(end(at.step + 1));
      else if (path().loop_start !== null && last() > 0) go(end(path().loop_start + 1));
    }

    function previousStep() {
      if (at.step > 0) go(end(at.step - 1));
    }

    function nextMicro() {
      if (at.micro < micros(at.step)) go({ step: at.step, micro: at.micro + 1 });
      else if (at.step < last()) go({ step: at.step + 1, micro: Math.min(1, micros(at.step + 1)) });
      else if (path().loop_start !== null && last() > 0) go({ step: path().loop_start + 1, micro: Math.min(1, micros(path().loop_start + 1)) });
    }

    function previousMicro() {
      if (at.micro > 1) go({ step: at.step, micro: at.micro - 1 });
      else if (at.step > 0) go(end(at.step - 1));
    }

    function show(number, place) {
      run = number;
      aside = [];
      slots = [];
      if (run === null) {
        diagram.clear();
        render();
        return;
      }
      const wanted = place && place.step <= last() ? { step: place.step, micro: Math.min(place.micro, micros(place.step)) } : { step: 0, micro: 0 };
      go(wanted);
    }

    function enter(side) {
      aside.push(side);
      go(end(last()));
    }

    function leave() {
      const side = aside.pop();
      go(end(path().sides[side].at));
    }

    /** The diagram shows the slots that the step is about. */
    function showSlots() {
      const { step, card } = current();
      const wanted = (card && card.slot) || (step && step.target);
      const slot = model.slots.findIndex((s) => s.name === wanted);
      if (slot >= 0) slots[model.slots[slot].type] = slot;
    }

    // Saying

    function what({ step, micro, card }) {
      if (!step) return 'The first snapshot';
      if (!micro) return step.event === null ? 'Nothing happens' : 'Before the event';
      if (micro.what === 'event') return `${step.event} arrives`;
      if (micro.what === 'end') return 'End of the step';
      return card.slot === step.target || !card.slot ? card.label : `${card.slot}.${card.label}`;
    }

    /** A long name that may break where its parts meet. */
    const breakable = (text) => text.split(/(?<=[/._])|(?<=[a-z])(?=[A-Z])/).flatMap((part, i) => (i ? [el('wbr'), part] : [part]));

    function position() {
      const count = micros(at.step);
      return `Step ${at.step} of ${last()}${at.step > 0 && count > 0 ? `, micro-step ${at.micro} of ${count}` : ''}`;
    }

    function announce() {
      const now = current();
      const changed = now.micro ? now.micro.changes.map((c) => `${c.name} ${Cards.word(kind(c.name), c.new)}`).join(', ') : '';
      say(`${position()}: ${what(now)}${changed ? `; ${changed}` : ''}`);
    }

    const kind = (name) => (model.variables.find((v) => v.name === name) || {}).kind;

    // Showing

    function render() {
      bar.replaceChildren(...(run === null ? [chooser()] : [chooser(), controls(), strip()]));
      details.replaceChildren();
      if (run === null) return;
      const now = current();
      const snapshot = values(at);
      const before = values(at.step === 0 ? at : end(at.step - 1));
      const changed = new Set((now.micro ? now.micro.changes : []).map((c) => c.name));
      diagram.paint(snapshot, { slots, changed, fired: now.card });
      details.append(runPanel(), el('div', { class: 'panel' }, ...[reasonPanel()].filter(Boolean), eventPanel(now)), valuePanel(before, snapshot), sightPanel(snapshot));
      bar.dispatchEvent(new CustomEvent('moved', { bubbles: true, detail: { run, aside, at, values: snapshot } }));
    }

    function chooser() {
      const options = data.runs.map((r, i) => el('option', { value: i, selected: i === run },
        `${r.property}: ${r.verdict} (${r.engines.join(', ')}), ${r.path.steps.length} ${r.path.steps.length === 1 ? 'step' : 'steps'}${r.path.loop_start !== null ? ', lasso' : ''}`));
      const list = el('select', { id: 'run', 'aria-label': 'Trace', onchange: (e) => show(e.target.value === '' ? null : Number(e.target.value)) },
        el('option', { value: '', selected: run === null }, data.runs.length ? 'The model alone: choose a trace to step through' : 'The model alone: no verdict has a trace'), options);
      const shown = model.types.map((t, type) => ({ t, type, mine: model.slots.map((s, i) => [s, i]).filter(([s]) => s.type === type) }))
        .filter(({ mine }) => run !== null && mine.length > 1)
        .map(({ t, type, mine }) => el('span', { class: 'slots', role: 'group', 'aria-label': `Instance of ${t.id} in the diagram` },
          el('span', { class: 'quiet' }, `${t.id} `),
          mine.map(([s, i]) => el('button', { type: 'button', 'aria-pressed': String((slots[type] ?? mine[0][1]) === i), title: s.name,
            onclick: () => { slots[type] = i; render(); } }, s.number))));
      return el('div', { class: 'choose' }, list, shown);
    }

    function controls() {
      const now = current();
      const lasso = path().loop_start !== null && last() > 0;
      const button = (id, text, title, action, off) => el('button', { type: 'button', id, title, 'aria-label': title, disabled: off, onclick: action }, text);
      const changes = now.micro ? now.micro.changes : [];
      return el('div', { class: 'controls' },
        el('div', { class: 'buttons', role: 'group', 'aria-label': 'Stepping' },
          button('previous-step', `« ${model.terms.step}`, `Previous ${model.terms.step}`, previousStep, at.step === 0),
          button('previous-micro', '‹ micro', 'Previous micro-step', previousMicro, at.step === 0),
          button('next-micro', 'micro ›', 'Next micro-step', nextMicro, atEnd() && !lasso),
          button('next-step', `${model.terms.step} »`, `Next ${model.terms.step}`, nextStep, at.step === last() && !lasso)),
        el('p', { class: 'now' }, el('span', { class: 'position' }, position()),
          now.step && el('span', { class: 'title' }, now.step.title),
          el('span', { class: 'what' }, what(now)),
          changes.slice(0, 6).map((c) => el('span', { class: 'chip' }, `${c.name} ${Cards.word(kind(c.name), c.new)}`)),
          changes.length > 6 && el('span', { class: 'chip' }, `and ${changes.length - 6} more`),
          lasso && atEnd() && el('span', { class: 'chip loop' }, `↻ back to the snapshot after step ${path().loop_start}`)));
    }

    /** The run as a strip of snapshots; the loop of a lasso is marked. */
    function strip() {
      const loop = path().loop_start;
      const item = (step) => el('button', {
        type: 'button', class: loop !== null && step > loop ? 'dot looped' : 'dot', 'aria-current': at.step === step ? 'true' : null,
        title: step === 0 ? 'The first snapshot' : steps()[step - 1].title,
        'aria-label': step === 0 ? 'Snapshot 0, the first' : `After step ${step}: ${steps()[step - 1].title}`,
        onclick: () => go(end(step)),
      }, step);
      return el('div', { class: 'strip', role: 'group', 'aria-label': 'Snapshots' },
        Array.from({ length: last() + 1 }, (_, step) => item(step)), loop !== null && el('span', { class: 'again' }, `↻ to ${loop}`));
    }

    function panel(id, title, ...children) {
      return el('section', { class: 'panel', id, 'aria-labelledby': `${id}-title` }, el('h3', { id: `${id}-title` }, title), children);
    }

    function runPanel() {
      const loop = path().loop_start;
      const line = (step, i) => el('li', { class: at.step === i + 1 ? 'current' : null },
        loop === i && el('p', { class: 'lasso' }, '↻ from here on again and again'),
        el('button', { type: 'button', class: 'link', 'aria-current': at.step === i + 1 ? 'true' : null, onclick: () => go(end(i + 1)) }, breakable(step.title)),
        at.step === i + 1 && el('ol', { class: 'micro' }, step.micro.map((m, k) => el('li', null,
          el('button', { type: 'button', class: 'link', 'aria-current': at.micro === k + 1 ? 'true' : null, onclick: () => go({ step: i + 1, micro: k + 1 }) },
            breakable(what({ step, micro: m, card: m.rule === null ? null : step.rules[m.rule] })))))));
      const r = data.runs[run];
      return panel('steps', aside.length ? 'Run to a snapshot that looks the same' : 'Run',
        aside.length > 0 && el('p', null, el('button', { type: 'button', onclick: leave }, '‹ back to the trace')),
        el('p', { class: 'quiet' }, `${r.about.kind || 'run'}, by ${r.engines.join(', ')}`),
        r.about.summary && !aside.length && el('p', { class: 'summary' }, r.about.summary),
        el('ol', { class: 'run' },
          el('li', { class: at.step === 0 ? 'current start' : 'start', value: 0 },
            el('button', { type: 'button', class: 'link', 'aria-current': at.step === 0 ? 'true' : null, onclick: () => go({ step: 0, micro: 0 }) }, 'The first snapshot')),
          steps().map(line)),
        loop !== null && el('p', { class: 'lasso' }, `↻ back to the snapshot ${loop === 0 ? 'at the start' : `after step ${loop}`}`),
        (r.about.rests_on || []).map((text) => el('p', { class: 'remark' }, `rests on: ${text}`)),
        path().path && el('p', { class: 'quiet' }, 'as a path: ', el('code', { id: 'path' }, path().path)));
    }

    function eventPanel(now) {
      const { step, micro, card } = now;
      if (!step) return panel('event', 'Start', el('p', null, 'No event yet. Step on to see the first one.'));
      const payload = Object.entries(step.payload);
      const sender = el('dl', { class: 'sender' },
        pair('who', step.event === null ? 'nobody' : step.agent || 'anyone'), pair('event', step.event || 'nothing happens'),
        step.target && pair('to', step.target),
        payload.map(([name, value]) => pair(name, String(value))));
      const rest = step.rules.filter((c) => !c.fired);
      return panel('event', 'This step',
        sender,
        !card && el('h4', null, micro ? what(now) : 'Nothing changes'),
        card && Cards.card(card, { open: true, number: at.micro }),
        micro && micro.what === 'event' && el('p', { class: 'quiet' }, 'What the event itself changes, before any rule:'),
        Cards.changes(model, micro ? micro.changes : []),
        step.other_orders.map((o) => Cards.otherOrder(model, o)),
        rest.length > 0 && others(rest));
    }

    /** The rules that did not fire; made when they are asked for. */
    function others(rest) {
      const box = el('details', { class: 'rest', ontoggle: () => { if (box.open && box.children.length === 1) box.append(...rest.map((c) => Cards.card(c))); } },
        el('summary', null, `${rest.length === 1 ? 'One rule' : `${rest.length} rules`} that can fire at this event and did not`));
      return box;
    }

    /** What decides the formula in this snapshot. */
    function reasonPanel() {
      const mine = aside.length || at.micro !== micros(at.step) ? [] : (data.runs[run].about.because || []).filter((r) => r.at === at.step);
      return mine.length > 0 && el('section', { class: 'reasons', 'aria-label': 'What decides the formula here' },
        el('h4', null, 'What decides the formula, in this snapshot'),
        el('ul', { class: 'parts' }, mine.map((r) => el('li', { class: 'part' }, Cards.verdict(r.holds), el('code', { class: 'text' }, r.part)))));
    }

    const pair = (name, value) => el('div', null, el('dt', null, name), el('dd', null, value));

    function valuePanel(before, now) {
      const columns = [{ title: 'before the step', values: before }, { title: 'now', values: now, now: true }];
      return panel('values', 'Values',
        el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: everything, onchange: (e) => { everything = e.target.checked; render(); } }), ' all values, not only what changed'),
        Cards.tables(model, columns, { changedOnly: !everything && filter === '', filter }));
    }

    function sightPanel(now) {
      const sights = data.sights[path().sights[at.step]] || [];
      const sides = path().sides.map((s, i) => [s, i]).filter(([s]) => s.at === at.step);
      const settled = at.micro === micros(at.step);
      return panel('sights', 'What agents see',
        sights.length === 0 && el('p', { class: 'quiet' }, 'There are no agents, or all of them see everything.'),
        sights.length > 0 && !settled && el('p', { class: 'quiet' }, 'Agents see snapshots, not micro-steps: this is what they see when the step is over.'),
        sides.map(([s, i]) => el('section', { class: 'same' },
          el('p', null, el('b', null, s.agents.join(', ')), ' cannot tell this snapshot from one that another run leads to. There:'),
          Cards.changes(model, s.differs),
          el('button', { type: 'button', onclick: () => enter(i) }, 'Step through that run'))),
        sights.map((s) => unfolded(Cards.sees(model, s, settled ? now : values(end(at.step))), sights.length <= 4 && model.slots.length <= 3)));
    }

    /** With its details open, where there is room for that. */
    function unfolded(node, room) {
      node.querySelectorAll('details').forEach((d) => { d.open = room; });
      return node;
    }

    function search(text) {
      filter = text.trim();
      if (run !== null) render();
    }

    return { show, nextStep, previousStep, nextMicro, previousMicro, search, first: () => run !== null && go({ step: 0, micro: 0 }),
      final: () => run !== null && go(end(last())), run: () => run, place: () => at, values: () => values(at) };
  }

  return { make };
})();
