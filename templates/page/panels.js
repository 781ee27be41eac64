// The panels of the explorer: each makes DOM nodes from an answer of the server. None of them keeps anything.
'use strict';

const Panels = (() => {
  const { el, lazy, word, verdict, card, changes, effect } = Cards;

  const plural = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

  /** `Pay at Order[1] (Amount = 3)`, without the agent. */
  function happening(step) {
    if (!step.event) return 'idle: nothing happens';
    const payload = Object.entries(step.payload).map(([k, v]) => `${k} = ${v}`).join(', ');
    return step.event + (step.target ? ` at ${step.target}` : '') + (payload ? ` (${payload})` : '');
  }

  /** The steps of the path. */
  function path(steps, at, loop, go) {
    const line = (n, title, mark) => el('li', { class: n > at ? 'ahead' : null },
      el('button', { type: 'button', 'aria-current': n === at ? 'step' : null, 'data-at': n, onclick: () => go(n) },
        el('span', { class: 'count' }, `${n} `), title, mark && el('span', { class: 'mark' }, ` ${mark}`)));
    const out = [line(0, 'start', null)];
    steps.forEach((s, i) => {
      if (loop === i) out.push(el('li', { class: 'loop' }, '↻ from here on again and again'));
      const marks = [s.changes === 0 && s.event && '(no change)', s.order && '⚠ order'].filter(Boolean).join(' ');
      out.push(line(i + 1, s.title, marks));
    });
    return out;
  }

  /** Other runs that were gone or that a trace file holds. */
  function runs(list, current, steps, open) {
    const others = list.filter((r) => r.path !== current);
    if (!others.length) return null;
    const mine = current.split('/');
    return [el('h3', null, 'Other runs'), el('ul', null, others.map((r) => {
      const theirs = r.path ? r.path.split('/') : [];
      let fork = 0;
      while (fork < theirs.length && theirs[fork] === mine[fork]) fork += 1;
      const where = `${plural(theirs.length, 'step')}${r.loop === null || r.loop === undefined ? '' : ', a loop'}; differs after snapshot ${fork}`;
      return el('li', null, el('button', { type: 'button', 'data-run': r.path, onclick: () => open(r) },
        r.title || decode(theirs[fork] || theirs[theirs.length - 1] || 'start'), el('span', { class: 'where' }, where)));
    }))];
  }

  function decode(text) {
    try { return decodeURIComponent(text.replace(/\+/g, ' ')); } catch { return text; }
  }

  /** The choices, agent by agent. `taken`: the step that this path takes from here. `secret`: do not say what changes nothing. */
  function choices(next, taken, secret, take) {
    if (!next.actions.length) return el('p', { class: 'none' }, 'Nothing can happen here.');
    const agents = new Map();
    next.actions.forEach((a, i) => {
      const who = a.agent === null ? 'nobody' : a.agent;
      if (!agents.has(who)) agents.set(who, []);
      agents.get(who).push(choice(a, i + 1, taken, secret, take));
    });
    return [...agents].map(([who, list]) => el('div', { class: 'agent-choices' }, el('h3', null, who), list));
  }

  function choice(action, number, taken, secret, take) {
    const picks = new Map();
    const fits = (option, except) => [...picks].every(([f, v]) => f === except || String(option.payload[f]) === v);
    const found = () => action.options.find((o) => fits(o, null));
    const start = action.options.find((o) => o.path === taken);
    // Data without bounds is typed; the examples are suggestions.
    const typed = (action.open || []).map(({ field, values }, i) => {
      const list = el('datalist', { id: `values-${number}-${i}` }, [...new Set(action.options.map((o) => String(o.payload[field])))].map((v) => el('option', { value: v })));
      const input = el('input', { type: 'text', 'aria-label': `${plainField(field)} of ${action.event}`, 'data-field': field, list: list.id, title: values,
        value: String((start || action.options[0]).payload[field]), onkeydown: (e) => { if (e.key === 'Enter') take(chosen(), action); } });
      return { field, input, list };
    });
    const chosen = () => typed.reduce((option, { field, input }) => withValue(option, field, input.value.trim()), found());
    const note = el('p', { class: 'note' });
    const selects = action.fields.map((field) => {
      const select = el('select', { 'aria-label': `${field} of ${action.event}`, 'data-field': field, onchange: () => settle(field) });
      return { field, select };
    }).filter(({ field }) => !typed.some((t) => t.field === field) && new Set(action.options.map((o) => String(o.payload[field]))).size > 1);
    const settle = (changed) => {
      if (changed) picks.set(changed, selects.find((s) => s.field === changed).select.value);
      // A value that no longer fits the one just picked gives way.
      for (const { field } of selects) if (field !== changed && !found()) picks.delete(field);
      const now = found() || action.options[0];
      for (const { field, select } of selects) {
        picks.set(field, String(now.payload[field]));
        const values = [...new Set(action.options.map((o) => String(o.payload[field])))];
        select.replaceChildren(...values.map((v) => el('option', { value: v, selected: v === picks.get(field) }, v)));
      }
      const same = now.path === taken ? 'the path takes this' : '';
      note.textContent = [same, !secret && now.nothing && action.event && !typed.length ? 'changes nothing' : '',
        typed.length ? typed.map(({ field, input }) => `${plainField(field)}: ${input.title}`).join(', ') : action.more ? `${action.more} more payloads are not listed: give them with --path` : ''].filter(Boolean).join(' · ');
    };
    if (start) selects.forEach(({ field }) => picks.set(field, String(start.payload[field])));
    settle(null);
    const title = action.event || 'idle: nothing happens';
    return el('div', { class: 'choice' },
      el('button', { type: 'button', class: 'go', 'data-event': action.event || 'idle', 'data-target': action.target, onclick: () => take(chosen(), action) },
        number <= 9 && el('span', { class: 'key', 'aria-hidden': 'true' }, number), title,
        action.target && el('span', { class: 'to' }, ` at ${action.target}`)),
      selects.map(({ field, select }) => el('label', { class: 'field' }, el('span', null, field), select)),
      typed.map(({ field, input, list }) => el('label', { class: 'field' }, el('span', null, plainField(field)), input, list)), note);
  }

  /** A point of time is called as its date. */
  const plainField = (field) => field.replace(/ \(when\)$/, '');

  /** A choice with another value of a field in its path. */
  function withValue(option, field, value) {
    const code = (text) => encodeURIComponent(text).replace(/%20/g, '+');
    const parts = option.path.split(',').map((part, i) => {
      const name = part.split('=')[0];
      return i > 0 && decode(name) === field ? (value === '⊥' ? name : `${name}=${code(value)}`) : part;
    });
    return { ...option, path: parts.join(',') };
  }

  /** What cannot happen now, and why; the same reason is told once. */
  function refused(list) {
    if (!list.length) return null;
    const groups = new Map();
    for (const r of list) {
      const key = JSON.stringify([r.event, r.target, r.why]);
      if (!groups.has(key)) groups.set(key, { ...r, agents: [] });
      groups.get(key).agents.push(r.agent);
    }
    return el('details', null, el('summary', null, `Not possible now (${groups.size})`),
      el('ul', null, [...groups.values()].map((r) => el('li', { 'data-event': r.event }, el('b', null, r.event), r.target && ` at ${r.target}`,
        ` · ${r.agents.join(', ')}`, el('span', { class: 'why' }, r.why)))));
  }

  /** The micro-steps of a step as buttons; 0 is the snapshot before. */
  function micro(step, current, show) {
    const name = (m) => (m.what === 'event' ? 'event' : m.what === 'end' ? 'end' : step.rules[m.rule].label);
    if (!step.micro.length) return [];
    const names = ['before', ...step.micro.map(name)];
    return names.map((n, i) => el('button', { type: 'button', 'aria-pressed': i === current ? 'true' : 'false', 'data-micro': i, onclick: () => show(i) }, `${i} ${n}`));
  }

  /** What the current micro-step does. */
  function microNote(model, step, current) {
    if (!step.micro.length) return null;
    if (current === 0) return el('p', { class: 'none' }, 'The snapshot before the step. Prerequisites are asked of this one.');
    const m = step.micro[current - 1];
    const title = m.what === 'event' ? 'The event arrives: its immediate effect.' : m.what === 'end'
      ? `The end of the step: ${model.terms.ending}.` : `${[step.rules[m.rule].slot, step.rules[m.rule].label].filter(Boolean).join(': ')}`;
    return [el('b', null, title), m.changes.length ? changes(model, m.changes) : el('p', { class: 'none' }, 'It changes nothing.')];
  }

  /** Rule cards: fired, candidates, the rest. `picked`: only what writes this variable. */
  function rules(step, current, picked, clear, needle) {
    const now = current > 0 && step.micro[current - 1].what === 'rule' ? step.micro[current - 1].rule : null;
    const find = needle.toLowerCase();
    const wanted = step.rules.map((c, i) => ({ c, i }))
      .filter(({ c }) => (picked ? c.target === picked : !find || `${c.slot}.${c.label} ${c.target}`.toLowerCase().includes(find)));
    let turn = 0;
    const fired = wanted.filter(({ c }) => c.fired).map(({ c, i }) => {
      turn += 1;
      const node = card(c, { open: i === now || Boolean(picked), number: picked ? null : turn, target: step.target });
      if (i === now) node.classList.add('current');
      return node;
    });
    const group = (title, list, open) => list.length > 0 && lazy(el('details', { class: 'rest', open }, el('summary', null, `${title} (${list.length})`)),
      () => list.map(({ c }) => card(c, { open: Boolean(picked) && list.length < 4, target: step.target })));
    const rest = wanted.filter(({ c }) => !c.fired);
    const reason = ({ c }) => (c.turn === null ? 'none' : c.refused ? c.refused.because : 'condition');
    const groups = [['condition', 'Its turn came, but its condition was false'], ['event', 'Waits for another event'],
      ['prerequisite', 'Prerequisite false before the step'], ['none', 'Cannot fire at this event']];
    return [
      picked && el('p', { class: 'picked' }, 'Only rules that write ', el('b', null, picked), el('button', { type: 'button', class: 'link', onclick: clear }, 'show all')),
      fired.length ? fired : el('p', { class: 'none' }, picked ? 'None of them fired.' : 'No rule fired.'),
      rest.length > 0 && el('h3', null, 'Why not?'),
      groups.map(([key, title]) => group(title, rest.filter((r) => reason(r) === key), Boolean(picked))),
    ];
  }

  function part(p) {
    const value = p.value === null ? el('span', { class: 'val unknown' }, '? not computed') : verdict(p.value);
    const whole = p.parts && p.parts.length > 0;
    const line = el('div', { class: whole ? 'part whole' : 'part' }, value, el('span', { class: 'text', title: whole ? p.text : null }, p.text));
    return el('li', null, line, whole && el('ul', { class: 'parts' }, p.parts.map(part)));
  }

  function progress(p, what) {
    if (p.snapshots === null && p.why_not) return `${what || 'Not computed'}: ${p.why_not}.`;
    if (p.snapshots === null) return 'Searching the reachable snapshots …';
    if (p.why_not) return `${what} (${plural(p.snapshots, 'snapshot')} searched; ${p.why_not})`;
    return p.done ? null : 'Still computing …';
  }

  /** A formula that the user typed. */
  function typed({ progress: how, property: p }) {
    const note = p.here.value === null && progress(how, 'Not computed');
    return [note && el('p', { class: 'progress' }, note), el('ul', { class: 'parts', 'data-value': String(p.here.value) }, part(p.here))];
  }

  /** What a check says about a property, and one click to its run. */
  function told(t, open) {
    return el('div', { class: 'told' },
      el('p', null, el('span', { class: `verdict ${t.expected ? 'ok' : 'bad'}` }, `${t.verdict}, ${t.expected ? 'as expected' : 'not as expected'}`), ' ', t.summary),
      t.path !== null && el('p', null, el('button', { type: 'button', class: 'go', 'data-run': t.path, onclick: () => open(t.path, t.loop_start) }, 'Show the run')));
  }

  /** Every property in this snapshot. */
  function properties(judged, open) {
    if (!judged.properties.length) return el('p', { class: 'none' }, 'The project has no properties.');
    const temporal = judged.properties.some((p) => !p.state);
    const endless = judged.progress.snapshots === null && judged.progress.why_not;
    const note = judged.trouble ? `The check says nothing: ${judged.trouble}`
      : endless ? (judged.checked ? null : 'Checking, for all values of data without bounds …')
        : temporal && progress(judged.progress, 'Temporal properties are not computed');
    return [note && el('p', { class: 'progress' }, note), judged.properties.map((p) => {
      const value = p.here.value === null && p.told ? el('span', { class: 'val at-start', title: 'the verdict of the check, which is about the initial snapshot' }, `${p.told.verdict} at the start`)
        : p.here.value === null ? el('span', { class: 'val unknown' }, judged.progress.done ? '? not computed' : '… computing') : verdict(p.here.value);
      return el('details', { class: 'property', 'data-property': p.name, 'data-value': String(p.here.value) },
        el('summary', null, value, ' ', el('b', null, p.name),
          p.told && el('span', { class: `verdict ${p.told.expected ? 'ok' : 'bad'}`, title: `the check says ${p.told.verdict}, the author expects ${p.expect}` }, p.told.expected ? 'as expected' : 'not as expected'),
          el('span', { class: 'formula' }, p.text)),
        el('div', { class: 'inside' }, p.comment && el('p', { class: 'comment' }, p.comment), p.told && told(p.told, open), el('ul', { class: 'parts' }, part(p.here)),
          el('p', { class: 'place' }, `in the initial snapshot the author expects ${p.expect} · `, el('code', null, p.place))));
    }), judged.abstracted && abstracted(judged.abstracted)];
  }

  /** With data without bounds: the predicates that the check tells snapshots apart by, as they are here. */
  function abstracted(a) {
    const source = { given: 'given in gsmc.toml', update: 'from an update' };
    const origin = (p) =>
      p.round > 0 ? `added in round ${p.round} of refinement` : source[p.from] || `from a ${p.from}`;
    const line = (p) => el('li', { class: 'predicate', 'data-holds': String(p.holds) },
      p.holds === null ? el('span', { class: 'val unknown' }, '?') : verdict(p.holds), ' ', el('span', { class: 'text' }, p.name), el('span', { class: 'where' }, origin(p)));
    const added = a.predicates.filter((p) => p.round > 0).length;
    return el('details', { class: 'property abstracted', open: true, 'data-property': 'abstraction' },
      el('summary', null, el('b', null, 'What the check tells apart here')),
      el('div', { class: 'inside' },
        el('p', null, `${a.attributes.join(', ')} ${a.attributes.length === 1 ? 'has' : 'have'} no bounds. In ${a.attributes.length === 1 ? 'its' : 'their'} place the check knows ${plural(a.predicates.length, 'predicate')}`
          + `${added ? `, ${added} of them added by refinement` : ''}. Snapshots in which the same ones hold, and everything else is the same, are one abstract snapshot.`),
        el('ul', { class: 'predicates' }, a.predicates.map(line)),
        el('p', { class: 'place' }, `${a.may} abstract snapshots may be reached, ${a.must} must be, before refinement; ${plural(a.rounds, 'round')} of refinement`)));
  }

  /** What every agent sees, and which other snapshots look the same to it. */
  function agents(model, sights, values, alike, open) {
    if (!sights.length) {
      return el('p', { class: 'none' }, 'There are no agents with a limited view: everybody sees everything.');
    }
    return sights.map((s) => {
      const box = Cards.sees(model, s, values);
      if (!alike) return box;
      const mine = alike.agents.find((a) => a.agent === model.agents[s.agent].name);
      if (!mine) {
        box.append(el('p', { class: 'progress' }, progress(alike.progress, '')));
        return box;
      }
      const bound = alike.progress.complete ? '' : ` among the ${alike.progress.snapshots} nearest (the search was bounded)`;
      const title = mine.count === 0 ? `No other reachable snapshot looks the same${bound}.`
        : `${plural(mine.count, 'other snapshot')} look${mine.count === 1 ? 's' : ''} the same${bound}`;
      box.append(mine.count === 0 ? el('p', { class: 'none' }, title) : el('details', { class: 'alike' }, el('summary', null, title),
        mine.shown.map((o) => el('div', { class: 'other' },
          el('button', { type: 'button', class: 'link', 'data-path': o.path, onclick: () => open(o.path) }, o.steps === 0 ? 'the initial snapshot' : `after ${plural(o.steps, 'step')}`),
          el('span', { class: 'none' }, ' differs in:'), changes(model, o.differs))),
        mine.count > mine.shown.length && el('p', { class: 'none' }, `… and ${mine.count - mine.shown.length} more`)));
      return box;
    });
  }

  const GUESSED = ['stage', 'milestone', 'state', 'data', 'private'];

  /** Asks what will change; `reveal` gets the names that were ticked. */
  function question(model, values, action, title, reveal, cancel) {
    const ticked = new Set();
    const cell = (v) => GUESSED.includes(v.kind) && el('label', { class: 'check' }, el('input', {
      type: 'checkbox', 'aria-label': `${v.name} will change`, 'data-guess': v.name,
      onchange: (e) => (e.target.checked ? ticked.add(v.name) : ticked.delete(v.name)),
    }));
    const shown = { ...values };
    const target = model.slots.find((s) => s.name === action.target);
    if (target) shown[target.created] = true;
    return el('section', null, el('h2', null, `What will change: ${title}?`),
      el('p', { class: 'none' }, `Tick everything that will be different after this ${model.terms.step}, then look.`),
      Cards.tables(model, [{ title: 'now', values: shown }], { extra: { title: 'will change', cell } }),
      el('p', { class: 'act' }, el('button', { type: 'button', class: 'reveal', onclick: () => reveal(ticked) }, 'Show what happens'),
        el('button', { type: 'button', class: 'go', onclick: cancel }, 'Never mind')));
  }

  /** Compares a guess with what happened. */
  function score(model, step, ticked, close) {
    const kind = (name) => (model.variables.find((v) => v.name === name) || {}).kind;
    const changed = new Map(step.changes.filter((c) => GUESSED.includes(kind(c.name))).map((c) => [c.name, c]));
    const line = (look, sign, name, why) => el('li', { 'data-score': look, 'data-variable': name }, el('span', { class: look }, `${sign} ${look}: `), name, why);
    const told = (name) => ` is now ${word(kind(name), changed.get(name).new)}`;
    const right = [...ticked].filter((n) => changed.has(n));
    const wrong = [...ticked].filter((n) => !changed.has(n));
    const missed = [...changed.keys()].filter((n) => !ticked.has(n));
    const perfect = !wrong.length && !missed.length;
    return el('section', null, el('h2', null, perfect ? 'Exactly right.' : `${right.length} right, ${wrong.length} wrong, ${missed.length} missed`),
      el('ul', { class: 'score' }, right.map((n) => line('right', '✓', n, told(n))), wrong.map((n) => line('wrong', '✗', n, ' did not change')),
        missed.map((n) => line('missed', '○', n, told(n)))),
      !perfect && el('p', { class: 'none' }, 'The rules below say why. Pick a name to see only the rules that write it.'),
      el('button', { type: 'button', class: 'go', onclick: close }, 'Close'));
  }

  return { happening, path, runs, choices, refused, micro, microNote, rules, properties, typed, agents, question, score, effect };
})();
