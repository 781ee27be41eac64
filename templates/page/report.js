// The report page: search, filters, keys, light and dark, and the stepper on the diagram.
'use strict';

(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const root = document.documentElement;
  root.classList.add('script');

  const data = JSON.parse(find('#data').textContent);
  const say = (text) => { find('#said').textContent = text; };
  const diagram = Diagram.over(find('.picture'), data.model);
  Diagram.zoomable(find('.picture'));
  const player = Player.make(data, diagram, find('#player'), find('#details'), say);

  const inspect = Inspect.over(find('.picture'), data.model, find('#inspect'));

  // Which properties are listed: by a button, and by the search.
  let only = 'all';
  const input = find('#search');

  function filter() {
    const needle = input.value.trim().toLowerCase();
    const fits = (row) => only === 'all' || (only === 'trace' ? row.dataset.trace === 'true' : row.dataset.class === only);
    const rows = all('.verdicts tbody tr');
    const shown = rows.filter((row) => {
      const here = fits(row) && row.querySelector('th').textContent.toLowerCase().includes(needle);
      row.hidden = !here;
      return here;
    });
    filterCases(needle);
    const found = diagram.search(input.value);
    player.search(input.value);
    const text = needle === '' && only === 'all' ? '' : `${shown.length} of ${rows.length} shown${needle ? `; ${found} ${data.model.terms.part}${found === 1 ? ' matches' : 's match'}` : ''}`;
    if (find('#shown')) find('#shown').textContent = text;
    if (text) say(text);
  }

  // Recorded cases have buttons of their own.
  let kind = 'all';
  function filterCases(needle) {
    const rows = all('.cases tbody tr');
    rows.forEach((row) => { row.hidden = !((kind === 'all' || row.dataset.class === kind) && row.querySelector('th').textContent.toLowerCase().includes(needle)); });
    const shown = rows.filter((row) => !row.hidden).length;
    if (find('#cases-shown')) find('#cases-shown').textContent = shown === rows.length ? '' : `${shown} of ${rows.length} shown`;
  }
  for (const button of all('[data-cases]')) {
    button.addEventListener('click', () => {
      kind = button.dataset.cases;
      all('[data-cases]').forEach((b) => b.setAttribute('aria-pressed', String(b === button)));
      filter();
    });
  }

  input.addEventListener('input', filter);
  for (const button of all('[data-show]')) {
    button.addEventListener('click', () => {
      only = button.dataset.show;
      all('[data-show]').forEach((b) => b.setAttribute('aria-pressed', String(b === button)));
      filter();
    });
  }

  // Light and dark: as the system says until the button says otherwise.
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const label = () => { find('#theme').textContent = dark() ? 'Light' : 'Dark'; };
  function theme() {
    root.dataset.theme = dark() ? 'light' : 'dark';
    label();
  }
  find('#theme').addEventListener('click', theme);
  system.addEventListener('change', label);
  label();

  function help() {
    const box = find('#help');
    box.hidden = !box.hidden;
    find('#keys').setAttribute('aria-expanded', String(!box.hidden));
  }
  find('#keys').addEventListener('click', help);

  // Traces: from the table, from the keyboard, from the address.
  function see(run) {
    player.show(run);
    find('#diagram').scrollIntoView();
  }
  for (const link of all('a.see')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      see(Number(link.dataset.run));
      find('#next-step').focus({ preventScroll: true });
    });
  }
  function other(by) {
    if (!data.runs.length) return;
    const now = player.run();
    const next = now === null ? (by > 0 ? 0 : data.runs.length - 1) : (now + by + data.runs.length) % data.runs.length;
    player.show(next);
  }

  find('#player').addEventListener('moved', ({ detail: { run, aside, at } }) => {
    all('a.see').forEach((a) => a.classList.toggle('shown', Number(a.dataset.run) === run));
    if (aside.length) return;
    keep(`#run=${run}&at=${at.step}.${at.micro}`);
  });

  /** Changes the address, so that it can be passed on. */
  function keep(hash) {
    try {
      history.replaceState(null, '', hash);
    } catch {
      // Some viewers allow no change of the address; the page works without.
    }
  }

  const KEYS = {
    ArrowRight: () => player.nextMicro(), ArrowLeft: () => player.previousMicro(), Home: () => player.first(), End: () => player.final(),
    j: () => other(1), k: () => other(-1), t: theme, '?': help,
    d: () => find('#diagram').scrollIntoView(), v: () => find('#verdicts').scrollIntoView(),
    '/': () => { input.focus(); input.select(); },
  };
  const SHIFTED = { ArrowRight: () => player.nextStep(), ArrowLeft: () => player.previousStep() };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      if (inspect.close()) return;
      input.value = '';
      filter();
      if (document.activeElement === input) input.blur();
      return;
    }
    if (event.target.closest('input, select, textarea')) return;
    const stepping = ['ArrowRight', 'ArrowLeft', 'Home', 'End'].includes(event.key);
    const region = event.target.closest('.scroll, .picture');
    if (stepping && (player.run() === null || (region && region.scrollWidth > region.clientWidth))) return;
    const action = (event.shiftKey && SHIFTED[event.key]) || KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    keepFocus(action);
  });

  /** Buttons are made anew at every step; the focus stays on the one that has the same id. */
  function keepFocus(action) {
    const id = document.activeElement && document.activeElement.id;
    action();
    if (id && document.activeElement.id !== id) document.getElementById(id)?.focus({ preventScroll: true });
  }
  for (const box of ['#player', '#details']) find(box).addEventListener('click', (event) => {
    const id = event.target.id;
    if (id) setTimeout(() => document.getElementById(id)?.focus({ preventScroll: true }));
  });

  addEventListener('beforeprint', () => all('.formula').forEach((d) => { d.open = true; }));

  /** Goes where the address points: to a step of a run, a trace, a part of the page. Whether there is such a place. */
  function follow() {
    const asked = /^#run=(\d+)&at=(\d+)\.(\d+)$/.exec(location.hash);
    const linked = /^#trace-(\d+)$/.exec(location.hash);
    const run = asked ? Number(asked[1]) : linked ? Number(linked[1]) : data.runs.length;
    if (run < data.runs.length) {
      player.show(run, asked ? { step: Number(asked[2]), micro: Number(asked[3]) } : null);
      find('#diagram').scrollIntoView();
      return true;
    }
    const place = location.hash && document.getElementById(location.hash.slice(1));
    if (place) place.scrollIntoView();
    return false;
  }

  const there = location.hash;
  if (!follow()) {
    // What is not as expected comes first and is what the reader came for.
    const first = find('.verdicts tbody tr.bad a.see') || find('.cases tbody tr.bad a.see');
    player.show(first ? Number(first.dataset.run) : null);
    keep(location.pathname + location.search + there);
  }
  addEventListener('hashchange', follow);
  // Pictures and tables have their sizes only now.
  addEventListener('load', () => { if (location.hash === there) follow(); });
})();
