// The keys of a page; `?` lists them.
'use strict';

const KEYS = [
  ['← →', 'one iteration back, one on; with Shift a hundred'],
  ['Home End', 'the first iteration, the last'],
  ['L', 'the next change of leader; Shift L: the one before'],
  ['M', 'the next mistake by perfect play, where the game is small enough to solve; Shift M: the one before'],
  ['S', 'the next proof of a move or of the position; Shift S: the one before'],
  ['X', 'the next playout that decided the choice; Shift X: the one before'],
  ['D', 'the first difference of two searches'],
  ['Space', 'play, or stop (where nothing else has the keyboard)'],
  ['N', 'the next phase of an iteration'],
  ['T', 'to the tree; there ↑ and ↓ move, ← and → fold and unfold, → again shows moves with few tries'],
  ['Backspace', 'to the position before'],
  ['0 … 9', 'select the move of this name, or the row of this number'],
  ['G', 'go to the position after the selected move'],
  ['P', 'the playout (where the page has the rules of the game, or a server)'],
  ['F', 'fork here (the same)'],
  ['W', 'what if this playout had ended otherwise (the same)'],
  ['?', 'this list'],
];

function actionsOf(app) {
  const { one } = app;
  const step = (by) => app.go({ k: app.k + by });
  const served = (place) => {
    if (app.served) document.querySelector(place)?.focus();
    else answer('This needs the rules of the game: fmcts explore.', true);
  };
  return {
    ArrowLeft: (event) => step(event.shiftKey ? -100 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 100 : 1),
    Home: () => app.go({ k: 1 }),
    End: () => app.go({ k: app.last }),
    l: () => app.go({ k: nextLead(app, 1) }),
    L: () => app.go({ k: nextLead(app, -1) }),
    m: () => app.go({ k: nextOf(app, mistakesOf(one), 1) }),
    M: () => app.go({ k: nextOf(app, mistakesOf(one), -1) }),
    s: () => app.go({ k: nextOf(app, one.proofs, 1) }),
    S: () => app.go({ k: nextOf(app, one.proofs, -1) }),
    x: () => app.go({ k: nextDecisive(app, 1) }),
    X: () => app.go({ k: nextDecisive(app, -1) }),
    d: () => app.apart && app.go({ k: app.apart.k }),
    t: () => toTree(app, 0),
    n: () => nextPhase(app),
    ' ': () => document.getElementById('run').click(),
    Backspace: () => app.go({ node: Math.max(0, one.parent[app.node]) }),
    g: () => {
      const child = one.childAt(app.node, app.selected ?? -1, app.k);
      if (child > 0) app.go({ node: child });
    },
    p: () => document.getElementById('show-playout')?.click(),
    f: () => served('#fork-spec'),
    w: () => served('#what-if button'),
    '?': () => document.getElementById('keys').showModal(),
  };
}

// The iteration at which the leader changes next, or changed last.
const nextLead = (app, by) => nextOf(app, app.one.leads.filter((lead) => lead.before !== null), by);

const nextDecisive = (app, by) => nextOf(app, app.one.decisive.map(([k]) => ({ k })), by);

// The iteration of the next or the last of these events; after the last comes the first.
function nextOf(app, events, by) {
  const places = events.map(({ k }) => k);
  if (by > 0) return places.find((k) => k > app.k) ?? places[0] ?? app.k;
  return places.filter((k) => k < app.k).at(-1) ?? places.at(-1) ?? app.k;
}

// Whether keys work in the whole page: kept where a browser allows it.
function keepsShortcuts() {
  const box = document.getElementById('shortcuts');
  try {
    box.checked = localStorage.getItem('fmcts-shortcuts') !== 'off';
    box.addEventListener('change', () => localStorage.setItem('fmcts-shortcuts', box.checked ? 'on' : 'off'));
  } catch { /* as in a frame of a notebook */ }
  return () => box.checked;
}

// To a row of the tree, so many from the one that is chosen.
function toTree(app, by) {
  app.go({ node: beside(app, by) });
  const here = document.querySelector('#tree .here');
  here?.focus({ preventScroll: true });
  here?.scrollIntoView({ block: 'nearest' });
}

// What a key does in the slider and in the tree, whether or not keys work in the whole page.
function inside(app, target, { key, shiftKey }) {
  const row = target.closest?.('[role=treeitem]');
  const up = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (row && up) return () => toTree(app, up);
  if (row && (key === 'Enter' || key === ' ')) return () => fold(app, app.node, row.getAttribute('aria-expanded') !== 'true' && 'open');
  if (row && (key === 'ArrowLeft' || key === 'ArrowRight')) return () => fold(app, app.node, key === 'ArrowRight' && (row.getAttribute('aria-expanded') === 'true' ? 'all' : 'open'));
  if (target.id !== 'slider') return null;
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -100, PageUp: 100 }[key];
  if (by) return () => app.go({ k: app.k + (shiftKey ? 100 : 1) * by });
  return key === 'Home' || key === 'End' ? () => app.go({ k: key === 'Home' ? 1 : app.last }) : null;
}

function listen(app) {
  const everywhere = keepsShortcuts();
  renew(document.getElementById('keys-list'), KEYS.map(([key, words]) => [
    el('dt', {}, key.split(' ').map((it) => (it === '…' ? ' … ' : el('kbd', {}, it)))), el('dd', {}, words)]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('keys').open) return;
    const { target, key } = event;
    if (target.matches('input:not([type=range]), select, textarea')) { // they have keys of their own
      if (key === 'Escape') target.blur();
      return;
    }
    const here = inside(app, target, event);
    if (here) {
      event.preventDefault();
      here();
      return;
    }
    if (!everywhere() || (key === ' ' && target !== document.body)) return;
    if (/^[0-9]$/.test(key)) {
      const names = [...document.querySelectorAll('#table .name')], digits = names.filter((it) => /^[0-9]$/.test(it.textContent));
      const shown = digits.length ? digits.find((it) => it.textContent === key) : names[Number(key) - 1];
      if (shown) app.go({ selected: Number(shown.dataset.index) });
      return;
    }
    const name = event.shiftKey && 'LMSX'.includes(key) ? key : key.length === 1 ? key.toLowerCase() : key;
    const action = actionsOf(app)[name];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
