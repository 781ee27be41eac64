// The explorer: the address says which path and where on it we stand; the server says everything else.
'use strict';

(() => {
  const { el } = Cards;
  const $ = (id) => document.getElementById(id);
  const put = (id, ...nodes) => $(id).replaceChildren(...nodes.flat(Infinity).filter((n) => n !== null && n !== undefined && n !== false));

  let about = null; // the model
  let here = null; // the answer to /api/at
  let place = { path: '', at: null, loop: null };
  let micro = 0;
  let picked = null;
  let predicting = false;
  let guess = null; // { path, ticked } to compare with the step that comes
  let runs = []; // runs that were gone: { title, path, loop }
  let taken = false; // the user has just taken a step
  let asked = 0; // number of the newest question
  let drawnFor = 0; // the width that the picture was drawn for
  let diagram = null; // the picture, once it is there
  let slots = []; // per type, the slot that the picture shows
  let wondered = null; // the part of the picture that was asked about

  // ---- the address

  function readAddress() {
    const text = location.hash.replace(/^#\/?/, '');
    const [path, query] = text.split('?');
    const params = new URLSearchParams(query || '');
    const number = (name) => (params.has(name) && /^\d+$/.test(params.get(name)) ? Number(params.get(name)) : null);
    return { path, at: number('at'), loop: number('loop') };
  }

  function address({ path, at, loop }) {
    const params = new URLSearchParams();
    if (at !== null) params.set('at', at);
    if (loop !== null && loop !== undefined) params.set('loop', loop);
    const query = params.toString();
    return `#/${path}${query ? `?${query}` : ''}`;
  }

  /** Goes to a place; the address changes, and that loads it. */
  function go(to) {
    const hash = address(to);
    if (location.hash === hash) load();
    else location.hash = hash;
  }

  // ---- questions to the server

  async function ask(question) {
    const response = await fetch(question, { headers: { Accept: 'application/json' } });
    const answer = await response.json();
    if (!response.ok || answer.error) throw new Error(answer.error || `the server answers ${response.status}`);
    return answer;
  }

  async function load() {
    const mine = (asked += 1);
    place = readAddress();
    const query = new URLSearchParams({ path: place.path });
    if (place.at !== null) query.set('at', place.at);
    try {
      const answer = await ask(`api/at?${query}`);
      if (mine !== asked) return;
      here = answer;
      $('fault').hidden = true;
    } catch (e) {
      if (mine === asked) fault(e.message);
      return;
    }
    remember(here.path, place.loop);
    // Where a step has just been taken the whole of it is seen; elsewhere too.
    micro = here.step ? here.step.micro.length : 0;
    if (picked && here.step && !here.step.rules.some((c) => c.target === picked)) picked = null;
    render();
    if (wondered) explain(wondered).catch(() => put('why'));
    // On a phone the step is below the choices.
    if (taken && matchMedia('(max-width: 900px)').matches) $($('prediction').childNodes.length ? 'prediction' : 'step').scrollIntoView();
    taken = false;
    follow(mine);
    evaluate();
  }

  function fault(message) {
    $('fault').hidden = false;
    put('fault', el('span', null, message), el('button', { type: 'button', class: 'link', onclick: () => go(here ? { path: here.path, at: here.at, loop: null } : { path: '', at: null, loop: null }) },
      here ? 'back to where we were' : 'to the start'));
  }

  /** Looks now and then whether the files were read again; then everything is asked for again, at the same place. */
  async function watch() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (document.hidden) continue;
      let heard;
      try {
        heard = await ask('api/edition');
      } catch {
        continue; // The server is gone or busy; it may come back.
      }
      $('stale').hidden = heard.trouble === '';
      $('stale-why').textContent = heard.trouble;
      if (heard.edition !== about.edition) await again();
    }
  }

  async function again() {
    try {
      about = await ask('api/model');
    } catch (e) {
      return fault(e.message);
    }
    here = null;
    slots = [];
    diagram = null;
    name();
    say('The files have changed: this is the new model.');
    await load();
    await draw();
  }

  /** Properties and look-alikes come later, and again while the search goes on. */
  async function follow(mine) {
    const prefix = here.steps.slice(0, here.at).map((s) => s.path).join('/');
    const query = new URLSearchParams({ path: prefix });
    for (let wait = 150; ; wait = Math.min(wait * 2, 2000)) {
      try {
        const [judged, alike] = await Promise.all([ask(`api/properties?${query}`), here.sights.length ? ask(`api/alike?${query}`) : null]);
        if (mine !== asked) return;
        keepOpen('properties', () => put('properties', Panels.properties(judged, (path, loop) => go({ path, at: null, loop }))));
        keepOpen('agents', () => put('agents', Panels.agents(about.model, here.sights, here.snapshot, alike, (path) => go({ path, at: null, loop: null }))));
        if (judged.progress.done && judged.checked) return;
      } catch (e) {
        if (mine === asked) put('properties', el('p', { class: 'none' }, e.message));
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (mine !== asked) return;
    }
  }

  /** Evaluates the formula that the user typed, again after every step. */
  async function evaluate() {
    const mine = asked;
    const text = $('own-text').value.trim();
    if (!text || !here) return put('own-answer');
    try {
      const answer = await ask(`api/formula?${new URLSearchParams({ path: prefix(here.at).join('/'), text })}`);
      if (mine === asked) put('own-answer', Panels.typed(answer));
    } catch (e) {
      if (mine === asked) put('own-answer', el('pre', null, e.message));
    }
  }

  /** Renders anew and opens again what was open. */
  function keepOpen(id, draw) {
    const all = () => [...$(id).querySelectorAll('details')];
    const open = all().map((d) => d.open);
    draw();
    const now = all();
    if (now.length === open.length) now.forEach((d, i) => (d.open = open[i]));
  }

  // ---- runs that were gone

  function remember(path, loop) {
    const inside = (a, b) => a === '' || a === b || b.startsWith(`${a}/`);
    const known = runs.find((r) => r.path === path);
    if (known) {
      if (loop !== null) known.loop = loop;
    } else if (!runs.some((r) => inside(path, r.path))) {
      runs = runs.filter((r) => r.title || !inside(r.path, path));
      runs.push({ title: '', path, loop });
    }
    try { sessionStorage.setItem('gsmc-runs', JSON.stringify({ command: about.command, runs })); } catch { /* a page without storage forgets */ }
  }

  function recall() {
    for (const r of about.start.runs) runs.push({ title: r.title, path: r.path, loop: r.loop_start });
    try {
      const kept = JSON.parse(sessionStorage.getItem('gsmc-runs') || 'null');
      if (kept && kept.command === about.command) for (const r of kept.runs) if (!runs.some((x) => x.path === r.path)) runs.push(r);
    } catch { /* nothing kept */ }
  }

  // ---- what the user does

  const prefix = (n) => here.steps.slice(0, n).map((s) => s.path);
  const goTo = (n) => go({ path: here.path, at: n === here.steps.length ? null : n, loop: place.loop });
  const undo = () => here && here.at > 0 && goTo(here.at - 1);
  const redo = () => here && here.at < here.steps.length && goTo(here.at + 1);

  function take(option, action) {
    const ahead = here.steps[here.at];
    const same = ahead && ahead.path === option.path;
    const to = same ? { path: here.path, at: here.at + 1 === here.steps.length ? null : here.at + 1, loop: place.loop }
      : { path: [...prefix(here.at), option.path].join('/'), at: null, loop: null };
    taken = true;
    if (!predicting) return go(to);
    const title = Panels.happening({ event: action.event, target: action.target, payload: option.payload });
    const reveal = (ticked) => {
      guess = { at: here.at + 1, path: [...prefix(here.at), option.path].join('/'), ticked };
      put('prediction');
      go(to);
    };
    put('prediction', Panels.question(about.model, here.snapshot, action, title, reveal, () => put('prediction')));
    $('prediction').querySelector('input, button').focus();
    $('prediction').scrollIntoView({ block: 'start' });
  }

  function showMicro(n) {
    micro = n;
    renderStep();
    const button = $('micro').querySelector(`[data-micro="${n}"]`);
    if (button) button.focus({ preventScroll: true });
  }

  function pick(name) {
    picked = picked === name ? null : name;
    renderStep();
    if (picked) $('rules-title').scrollIntoView({ block: 'nearest' });
  }

  // ---- drawing

  function render() {
    const last = here.steps.length;
    document.title = `${here.at ? `${here.at}. ${here.steps[here.at - 1].title}` : 'start'} · ${about.model.name}`;
    $('undo').disabled = here.at === 0;
    $('redo').disabled = here.at === last;
    $('restart').disabled = here.at === 0;
    put('path', Panels.path(here.steps, here.at, place.loop, goTo));
    const current = $('path').querySelector('[aria-current]');
    if (current) $('path').scrollTop = Math.max(0, current.offsetTop - $('path').offsetTop - 80);
    put('runs', Panels.runs(runs, here.path, here.steps, (r) => go({ path: r.path, at: null, loop: r.loop })));
    const ahead = here.steps[here.at];
    put('choices', Panels.choices(here.next, ahead && ahead.path, predicting, take));
    put('refused', Panels.refused(here.next.refused));
    $('share-link').value = location.origin + location.pathname + address(place);
    const upto = prefix(here.at).join('/');
    $('share-command').value = about.command + (upto ? ` --path ${upto}` : '');
    followSlot();
    compare();
    renderStep();
    put('agents', Panels.agents(about.model, here.sights, here.snapshot, null, null));
  }

  function compare() {
    const fits = guess && here.step && guess.at === here.at && guess.path === prefix(here.at).join('/');
    if (!fits) return put('prediction');
    put('prediction', Panels.score(about.model, here.step, guess.ticked, () => put('prediction')));
    guess = null;
    $('prediction').scrollIntoView({ block: 'nearest' });
  }

  function renderStep() {
    const { step, before, snapshot } = here;
    paint();
    const options = { changedOnly: $('changed-only').checked, filter: $('find').value, pick };
    if (!step) {
      put('step-title', 'The initial snapshot');
      put('step-note', 'Nothing has happened yet. Choose what happens next.');
      ['micro', 'micro-note', 'other-order'].forEach((id) => put(id));
      put('values', Cards.tables(about.model, [{ title: 'now', values: snapshot, now: true }], { ...options, changedOnly: false, pick: null }));
      put('rules', el('p', { class: 'none' }, `Rules are shown for a ${about.model.terms.step}.`));
      return;
    }
    put('step-title', `${here.at}. ${Panels.happening(step)}`);
    const who = step.agent ? `sent by ${step.agent} · ` : '';
    const n = step.changes.length;
    const { step: one } = about.model.terms;
    put('step-note', `${who}${one} ${here.at} of ${here.steps.length} · ${n === 0 ? `changes nothing, and is a ${one} all the same` : `${n} value${n === 1 ? '' : 's'} changed`}`);
    put('micro', Panels.micro(step, micro, showMicro));
    put('micro-note', Panels.microNote(about.model, step, micro));
    put('other-order', step.other_orders.map((o) => Cards.otherOrder(about.model, o)));
    put('values', Cards.tables(about.model, [{ title: 'before', values: before }, { title: 'now', values: moment().values, now: true }, { title: 'after', values: snapshot }], options));
    put('rules', Panels.rules(step, micro, picked, () => pick(picked), $('find').value));
  }

  // ---- the picture

  const room = () => Math.max(340, $('picture-section').clientWidth - 14);

  /** Fetches the picture drawn for the room there is. */
  async function draw() {
    $('picture-section').hidden = false;
    const width = (drawnFor = room());
    const text = await (await fetch(`api/picture?width=${width}`)).text();
    if (width !== drawnFor) return;
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    put('picture', document.importNode(svg, true));
    diagram = Diagram.over($('picture'), about.model);
    $('whole').hidden = !$('picture').classList.contains('whole') && $('picture').scrollHeight <= $('picture').clientHeight;
    if (here) paint();
  }

  /** The snapshot at the current micro-step, and what that micro-step changed. */
  function moment() {
    const { step, before, snapshot } = here;
    if (!step) return { values: snapshot, changed: new Set(), fired: null };
    let values = before;
    for (const m of step.micro.slice(0, micro)) values = Cards.apply(values, m.changes);
    const now = micro > 0 ? step.micro[micro - 1] : null;
    return { values, changed: new Set(now ? now.changes.map((c) => c.name) : []), fired: now && now.rule !== null ? step.rules[now.rule] : null };
  }

  function paint() {
    if (!diagram) return;
    const { values, changed, fired } = moment();
    diagram.paint(values, { slots, changed, fired });
  }

  /** Follows the step's target; where a type has several slots, the user may look at another. */
  function followSlot() {
    const target = here.step && about.model.slots.findIndex((s) => s.name === here.step.target);
    if (here.step && target >= 0) slots[about.model.slots[target].type] = target;
    const many = about.model.types.map((t, i) => i).filter((i) => about.model.slots.filter((s) => s.type === i).length > 1);
    put('picture-slots', many.map((type) => el('select', { 'aria-label': `which ${about.model.types[type].id} to show`, onchange: (e) => { slots[type] = Number(e.target.value); paint(); } },
      about.model.slots.map((s, i) => s.type === type && el('option', { value: i, selected: i === slots[type] }, s.name)))));
  }

  /** What last happened to the part that was clicked, and what it waits for. */
  async function explain(name) {
    wondered = name;
    const { path, at } = here;
    const answer = await ask(`api/why?${new URLSearchParams({ path, at, name })}`);
    if (wondered !== name || here.path !== path || here.at !== at) return;
    const lines = [answer.happened, ...(answer.stands || '').split('\n')].filter(Boolean);
    put('why', lines.map((line) => el('p', null, line)));
  }

  function pickInPicture(event) {
    const named = event.target.closest('[data-name]');
    if (named && here) explain(named.dataset.name).catch(() => put('why'));
    const node = event.target.closest('.milestone, .stage');
    const type = node ? about.model.types.findIndex((t) => t.id === node.dataset.type) : -1;
    const slot = about.model.slots[slots[type] ?? about.model.slots.findIndex((s) => s.type === type)];
    if (!slot || !here || !here.step) return;
    const { stages, milestones } = about.model.types[type];
    const name = node.classList.contains('milestone') ? slot.milestones[milestones.findIndex((m) => m.id === node.dataset.milestone)]
      : slot.stages[stages.findIndex((x) => x.id === node.dataset.stage)];
    if (name) pick(name);
  }

  // ---- buttons and keys

  function drawer(button, id) {
    const open = $(id).hidden;
    $(id).hidden = !open;
    $(button).setAttribute('aria-expanded', String(open));
  }

  function togglePredict() {
    predicting = !predicting;
    $('predict').setAttribute('aria-pressed', String(predicting));
    put('prediction');
    if (here) render();
    say(predicting ? 'Predict: choose what happens, then tick what will change.' : 'Predict is off.');
  }

  const say = (text) => ($('said').textContent = text);

  async function copy(id) {
    $(id).select();
    try {
      await navigator.clipboard.writeText($(id).value);
      say('Copied.');
    } catch {
      say(document.execCommand('copy') ? 'Copied.' : 'Not copied: press Ctrl-C.');
    }
  }

  // Light and dark: as the system says until the button says otherwise.
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const label = () => { $('theme').textContent = dark() ? 'Light' : 'Dark'; };
  function theme() {
    root.dataset.theme = dark() ? 'light' : 'dark';
    label();
  }

  /** Goes on by itself, micro-step by micro-step, to the end of the path. */
  let playing = null;
  function play() {
    if (playing !== null) {
      clearInterval(playing);
      playing = null;
    } else {
      if (here && here.at === here.steps.length && here.steps.length) goTo(0);
      playing = setInterval(() => {
        if (!here) return;
        if (here.step && micro < here.step.micro.length) showMicro(micro + 1);
        else if (here.at < here.steps.length) goTo(here.at + 1);
        else play();
      }, 900);
    }
    $('play').setAttribute('aria-pressed', String(playing !== null));
    $('play').textContent = playing === null ? '▶ Play' : '⏸ Pause';
  }

  const KEYS = {
    t: theme, ' ': play,
    u: undo, r: redo, p: togglePredict, s: () => drawer('share-button', 'share'), '?': () => drawer('help-button', 'help'),
    0: () => here && goTo(0), '/': () => $('find').focus(),
    j: () => here && here.step && micro < here.step.micro.length && showMicro(micro + 1),
    k: () => here && here.step && micro > 0 && showMicro(micro - 1),
  };

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    const choice = /^[1-9]$/.test(event.key) && $('choices').querySelectorAll('.go')[Number(event.key) - 1];
    const action = KEYS[event.key] || (choice && (() => choice.click()));
    if (!action) return;
    event.preventDefault();
    action();
  }

  function name() {
    $('model-name').textContent = about.model.name;
    $('picture-title').textContent = about.model.terms.picture;
    put('legend', about.model.terms.legend.map((sign) => el('span', null, el('span', { class: sign.look }, sign.mark), ` ${sign.text}`)));
    $('own-text').placeholder = about.model.terms.formula;
  }

  async function begin() {
    try {
      about = await ask('api/model');
    } catch (e) {
      return fault(e.message);
    }
    name();
    recall();
    $('undo').onclick = undo;
    $('redo').onclick = redo;
    $('restart').onclick = () => goTo(0);
    $('predict').onclick = togglePredict;
    $('play').onclick = play;
    $('theme').onclick = theme;
    system.addEventListener('change', label);
    label();
    Diagram.zoomable($('picture'));
    $('share-button').onclick = KEYS.s;
    $('help-button').onclick = KEYS['?'];
    $('skip').onclick = (e) => { e.preventDefault(); $('step-title').focus(); };
    $('changed-only').onchange = () => here && renderStep();
    $('find').oninput = () => {
      if (here) renderStep();
      if (diagram) diagram.search($('find').value);
    };
    $('own').onsubmit = (e) => { e.preventDefault(); evaluate(); };
    $('picture').onclick = pickInPicture;
    $('whole').onclick = () => {
      const whole = $('picture').classList.toggle('whole');
      $('whole').setAttribute('aria-pressed', String(whole));
      $('whole').textContent = whole ? 'small picture' : 'whole picture';
    };
    new ResizeObserver(() => Math.abs(room() - drawnFor) > 40 && draw()).observe($('picture-section'));
    document.querySelectorAll('[data-copy]').forEach((b) => (b.onclick = () => copy(b.dataset.copy)));
    document.addEventListener('keydown', key);
    window.addEventListener('hashchange', load);
    const { run } = about.start;
    if (!location.hash && run.path) history.replaceState(null, '', address({ path: run.path, at: null, loop: run.loop_start }));
    load();
    draw().catch((e) => { put('picture', el('p', { class: 'none' }, e.message)); });
    watch();
  }

  begin();
})();
