// Time: the slider with its marks, and the charts of shares and means.
'use strict';

const WIDE = 480, HIGH = 130, EDGE = { left: 44, top: 8, bottom: 20 };

const LABEL = 10; // from one label to the next
const LETTERS = 16; // of a label at most

const labelOf = (name) => (name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name);

// How wide the names at the right of the charts are.
function edgeOf(search) {
  const names = Array.from({ length: search.moves[0] }, (_, index) => labelOf(search.labelAt(0, index)));
  return 24 + 8 * Math.max(2, ...names.map((name) => name.length));
}

// Where labels are drawn that should be at these heights, in order: `LABEL` apart, from top to bottom.
function spread(heights, top, bottom) {
  let least = top, most = bottom;
  const found = heights.map((height) => {
    const place = Math.max(height, least);
    least = place + LABEL;
    return place;
  });
  for (let at = found.length - 1; at >= 0; at--) {
    found[at] = Math.min(found[at], most);
    most = found[at] - LABEL;
  }
  return found;
}

function chartOf(app, name, values, [low, top], ticks) {
  const { one, two } = app;
  const right = WIDE - app.edge, width = right - EDGE.left, height = HIGH - EDGE.top - EDGE.bottom;
  const x = (k) => EDGE.left + width * onScale(k, app.last);
  const y = (value) => EDGE.top + height * (1 - (value - low) / (top - low));
  const lines = [];
  let drawn = '', curves = '', cut = false;
  for (const tick of ticks) {
    drawn += `<path class="grid" d="M${EDGE.left} ${y(tick)}H${right}"/>` +
      `<text class="tick" x="${EDGE.left - 5}" y="${y(tick) + 3}" text-anchor="end">${name === 'visits' ? `${Math.round(100 * tick)} %` : tick}</text>`;
  }
  for (const lead of one.leads) drawn += `<path class="lead" d="M${x(lead.k).toFixed(1)} ${EDGE.top}v${height}"/>`;
  [one, two].forEach((search, place) => {
    if (!search) return;
    for (let index = 0; index < search.moves[0]; index++) {
      const points = search.points.map(({ k, rows }) => [k, values(rows[index], k)]).filter((it) => it[1] !== null);
      if (!points.length) continue;
      const path = points.map(([k, value]) => `${x(k).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
      cut ||= points.some(([, value]) => value < low || value > top);
      curves += `<path class="curve${place ? ' dashed' : ''}" d="M${path}" stroke="${app.colours[index]}"/>`;
      if (!place) lines.push({ index, y: y(points.at(-1)[1]), visits: search.points.at(-1).rows[index][0] });
    }
  });
  // What is outside the axis is cut off there, not drawn at its edge.
  drawn += `<clipPath id="plot-${name}"><path d="M${EDGE.left} ${EDGE.top - 1}h${width}v${height + 2}h${-width}z"/></clipPath>` +
    `<g clip-path="url(#plot-${name})">${curves}</g>`;
  // Direct labels at the end of each line, of as many as there is room for, the most visited.
  const named = lines.sort((a, b) => b.visits - a.visits).slice(0, Math.floor(HIGH / LABEL));
  named.sort((a, b) => a.y - b.y);
  const places = spread(named.map((line) => line.y), 5, HIGH - 5);
  named.forEach((line, at) => {
    const colour = app.colours[line.index];
    const beyond = line.y < EDGE.top - 1 ? ' ↑' : line.y > EDGE.top + height + 1 ? ' ↓' : '';
    drawn += (beyond ? '' : `<path d="M${right} ${line.y.toFixed(1)}L${right + 5} ${places[at].toFixed(1)}" stroke="${colour}"/>`) +
      `<text class="label" x="${right + 7}" y="${(places[at] + 3.5).toFixed(1)}">` +
      `<tspan fill="${colour}">■</tspan> ${escaped(labelOf(one.labelAt(0, line.index)))}${beyond}</text>`;
  });
  const box = document.getElementById(name);
  const unit = name === 'visits' ? 'share' : 'mean';
  const end = one.points.at(-1).rows.map((row, index) => `${one.labelAt(0, index)} ${row[0] ? (name === 'visits' ? percent(row[0] / one.last) : fixed(row[1] / row[0])) : 'none'}`);
  const powers = Array.from({ length: Math.ceil(Math.log10(app.last)) }, (_, at) => 10 ** at).filter((it) => onScale(it, app.last) < 0.88);
  box.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${unit} of each move over iterations; at the end ${escaped(end.join(', '))}">` +
    `${drawn}${powers.map((it) => `<text class="tick across" x="${x(it).toFixed(1)}" y="${HIGH - 5}" text-anchor="middle">${grouped(it)}</text>`).join('')}` +
    `<text class="tick across" x="${right}" y="${HIGH - 5}" text-anchor="end">${grouped(app.last)}</text>` +
    '</svg><div class="now"></div>';
  const svg = box.firstChild;
  const toIteration = (event) => {
    const { left, width: across } = svg.getBoundingClientRect();
    const at = ((event.clientX - left) / across) * WIDE;
    return iterationAt((at - EDGE.left) / width, app.last);
  };
  svg.addEventListener('pointerdown', (event) => {
    app.go({ k: toIteration(event) });
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    if (event.buttons) app.go({ k: toIteration(event) });
  });
  return cut;
}

const escaped = (text) => text.replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`);

// Draw what does not depend on the iteration: marks and lines.
function drawTimeline(app) {
  const { one, two } = app;
  const wrong = mistakesOf(one);
  const marks = one.leads.filter((lead) => lead.before !== null || isMistake(one, lead.index)).map((lead) => {
    const first = lead.before === null ? 'leads first' : `takes the lead from ${called(one, lead.before)}`;
    const mistaken = isMistake(one, lead.index);
    const words = `try ${grouped(lead.k)}: ${called(one, lead.index)} ${first}${mistaken ? ', a mistake' : ''}`;
    return mark(app, lead.k, mistaken ? '✗' : '▲', words, app.colours[lead.index]);
  });
  if (app.apart) marks.push(mark(app, app.apart.k, '◆', `try ${grouped(app.apart.k)}: the first difference`, 'currentColor'));
  for (const [k, index] of one.decisive) {
    const words = `try ${grouped(k)}: had its playout ended otherwise, ${called(one, index)} would have been chosen`;
    marks.push(mark(app, k, '✱', words, app.colours[index]));
  }
  renew(document.getElementById('marks'), marks);
  renew(document.getElementById('proofs'), proofMarks(app));
  renew(document.getElementById('legend'), legendOf(app));
  document.getElementById('ribbon').style.background = ribbonOf(app);
  renew(document.getElementById('mistakes'), wrong.map(({ k, end }) => {
    const [from, to] = [k, end].map((it) => 100 * onScale(Math.min(it, app.last), app.last));
    return el('span', { style: `left:${from.toFixed(2)}%;width:max(3px,${(to - from).toFixed(2)}%)` });
  }));
  chartOf(app, 'visits', ([visits], k) => visits / k, [0, 1], [0, 0.25, 0.5, 0.75, 1]);
  const { range, ticks } = meansOf([one, two]);
  const cut = chartOf(app, 'values', ([visits, reward]) => (visits ? reward / visits : null), range, ticks);
  document.getElementById('outside').textContent = cut ? '; those outside the axis are not drawn' : '';
  document.getElementById('difference').hidden = !two;
  document.getElementById('change').hidden = one.leads.length < 2;
  document.getElementById('mistake').hidden = !wrong.length;
  document.getElementById('proof').hidden = !one.proofs.length;
  document.getElementById('decisive').hidden = !one.decisive.length;
  const summary = document.getElementById('compared');
  summary.hidden = !two;
  if (two) summary.textContent = `${two.apart.words} Dashed lines are B, ${two.name}. Of its figures those on blue are more than A's, those on brown less.`;
}

// Between which numbers the means are, but for early ones and those of few visits, and the ticks
// between: tenths, or where rewards have another scale ones, tens, hundreds.
function meansOf(searches) {
  const means = [];
  for (const search of searches) {
    for (const { k, rows } of search ? search.points : []) {
      if (k > search.last / 20) for (const [visits, reward] of rows) if (visits > 9) means.push(reward / visits);
    }
  }
  if (!means.length) means.push(0, 1);
  const most = Math.max(...means), least = Math.min(...means);
  const part = 10 ** Math.min(1, 1 - Math.ceil(Math.log10(most - least)));
  const top = Math.min(Math.floor(part * most) + 1, most <= 1 ? Math.max(part, 1) : Infinity);
  const low = Math.min(Math.floor(part * least), top - 1);
  const all = Array.from({ length: top - low + 1 }, (_, at) => Number(((low + at) / part).toPrecision(9)));
  const ticks = all.length > 6 ? all.filter((it) => Math.round(part * it) % 2 === 0) : all;
  return { range: [all[0], all.at(-1)], ticks };
}

// A mark for each iteration that proved something, of the position or of its moves.
function proofMarks(app) {
  const { one } = app;
  return [...new Set(one.proofs.map(({ k }) => k))].map((k) => {
    const proofs = one.proofs.filter((it) => it.k === k);
    const whole = proofs.some(({ index }) => index === null);
    const words = proofs.map((it) => proofSentence(one, it)).join(' ');
    return mark(app, k, whole ? '●' : '✓', words, whole ? 'currentColor' : app.colours[proofs[0].index]);
  });
}

// The leaders in their colours, as the ground of the slider.
function ribbonOf(app) {
  const stops = app.one.leads.flatMap(({ k, index }, at, all) => {
    const end = at + 1 < all.length ? all[at + 1].k : app.last;
    return [k, end].map((it) => `${app.colours[index]} ${(100 * onScale(it, app.last)).toFixed(2)}%`);
  });
  return stops.length ? `linear-gradient(to right, ${stops.join(', ')})` : '';
}

// What the signs along the slider mean: those that are there.
function legendOf(app) {
  const { one } = app;
  const moves = one.resolution === 'closed' ? 'a move is explored to its ends' : 'a move is proven';
  return [
    [one.leads.some((it) => it.before !== null && !isMistake(one, it.index)), '▲', 'another move leads'],
    [mistakesOf(one).length, '✗', 'a move leads that perfect play would not choose'],
    [one.proofs.some((it) => it.index !== null), '✓', moves],
    [one.proofs.some((it) => it.index === null), '●', moves.replace('a move', 'the position')],
    [one.decisive.length, '✱', 'a playout that decided the choice'],
    [app.apart, '◆', 'the first difference'],
  ].filter(([there]) => there).map(([, sign, words]) => el('span', {}, el('b', { 'aria-hidden': 'true' }, sign), ` ${words}`));
}

// Marks stand close together, so that a click goes to the nearest; by keyboard, buttons lead from one to the next.
const mark = (app, k, sign, words, colour) => el('span', {
  class: 'mark', style: `left:${(100 * onScale(k, app.last)).toFixed(2)}%;color:${colour}`, title: words, 'data-k': k,
}, sign);

// Show a playout that decided the choice, and beside the search what it would have been by another outcome.
async function bothFutures(app, [k, , worth]) {
  await app.compareWith(`what-if?k=${k}&outcome=${worth}`);
  await app.showPlayout();
}

function toMark(app, { currentTarget, clientX }) {
  const far = (it) => {
    const { left, width } = it.getBoundingClientRect();
    return Math.abs(left + width / 2 - clientX);
  };
  const [nearest] = [...currentTarget.querySelectorAll('.mark')].sort((one, two) => far(one) - far(two));
  if (!nearest || far(nearest) >= 24) return;
  const k = Number(nearest.dataset.k), decided = app.one.decisive.find(([at]) => at === k);
  app.go({ k });
  if (decided && app.served && nearest.textContent === '✱') bothFutures(app, decided);
}

// Draw where the slider is.
function drawTime(app) {
  const slider = document.getElementById('slider');
  slider.value = onScale(app.k, app.last);
  const lead = app.one.leads.filter((it) => it.k <= app.k).at(-1);
  const leads = lead ? `, ${called(app.one, lead.index)} leads${isMistake(app.one, lead.index) ? ', a mistake' : ''}` : '';
  const proven = app.one.proofs.filter((it) => it.k === app.k).map((it) => `; ${proofSentence(app.one, it)}`).join('');
  slider.setAttribute('aria-valuetext', `try ${grouped(app.k)} of ${grouped(app.last)}${leads}${proven}`);
  document.getElementById('where').textContent = `try ${grouped(app.k)} of ${grouped(app.last)}`;
  const x = EDGE.left + (WIDE - EDGE.left - app.edge) * onScale(app.k, app.last);
  // A layer of its own, as wide as the chart: the chart is not painted anew.
  for (const now of document.querySelectorAll('.now')) now.style.transform = `translateX(${(100 * x / WIDE).toFixed(3)}%)`;
}
