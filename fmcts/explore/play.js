// Playing a search from its first iteration on, and the phases of one iteration.
'use strict';

const WHOLE = 15_000; // milliseconds for the whole search
const FRAME = 60;
const PHASE = 1_200;
const PHASES = ['Select', 'Expand', 'Play out', 'Back up'];

// The next phase of the iteration, or the first of the next one.
function nextPhase(app) {
  const done = app.phase === null || app.phase === PHASES.length - 1;
  if (done) app.go({ k: app.phase === null && app.k === app.last ? 1 : app.k + 1, node: 0, phase: 0 });
  else app.go({ phase: app.phase + 1 });
  if (app.phase === 2 && app.served) app.showPlayout();
}

// Whether an iteration is only on its way: its result is not counted yet.
const underway = (app) => app.phase !== null && app.phase < PHASES.length - 1;

function stop(app) {
  clearTimeout(app.playing);
  app.playing = null;
  document.getElementById('run').textContent = '▶ Play';
}

// Play from here, or from the beginning if this is the end; or stop.
function run(app) {
  if (app.playing) {
    stop(app);
    return;
  }
  if (app.k === app.last) app.go({ k: 1 });
  document.getElementById('run').textContent = '❚❚ Stop';
  let place = onScale(app.k, app.last), expected = app.k, before = performance.now();
  const step = () => {
    const speed = document.getElementById('speed').value, now = performance.now();
    if (app.k !== expected) place = onScale(app.k, app.last); // somebody took the slider
    place = Math.min(1, place + (now - before) / WHOLE);
    before = now;
    if (speed === 'phases') nextPhase(app);
    else app.go({ k: speed === 'all' ? Math.max(app.k, iterationAt(place, app.last)) : app.k + 1 });
    expected = app.k;
    if (app.k === app.last && !underway(app)) stop(app);
    else app.playing = setTimeout(step, { all: FRAME, phases: PHASE }[speed] ?? 1000 / Number(speed));
  };
  app.playing = setTimeout(step, FRAME);
}

// What an iteration does, in its four phases; the one that is shown is marked.
function drawPhases(app, steps) {
  const { one, k, phase } = app;
  const shown = app.formula ? 'why' : 'plain';
  document.getElementById('this').textContent = `Try ${grouped(k)}${phase === null ? '' : `: ${PHASES[phase].toLowerCase()}`}`;
  const list = document.getElementById('phases').children;
  PHASES.forEach((_, at) => {
    list[at].classList.toggle('current', at === phase);
    list[at].classList.toggle('later', phase !== null && at > phase);
  });
  renew(document.getElementById('path'), steps.map((step) => el('li', {},
    el('button', { type: 'button', 'data-go': step.node, 'aria-label': `${app.side(step.side)} ${step.label}: show the position` },
      el('span', { class: step.side < 0 ? null : `side-${step.side}` }, app.side(step.side)), ' ', el('strong', {}, step.label)),
    ` ${step[shown]}`)));
  const leaf = one.leaf[k - 1], made = one.log.made[k - 1], judge = JUDGES[rulesAt(one, k).judge];
  document.getElementById('hidden').hidden = app.formula || Boolean(rulesAt(one, k).method.score);
  document.getElementById('made').textContent = made
    ? `${amount(made, 'position')} ${made === 1 ? 'is' : 'are'} new in the tree${leaf ? `: after ${app.words(leaf)}` : ''}.`
    : 'Nothing is new: the way ends at a position of the tree.';
  document.getElementById('judging').textContent = judge ? 'Judge' : PHASES[2];
  document.getElementById('backed').textContent =
    `${steps.length ? 'Each move on the way gets a try' : 'The position gets a try'}, and what the result is worth to the side that made it.`;
  const decided = one.decisive.find(([at]) => at === k);
  document.getElementById('decided').textContent = decided
    ? `This playout decided the choice: had it ended otherwise, ${called(one, decided[1])} would have been chosen.` : '';
}
