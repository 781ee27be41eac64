// Rule cards, conditions with the value of every part, tables of values, what an agent sees.
// Used by the report and by the explorer; the values are those of src/view. Every text of a model goes into the page as
// textContent, so a name that looks like markup stays a name.
'use strict';

const Cards = (() => {
  /** An element: attributes (`on…` are listeners, null ones are left out), then children (texts or nodes, null ones left out). */
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? '' : String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return node;
  }

  /** A name that breaks, where it must, between its words: after signs and between the humps of a compound name. */
  const breakable = (text) => String(text).split(/(?<=[./_:,-])(?=\w)|(?<=[a-z0-9])(?=[A-Z])/).flatMap((part, i) => (i ? [el('wbr'), part] : [part]));

  const AT = { before: 'before the step', now: '', change: 'before and now', event: 'event', fixed: '', parts: '' };
  const KINDS = {
    1: 'opens a stage', 2: 'achieves a milestone', 3: 'invalidates a milestone',
    4: 'a stage that opens resets its milestone', 5: 'a milestone closes its stage', 6: 'a stage closes with its ancestor',
  };

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  /** A value as people read it: stages are open or closed, milestones achieved or not. */
  function word(kind, value) {
    if (value === undefined) return '';
    if (typeof value !== 'boolean') return String(value);
    if (kind === 'stage') return value ? 'open' : 'closed';
    if (kind === 'milestone') return value ? 'achieved' : 'not achieved';
    if (kind === 'created') return value ? 'exists' : 'not created';
    return String(value);
  }

  /** A truth value or another value, marked by sign, colour and text. */
  function verdict(value) {
    if (value === true) return el('span', { class: 'val yes' }, '✓ true');
    if (value === false) return el('span', { class: 'val no' }, '✗ false');
    return el('span', { class: 'val' }, String(value));
  }

  /** A condition as a tree of its parts; `culprit` is the smallest part that makes it false. */
  function condition(part, culprit) {
    const guilty = culprit && same(part, culprit);
    const note = AT[part.at];
    const line = el('div', { class: guilty ? 'part culprit' : 'part' },
      verdict(part.value), el('span', { class: 'text' }, part.text),
      note && el('span', { class: 'at' }, note), guilty && el('span', { class: 'why' }, 'this is why not'));
    const parts = part.parts || [];
    if (!parts.length) return el('li', null, line);
    return el('li', null, line, el('ul', { class: 'parts' }, parts.map((p) => condition(p, culprit))));
  }

  /** A name without the slot in front, where that goes without saying. */
  const short = (name, slot) => (slot && name.startsWith(`${slot}.`) ? name.slice(slot.length + 1) : name);

  /** What a rule does: `Drafting becomes open`. `target`: the slot of the step. */
  function effect(card, target = null) {
    if (!card.pac) return `${short(card.target, target)} becomes ${card.value}`;
    const milestone = card.pac >= 2 && card.pac <= 4;
    const what = milestone ? (card.value ? 'achieved' : 'not achieved') : card.value ? 'open' : 'closed';
    return `${short(card.target, target)} becomes ${what}`;
  }

  function fate(card) {
    if (card.fired && card.changed) return ['fired', 'fired'];
    if (card.fired) return ['again', 'fired, but it was already so'];
    const why = { prerequisite: 'its prerequisite is false', event: 'it waits for another event', condition: 'its condition is false' };
    return ['idle', card.refused ? `did not fire: ${why[card.refused.because]}` : 'did not fire'];
  }

  /**
   * A rule card: what it does, whether it fired, and both of its sides with the value of every part.
   * `target`: the slot of the step; rules of other slots name theirs.
   */
  function card(c, { open = false, number = null, target = null } = {}) {
    const [look, said] = fate(c);
    const culprit = c.refused && c.refused.part;
    const side = (title, part) => el('section', { class: 'side' }, el('h4', null, title),
      el('ul', { class: 'parts' }, condition(part, culprit)));
    const inside = () => [side('Prerequisite, asked of the snapshot before the step', c.prerequisite),
      side('Antecedent, asked at the rule’s turn', c.antecedent),
      el('p', { class: 'place' }, c.pac && `PAC-${c.pac}, ${KINDS[c.pac] || ''} · `, el('code', null, c.place))];
    return lazy(el('details', { class: `card ${look}`, open, 'data-rule': c.label, 'data-target': c.target },
      el('summary', null,
        number !== null && el('span', { class: 'number' }, number),
        el('span', { class: 'label' }, breakable(c.slot === target || !c.slot ? c.label : `${c.slot}.${c.label}`)),
        el('span', { class: 'fate' }, said),
        el('span', { class: 'effect' }, effect(c, target)),
        culprit && el('span', { class: 'because' }, 'false: ', el('span', { class: 'text' }, culprit.text)))), inside);
  }

  /** Fills a details element when it is first opened: a big model has a thousand cards, and few are read. */
  function lazy(details, inside) {
    const fill = () => {
      if (details.open && details.childNodes.length === 1) details.append(...inside());
    };
    details.addEventListener('toggle', fill);
    fill();
    return details;
  }

  /** Changes in a line each. */
  function changes(model, list) {
    const kind = (name) => (model.variables.find((v) => v.name === name) || {}).kind;
    if (!list.length) return el('p', { class: 'none' }, 'Nothing changes.');
    return el('ul', { class: 'changes' }, list.map((c) => el('li', null,
      el('span', { class: 'name' }, breakable(c.name)), ' ',
      el('span', { class: 'old' }, word(kind(c.name), c.old)), ' → ',
      el('span', { class: 'new' }, word(kind(c.name), c.new)))));
  }

  /** A snapshot with changes applied. */
  function apply(values, list) {
    const next = { ...values };
    for (const c of list) next[c.name] = c.new;
    return next;
  }

  const GROUPS = [['stage', 'Stages'], ['milestone', 'Milestones'], ['state', 'State'], ['data', 'Data'], ['task', 'Tasks'], ['observer', 'Observers'],
    ['private', 'Private variables'], ['overflow', 'Overflow']];

  /**
   * Tables of values, one per slot and one for the agents: a row a variable, a column a snapshot.
   * columns: [{ title, values, now }]. Options: changedOnly, filter (text), pick(name), extra { title, cell(variable) }.
   */
  function tables(model, columns, { changedOnly = false, filter = '', extra = null, pick = null } = {}) {
    const needle = filter.toLowerCase();
    const differs = (v) => columns.some((c) => c.values && c.values[v.name] !== columns[0].values[v.name]);
    const owners = [...model.slots.map((s, i) => ({ name: s.name, slot: i, created: s.created })),
      ...model.agents.map((a, i) => ({ name: a.name, agent: i })), { name: 'Model', rest: true }];
    const box = el('div', { class: 'tables' });
    for (const owner of owners) {
      const quiet = (v) => v.kind === 'created' ||
        (v.kind === 'task' && !needle && columns.every((c) => !c.values || same(c.values[v.name], v.initial))) || (v.kind === 'overflow' && !columns.some((c) => c.values && c.values[v.name]));
      const mine = model.variables.filter((v) => !quiet(v) && (owner.rest ? v.slot === null && v.agent === null
        : owner.slot !== undefined ? v.slot === owner.slot : v.agent === owner.agent));
      const exists = owner.created === undefined || columns.some((c) => c.values && c.values[owner.created]);
      if (!mine.length && owner.created === undefined) continue;
      if (!exists) {
        if (!changedOnly && !needle) box.append(el('p', { class: 'absent' }, `${owner.name}: not created`));
        continue;
      }
      const rows = [];
      const own = owner.created === undefined ? [] : model.variables.filter((v) => v.name === owner.created && differs(v));
      for (const [kind, title] of GROUPS) {
        const wanted = mine.filter((v) => v.kind === kind && (!changedOnly || differs(v)) && v.name.toLowerCase().includes(needle));
        if (wanted.length) rows.push(el('tr', { class: 'group' }, el('th', { colspan: columns.length + 1 + (extra ? 1 : 0), scope: 'rowgroup' }, title)));
        rows.push(...wanted.map((v) => row(v, columns, differs, extra, pick)));
      }
      rows.unshift(...own.map((v) => row(v, columns, differs, extra, pick)));
      if (!rows.length) continue;
      box.append(el('table', { class: 'values' }, el('caption', null, owner.name),
        el('thead', null, el('tr', null, el('th', { scope: 'col' }, 'name'),
          columns.map((c) => el('th', { scope: 'col', class: c.now ? 'now' : null }, c.title)), extra && el('th', { scope: 'col' }, extra.title))),
        el('tbody', null, rows)));
    }
    if (!box.childNodes.length) box.append(el('p', { class: 'none' }, changedOnly ? 'Nothing changes.' : 'Nothing to show.'));
    return box;
  }

  /** A milestone that is not achieved takes no room. */
  function cell(kind, value) {
    if (kind === 'milestone' && value === false) return [el('span', { 'aria-hidden': 'true' }, '–'), el('span', { class: 'hint' }, 'not achieved')];
    return word(kind, value);
  }

  function row(v, columns, differs, extra, pick) {
    const status = ['stage', 'milestone', 'state'].includes(v.kind);
    const holds = (value) => (typeof value === 'boolean' ? value : value !== v.initial);
    let last;
    return el('tr', { class: differs(v) ? 'differs' : null, 'data-variable': v.name }, el('th', { scope: 'row' },
      pick && status ? el('button', { type: 'button', class: 'name', title: 'the rules that write it', onclick: () => pick(v.name) }, breakable(v.label)) : breakable(v.label)),
      columns.map((c, i) => {
        const value = c.values && c.values[v.name];
        const changed = i > 0 && c.values && value !== last;
        if (c.values) last = value;
        const on = status ? (holds(value) ? ' on' : ' off') : '';
        return el('td', { class: `${v.kind}${on}${changed ? ' changed' : ''}${c.now ? ' now' : ''}` },
          c.values ? cell(v.kind, value) : '?', changed && el('span', { class: 'hint' }, ' changed'));
      }), extra && el('td', null, extra.cell(v)));
  }

  /** What an agent sees of a snapshot, slot by slot. */
  function sees(model, sight, values) {
    const agent = model.agents[sight.agent];
    const line = (name) => {
      const v = model.variables.find((x) => x.name === name) || { label: name };
      return el('li', null, el('span', { class: 'name' }, breakable(v.label)), ' ', el('span', { class: 'val' }, word(v.kind, values[name])));
    };
    return el('section', { class: 'sight', 'data-agent': agent.name },
      el('h4', null, agent.name, agent.role && el('span', { class: 'role' }, ` ${agent.role.name}`)),
      agent.private.length > 0 && el('ul', { class: 'seen' }, agent.private.map(line)),
      model.slots.map((slot, i) => {
        const window = agent.role && agent.role.windows[slot.type];
        const rule = window && window !== 'true' ? `window: ${window}` : null;
        if (!sight.visible[i]) {
          const why = values[slot.created] ? 'not in its window' : 'not created';
          return el('p', { class: 'unseen' }, `${slot.name}: ${why}`, values[slot.created] && rule && el('code', null, ` ${rule}`));
        }
        return el('details', { class: 'seen' }, el('summary', null, `${slot.name}: sees ${agent.sees[i].length} of ${
          model.variables.filter((v) => v.slot === i).length}`, rule && el('code', null, ` ${rule}`)),
        el('ul', null, agent.sees[i].filter((n) => n !== slot.created).map(line)));
      }));
  }

  const listed = (rules) => rules.join(', ') || 'nothing';

  /** How a step would end in another order. */
  function otherOrder(model, other) {
    return el('section', { class: 'order' },
      el('p', null, 'This step depends on the order of its rules. ', el('b', null, listed(other.chosen)), other.fired
        ? [' fired; in another order ', el('b', null, listed(other.fired)), other.differs.length ? ', and the step ends differently:' : '; the step ends the same.']
        : [' fired, and then ', el('b', null, listed(other.wavering)), ' would decide otherwise. No order is right in the end.']),
      other.differs.length > 0 && el('table', { class: 'values' },
        el('thead', null, el('tr', null, el('th', { scope: 'col' }, 'name'), el('th', { scope: 'col' }, 'chosen order'), el('th', { scope: 'col' }, 'other order'))),
        el('tbody', null, other.differs.map((c) => {
          const kind = (model.variables.find((v) => v.name === c.name) || {}).kind;
          return el('tr', null, el('th', { scope: 'row' }, c.name), el('td', null, word(kind, c.old)), el('td', { class: 'changed' }, word(kind, c.new)));
        }))));
  }

  return { el, breakable, lazy, word, verdict, condition, card, effect, changes, apply, tables, sees, otherOrder, same };
})();
