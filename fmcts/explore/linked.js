// A page that searches by itself: an address that is a search, forks, "what if", playouts, other positions.
//
// The machine is that of machine.js. In the address `#connect4/3,3,2/mcts:20000/seed=42` are the game, the moves
// before the position, the search, and the seed, after which a digest may follow.
'use strict';

const OTHER_SEEDS = 20, SAMPLES = 200, COST = 4_000_000; // as in fmcts/explore/_data.py
const MOST_ITERATIONS = 2_000_000;
const MOST_SOLVED = 60_000; // positions: to go through them takes about as long as a search of 20,000 iterations
const LINK = /^#([\w:,.-]+)\/([^/]*)\/([^/]*)\/seed=(-?\d+)(?:\/([0-9a-f]{6,64}))?(?:&.*)?$/;

// `mcts:20000,c=0.5,solver=on` as iterations, c, and the other options in order.
function specOf(text) {
  const found = /^mcts(?::(.*))?$/.exec(text.trim());
  if (!found) throw new Error(`"${text}": this page searches by mcts, such as mcts:20000.`);
  const items = (found[1] ?? '').split(',').filter(Boolean), options = [];
  let iterations = 1000, c = null;
  const whole = (text) => (/^\d+$/.test(text) ? Number(text) : NaN);
  items.forEach((item, at) => {
    const [name, value] = item.split('=').map((it) => it.trim());
    if (value === undefined && at === 0) iterations = whole(name);
    else if (name === 'iterations') iterations = whole(value);
    else if (name === 'c') c = Number(value || NaN);
    else if (`${name}=${value}` !== 'solver=off' && `${name}=${value}` !== 'selection=ucb1') options.push(`${name}=${value}`);
  });
  if (!(Number.isInteger(iterations) && iterations >= 1 && iterations <= MOST_ITERATIONS)) {
    throw new Error(`Iterations must be a whole number from 1 to ${grouped(MOST_ITERATIONS)}.`);
  }
  if (c !== null && !(Number.isFinite(c) && c >= 0)) throw new Error('c must be a number of at least 0.');
  return { iterations, c, options: options.sort().join() };
}

// The numbers and the formulas of a search by another c.
function withC(about, c) {
  const at = about.c, own = at === null ? null : about.numbers.numbers[at];
  const value = c ?? own;
  const numbers = { ...about.numbers, numbers: about.numbers.numbers.map((it, place) => (place === at ? value : it)) };
  return { numbers, rules: JSON.parse(about.rules.replaceAll(about.stands_for_c, String(value))) };
}

// What dataOf needs besides a search: names, formulas, the game's words.
const described = (about, name, rng, segments) => ({
  ...about, segments, texts: { name, rng: `${about.splits ? 'splitmix' : 'stdgen'}:${rng.join(':')}`, engine: 'this page' },
});

// A search that this page makes, as data; its digest follows from the tree in its memory.
function madeBy(machine, asked, name, segments, progress) {
  const of = described(machine, name, asked.rng, segments), run = searchedBy(machine, asked);
  if (!run.made) throw new Error('The search made no iteration.');
  const data = dataOf(run, of, progress);
  return { ...data, move: data.labels[data.kinds[data.nodes[0]][1][choiceIn(run, of)]] };
}

// The board of a search that is data so far.
const rootOf = ({ positions, bits, kinds, nodes }) => cellsIn(positions, 0, bits[kinds[nodes[0]][0]]);

// The position after moves in words.
function played(machine, position, words) {
  const run = laidOut(machine, 1, machine.numbers), { wasm, memory } = run;
  let [here, there] = [run.pointers.root, run.words];
  new BigInt64Array(memory.buffer, here, run.fields).set(position.map((it) => BigInt.asIntN(64, it)));
  words.forEach((word, at) => {
    const { moves, names } = movesAt(run, here), move = moves[names.indexOf(word.trim())];
    if (move === undefined) throw new Error(`"${word}" is no legal move ${at ? `after ${words.slice(0, at).join(' ')}` : 'there'}: the moves are ${names.join(', ')}.`);
    wasm.rule_play(here, move, there);
    [here, there] = [there, here];
  });
  if (!movesAt(run, here).moves.length) throw new Error('The game is over there.');
  if (wasm.rule_chances(here)) throw new Error(`Chance moves there: give one of ${movesAt(run, here).names.join(', ')}, too.`);
  return [...new BigInt64Array(memory.buffer, here, run.fields)];
}

// ---- what a page asks of its machine, by the addresses with which it asks a server ----

function answering({ machine, asked, players }, one) {
  const { segments } = one, requests = {
    fork(k, get) {
      const spec = get('spec'), { iterations, c, options } = specOf(spec);
      if (options !== optionsOf(one.name)) throw new Error(`"${spec}": this page continues by its own search, with another number of iterations or another c.`);
      if (iterations <= k) throw new Error(`"${spec}" has ${amount(iterations, 'iteration')} in all: to continue after ${grouped(k)} it needs more.`);
      const { numbers, rules } = withC(machine, c ?? (asked.numbers ?? machine.numbers).numbers[machine.c]);
      return madeBy(machine, { ...asked, iterations, fork: { k, numbers } }, `${spec} from ${grouped(k)}`, [...segments, { first: k, ...rules }]);
    },
    'what-if'(k, get) {
      const worth = Number(get('outcome'));
      const words = worth === 0.5 ? 'a draw' : `${players[worth === 1 ? 0 : 1]} had won`;
      return madeBy(machine, { ...asked, whatIf: { k, worth } }, `${words} in iteration ${grouped(k)}`, segments);
    },
    playout: (k) => ({ steps: playoutOf(machine, asked, k, one.line(one.leaf[k - 1]).map((it) => one.index[it])) }),
  };
  return (address) => {
    const { pathname, searchParams } = new URL(address, 'http://page/');
    const answer = requests[pathname.slice(1)];
    if (!answer) throw new Error('This page does not know that.');
    return answer(Number(searchParams.get('k')), (name) => searchParams.get(name));
  };
}

// The moves of an iteration's playout, each with what it changes on the board.
function playoutOf(machine, asked, k, line) {
  const run = searchedBy(machine, { ...asked, shown: k }), { wasm, memory } = run, { menu } = run.pointers;
  const moves = [...new Int32Array(memory.buffer, run.pointers.played, run.get('plies'))];
  let [here, there] = [run.pointers.root, run.words];
  const step = (move) => {
    wasm.rule_play(here, move, there);
    [here, there] = [there, here];
  };
  for (const index of line) {
    wasm.rule_menu(here, menu);
    step(wasm.rule_pick(menu, BigInt(index)));
  }
  const words = new Uint32Array(memory.buffer), cells = () => cellsIn(words, here >> 2, machine.bits[Number(wasm.rule_side(here)) & 1]);
  return moves.map((move) => {
    const before = machine.bits && cells();
    const label = nameOf(run, here, BigInt(move));
    step(BigInt(move));
    return before ? { label, changes: changed(before, cells()) } : { label };
  });
}

// What the moves after a line are worth by perfect play to who makes them, as the numbers of proofs (`proofOf`); none
// where too many positions follow.
function solvedBy({ machine, asked }, line) {
  const run = laidOut(machine, 1, machine.numbers), { wasm, memory, words, pointers: { menu } } = run;
  const bytes = 8 * run.fields, deepest = Math.floor((1 << 16) / bytes) - 1, known = new Map();
  const at = (depth) => words + bytes * depth, sign = (here) => (Number(wasm.rule_side(here)) & 1 ? -1 : 1);
  const movesOf = (here) => {
    wasm.rule_menu(here, menu);
    return Array.from({ length: Number(wasm.rule_count(menu)) }, (_, index) => wasm.rule_pick(menu, BigInt(index)));
  };
  // Worths are for X: so many plies until X wins, below 0 until O does, and a half for a draw.
  const rank = (worth) => (worth === 0.5 ? 0 : 1 / worth); // a soon win is the best, a soon loss the worst
  const ending = (depth, move) => { // 0 where the game goes on
    const there = at(depth + 1);
    wasm.rule_play(at(depth), move, there);
    wasm.rule_menu(there, menu);
    return wasm.rule_over(menu) ? [1, -1][Number(wasm.rule_winner(there))] ?? 0.5 : 0;
  };
  const afterPly = (depth, move) => {
    const end = ending(depth, move), worth = end || worthAt(depth + 1);
    return end || worth === 0.5 ? worth : worth + Math.sign(worth);
  };
  function worthAt(depth) {
    const here = at(depth), key = String.fromCharCode(...new Uint16Array(memory.buffer, here, bytes / 2)), met = known.get(key);
    if (met) return met;
    if (known.size >= MOST_SOLVED || depth >= deepest || wasm.rule_chances(here)) throw new RangeError('too many positions');
    const moves = movesOf(here), side = sign(here), better = (one, two) => ((rank(two) - rank(one)) * side > 0 ? two : one);
    const worth = moves.some((move) => ending(depth, move) === side) ? side // before all else: none is better
      : moves.map((move) => afterPly(depth, move)).reduce(better);
    known.set(key, worth);
    return worth;
  }
  new BigInt64Array(memory.buffer, words, run.fields).set(asked.position.map((it) => BigInt.asIntN(64, it)));
  for (const index of line) {
    wasm.rule_play(words, movesOf(words)[index], at(1));
    new Uint16Array(memory.buffer).copyWithin(words / 2, at(1) / 2, at(2) / 2);
  }
  try {
    return movesOf(words).map((move) => afterPly(0, move)).map((worth) => (worth === 0.5 ? worth : worth * sign(words)));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

// The options of a search in the name of which they are; none where it has another name.
function optionsOf(name) {
  try {
    return specOf(name).options;
  } catch {
    return '';
  }
}

// Where two searches of a position differ first, in words.
function firstDifference(one, two) {
  const last = Math.min(one.last, two.last), words = (search, k) => search.path(k).map((it) => search.label(it)).join(' ');
  for (let k = 1; k <= last; k++) {
    const [mine, other] = [words(one, k), words(two, k)];
    if (mine !== other) return { k, words: `First difference at iteration ${grouped(k)}: A goes ${mine}, B ${other}.` };
    if (one.outcomes[k - 1] !== two.outcomes[k - 1]) return { k, words: `First difference at iteration ${grouped(k)}: the outcome of the playout.` };
  }
  if (one.last !== two.last) return { k: last + 1, words: `Both did the same in ${grouped(last)} iterations; then one goes on.` };
  return { k: null, words: 'Both searches did the same in every iteration.' };
}

// How many searches with other generators choose the same move.
function* agreement({ machine, asked }, one) {
  if (!machine.splits || OTHER_SEEDS * asked.iterations > COST) return null;
  const chosen = one.leads.at(-1)?.index;
  let same = 0;
  for (let seed = 0; seed < OTHER_SEEDS; seed++) {
    same += choiceIn(searchedBy(machine, { ...asked, rng: childOf(asked.rng, seed) }), machine) === chosen;
    yield;
  }
  return [same, OTHER_SEEDS];
}

// Which playouts of a sample decided the choice, and of how many.
function* decided({ machine, asked }, one) {
  const samples = Math.min(SAMPLES, Math.floor(COST / asked.iterations)), chosen = one.leads.at(-1)?.index;
  if (samples < OTHER_SEEDS) return { decisive: [], sampled: 0 };
  const steps = new Set(Array.from({ length: samples }, (_, step) => Math.round(one.last ** (step / (samples - 1)))));
  const decisive = [];
  for (const k of [...steps].sort((first, second) => first - second)) {
    const real = one.outcomes[k - 1];
    for (const worth of real === 0.5 ? [0, 1] : [1 - real]) {
      const index = choiceIn(searchedBy(machine, { ...asked, whatIf: { k, worth } }), machine);
      if (index !== chosen) decisive.push([k, index, worth]);
      yield;
    }
  }
  return { decisive, sampled: steps.size };
}

// ---- which search ----

// What the address of a page with all games names.
function linkOf(hash, games) {
  const found = LINK.exec(decodeURIComponent(hash || '#connect4//mcts:20000/seed=42'));
  if (!found) throw new Error('The address is no search: expected #GAME/MOVES/SEARCH/seed=NUMBER, such as #connect4/3,3,2/mcts:20000/seed=42.');
  const [, game, moves, spec, seed, cited] = found;
  if (!games.includes(game)) throw new Error(`Unknown game "${game}": this page has ${games.join(', ')}.`);
  return { game, before: moves.split(',').filter(Boolean), spec, seed, cited: cited ?? '' };
}

const addressOf = ({ game, before, spec, seed }) => `#${game}/${before.join(',')}/${spec}/seed=${seed}`;

// The search that an address names, made here: its data for the page, and with what to make others.
async function followed(games, link, progress) {
  const { game, before, spec, seed } = link;
  const { searches, board, players, ...shown } = games[game], { iterations, c, options } = specOf(spec);
  if (!(options in searches)) {
    const known = Object.keys(searches).map((it) => it || 'none').join('; ');
    throw new Error(`"${spec}": this page has no search with the options ${options}; there are ${known}, and c. fmcts explore has all.`);
  }
  const machine = await machineOf({ ...shown, ...searches[options] }), { numbers, rules } = withC(machine, c);
  const asked = { position: played(machine, machine.position.map(BigInt), before), rng: fromSeed(BigInt(seed)), iterations, numbers };
  const search = { ...madeBy(machine, asked, spec, [{ first: 0, ...rules }], progress), spec };
  const data = { game, before, players, board: { ...board, root: rootOf(search) }, waiting: [], searches: [search] };
  return { machine, asked, players, data };
}

// The same for a page with one search, which it makes again if it has no log; it may be asked for another position
// by its moves.
async function searching(data, moves, progress) {
  const [one] = data.searches, { before, players } = data;
  const machine = await machineOf(data.machine), segments = [{ first: 0, ...withC(machine, null).rules }];
  const asked = { position: machine.position.map(BigInt), rng: machine.rng.map(BigInt), iterations: one.iterations ?? one.log.leaves.length };
  const by = { machine, asked, players, data }, after = moves?.split(',').slice(before.length);
  if (!after?.length || !machine.splits) {
    return one.log ? by : { ...by, data: { ...data, searches: [{ ...madeBy(machine, asked, one.name, segments, progress), ...one }] } };
  }
  asked.position = played(machine, asked.position, after);
  asked.rng = childOf(asked.rng, moves.split(',').length);
  const search = { ...madeBy(machine, asked, one.name, segments, progress), spec: data.known ? one.spec : null };
  const board = search.bits ? { ...data.board, root: rootOf(search) } : { kind: 'pictures', root: null };
  return { ...by, data: { ...data, before: moves.split(','), board, searches: [search] } };
}

// How the addresses of a page that searches by itself name its search, and others: `link` is that of a page with
// all games, `moves` are those that another page was asked for.
function addressing(link, moves) {
  if (!link) return { cited: '', prefix: moves === null ? '#' : `#moves=${moves}&`, link: (to) => `#moves=${to.join(',')}` };
  return {
    cited: link.cited, seed: link.seed, prefix: `${addressOf(link)}&`,
    link: (before) => addressOf({ ...link, before }),
    isHere(hash, digest) { // whether another address names this search
      const [, base, other] = /^(.*?seed=-?\d+)(?:\/(\w*))?(?:&.*)?$/.exec(decodeURIComponent(hash)) ?? [];
      return base === addressOf(link) && digest.startsWith(other ?? '');
    },
    cite: (digest) => `${addressOf(link)}/${digest.slice(0, 12)}&`,
  };
}

// Name the search that this page made, in its title and by its command.
function named({ game, before }, one, by) {
  const title = `${game}${before.length ? ` after ${before.join(' ')}` : ''}: ${one.name}`;
  document.getElementById('title').textContent = document.title = title;
  const moves = before.length ? ` --moves ${before.join(',')}` : '', by_rng = by.seed ? `--seed ${by.seed}` : `--rng ${one.rng}`;
  document.getElementById('command').textContent = one.spec ? `fmcts explore ${game}${moves} --bot ${one.spec} ${by_rng}` : '';
}

// The form that chooses a search: what it says becomes the address.
function offer(games, link) {
  const form = document.getElementById('pick'), field = (name) => form.elements[name];
  form.hidden = false;
  if (!field('game').options.length) for (const name of games) field('game').append(new Option(name));
  if (link) [field('game').value, field('before').value, field('spec').value, field('seed').value] = [link.game, link.before.join(','), link.spec, link.seed];
  field('game').onchange = () => { field('before').value = ''; };
  form.onsubmit = (event) => {
    event.preventDefault();
    const { game, before, spec, seed } = Object.fromEntries(new FormData(form));
    location.hash = addressOf({ game, before: before.split(/[ ,]+/).filter(Boolean), spec: spec.trim(), seed: seed.trim() });
  };
}
