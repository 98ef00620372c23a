// The tree as an outline: most visited moves first, few visits folded, this iteration's path lit.
'use strict';

const FOLDED = 0.01; // of the visits: what has less is folded
const MOST_SHOWN = 150;

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

// The rows that can be seen: nodes, and how many of each node's children are folded.
function treeRows(app, version, path) {
  const search = app.one;
  const least = Math.max(1, FOLDED * app.k);
  const open = new Set([0, ...principal(search, version).slice(0, 3), ...search.line(app.node)]);
  for (const node of path) open.add(search.parent[node]);
  const rows = [];
  const visit = (node, level) => {
    if (rows.length >= MOST_SHOWN) return;
    const children = search.below(node, version.k)
      .sort((one, two) => version.visits[two] - version.visits[one] || one - two);
    const shown = app.unfolded.get(node);
    const opened = shown === undefined ? open.has(node) : shown !== 'closed';
    rows.push({ node, level, children: children.length, open: opened && children.length > 0 });
    if (!opened) return;
    const kept = children.filter((it) =>
      shown === 'all' || version.visits[it] >= least || path.has(it) || it === app.node || open.has(it));
    kept.forEach((it) => visit(it, level + 1));
    const folded = children.length - kept.length;
    if (folded && rows.length < MOST_SHOWN) rows.push({ node, level: level + 1, folded });
  };
  visit(0, 0);
  return rows;
}

function treeRow(app, version, row, path) {
  const search = app.one, { node, level } = row;
  const pad = `padding-left:${(0.4 + 1.1 * level).toFixed(1)}rem`;
  if (row.folded) {
    return el('div', { class: 'row folded', style: pad, role: 'none' }, el('button', {
      type: 'button', tabindex: -1, onclick: () => { app.unfolded.set(node, 'all'); app.draw(); },
    }, `${row.folded} more`));
  }
  const visits = version.visits[node];
  const mean = visits ? version.rewards[node] / visits : null;
  const label = node ? search.label(node) : 'root';
  const side = app.side(search.mover[node]);
  const colour = node ? app.colourAt(search, node) : GREY;
  const other = app.two ? follow(app.two, search.line(node).map((it) => search.index[it]), Math.min(app.k, app.two.last)) : -1;
  const there = app.two ? (other < 0 ? 0 : app.two.version(Math.min(app.k, app.two.last)).visits[other]) : null;
  const words = node ? `${side} ${label}, ${grouped(visits)} visits, mean ${fixed(mean)} for ${side}` : `root, ${grouped(visits)} visits`;
  return el('div', {
    class: ['row', path.has(node) && 'lit', node === app.node && 'here'].filter(Boolean).join(' '), style: pad,
    role: 'treeitem', 'aria-level': level + 1, 'aria-selected': String(node === app.node), 'data-node': node,
    'aria-expanded': row.children ? String(row.open) : null, tabindex: node === app.node ? 0 : -1,
    'aria-label': path.has(node) ? `${words}, on this iteration's path` : words,
    onclick: () => app.go({ node }),
    onmouseenter: (event) => showThumb(app, node, event.currentTarget), onmouseleave: hideThumb,
  },
  el('button', {
    type: 'button', class: 'twist', tabindex: -1, 'aria-hidden': 'true', disabled: !row.children,
    onclick: (event) => { event.stopPropagation(); fold(app, node, !row.open); },
  }, row.children ? (row.open ? '▾' : '▸') : ''),
  el('span', { class: 'who', style: `color:${node ? `var(--${search.mover[node] ? 'o' : 'x'})` : 'inherit'}` }, node ? side : ''),
  el('span', { class: 'move-name' }, label),
  bar(app.k ? visits / app.k : 0, colour),
  el('span', { class: 'figure' }, grouped(visits)),
  el('span', { class: 'figure mean' }, node ? fixed(mean) : ''),
  there === null ? null : el('span', {
    class: 'figure apart',
    style: `background:color-mix(in srgb, ${there > visits ? '#228833' : '#EE6677'} ${Math.min(60, Math.round((200 * Math.abs(there - visits)) / Math.max(1, app.k)))}%, transparent)`,
  }, `B ${grouped(there)}`));
}

function fold(app, node, open) {
  app.unfolded.set(node, open ? 'open' : 'closed');
  app.draw();
}

function showThumb(app, node, row) {
  const box = document.getElementById('thumb');
  const picture = thumbnail(app, node);
  if (!picture || !matchMedia('(hover: hover) and (min-width: 60rem)').matches) return;
  box.innerHTML = picture;
  box.hidden = false;
  const { top, right } = row.getBoundingClientRect();
  box.style.top = `${Math.max(8, Math.min(innerHeight - 200, top - 90))}px`;
  box.style.left = `${Math.max(8, right - 200)}px`;
}

const hideThumb = () => { document.getElementById('thumb').hidden = true; };

function drawTree(app, version, path) {
  const box = document.getElementById('tree');
  const focused = box.contains(document.activeElement);
  app.treeRows = treeRows(app, version, path);
  hideThumb();
  box.replaceChildren(...app.treeRows.map((row) => treeRow(app, version, row, path)));
  const nodes = app.one.born.reduce((sum, born) => sum + (born <= app.k), 0);
  document.getElementById('count').textContent =
    `${grouped(nodes)} nodes; moves with under 1 % of the visits are folded; this iteration's path is lit`;
  if (focused) box.querySelector('.here')?.focus({ preventScroll: true });
}

// The node above or below in what can be seen of the tree.
function beside(app, by) {
  const nodes = app.treeRows.filter((row) => !row.folded).map((row) => row.node);
  const at = nodes.indexOf(app.node);
  return nodes[Math.max(0, Math.min(nodes.length - 1, at + by))];
}
