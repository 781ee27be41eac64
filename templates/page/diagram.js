// The picture of the model coloured by a snapshot. Elements say in data-… attributes what they stand for; which variable that is in
// the slot that is shown, the model says (src/view). Used by the report and by the explorer.
'use strict';

const Diagram = (() => {
  /**
   * Gets hold of the pictures inside `root`. `model` is the ModelView.
   * paint(values, { slots, changed, fired }): colours them. slots: per type, the slot shown; changed: a Set of variable names;
   * fired: the card of the rule that just fired, or null. clear(): the model alone. search(text): marks what matches, gives how
   * many of its parts do.
   */
  function over(root, model) {
    const pictures = [...root.querySelectorAll('svg.drawn')];
    // What stands for one variable says so itself, in any language.
    const single = pictures.flatMap((svg) => [...svg.querySelectorAll('[data-var]')]);
    const parts = pictures.flatMap((svg) => [...svg.querySelectorAll('.artifact')].flatMap((artifact) => {
      const type = model.types.findIndex((t) => t.id === artifact.dataset.type);
      return type < 0 ? [] : [{ svg, artifact, type, ...members(artifact, model.types[type]) }];
    }));

    function paint(values, { slots = [], changed = new Set(), fired = null } = {}) {
      pictures.forEach((svg) => svg.classList.add('painted'));
      for (const node of single) {
        node.dataset.value = values[node.dataset.var];
        mark(node, 'changed', changed.has(node.dataset.var));
        if (node.classList.contains('chip') && typeof values[node.dataset.var] !== 'boolean') chip(node, node.dataset.var, values[node.dataset.var]);
      }
      for (const part of parts) {
        const slot = model.slots[slots[part.type] ?? model.slots.findIndex((s) => s.type === part.type)];
        if (!slot) continue;
        part.artifact.classList.toggle('absent', !values[slot.created]);
        for (const { node, stage } of part.stages) {
          mark(node, 'open', values[slot.stages[stage]]);
          mark(node, 'changed', changed.has(slot.stages[stage]));
        }
        for (const { node, milestone } of part.milestones) {
          mark(node, 'achieved', values[slot.milestones[milestone]]);
          mark(node, 'changed', changed.has(slot.milestones[milestone]));
        }
        for (const { node, path } of part.attributes) {
          mark(node, 'changed', changed.has(`${slot.name}.${path}`));
          chip(node, path, values[`${slot.name}.${path}`]);
        }
        for (const { node, task } of part.tasks) mark(node, 'pending', values[`${slot.name}.${task}.pending`]);
        for (const { node, label } of part.guards) mark(node, 'fired', fired && fired.slot === slot.name && fired.label === label);
      }
    }

    function clear() {
      pictures.forEach((svg) => svg.classList.remove('painted'));
    }

    function search(text) {
      const needle = text.trim().toLowerCase();
      const found = new Set();
      pictures.forEach((svg) => svg.classList.toggle('searching', needle !== ''));
      for (const part of parts) {
        const type = model.types[part.type];
        const hit = (...names) => needle !== '' && names.some((n) => n.toLowerCase().includes(needle));
        for (const { node, stage } of part.stages) {
          const s = type.stages[stage];
          const names = s.milestones.flatMap((m) => [type.milestones[m].id, type.milestones[m].name]);
          const events = s.guards.flatMap((g) => [g.id, ...g.events]);
          const matches = hit(s.id, s.name, ...names, ...events);
          mark(node, 'match', matches);
          if (matches) found.add(`${part.type} ${stage}`);
        }
        for (const { node, path } of part.attributes) mark(node, 'match', hit(path));
      }
      for (const node of single) {
        const matches = needle !== '' && node.dataset.var.toLowerCase().includes(needle);
        mark(node, 'match', matches);
        if (matches) found.add(node.dataset.var);
      }
      return found.size;
    }

    // The stage under the pointer or in focus shows which milestones its guards wait for, and who waits for its own.
    for (const svg of pictures) {
      const flows = [...svg.querySelectorAll('.flow')];
      const show = (event) => {
        const stage = event.target.closest('.stage');
        const name = stage && `${stage.dataset.type}.${stage.dataset.stage}`;
        flows.forEach((f) => mark(f, 'on', name && (f.dataset.from === name || f.dataset.to === name)));
      };
      const hide = () => flows.forEach((f) => mark(f, 'on', false));
      svg.addEventListener('mouseover', show);
      svg.addEventListener('mouseleave', hide);
      svg.addEventListener('focusin', show);
      svg.addEventListener('focusout', hide);
    }
    return { paint, clear, search, pictures };
  }

  /** A data chip shows its value, cut where there is no room for all of it; the tooltip has the whole. */
  function chip(node, path, value) {
    const text = node.querySelector('text');
    if (!text || value === undefined) return;
    text.dataset.name ??= text.textContent;
    node.querySelector('title').textContent = `${path} = ${value}`;
    const room = Number(node.querySelector('rect').getAttribute('width')) - 12;
    const wide = (by = 1) => text.getComputedTextLength() > room * by;
    text.removeAttribute('textLength');
    let full = `${text.dataset.name} = ${value}`;
    text.textContent = full;
    while (wide(1.2) && full.length > text.dataset.name.length + 4) text.textContent = `${(full = full.slice(0, -1))}…`;
    // Another font may be a little wider than the one that the drawing counted with: then it is drawn narrower, not cut.
    if (wide()) Object.entries({ textLength: room, lengthAdjust: 'spacingAndGlyphs' }).forEach(([name, value]) => text.setAttribute(name, value));
  }

  function mark(node, name, on) {
    node.classList.toggle(name, Boolean(on));
  }

  /** Buttons above the pictures: larger, smaller, whole. A larger one can be dragged, and Ctrl and the wheel work, too. */
  function zoomable(root) {
    const shown = () => [...root.querySelectorAll('svg.drawn')];
    const whole = new Map();
    const frame = (svg) => {
      if (!whole.has(svg)) whole.set(svg, svg.viewBox.baseVal ? [...svg.getAttribute('viewBox').split(/[ ,]+/).map(Number)] : [0, 0, 1, 1]);
      return whole.get(svg);
    };
    function look(svg, box) {
      const [x, y, w, h] = frame(svg);
      const width = Math.min(w, Math.max(w / 8, box[2]));
      const height = (h * width) / w;
      const left = Math.min(x + w - width, Math.max(x, box[0]));
      const top = Math.min(y + h - height, Math.max(y, box[1]));
      svg.setAttribute('viewBox', [left, top, width, height].map((n) => Math.round(n * 10) / 10).join(' '));
      svg.classList.toggle('zoomed', width < w - 1);
    }
    const now = (svg) => { frame(svg); return svg.getAttribute('viewBox').split(/[ ,]+/).map(Number); };
    function zoom(svg, factor, at = [0.5, 0.5]) {
      const [x, y, w, h] = now(svg);
      look(svg, [x + w * at[0] * (1 - 1 / factor), y + h * at[1] * (1 - 1 / factor), w / factor]);
    }
    const button = (label, title, action) => {
      const b = document.createElement('button');
      Object.assign(b, { type: 'button', textContent: label, title, onclick: () => shown().forEach(action) });
      b.setAttribute('aria-label', title);
      return b;
    };
    const bar = document.createElement('div');
    bar.className = 'zoom';
    bar.append(button('+', 'Larger', (svg) => zoom(svg, 1.5)), button('−', 'Smaller', (svg) => zoom(svg, 1 / 1.5)), button('whole', 'The whole picture', (svg) => look(svg, frame(svg))));
    root.before(bar);
    root.addEventListener('wheel', (event) => {
      const svg = event.ctrlKey && event.target.closest('svg.drawn');
      if (!svg) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(svg, event.deltaY < 0 ? 1.2 : 1 / 1.2, [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
    }, { passive: false });
    root.addEventListener('pointerdown', (event) => {
      const svg = event.target.closest('svg.drawn.zoomed');
      if (!svg) return;
      const start = now(svg);
      const scale = start[2] / svg.getBoundingClientRect().width;
      svg.classList.add('dragging');
      const move = (e) => look(svg, [start[0] - (e.clientX - event.clientX) * scale, start[1] - (e.clientY - event.clientY) * scale, start[2]]);
      const end = () => { svg.classList.remove('dragging'); removeEventListener('pointermove', move); removeEventListener('pointerup', end); };
      addEventListener('pointermove', move);
      addEventListener('pointerup', end);
    });
  }

  function members(artifact, type) {
    const all = (selector) => [...artifact.querySelectorAll(selector)];
    const place = (list, id) => list.findIndex((x) => x.id === id);
    const known = (list, key) => list.filter((x) => x[key] >= 0);
    return {
      stages: known(all('.stage').map((node) => ({ node, stage: place(type.stages, node.dataset.stage) })), 'stage'),
      milestones: known(all('.milestone').map((node) => ({ node, milestone: place(type.milestones, node.dataset.milestone) })), 'milestone'),
      attributes: all('.attr').map((node) => ({ node, path: node.dataset.attr })),
      tasks: all('.task').map((node) => ({ node, task: node.dataset.task })),
      guards: all('.guard').map((node) => ({ node, label: `PAC-1 ${node.dataset.stage}/${node.dataset.guard}` })),
    };
  }

  return { over, zoomable };
})();
