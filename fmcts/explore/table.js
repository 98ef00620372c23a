// The table of a node's moves: visits, mean, what selection adds to it, score and margin.
'use strict';

const MOST_ROWS = 12;

// A formula with the numbers put in: names of an edge, a parent and parameters become values.
function withNumbers(term, edge, parent, numbers) {
  const known = {
    ...numbers, ...edge,
    parent_visits: parent.visits, log_visits: parent.log_visits, parent_value: parent.value,
    total: parent.total,
  };
  return term.replace(/[A-Za-z_]\w*(?!\w|\()/g, (name) => {
    const value = known[name];
    if (typeof value !== 'number') return name;
    return Number.isInteger(value) ? grouped(value) : fixed(value);
  });
}

function formulaOf(found, row) {
  const { rules, parent } = found;
  const box = el('div');
  if (row.probability) {
    box.append(el('p', {}, el('strong', {}, row.label), ` is drawn with probability ${row.probability}.`));
    return box;
  }
  box.append(el('p', {}, el('strong', {}, row.label), ` ${rules.lines.join('; ').replaceAll('*', '·')}`));
  if (row.leftOut) {
    box.append(el('p', {}, `Selection leaves it out: ${row.proof ? proofInWords(row.proof) : 'it is untried'}.`));
  }
  if (row.score === Infinity && !row.terms.length) {
    box.append(el('p', {}, 'It has no visit, and untried moves come first.'));
    return box;
  }
  const filled = rules.terms.map((term) => withNumbers(term, row.edge, parent, rules.numbers));
  const whole = filled.join(' + ').replaceAll('*', '·');
  const parts = row.terms.length > 1 ? ` = ${row.terms.map((it) => fixed(it)).join(' + ')}` : '';
  box.append(el('p', { class: 'numbers' }, `${filled.length ? `= ${whole}${parts} ` : ''}= `, el('strong', {}, fixed(row.score))));
  return box;
}

// The style of a bar: a picture behind it, since a box of its own would be laid out.
const filled = (share, colour) =>
  `background-image:linear-gradient(${colour},${colour});background-size:${(100 * share).toFixed(1)}%`;

function bar(share, colour) {
  return el('span', { class: 'bar', 'aria-hidden': 'true', style: filled(share, colour) });
}

// The rows that are shown: all, or the most visited of many.
function shownRows(app, found) {
  const { rows } = found;
  if (rows.length <= MOST_ROWS) return rows;
  const order = [...rows].sort((one, two) => two.visits - one.visits || one.index - two.index);
  return app.all ? order : order.slice(0, MOST_ROWS);
}

function headOf(app, found, other) {
  const names = found.rules.terms.length ? termNames(found.rules) : [];
  const extra = names.filter((name) => name !== 'mean');
  const full = found.rules.terms.filter((term) => term !== 'value');
  const th = (text, title, attributes = {}) => el('th', { scope: 'col', title, ...attributes }, text);
  const columns = [
    th('move'), th('visits'), th('share', null, { class: 'left' }),
    th('mean', 'mean reward of the move, for who is to move here'),
    ...extra.map((name, at) => th(name === 'exploration' ? '+ exploration' : name, full[at], { class: 'term' })),
    th(names.length ? '= score' : 'score', found.rules.lines.join('; ')),
    th('margin', 'to the best of the others', { class: 'margin' }), el('td', {}), el('td', {}),
  ];
  if (!other) return [el('tr', {}, ...columns)];
  const second = [th('visits', null, { class: 'second' }), th('share', null, { class: 'left' }), th('mean'), th('score')];
  return [
    el('tr', {}, el('th', {}), el('th', { colspan: columns.length - 1, scope: 'colgroup', class: 'group' }, `A: ${app.one.name}`),
      el('th', { colspan: 4, scope: 'colgroup', class: 'group second' }, `B: ${app.two.name}`)),
    el('tr', {}, ...columns, ...second),
  ];
}

function rowOf(app, found, row, other) {
  const { names, played } = found;
  const colour = row.child < 0 ? 'transparent' : app.colourAt(app.one, row.child);
  const next = row === found.chosen;
  const td = (text, attributes = {}) => el('td', attributes, text);
  const terms = names.map((name, at) => [name, row.terms[at]]).filter(([name]) => name !== 'mean');
  const note = el('td', { class: 'note' });
  if (played === row.index) note.append(el('span', { class: 'played', title: 'the move that would be played now' }, '★', el('small', {}, app.k === app.last ? ' chosen' : ' leads')));
  if (next) note.append(el('span', { class: 'next', title: 'what selection takes next' }, '→', el('small', {}, ' next')));
  if (row.proof) note.append(el('span', { class: `proof ${row.proof.outcome}`, title: 'proven, for who is to move here' }, proofInWords(row.proof)));
  const line = el('tr', {
    'data-row': row.index,
    class: [row.index === app.selected && 'selected', next && 'taken', (!row.visits || row.leftOut) && 'untried'].filter(Boolean).join(' ') || null,
  },
  el('th', { scope: 'row', 'aria-label': row.label }, el('button', {
    type: 'button', class: 'name', 'aria-pressed': String(row.index === app.selected), 'data-index': row.index,
    'aria-label': `${row.label}: ${amount(row.visits, 'visit')}, mean ${fixed(row.mean)}${row.proof ? `, ${proofInWords(row.proof)}` : ''}; show its formula`,
  }, el('span', { class: 'dot', style: `background:${colour}` }), row.label)),
  td(grouped(row.visits)),
  el('td', { class: 'left' }, bar(row.share, colour), el('span', { class: 'percent' }, percent(row.share))),
  td(fixed(row.mean)),
  ...terms.map(([, value]) => td(value === undefined ? '–' : fixed(value), { class: 'term' })),
  td(row.leftOut ? 'left out' : fixed(row.score), { class: 'score' }),
  td(row.margin === null ? '' : row.margin > 0 ? `+${small(row.margin)}` : small(row.margin), { class: row.margin > 0 ? 'margin ahead' : 'margin' }),
  note);
  if (other) {
    const there = other.rows[row.index];
    const apart = there ? there.share - row.share : 0;
    const tint = `background:color-mix(in srgb, ${apart > 0 ? '#228833' : '#EE6677'} ${Math.min(60, Math.round(150 * Math.abs(apart)))}%, transparent)`;
    line.append(
      td(there ? grouped(there.visits) : '–', { class: 'second' }),
      el('td', { class: 'left', style: tint }, there ? bar(there.share, colour) : null, el('span', { class: 'percent' }, there ? percent(there.share) : '–')),
      td(fixed(there?.mean)), td(fixed(there?.score)));
  }
  const down = el('td', { class: 'down' }, row.child < 0 ? '' : el('button', {
    type: 'button', class: 'open', title: `go to the position after ${row.label}`,
    'aria-label': `Go to the position after ${row.label}`, 'data-go': row.child,
  }, '›'));
  note.after(down);
  return line;
}

// What the table answers to, once for all its rows.
function listenToTable(app) {
  document.getElementById('table').addEventListener('click', ({ target }) => {
    const row = target.closest('[data-row]');
    if (target.closest('[data-all]')) app.go({ all: !app.all });
    else if (row && !target.closest('[data-go]')) app.go({ selected: Number(row.dataset.row) });
  });
}

// Draw the table of the chosen node, and the sentence about what comes next.
function drawTable(app, found, other) {
  const table = document.getElementById('table');
  const rows = shownRows(app, found);
  const after = app.node ? `after ${app.words(app.node)}` : 'at the root';
  found.names = found.rules.terms.length ? termNames(found.rules) : [];
  found.played = app.node === 0 ? app.best : null;
  const focused = document.activeElement?.dataset?.index;
  const more = found.rows.length - MOST_ROWS;
  const words = app.all ? 'Only the most visited' : `${more} more moves`;
  renew(table,
    el('caption', {}, `${app.side(sideAt(app.one, app.node))} to move ${after}, after ${amount(app.k, 'iteration')}`),
    el('thead', {}, ...headOf(app, found, other)),
    el('tbody', {}, ...rows.map((row) => rowOf(app, found, row, other))),
    more > 0 ? el('tfoot', {}, el('tr', {}, el('td', { colspan: 20, class: 'left' },
      el('button', { type: 'button', 'data-all': true }, words)))) : '');
  if (focused !== document.activeElement?.dataset?.index) table.querySelector(`[data-index="${focused}"]`)?.focus();
  const next = document.getElementById('next');
  const ended = app.one.kinds[app.one.kind[app.node]][3];
  const proof = app.one.settling && app.k === app.one.last ? proofOfRoot(app.one, app.one.version(app.k)) : null;
  if (!found.rows.length) next.textContent = `The game is over: ${ended}.`;
  else if (proof && !app.node) next.textContent = `The search ended here: the position is ${proof.outcome === 'explored' ? 'explored to its ends' : `a proven ${proofInWords(proof)}`}.`;
  else if (found.by === 'chance') next.textContent = 'Next here: an outcome, drawn by weight.';
  else if (found.by === 'settled') next.textContent = 'Every move here is settled: the search does not come here again.';
  else if (found.by === 'batch') next.textContent = 'Here a batch is being backed up: its descents were made in the tree before it, and the path of each says why.';
  else if (!found.chosen) {
    next.textContent = found.rules.expands === 'jump'
      ? 'Next here: chance decides between an untried move and the best of the others.'
      : 'Next here: a move without a visit, drawn at random.';
  }
  else {
    renew(next, 'Next here, ', app.side(app.one.player[app.node]), ' takes ',
      el('strong', {}, found.chosen.label), `: ${reason(found)}.`);
  }
  const row = found.rows[app.selected];
  const box = document.getElementById('formula');
  renew(box, row ? formulaOf(found, row) : '');
}
