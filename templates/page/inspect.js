// What the model says about a stage: its guards, milestones and task, each with its condition and its place in the XML.
'use strict';

const Inspect = (() => {
  const { el } = Cards;

  /** Opens `box` for the stage that is clicked, or has the focus when Enter is pressed; close() hides it. */
  function over(root, model, box) {
    let from = null;

    function close() {
      if (box.hidden) return false;
      box.hidden = true;
      box.replaceChildren();
      if (from) from.focus({ preventScroll: true });
      from = null;
      return true;
    }

    function show(node) {
      const type = model.types.find((t) => t.id === node.dataset.type);
      const stage = type && type.stages.find((s) => s.id === node.dataset.stage);
      if (!stage) return;
      from = node;
      box.replaceChildren(el('div', null,
        el('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: close }, '×'),
        el('h3', null, `Stage ${stage.name}`),
        el('p', { class: 'quiet' }, stage.id === stage.name ? '' : `${stage.id}, `, el('code', null, stage.place), stage.task && `, task ${stage.task}`),
        el('h4', null, 'Opens'),
        stage.guards.length ? el('ul', null, stage.guards.map((g) => sentry(g))) : el('p', { class: 'quiet' }, 'It has no guard.'),
        stage.milestones.map((m) => milestone(type.milestones[m])),
        stage.milestones.length === 0 && el('p', { class: 'quiet' }, 'It has no milestone.')));
      box.hidden = false;
    }

    root.addEventListener('click', (event) => {
      const node = event.target.closest('.stage');
      if (node) show(node);
    });
    root.addEventListener('keydown', (event) => {
      const node = event.key === 'Enter' && event.target.closest('.stage');
      if (node) show(node);
    });
    return { close };
  }

  function milestone(m) {
    return [
      el('h4', null, `Milestone ${m.name}${m.id === m.name ? '' : ` (${m.id})`}`),
      el('ul', null, m.achieving.map((s) => sentry(s, 'achieved ')), m.invalidating.map((s) => sentry(s, 'invalidated '))),
    ];
  }

  function sentry(s, verb = '') {
    const event = s.events.length ? `on ${s.events.join(' or ')}` : '';
    return el('li', null, `${verb}${event}`, s.condition && [event && ' ', 'if ', el('code', null, s.condition)],
      !event && !s.condition && 'always', el('br'), el('span', { class: 'quiet' }, `${s.name}, `, el('code', null, s.place)));
  }

  return { over };
})();
