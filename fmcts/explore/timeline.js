// Time: the slider with its marks, and the charts of visits and means.
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
  const x = (k) => EDGE.left + (width * k) / app.last;
  const y = (value) => EDGE.top + height * (1 - (value - low) / (top - low));
  const lines = [];
  let drawn = '', curves = '', cut = false;
  for (const tick of ticks) {
    drawn += `<path class="grid" d="M${EDGE.left} ${y(tick)}H${right}"/>` +
      `<text class="tick" x="${EDGE.left - 5}" y="${y(tick) + 3}" text-anchor="end">${tick >= 1000 ? `${tick / 1000}k` : tick}</text>`;
  }
  for (const lead of one.leads) drawn += `<path class="lead" d="M${x(lead.k).toFixed(1)} ${EDGE.top}v${height}"/>`;
  [one, two].forEach((search, place) => {
    if (!search) return;
    for (let index = 0; index < search.moves[0]; index++) {
      const points = search.points.map(({ k, rows }) => [k, values(rows[index])]).filter((it) => it[1] !== null);
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
  const unit = name === 'visits' ? 'visits' : 'mean';
  const end = one.points.at(-1).rows.map((row, index) => `${one.labelAt(0, index)} ${row[0] ? (name === 'visits' ? grouped(row[0]) : fixed(row[1] / row[0])) : 'none'}`);
  box.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${unit} of each move over iterations; at the end ${escaped(end.join(', '))}">` +
    `${drawn}<text class="tick" x="${EDGE.left}" y="${HIGH - 5}">1</text>` +
    `<text class="tick" x="${right}" y="${HIGH - 5}" text-anchor="end">${grouped(app.last)}</text>` +
    '</svg><div class="now"></div>';
  const svg = box.firstChild;
  const toIteration = (event) => {
    const { left, width: across } = svg.getBoundingClientRect();
    const at = ((event.clientX - left) / across) * WIDE;
    return Math.round(((at - EDGE.left) / width) * app.last);
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
  const slider = document.getElementById('slider');
  slider.max = app.last;
  const marks = one.leads.filter((lead) => lead.before !== null).map((lead) => {
    const words = `iteration ${grouped(lead.k)}: ${one.labelAt(0, lead.index)} takes the lead from ${one.labelAt(0, lead.before)}`;
    return mark(app, lead.k, '▲', words, app.colours[lead.index]);
  });
  if (app.apart) marks.push(mark(app, app.apart.k, '◆', `iteration ${grouped(app.apart.k)}: the first difference`, 'currentColor'));
  for (const [k, index] of one.decisive) {
    const words = `iteration ${grouped(k)}: had its playout ended otherwise, ${called(one, index)} would have been chosen`;
    marks.push(mark(app, k, '✱', words, app.colours[index]));
  }
  renew(document.getElementById('marks'), marks);
  renew(document.getElementById('proofs'), proofMarks(app));
  renew(document.getElementById('legend'), legendOf(app));
  let most = 0;
  for (const search of [one, two]) {
    if (search) most = Math.max(most, ...search.points.at(-1).rows.map(([visits]) => visits));
  }
  const step = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const each = [step / 5, step / 2, step, 2 * step].find((it) => most / it <= 4.5) ?? step;
  const ticks = [];
  for (let tick = 0; tick <= most; tick += each) ticks.push(tick);
  chartOf(app, 'visits', ([visits]) => visits, [0, most || 1], ticks.filter(Number.isInteger));
  const range = meansOf([one, two]);
  const tenths = Array.from({ length: 11 }, (_, at) => at / 10).filter((it) => it >= range[0] && it <= range[1]);
  const cut = chartOf(app, 'values', ([visits, reward]) => (visits ? reward / visits : null), range,
    tenths.length > 6 ? tenths.filter((it) => Math.round(10 * it) % 2 === 0) : tenths);
  document.getElementById('outside').textContent = cut ? '; those outside the axis are not drawn' : '';
  document.getElementById('difference').hidden = !two;
  document.getElementById('proof').hidden = !one.proofs.length;
  document.getElementById('decisive').hidden = !one.decisive.length;
  const summary = document.getElementById('compared');
  summary.hidden = !two;
  if (two) summary.textContent = `${two.apart.words} Dashed lines are B, ${two.name}.`;
}

// Between which tenths the means are, but for early ones and those of few visits.
function meansOf(searches) {
  const means = [];
  for (const search of searches) {
    for (const { k, rows } of search ? search.points : []) {
      if (k > search.last / 20) for (const [visits, reward] of rows) if (visits > 9) means.push(reward / visits);
    }
  }
  if (!means.length) return [0, 1];
  const high = Math.min(1, Math.floor(10 * Math.max(...means)) / 10 + 0.1);
  return [Math.min(Math.floor(10 * Math.min(...means)) / 10, high - 0.1), high];
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

// What the signs along the slider mean: those that are there.
function legendOf(app) {
  const { one } = app;
  const moves = one.resolution === 'closed' ? 'a move is explored to its ends' : 'a move is proven';
  return [
    [one.leads.length > 1, '▲', 'another move leads'],
    [one.proofs.some((it) => it.index !== null), '✓', moves],
    [one.proofs.some((it) => it.index === null), '●', moves.replace('a move', 'the position')],
    [one.decisive.length, '✱', 'a playout that decided the choice'],
    [app.apart, '◆', 'the first difference'],
  ].filter(([there]) => there).map(([, sign, words]) => el('span', {}, el('b', { 'aria-hidden': 'true' }, sign), ` ${words}`));
}

function mark(app, k, sign, words, colour) {
  const at = app.last > 1 ? (100 * (k - 1)) / (app.last - 1) : 0;
  return el('button', {
    type: 'button', class: 'mark', style: `left:${at}%;color:${colour}`, title: words, 'aria-label': words,
    onclick: () => app.go({ k }),
  }, sign);
}

// Draw where the slider is.
function drawTime(app) {
  const slider = document.getElementById('slider');
  slider.value = app.k;
  const lead = app.one.leads.filter((it) => it.k <= app.k).at(-1);
  const leads = lead ? `, ${app.one.labelAt(0, lead.index)} leads` : '';
  const proven = app.one.proofs.filter((it) => it.k === app.k).map((it) => `; ${proofSentence(app.one, it)}`).join('');
  slider.setAttribute('aria-valuetext', `iteration ${grouped(app.k)} of ${grouped(app.last)}${leads}${proven}`);
  document.getElementById('where').textContent = `iteration ${grouped(app.k)} of ${grouped(app.last)}`;
  const x = EDGE.left + ((WIDE - EDGE.left - app.edge) * app.k) / app.last;
  // A layer of its own, as wide as the chart: the chart is not painted anew.
  for (const now of document.querySelectorAll('.now')) now.style.transform = `translateX(${(100 * x / WIDE).toFixed(3)}%)`;
}
