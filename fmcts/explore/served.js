// What needs the rules of the game: playouts, forks, "what if", and the bot's answer. A server has them,
// or the page itself (linked.js).
'use strict';

// What the server answers; it receives the position of this page.
async function ask(address) {
  const moves = new URLSearchParams(location.search).get('moves');
  const none = () => { throw new Error('The server does not answer: fmcts explore has ended.'); };
  const answer = await fetch(moves === null ? address : `${address}&moves=${encodeURIComponent(moves)}`).catch(none);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

function drawPlayout(app) {
  const box = document.getElementById('playout');
  const { one, k, playout } = app;
  const judge = JUDGES[rulesAt(one, k).judge];
  const worth = one.outcomes[k - 1];
  const ended = one.kinds[one.kind[one.leaf[k - 1]]][3];
  const outcome = Array.isArray(worth) ? worth.map((it, seat) => `${small(it)} for ${app.side(seat)}`).join(', ')
    : judge ? `${fixed(worth)} for X`
    : worth === 1 ? 'X won' : worth === 0 ? 'O won' : worth === 0.5 ? 'a draw' : `worth ${worth} to X`;
  if (ended) {
    renew(box, el('p', {}, `The game was over there: ${ended}. No playout.`));
    return;
  }
  if (judge) {
    const more = one.remarks[k] ? ` ${one.remarks[k]}` : '';
    renew(box, el('p', {}, `No playout: ${judge} said `, el('strong', {}, outcome), '.', more));
    return;
  }
  const draw = (more, ...below) => renew(box, el('p', {}, `Playout${rulesAt(one, k).plays ? ` by ${rulesAt(one, k).plays}` : ''}: `, el('strong', {}, outcome), '. ', more), below);
  if (!app.served) {
    draw(el('small', {}, 'Its moves are not in this file; fmcts explore shows them.'));
    return;
  }
  if (!playout) {
    draw(el('button', { type: 'button', id: 'show-playout', onclick: () => app.showPlayout() }, 'Show it ', el('kbd', {}, 'P')));
    return;
  }
  const sideOf = (step) => { // of the stones that it put, if the board tells
    const put = step.changes?.find((it) => it % 3);
    return put === undefined ? '' : ` side-${(put % 3) - 1}`;
  };
  const go = (at) => app.go({ playoutAt: Math.max(0, Math.min(playout.steps.length, at)) });
  const at = el('input', {
    type: 'range', id: 'ply', min: 0, max: playout.steps.length, value: playout.at, 'aria-label': 'Move of the playout',
    'aria-valuetext': `${playout.at} of ${playout.steps.length}`, oninput: (event) => go(Number(event.target.value)),
  });
  const moves = el('p', { class: 'plies' }, playout.steps.map((step, place) => [
    el('button', { type: 'button', class: `ply${place + 1 === playout.at ? ' on' : ''}${sideOf(step)}`, onclick: () => go(place + 1) }, step.label), ' ']));
  draw(el('button', { type: 'button', id: 'hide-playout', onclick: () => app.go({ playoutAt: null }) }, 'Back to the tree'), at, moves);
}

function drawElse(app) {
  const box = document.getElementById('else');
  if (!app.served) {
    const why = app.data.lacks ? `This page does not search by itself (${app.data.lacks}). ` : '';
    renew(box, el('p', {}, el('small', {}, `${why}To fork here, to ask "what if", and to play against the bot: fmcts explore.`)));
    return;
  }
  // At the end the search itself cannot continue: twice as many iterations can.
  const name = app.by && !app.one.name.startsWith('mcts') ? `mcts:${app.last}` : app.one.name;
  const offer = app.k < app.last ? name : name.replace(/^([\w-]+)(:\d+)?/, `$1:${2 * app.last}`);
  const now = document.getElementById('fork-spec')?.value ?? app.offer;
  const typed = now === app.offer ? offer : now;
  app.offer = offer;
  const busy = app.busy ? 'true' : null;
  const spec = el('input', { id: 'fork-spec', value: typed, spellcheck: 'false', autocomplete: 'off', 'aria-label': 'The search that continues' });
  const fork = el('form', { id: 'fork', onsubmit: (event) => {
    event.preventDefault();
    app.compareWith(`fork?k=${app.k}&spec=${encodeURIComponent(document.getElementById('fork-spec').value)}`);
  } }, el('label', { for: 'fork-spec' }, 'Fork here: continue by '), spec, ' ', el('button', { 'aria-disabled': busy }, 'Fork ', el('kbd', {}, 'F')));
  const { one } = app;
  const ended = one.kinds[one.kind[one.leaf[app.k - 1]]][3], judge = JUDGES[rulesAt(one, app.k).judge];
  const outcomes = Array.isArray(one.outcomes[app.k - 1])
    ? app.data.players.map((player, seat) => [`1 for ${player}`, seat])
    : [['X had won', 1], ...(judge || app.draws ? [['a draw', 0.5]] : []), ['O had won', 0]].filter(([, worth]) => worth !== one.outcomes[app.k - 1]);
  const whatIf = el('p', { id: 'what-if' }, judge ? `What if ${judge} had said: ` : 'What if this playout: ', outcomes.map(([words, worth]) => [el('button', {
    type: 'button', 'aria-disabled': busy, onclick: () => app.compareWith(`what-if?k=${app.k}&outcome=${worth}`),
  }, judge ? words.replace('had won', 'wins') : words), ' ']), el('kbd', {}, 'W'));
  const back = app.with ? el('p', {}, el('button', { type: 'button', id: 'alone', 'aria-disabled': busy, onclick: () => app.compareWith(null) }, 'Without the second search')) : '';
  renew(box, fork, ended ? '' : whatIf, back);
  box.setAttribute('aria-busy', String(Boolean(app.busy)));
}

// A link to the bot's search of another position: what it would answer there.
function drawPlay(app) {
  const box = document.getElementById('play');
  const { one } = app;
  const row = app.selected;
  const inTree = one.line(app.node).map((it) => one.label(it));
  if (!app.served || (!app.node && (row === null || row === undefined))) {
    renew(box);
    return;
  }
  const chosen = row !== null && row !== undefined && row < one.moves[app.node] ? [one.labelAt(app.node, row)] : [];
  const moves = [...app.data.before, ...inTree, ...chosen];
  const words = [...inTree, ...chosen].join(' ');
  const leave = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // it opens elsewhere
    app.leaving = words;
    drawPlay(app);
  };
  renew(box, el('a', { class: 'button', href: app.by ? app.by.link(moves) : `?moves=${encodeURIComponent(moves.join(','))}`, role: app.leaving === words ? 'status' : null, onclick: leave },
    `Play ${words}: the bot ${app.leaving === words ? 'is searching…' : 'answers'}`));
}
