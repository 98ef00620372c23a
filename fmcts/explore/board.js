// Positions: the board of a node, with the share and the value of each move.
'use strict';

const GREY = '#767676';

// The colours of the root's moves, as in pictures: colours_of_moves in fmcts/view/_svg.py.
function coloursOf(search) {
  const end = search.version(search.last);
  const order = [...Array(search.moves[0]).keys()];
  if (order.length > PALETTE.length) {
    const visits = (index) => {
      const child = search.childAt(0, index, search.last);
      return child < 0 ? 0 : end.visits[child];
    };
    order.sort((one, two) => visits(two) - visits(one) || one - two);
  }
  const colours = [];
  order.forEach((index, place) => { colours[index] = PALETTE[place] ?? GREY; });
  return colours;
}

// The cells of a node's board; null where they are not in this page.
function cellsOf(app, search, node) {
  if (app.data.board.kind !== 'cells') return null;
  if (search.positions) return cellsAt(search, node);
  const cells = app.data.board.root.slice();
  for (const it of search.line(node)) {
    const changes = search.changes[it];
    if (!changes) return null;
    for (const change of changes) cells[Math.floor(change / 3)] = change % 3;
  }
  return cells;
}

// Where a node's move left from and came to, as places of cells; null where the board does not tell.
function placeOf(app, search, node) {
  const changes = changesOf(search, node), before = changes && cellsOf(app, search, search.parent[node]);
  if (!before) return { from: null, to: null };
  const mine = 1 + search.mover[node];
  const all = changes.map((it) => ({ at: Math.floor(it / 3), now: it % 3 }));
  const own = all.filter((it) => it.now === mine);
  const put = own.filter((it) => before[it.at] === 0);
  const to = put.length === 1 ? put[0].at : own.length === 1 ? own[0].at : null;
  const left = all.filter((it) => it.now === 0 && before[it.at] === mine);
  return { from: left.length === 1 ? left[0].at : null, to };
}

function cellsInWords(app, cells) {
  const wide = app.data.board.centres.filter((it) => it[1] === app.data.board.centres[0][1]).length;
  const rows = [];
  for (let at = 0; at < cells.length; at += wide) {
    rows.push(cells.slice(at, at + wide).map((it) => '.XO'[it]).join(' '));
  }
  return rows.join('; ');
}

// What is drawn at the first cell, moved to another.
function put(app, at, html, attributes = {}) {
  const { centres } = app.data.board;
  const [x, y] = centres[0];
  return el('g', { transform: `translate(${centres[at][0] - x} ${centres[at][1] - y})`, ...attributes, html });
}

// The picture of cells, with what is put over them.
function boardSvg(app, cells, over = [], last = null, title = '') {
  const { ground, size, stones, last: lastMark } = app.data.board;
  return el('svg', { viewBox: `0 0 ${size.join(' ')}`, width: size[0], height: size[1], fill: 'none', role: 'img', 'aria-label': title },
    el('g', { html: ground }),
    el('g', {}, last === null ? null : put(app, last, lastMark), cells.map((it, at) => (it ? put(app, at, stones[it - 1]) : null))),
    el('g', {}, over));
}

// The marks of a node's moves: a tint as strong as the share, the share, and the mean.
function marksOf(app, search, found) {
  const { centres, outline, chosen, ink, labelled } = app.data.board;
  const tint = outline.replace('fill="currentColor" fill-opacity="0"', ''); // the group says how it is filled
  const taken = new Set();
  return found.rows.map((row) => {
    if (row.child < 0 || !row.visits) return null;
    const { from, to } = placeOf(app, search, row.child);
    if (to === null) return null;
    const [cx, cy] = centres[to];
    const colour = app.colourAt(search, row.child);
    const best = app.best === row.index && search === app.one && app.node === 0;
    const line = from === null ? null : el('path', {
      d: `M${centres[from].join(' ')}L${cx} ${cy}`, stroke: colour, 'stroke-linecap': 'round',
      'stroke-width': (2 + 7 * row.share).toFixed(1), 'stroke-opacity': 0.75,
    });
    const text = (y, size, words) => el('text', { x: cx, y, fill: ink, 'font-size': size, 'font-weight': size > 9 ? 700 : null, 'text-anchor': 'middle' }, words);
    const worth = row.proof && row.proof.outcome !== 'explored' ? proofInWords(row.proof).replace(' in ', ' ') : fixed(row.mean);
    const figures = taken.has(to) ? null : [
      put(app, to, tint, { fill: colour, 'fill-opacity': (0.12 + 0.4 * row.share).toFixed(2) }),
      text(cy, row.share > 0.995 ? 10 : 12, `${Math.round(100 * row.share)}%`), text(cy + 11, 9, worth),
      labelled ? null : text(cy - 11, 7, row.label),
    ];
    taken.add(to);
    return el('g', { class: 'move', 'data-go': row.child }, line, figures, best ? put(app, to, chosen) : null);
  });
}

// Draw the board of the chosen node, or a position of the playout.
function drawBoard(app, found) {
  const search = app.one, figure = document.getElementById('board');
  const { playout } = app;
  const leaf = search.leaf[app.k - 1];
  const node = playout ? playout.leaf : !underway(app) ? app.node : app.phase === 0 && search.log.made[app.k - 1] ? search.parent[leaf] : leaf;
  let cells = cellsOf(app, search, node);
  const title = `position ${search.line(node).map((it) => search.label(it)).join(' ') || 'at the root'}`;
  let last = node ? placeOf(app, search, node).to : null;
  const steps = playout ? playout.steps.slice(0, playout.at) : [];
  if (app.data.board.kind === 'pictures' || !cells || steps.some((step) => !step.changes)) {
    const step = steps.at(-1);
    if (step && !step.picture) {
      renew(figure, el('p', { class: 'missing' }, 'The boards of this playout are not in this file, which has its moves.'));
      return;
    }
    const source = step ? step.picture : pictureOf(app, search, node);
    renew(figure, source
      ? el('img', { src: source, alt: title })
      : el('p', { class: 'missing' }, `The board after ${search.line(node).map((it) => search.label(it)).join(' ')} ` +
        (app.served && !app.by ? 'is being drawn…' : 'is not in this file, which has those of the most visited positions.')));
    return;
  }
  if (playout) {
    for (const step of steps) {
      const mine = step.changes.filter((it) => it % 3 && !cells[Math.floor(it / 3)]);
      for (const change of step.changes) cells[Math.floor(change / 3)] = change % 3;
      last = mine.length === 1 ? Math.floor(mine[0] / 3) : null;
    }
    renew(figure, boardSvg(app, cells, [], last, `${title}, playout: ${cellsInWords(app, cells)}`));
    return;
  }
  renew(figure, boardSvg(app, cells, node === app.node ? marksOf(app, search, found) : [], last, `${title}: ${cellsInWords(app, cells)}`));
}

// The picture of a node in a game that the page cannot draw; a server is asked for what is missing.
function pictureOf(app, search, node) {
  if (!node) return app.data.board.root;
  const known = search.pictures?.[node] ?? app.pictures.get(node);
  if (known || !app.served || app.by || search !== app.one) return known;
  app.pictures.set(node, '');
  const line = search.line(node).map((it) => search.index[it]).join('.');
  app.ask(`board?line=${line}`).then(({ picture }) => {
    app.pictures.set(node, picture);
    app.draw();
  });
  return null;
}

// A small board beside a row of the tree.
function thumbnail(app, node) {
  const cells = cellsOf(app, app.one, node);
  if (cells) return boardSvg(app, cells, [], node ? placeOf(app, app.one, node).to : null);
  const source = node ? app.one.pictures?.[node] ?? app.pictures.get(node) : app.data.board.root;
  return source ? el('img', { src: source, alt: '' }) : null;
}
