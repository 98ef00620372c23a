// The tree as an outline: most visited moves first, few visits folded, this iteration's path lit.
'use strict';

const FOLDED = 0.01; // of the visits: what has less is folded
const MOST_SHOWN = 100;
const MORE = PALETTE[4], LESS = PALETTE[3]; // than in the first search
const RESTING = 60; // milliseconds

// The nodes of the line of most visits.
function principal(search, version) {
  const line = [];
  for (let node = 0; ;) {
    const children = search.below(node, version.k).filter((it) => version.visits[it]);
    if (!children.length) return line;
    [node] = children.sort((one, two) => version.visits[two] - version.visits[one] || one - two);
    line.push(node);
  }
}

// The rows that can be seen: nodes, each with how many of its children are folded.
function treeRows(app, version, path) {
  const search = app.one;
  const least = Math.max(1, FOLDED * app.k);
  const open = new Set([0, ...principal(search, version).slice(0, 3), ...search.line(app.node)]);
  for (const node of path) open.add(search.parent[node]);
  const rows = [];
  const visit = (node, level) => {
    if (rows.length >= MOST_SHOWN) return;
    // The moves below a state are shown below the first node that leads to it.
    const children = (search.stateOf(node) === node ? search.below(node, version.k) : [])
      .sort((one, two) => version.visits[two] - version.visits[one] || one - two);
    const shown = app.unfolded.get(node);
    const opened = shown === undefined ? open.has(node) : shown !== 'closed';
    const row = { node, level, children: children.length, open: opened && children.length > 0, more: 0 };
    rows.push(row);
    if (!opened) return;
    const visible = children.filter((it) =>
      shown === 'all' || version.visits[it] >= least || path.has(it) || it === app.node || open.has(it));
    row.more = children.length - visible.length;
    visible.forEach((it) => visit(it, level + 1));
  };
  visit(0, 0);
  return rows;
}

// What the second search found of a node, coloured by the difference.
function apartAt(app, node, visits, other) {
  const place = follow(app.two, app.one.line(node).map((it) => app.one.index[it]), other.k);
  const there = place < 0 ? 0 : other.visits[place];
  const tint = Math.min(35, Math.round((120 * Math.abs(there - visits)) / Math.max(1, app.k)));
  const colour = there > visits ? MORE : LESS;
  return el('span', { class: 'figure apart', style: `background:color-mix(in srgb, ${colour} ${tint}%, transparent)` }, `B ${grouped(there)}`);
}

function treeRow(app, version, other, row, path) {
  const search = app.one, { node, level } = row;
  const style = `padding-left:calc(.4rem + ${level} * var(--step))`;
  const visits = version.visits[node];
  const mean = node ? worthOf(app, visits ? version.rewards[node] / visits : null) : '';
  const mover = node ? sideAt(search, search.parent[node]) : search.mover[0];
  const side = app.side(mover);
  const label = node ? search.label(node) : 'root';
  const lit = path.has(node), here = node === app.node;
  const proof = node ? proofOf(search.resolution, resolvedAt(search, version, node)) : null;
  const proven = proof && proofInWords(proof);
  const first = search.stateOf(node);
  const same = first === node ? null : `= ${app.words(first)}`;
  const words = `${node ? `${side} ` : ''}${label}${same ? ` ${same}` : ''}, ${amount(visits, 'visit')}` +
    `${node ? `, mean ${mean} for ${side}` : ''}${proof ? `, ${proven}` : ''}${lit ? ", on this iteration's path" : ''}` +
    `${row.more ? `; ${amount(row.more, 'move')} with few tries not shown` : ''}`;
  return el('div', {
    class: `row${lit ? ' lit' : ''}${here ? ' here' : ''}`, style, role: 'treeitem', 'aria-level': level + 1, 'aria-selected': String(here),
    'data-node': node, 'aria-expanded': row.children ? String(row.open) : null, tabindex: here ? 0 : -1, 'aria-label': words,
  },
  el('span', { class: 'twist', 'aria-hidden': 'true', 'data-fold': row.children ? (row.open ? 'closed' : 'open') : null },
    row.children ? (row.open ? '▾' : '▸') : ''),
  el('span', { class: node && mover >= 0 ? `who side-${mover}` : 'who' }, node ? side : ''),
  el('span', { class: 'move-name' }, label,
    same ? [' ', el('span', { class: 'same-state', title: 'the same position, reached by other moves' }, same)] : null, proof ? [' ', el('span', { class: `proof ${proof.outcome}` }, proven)] : null,
    row.more ? el('span', { class: 'more', 'data-more': node, title: 'moves with few tries' }, `+ ${row.more} more`) : null),
  el('span', { class: 'bar', style: filled(app.k ? visits / app.k : 0, node ? app.colourAt(search, node) : GREY) }),
  el('span', { class: 'figure' }, grouped(visits)),
  el('span', { class: 'figure mean' }, mean),
  other ? apartAt(app, node, visits, other) : null);
}

// What the rows of the tree answer to, once for all of them.
function listenToTree(app) {
  const box = document.getElementById('tree');
  const nodeOf = (target) => target.closest('[data-node]');
  box.addEventListener('click', ({ target }) => {
    const more = target.closest('[data-more]'), twist = target.closest('[data-fold]');
    if (more) app.unfolded.set(Number(more.dataset.more), 'all');
    else if (twist) app.unfolded.set(Number(nodeOf(twist).dataset.node), twist.dataset.fold);
    else if (nodeOf(target)) app.go({ node: Number(nodeOf(target).dataset.node) });
    if (more || twist) app.draw();
  });
  box.addEventListener('mouseover', ({ target }) => {
    const row = nodeOf(target);
    if (row) showThumb(app, Number(row.dataset.node), row);
    else hideThumb();
  });
  box.addEventListener('mouseleave', hideThumb);
}

function fold(app, node, how) {
  app.unfolded.set(node, how || 'closed');
  app.draw();
}

function showThumb(app, node, row) {
  const box = document.getElementById('thumb');
  const picture = thumbnail(app, node);
  if (!picture || !matchMedia('(hover: hover) and (min-width: 60rem)').matches) return;
  renew(box, picture);
  box.hidden = false;
  const { top, right } = row.getBoundingClientRect(), bar = row.querySelector('.bar').getBoundingClientRect();
  box.style.top = `${Math.max(8, Math.min(innerHeight - 200, top - 90))}px`;
  box.style.left = `${Math.max(8, bar.width ? bar.left : right - 200)}px`; // beside the figures
}

const hideThumb = () => { document.getElementById('thumb').hidden = true; };

// How many rows of the tree are above the lower edge of its box and of the window.
function rowsInSight() {
  const box = document.getElementById('tree');
  const { top, bottom } = box.getBoundingClientRect(), { height } = box.firstElementChild?.getBoundingClientRect() ?? {};
  return height ? Math.ceil((Math.min(innerHeight, bottom) - top + box.scrollTop) / height) : Infinity;
}

// Draw the tree: now the rows that are in sight, and the others once the slider rests.
function drawTree(app, version, path, inSight) {
  const box = document.getElementById('tree');
  const focused = box.contains(document.activeElement);
  app.treeRows = treeRows(app, version, path);
  hideThumb();
  const other = app.two ? app.two.version(Math.min(app.k, app.two.last)) : null;
  const row = (it) => treeRow(app, version, other, it, path);
  const now = app.treeRows.slice(0, Math.max(1, inSight)).map(row);
  renew(box, now, app.treeRows.length > now.length ? drawnIn(box).slice(now.length) : null);
  clearTimeout(app.resting);
  if (app.treeRows.length > now.length) {
    app.resting = setTimeout(() => renew(box, now, app.treeRows.slice(now.length).map(row)), RESTING);
  }
  const { one } = app, nodes = one.counts[app.k];
  const made = one.graph ? `${amount(one.graph.states.slice(0, nodes).filter((it, at) => it === at).length, 'position')}, ${amount(nodes - 1, 'move')}` : amount(nodes, 'node');
  document.getElementById('count').textContent = `${made}; this try's path is lit`;
  renew(document.getElementById('heads'), ['', '', one.noun || 'move', 'share', 'tries', meanInWords({ rules: rulesAt(one, Math.min(app.k + 1, one.last)) }, one), ...(other ? ['B'] : [])].map((it) => el('span', {}, it)));
  const here = focused && box.querySelector('.here');
  if (here && here !== document.activeElement) here.focus({ preventScroll: true });
}

// The node above or below in what can be seen of the tree.
function beside(app, by) {
  const nodes = app.treeRows.map((row) => row.node);
  const at = nodes.indexOf(app.node);
  return nodes[Math.max(0, Math.min(nodes.length - 1, at + by))];
}
