// The table of a node's moves: tries and what they won; with the formula what selection compares.
'use strict';

const MOST_ROWS = 12;

// A formula with the numbers put in: names of an edge, a parent and parameters become values.
function withNumbers(term, edge, parent, numbers) {
  const known = {
    ...numbers, ...edge,
    parent_visits: parent.visits, log_visits: parent.log_visits, parent_value: parent.value,
    total: parent.total, tree_least: parent.least, tree_most: parent.most,
  };
  return term.replace(/[A-Za-z_]\w*(?!\w|\()/g, (name) => {
    const value = known[name];
    if (typeof value !== 'number') return name;
    return Number.isInteger(value) ? grouped(value) : fixed(value);
  });
}

// A term of a move with visits, or of one without, where these differ.
function branchOf(term, visits) {
  const inner = /^where\(visits > 0, (.*)\)$/.exec(term)?.[1];
  if (!inner) return term;
  let depth = 0;
  const comma = [...inner].findIndex((it) => {
    depth += (it === '(') - (it === ')');
    return it === ',' && !depth;
  });
  return visits ? inner.slice(0, comma) : inner.slice(comma + 2);
}

function formulaOf(found, row) {
  const { rules, parent } = found;
  const name = el('strong', {}, row.label);
  if (row.probability) return el('p', {}, name, ` is drawn with probability ${row.probability}.`);
  const lines = [
    el('p', {}, name, ` ${rules.lines.join('; ').replaceAll('*', '·')}`),
    row.leftOut ? el('p', {}, `Selection leaves it out: ${row.proof ? proofInWords(row.proof) : 'it is untried'}.`) : null,
  ];
  if (row.score === null) return [...lines, row.leftOut ? null : el('p', {}, 'Its score depends on statistics that are not in this page.')];
  if (row.score === Infinity && !row.terms.length) return [...lines, el('p', {}, 'It has no visit, and untried moves come first.')];
  const filled = rules.terms.map((term) => withNumbers(branchOf(term, row.visits), row.edge, parent, rules.numbers));
  const whole = filled.join(' + ').replaceAll('*', '·');
  const parts = row.terms.length > 1 ? ` = ${row.terms.map((it) => fixed(it)).join(' + ')}` : '';
  return [...lines, el('p', { class: 'numbers' }, `${filled.length ? `= ${whole}${parts} ` : ''}= `, el('strong', {}, fixed(row.score)))];
}

// The style of a bar: a picture behind it, since a box of its own would be laid out.
const filled = (share, colour) => `color:${colour};background-size:${(100 * share).toFixed(1)}%,auto`;

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

// What the mean of a move is called: what its games won, or what the judge said.
const meanInWords = (found, search) => (search.seats ? 'scored' : found.rules.judge ? 'judged' : 'won');

function headOf(app, found, other) {
  const { names, given, proven } = found, { noun } = app.one;
  const truth = proven && el('th', { scope: 'col', class: 'truth', title: 'what the move is worth if both sides play perfectly' }, 'perfect play');
  const th = (text, title, attributes = {}) => el('th', { scope: 'col', title, ...attributes }, text);
  const won = () => th(meanInWords(found, app.one), `for who is to move here${app.draws ? '; a draw is half a win' : ''}`);
  const second = app.formula
    ? [th('visits', null, { class: 'second' }), th('share', null, { class: 'left' }), th('mean'), th('score')]
    : [th('tries', null, { class: 'second' }), won()];
  const columns = !app.formula ? [
    th(noun || 'move'), th('tries', null, { class: 'left', colspan: 2 }),
    ...given.map((name) => th(name, `the ${name} of the move`)), won(), truth, el('td', {}), el('td', {}),
  ] : [
    th(noun || 'move'), th('visits'), th('share', null, { class: 'left' }),
    ...given.map((name) => th(name, `the ${name} of the move`)),
    th('mean', 'mean reward of the move, for who is to move here'),
    ...names.map((name, at) => name !== 'mean' && th(at ? `+ ${name}` : name, found.rules.terms[at], { class: 'term' })),
    th(names.length ? '= score' : 'score', found.rules.lines.join('; ')),
    th('margin', 'to the best of the others', { class: 'margin' }), truth, el('td', {}), el('td', {}),
  ];
  if (!other) return [el('tr', {}, ...columns)];
  const wide = columns.filter(Boolean).reduce((sum, it) => sum + (it.attributes.colspan ?? 1), -1);
  return [
    el('tr', {}, el('td', {}), el('th', { colspan: wide, scope: 'colgroup', class: 'group' }, `A: ${app.one.name}`),
      el('th', { colspan: second.length, scope: 'colgroup', class: 'group second' }, `B: ${app.two.name}`)),
    el('tr', {}, ...columns, ...second),
  ];
}

function rowOf(app, found, row, other) {
  const { names, given, played, proven } = found;
  const colour = row.child < 0 ? 'transparent' : app.colourAt(app.one, row.child);
  const next = row === found.chosen, mistaken = isMistake(app.one, played);
  const td = (text, attributes = {}) => el('td', attributes, text);
  const terms = row.terms.length ? row.terms : names.map(() => undefined);
  const first = row.terms[names.indexOf('mean')]; // of a move without visits, what is taken for its mean
  const notes = [
    played === row.index && el('span', {
      class: mistaken ? 'played differs' : 'played', title: `the move that would be played now${mistaken ? ': by perfect play another is better' : ''}`,
    }, mistaken ? '✗' : '★', el('small', {}, app.k === app.last ? ' chosen' : ' leads')),
    next && found.k < app.one.last && el('span', { class: 'next', title: 'what selection takes next' }, '→', el('small', {}, ' next')),
    row.proof && el('span', { class: `proof ${row.proof.outcome}`, title: 'proven, for who is to move here' }, proven && proofInWords(proofOf('proof', proven[row.index])) === proofInWords(row.proof) ? '✓' : `✓ ${proofInWords(row.proof)}`),
  ];
  return el('tr', {
    'data-row': row.index,
    class: [row.index === app.selected && 'selected', next && 'taken', (!row.visits || row.leftOut) && 'untried'].filter(Boolean).join(' ') || null,
  },
  el('th', { scope: 'row', 'aria-label': row.label }, el('button', {
    type: 'button', class: 'name', 'aria-pressed': String(row.index === app.selected), 'data-index': row.index,
    'aria-label': `${row.label}: ${amount(row.visits, 'try', 'tries')}, mean ${fixed(row.mean)}${row.proof ? `, ${proofInWords(row.proof)}` : ''}${proven ? `, by perfect play a ${proofInWords(proofOf('proof', proven[row.index]))}` : ''}${mistaken && played === row.index ? ', a mistake' : ''}; more about it`,
  }, el('span', { class: 'dot', style: `background:${colour}` }), row.label)),
  !app.formula ? [
    el('td', { class: 'tries' }, bar(row.share, colour)), td(grouped(row.visits)),
    given.map((name) => td(name === 'prior' ? percent(row.edge[name]) : fixed(row.edge[name]))),
    td(worthOf(app, row.mean), { class: 'won' }),
  ] : [td(grouped(row.visits)),
  el('td', { class: 'left' }, bar(row.share, colour), el('span', { class: 'percent' }, percent(row.share))),
  given.map((name) => td(fixed(row.edge[name]))),
  row.visits || first === undefined ? td(fixed(row.mean)) : td(`(${fixed(first)})`, { title: 'taken for the mean of a move without visits' }),
  names.map((name, at) => name !== 'mean' && td(fixed(terms[at]), { class: 'term' })),
  td(row.leftOut ? 'left out' : fixed(row.score), { class: 'score' }),
  td(row.margin === null ? '' : row.margin > 0 ? `+${small(row.margin)}` : small(row.margin), { class: row.margin > 0 ? 'margin ahead' : 'margin' })],
  proven && el('td', { class: 'truth' }, truthOf(proven[row.index])),
  el('td', { class: 'note' }, notes),
  el('td', { class: 'down' }, row.child < 0 ? '' : el('button', {
    type: 'button', class: 'open', title: `go to the position after ${row.label}`,
    'aria-label': `Go to the position after ${row.label}`, 'data-go': row.child,
  }, '›')),
  other ? cellsOfOther(app, row, other.rows[row.index], colour) : null);
}

// A proof of perfect play, for who makes the move.
function truthOf(number) {
  const proof = proofOf('proof', number);
  return el('span', { class: `proof ${proof.outcome}` }, proofInWords(proof));
}

// The cells of the second search in a row, coloured by the difference of the shares.
function cellsOfOther(app, row, there, colour) {
  const apart = there ? there.share - row.share : 0;
  if (!app.formula) {
    return [
      el('td', { class: 'second' }, there ? grouped(there.visits) : '–'),
      el('td', { class: 'won' }, worthOf(app, there?.mean ?? null)),
    ];
  }
  const tint = `background:color-mix(in srgb, ${apart > 0 ? MORE : LESS} ${Math.min(35, Math.round(100 * Math.abs(apart)))}%, transparent)`;
  return [
    el('td', { class: 'second' }, there ? grouped(there.visits) : '–'),
    el('td', { class: 'left', style: tint }, there ? bar(there.share, colour) : null, el('span', { class: 'percent' }, there ? percent(there.share) : '–')),
    el('td', {}, fixed(there?.mean)), el('td', {}, fixed(there?.score)),
  ];
}

// Whether columns are out of sight at the right: a button leads to them.
function showEdge() {
  const box = document.querySelector('.scroll');
  const more = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  box.classList.toggle('goes-on', more);
  document.getElementById('more').hidden = !more;
}

// What the table answers to, once for all its rows.
function listenToTable(app) {
  const box = document.querySelector('.scroll');
  const watch = new ResizeObserver(showEdge);
  for (const it of [box, box.firstChild]) watch.observe(it);
  box.addEventListener('scroll', showEdge);
  document.getElementById('more').addEventListener('click', () => box.scrollBy({ left: box.clientWidth / 2 }));
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
  const shows = document.getElementById('show-formula');
  shows.textContent = app.formula ? 'Hide the formula' : 'Show the formula';
  shows.setAttribute('aria-pressed', String(app.formula));
  document.getElementById('main').classList.toggle('full', app.formula || Boolean(other));
  found.names = termNames(found.rules);
  found.given = found.by === 'chance' ? [] : found.rules.method.rows;
  found.played = app.node === 0 ? app.best : null;
  const focused = document.activeElement?.dataset?.index;
  const more = found.rows.length - MOST_ROWS;
  const words = app.all ? 'Only the most visited' : `${more} more moves`;
  renew(table,
    el('caption', {}, `${app.side(sideAt(app.one, app.node))} to move ${after}, after ${amount(found.k, 'try', 'tries')}`),
    el('thead', {}, headOf(app, found, other)),
    el('tbody', {}, rows.map((row) => rowOf(app, found, row, other))),
    more > 0 ? el('tfoot', {}, el('tr', {}, el('td', { colspan: 20, class: 'left' },
      el('button', { type: 'button', 'data-all': true }, words)))) : '');
  if (focused !== document.activeElement?.dataset?.index) table.querySelector(`[data-index="${focused}"]`)?.focus();
  renew(document.getElementById('next'), nextInWords(app, found));
  const row = found.rows[app.selected];
  renew(document.getElementById('formula'), row ? [expectedAfter(app, found, row), app.formula ? formulaOf(found, row) : null] : null);
}

// What is played most after a move.
function expectedAfter(app, found, row) {
  const { one } = app, version = one.version(found.k), line = [];
  for (let node = row.child; node >= 0 && line.length < 8;) {
    const below = one.below(one.stateOf(node), found.k).filter((it) => version.visits[it]);
    node = below.length ? below.reduce((best, it) => (version.visits[it] > version.visits[best] ? it : best)) : -1;
    if (node >= 0) line.push(`${app.side(sideAt(one, one.parent[node]))} ${one.label(node)}`);
  }
  return line.length ? el('p', {}, 'After ', el('strong', {}, [one.noun, row.label].filter(Boolean).join(' ')), ` most often: ${line.join(', ')}`) : null;
}

// What the search chose in the end, and against what.
function choiceInWords(app, { rows }) {
  const { one } = app;
  const chosen = rows[app.best];
  const others = rows.filter((row) => row !== chosen && row.visits);
  const most = others.reduce((one, two) => (two.visits > one.visits ? two : one), others[0]);
  const why = { max: 'with the highest mean', ucb: 'with the highest score', rule: 'the first by its own rule' };
  const proven = rows.some(({ proof }) => proof && proof.outcome !== 'explored') ? ' that the proofs leave' : '';
  const usual = `${why[rulesAt(one, one.last).final] ?? 'with the most visits'}${proven && ` of the moves${proven}`}`;
  const name = one.resolution === 'exact' && chosen.proof ? `which is ${proofInWords(chosen.proof)}` : usual;
  const figures = (row) => `${amount(row.visits, 'visit')}, mean ${fixed(row.mean)}`;
  return ['The search ended here and chose ', el('strong', {}, chosen.label), `, ${name}: ${figures(chosen)}.`,
    most ? ` Of the others, ${most.label} has the most: ${figures(most)}.` : ''];
}

// The sentence about what comes next at the chosen node, or what was chosen in the end.
function nextInWords(app, found) {
  const { one, node } = app;
  const proof = one.resolution && found.k === one.last ? proofOfRoot(one, one.version(found.k)) : null;
  if (!found.rows.length) return `The game is over: ${one.kinds[one.kind[node]][3]}.`;
  if (proof && !node) return `The search ended here: the position is ${proof.outcome === 'explored' ? 'explored to its ends' : provenInWords(proofInWords(proof))}.`;
  if (found.by === 'chance') return 'Next here: an outcome, drawn by weight.';
  if (found.by === 'resolved') return 'Every move here is resolved: the search does not come here again.';
  if (found.by === 'batch') {
    const first = batchOf(one, app.k + 1), end = one.batches.lastIndexOf(first) + 1;
    return `Tries ${grouped(first + 1)} to ${grouped(end)} were chosen together, before any of them was judged.`;
  }
  const ended = found.k === one.last;
  const name = found.chosen && [one.noun, found.chosen.label].filter(Boolean).join(' ');
  if (!app.formula && found.chosen) {
    return [ended ? 'If the search went on, its next try here would be ' : 'The next try here is ', el('strong', {}, name),
      ended ? '.' : `: it ${plainReason(found)}.`];
  }
  const takes = found.chosen && [app.side(one.player[node]), ended ? ' would take ' : ' takes ', el('strong', {}, found.chosen.label), `: ${reason(found)}.`];
  if (app.formula && ended && !node && app.best !== null) {
    return [...choiceInWords(app, found), takes && el('small', {}, 'If it went on, ', takes)];
  }
  if (takes) return [ended ? 'If the search came here again, ' : 'Next here, ', takes];
  if (found.by === 'unknown') return `${ended ? 'If the search went on, next' : 'Next here'}: what selection finds by statistics that are not in this page.`;
  if (found.by === 'proposed') return 'Next here: a move that is proposed.';
  return found.rules.expands === 'jump'
    ? 'Next here: chance decides between an untried move and the best of the others.'
    : 'Next here: a move without a visit, drawn at random.';
}
