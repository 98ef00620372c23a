// A search in this page, without a server: the loop and the rules of the game as WebAssembly
// (fmcts/_linked/wasm.py). What it finds is laid out as the data that Python gives (fmcts/explore/_data.py).
'use strict';

const WORD = (1n << 64n) - 1n, GOLDEN = 0x9e3779b97f4a7c15n;
const TRAIL = 6; // words of a row: the leaf, its parent, its index and mover, its moves, its worth to X
const STATUSES = ['done', 'tree is full', 'path is full', 'nodes are made', 'move', 'menu', 'winner', 'no end',
  'all excluded', 'not a number', 'policy', 'worth', 'key', 'resolved', 'line is full', 'weight'];

// ---- generators: fmcts/rng/_splitmix.py ----

function mixed(z, one, two, shift = [33n, 33n, 33n]) {
  z = ((z ^ (z >> shift[0])) * one) & WORD;
  z = ((z ^ (z >> shift[1])) * two) & WORD;
  return z ^ (z >> shift[2]);
}
const mix64 = (z) => mixed(z, 0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n);
const variant13 = (z) => mixed(z, 0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn, [30n, 27n, 31n]);
function gammaOf(z) {
  const odd = variant13(z) | 1n;
  const ones = [...(odd ^ (odd >> 1n)).toString(2)].filter((it) => it === '1').length;
  return ones < 24 ? odd ^ 0xaaaaaaaaaaaaaaaan : odd;
}
const fromSeed = (seed) => [mix64(seed & WORD), gammaOf((seed + GOLDEN) & WORD)];
function childOf([state, gamma], index) {
  const counter = BigInt(index) * GOLDEN, key = variant13(variant13(state) ^ gamma);
  return [variant13((key + counter) & WORD), gammaOf((mix64(key) + counter) & WORD)];
}

// ---- the machine ----

// Load what Python described: the file, the places of the fields of `Search` in search.h, sizes and numbers.
async function machineOf(about) {
  const file = Uint8Array.from(atob(about.file), (it) => it.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(file, {});
  const at = {};
  let end = 0;
  for (const [name, size] of about.state) {
    end = Math.ceil(end / size) * size;
    at[name] = end;
    end += size;
  }
  return { ...about, wasm: instance.exports, at, size: end, levels: 256 };
}

// Memory for a search of so many iterations: the tree comes last, so that it can grow.
function laidOut(machine, iterations, numbers) {
  const { wasm, at } = machine, { memory } = wasm;
  let end = (wasm.__heap_base.value + 63) & ~63;
  const need = (bytes) => {
    const begin = end;
    end = (end + bytes + 63) & ~63;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    return begin;
  };
  const fields = machine.position.length, state = need(machine.size), doubles = (values) => {
    const begin = need(8 * values.length);
    new Float64Array(memory.buffer, begin, values.length).set(values);
    return begin;
  };
  const tables = machine.memory.flatMap(([count, value]) => Array(count).fill(value));
  const pointers = {
    root: need(8 * fields), menu: need(8 * machine.menu), path: need(16 * machine.levels), line: need(4 * machine.levels),
    marks: need(4 * machine.marks.marks), seen: need(4 * machine.marks.seen), logs: doubles(logarithms(iterations + 3)),
    by_visits: need(machine.counts ? 8 * (iterations + 3) : 0), trail: need(4 * TRAIL * iterations),
    played: need(4 * machine.levels), memory: doubles(tables),
    ...Object.fromEntries(Object.entries(numbers).map(([name, values]) => [name, doubles(values)])),
  };
  new Uint8Array(memory.buffer, state, machine.size).fill(0);
  for (const name of ['marks', 'seen']) new Uint8Array(memory.buffer, pointers[name], 4 * machine.marks[name]).fill(0);
  const words = need(1 << 16), view = () => new DataView(memory.buffer);
  const put = (name, value) => view().setBigInt64(state + at[name], BigInt(value), true);
  const point = (name, place) => view().setUint32(state + at[name], place, true);
  for (const [name, place] of Object.entries(pointers)) if (name in at) point(name, place);
  point('words', words);
  return {
    machine, wasm, memory, state, pointers, words, fields, made: 0, ended: false, put,
    get: (name) => Number(view().getBigInt64(state + at[name], true)),
    real: (name, value) => view().setFloat64(state + at[name], value, true),
    room: () => Math.floor((memory.buffer.byteLength - words) / 4) - 32,
  };
}

// A search of a position before its first iteration.
function begun(machine, position, rng, iterations, numbers) {
  const run = laidOut(machine, iterations, numbers), { put } = run;
  const root = new BigInt64Array(run.memory.buffer, run.pointers.root, run.fields);
  position.forEach((it, place) => { root[place] = BigInt.asIntN(64, it); });
  const side = Number(run.wasm.rule_side(run.pointers.root));
  const given = {
    levels: machine.levels, line_room: machine.levels, first: BigInt.asIntN(64, rng[0]), second: BigInt.asIntN(64, rng[1]),
    root_mover: 1 - side, forced: -1, max_plies: machine.max_plies, nodes_left: BigInt(machine.max_nodes) - 1n, room: run.room(),
  };
  for (const [name, value] of Object.entries(given)) put(name, value);
  run.real('cut_after', machine.cut_after);
  run.wasm.plant_root(run.state);
  return run;
}

// Make so many iterations more, with more memory as it is needed; false if a path needs more room.
function advanced(run, iterations) {
  for (let left = iterations; left > 0 && !run.ended;) {
    run.put('before', run.made);
    run.put('iterations', left);
    run.wasm.search(run.state);
    const made = run.get('made'), status = STATUSES[run.get('status')];
    run.made += made;
    left -= made;
    if (status === 'tree is full') {
      run.memory.grow(Math.max(16, run.memory.buffer.byteLength >> 16));
      run.put('room', run.room());
    } else if (status === 'path is full' || status === 'line is full') return false;
    else if (status === 'nodes are made' || status === 'resolved') run.ended = true;
    else if (status !== 'done') throw new Error(`The search in this page ended: ${status ?? 'a rule raised an error'}.`);
  }
  return true;
}

// Search a position: `asked` has the position, the generator, the number of iterations and the numbers; of a fork
// also after which iteration other numbers are used; of a what-if the iteration and its worth to X.
function searchedBy(machine, asked) {
  for (;;) {
    const { fork, whatIf, shown } = asked, numbers = asked.numbers ?? machine.numbers;
    const run = begun(machine, asked.position, asked.rng, asked.iterations, numbers);
    if (whatIf) {
      run.put('altered', whatIf.k);
      run.real('altered_worth', whatIf.worth);
    }
    let done = true;
    if (shown) {
      done = advanced(run, shown - 1);
      run.put('played_room', machine.levels);
      done &&= advanced(run, 1);
    } else {
      if (fork) {
        done = advanced(run, fork.k);
        new Float64Array(run.memory.buffer, run.pointers.numbers, fork.numbers.numbers.length).set(fork.numbers.numbers);
      }
      done &&= advanced(run, asked.iterations - run.made);
    }
    if (done) return run;
    machine.levels *= 2;
  }
}

// ---- what it found ----

// The name of a move, by its key, which means the same in every position; of an outcome of chance by its number.
function nameOf({ wasm, machine }, position, move) {
  const key = wasm.rule_chances(position) ? -1n - move : wasm.rule_key(position, move);
  return machine.moves[Number(key)] ?? String(move);
}

// The moves of a position: their numbers in the rules, and their names.
function movesAt(run, position) {
  const { wasm, pointers: { menu } } = run;
  wasm.rule_menu(position, menu);
  const moves = Array.from({ length: wasm.rule_over(menu) ? 0 : Number(wasm.rule_count(menu)) }, (_, index) => wasm.rule_pick(menu, BigInt(index)));
  const names = moves.map((move) => nameOf(run, position, move));
  return { moves, names };
}

// The nodes in order of creation, as a log has them, with where their statistics are in the tree.
function logOf(run) {
  const rows = new Int32Array(run.memory.buffer, run.pointers.trail, TRAIL * run.made);
  const worths = new Float64Array(run.memory.buffer, run.pointers.trail, (TRAIL / 2) * run.made);
  const numbers = new Int32Array(run.get('used')).fill(-1);
  const places = [2], log = { leaves: [], outcomes: [], made: [], parents: [0], indexes: [0], root_moves: [], returns: [] };
  numbers[2] = 0;
  for (let at = 0; at < run.made; at++) {
    const place = rows[TRAIL * at], fresh = numbers[place] < 0;
    if (fresh) {
      numbers[place] = places.length;
      places.push(place);
      log.parents.push(numbers[rows[TRAIL * at + 1]]);
      log.indexes.push(rows[TRAIL * at + 2] >> 1);
    }
    log.leaves.push(places.length - 1 - numbers[place]);
    log.outcomes.push(worths[(TRAIL / 2) * at + 2]);
    log.made.push(Number(fresh));
  }
  return { log, places };
}

// The statistics of the nodes as they are in the tree, which the page compares with those that it adds up.
function statisticsOf(run, places, own) {
  const words = new Int32Array(run.memory.buffer, run.words, run.get('used')), view = new DataView(run.memory.buffer, run.words);
  const found = { visits: new Int32Array(places.length), rewards: new Float64Array(places.length), own: new Float64Array(places.length * own) };
  let block = 0;
  places.forEach((place, node) => {
    block = run.blocks[node];
    const total = words[block], index = place - block - 2, row = (each) => view.getFloat64(4 * (block + 2 + (4 + 2 * each) * total) + 8 * index, true);
    found.visits[node] = words[place];
    found.rewards[node] = run.machine.reward_row === null ? words[place + total] / 2 : row(run.machine.reward_row);
    for (let each = 0; each < own; each++) found.own[node * own + each] = row(each);
  });
  return found;
}

// The cells of a position, which begins at one of many words of 32 bits: 0 empty, 1 X, 2 O, by the bits that say so
// for the side to move.
function cellsIn(words, from, bits) {
  const set = ([field, bit]) => (words[from + 2 * field + (bit >> 5)] >>> (bit & 31)) & 1;
  return bits.map(([x, o]) => (set(x) ? 1 : set(o) ? 2 : 0));
}

const cellsAt = (search, node) => cellsIn(search.positions, 2 * search.fields * node, search.bits[search.player[node]]);

// What a node's move changed on the board: stored, or read from the positions; none where the board does not tell.
function changesOf(search, node) {
  if (!search.positions) return search.changes?.[node];
  return changed(cellsAt(search, Math.max(0, search.parent[node])), cellsAt(search, node));
}

// What changed from one board to another, as fmcts/explore/_boards.py has it.
function changed(before, now) {
  const found = [];
  for (let cell = 0; cell < now.length; cell++) if (before[cell] !== now[cell]) found.push(3 * cell + now[cell]);
  return found;
}

// The search as data of a page. `of` has what does not change: names, players, formulas, bits of the board's cells.
function dataOf(run, of, progress = () => {}) {
  const { wasm, memory, fields } = run, { menu } = run.pointers;
  const { log, places } = logOf(run), size = places.length;
  const labels = [], numbers = new Map(), kinds = [], known = new Map(), nodes = [];
  const words = new Int32Array(memory.buffer, run.words, run.get('used'));
  run.blocks = new Int32Array(size);
  const blockOf = (node) => { // of the moves of a node that has children
    const block = run.blocks[node];
    return words[places[node] + 2 * words[block]];
  };
  const number = (word) => {
    if (!numbers.has(word)) {
      numbers.set(word, labels.length);
      labels.push(word);
    }
    return numbers.get(word);
  };
  for (let node = 1; node < size; node++) run.blocks[node] = blockOf(log.parents[node]);
  run.statistics = statisticsOf(run, places, of.own.length);
  const needed = run.words + 4 * (run.get('used') + 64) & ~7, positions = Math.ceil(needed / 8) * 8 + 64;
  const missing = positions + 8 * fields * size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  const all = new BigInt64Array(memory.buffer, positions, fields * size);
  all.set(new BigInt64Array(memory.buffer, run.pointers.root, fields));
  // Positions with the same menu, and the same name of its first move, have the same moves: most are met again.
  const halves = new Uint16Array(memory.buffer, menu, 4 * run.machine.menu), offered = new Map(), offers = [];
  for (let node = 0; node < size; node++) {
    const here = positions + 8 * fields * node, parent = log.parents[node];
    if (node) wasm.rule_play(positions + 8 * fields * parent, offers[parent].moves[log.indexes[node]], here);
    wasm.rule_menu(here, menu);
    const over = Boolean(wasm.rule_over(menu)), side = Number(wasm.rule_side(here));
    const menuKey = over ? '' : String.fromCharCode.apply(null, halves) + nameOf(run, here, wasm.rule_pick(menu, 0n));
    if (!offered.has(menuKey)) offered.set(menuKey, { ...movesAt(run, here), number: offered.size });
    const offer = offered.get(menuKey), end = over ? Number(wasm.rule_winner(here)) : -1;
    const weights = wasm.rule_chances(here) ? offer.moves.map((move) => Number(wasm.rule_weight(here, move))) : [];
    const kind = 16 * offer.number + 2 * (end + 1) + (side & 1), key = weights.length ? `${kind} ${weights}` : kind;
    offers.push(offer);
    if (!known.has(key)) {
      known.set(key, kinds.length);
      kinds.push([side & 1, offer.names.map(number), [], end < 0 ? '' : of.ends[end], weights]);
    }
    nodes.push(known.get(key));
    if (node % 4096 === 4095) progress(node / size);
  }
  return {
    ...of.texts, log, labels, kinds, nodes, mover: 1 - kinds[nodes[0]][0], seats: of.seats, graph: null, leads: null,
    wanted: [], remarks: {}, batches: [], agree: null, decisive: [], sampled: 0, own: of.own, resolution: of.resolution, judged: of.segments[0].derived.map(() => null),
    segments: of.segments, whole: of.whole, noun: of.noun, statistics: run.statistics,
    fields, bits: of.bits, positions: of.bits && new Uint32Array(memory.buffer.slice(positions, positions + 8 * fields * size)),
  };
}

// The index of the move that is played: of rows with an index, visits, the summed reward, and the number of a proof.
function choiceOf(rows, solves) {
  let among = rows.filter((row) => row.visits);
  if (solves) {
    const least = (of) => of.reduce((one, other) => (other.proof < one.proof ? other : one));
    const won = among.filter((row) => row.proof >= 1), open = among.filter((row) => row.proof >= 0);
    if (among.length) among = won.length ? [least(won)] : open.length ? open : [least(among)];
  }
  const better = (one, other) => other.visits > one.visits
    || (other.visits === one.visits && other.reward / other.visits > one.reward / one.visits);
  return among.length ? among.reduce((one, other) => (better(one, other) ? other : one)).index : null;
}

// What a search chose, from its tree; the last column of its own, if it has one, is that of proofs.
function choiceIn(run, of) {
  const words = new Int32Array(run.memory.buffer, run.words, run.get('used')), view = new DataView(run.memory.buffer, run.words);
  const block = words[4], total = words[block], { reward_row: rewards } = run.machine;
  const row = (each, index) => view.getFloat64(4 * (block + 2 + (4 + 2 * each) * total) + 8 * index, true);
  const rows = Array.from({ length: total }, (_, index) => ({
    index, visits: Math.max(0, words[block + 2 + index]),
    reward: rewards === null ? words[block + 2 + total + index] / 2 : row(rewards, index),
    proof: of.resolution ? row(of.own.length - 1, index) : 0,
  }));
  return choiceOf(rows, of.resolution === 'proof');
}

// Note where another move of the root is to be played, in a search that this page made. Without proofs that can only
// be the move of the iteration, if it has more visits than the one that leads.
function noteLead(search, version, moved) {
  const lead = search.leads.at(-1);
  if (lead && search.resolution !== 'proof') {
    const leader = search.childAt(0, lead.index, version.k);
    if (moved < 0 || moved === leader || version.visits[moved] < version.visits[leader]) return;
  }
  const rows = search.below(0, version.k).map((child) => ({
    index: search.index[child], visits: version.visits[child], reward: version.rewards[child],
    proof: resolvedAt(search, version, child),
  }));
  const index = choiceOf(rows, search.resolution === 'proof'), before = search.leads.at(-1)?.index ?? null;
  if (index !== before) search.leads.push({ k: version.k, index, before });
}
