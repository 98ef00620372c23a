// A search in which equal states are one node: its two rules of backup, and its serialisation.
//
// A node is a move that was tried, and its state has the number of the first node that leads there, as
// in fmcts/history/_log.py. The rules are those of fmcts/_engines/graph/engine.py.
'use strict';

// How often each move was chosen, and the statistics of states, for X or for so many players side by side.
const noStates = (size, width) => ({
  chosen: new Int32Array(size),
  ended: new Int32Array(size), // how many iterations ended there
  worth: new Float64Array(size * width), // of each
  counted: new Float64Array(size), // visits
  total: new Float64Array(size * width),
});

const nodesOf = (search, version, state) => search.below(state, version.k + 1);

// A state's mean for X, or for the player of that number; that of a finished state is its exact reward.
function meanFor(search, version, state, seat = 0) {
  const at = state * search.width + seat;
  return search.moves[state] ? version.total[at] / version.counted[state] : version.worth[at];
}

// What the visits of a move were worth: their sum for X, or for the player of that number.
function brought(search, version, node, seat = 0) {
  const state = search.stateOf(node), chosen = version.chosen[node], { returns } = search.log;
  const total = chosen === version.counted[state]
    ? version.total[state * search.width + seat] : chosen * meanFor(search, version, state, seat);
  return returns.length ? chosen * returns[node][1 + seat] + returns[node][0] * total : total;
}

// The value of a node's state for the side that moved there, with what the move brought.
function valueFor(search, version, node) {
  const state = search.stateOf(node), count = version.counted[state], seat = search.mover[node];
  if (search.log.returns.length) return brought(search, version, node, seat) / version.chosen[node];
  if (search.several || seat === 0) return meanFor(search, version, state, seat);
  return search.moves[state] ? (count - version.total[state]) / count : 1 - version.worth[state];
}

// The sum of a state's visits for a player.
function totalFor(search, version, state, seat) {
  if (search.several || seat === 0) return version.total[state * search.width + seat];
  return version.counted[state] - version.total[state];
}

// The visits of a node's state by every way, and what the side to move there gained.
function ofState(search, version, node) {
  const state = search.stateOf(node);
  return [version.counted[state], totalFor(search, version, state, search.player[node])];
}

// Let the nodes of a state have its numbers, as the tree view of a graph shows them.
function show(search, version, state) {
  for (const node of search.nodesTo[state]) {
    if (search.born[node] > version.k + 1) continue;
    const visits = node && search.graph.rule === 'sound' ? version.chosen[node] : version.counted[state];
    const all = visits === version.counted[state], seat = search.mover[node];
    version.visits[node] = visits;
    if (visits && node && search.log.returns.length) version.rewards[node] = brought(search, version, node, seat);
    else if (visits && all) version.rewards[node] = totalFor(search, version, state, seat);
    else version.rewards[node] = visits ? visits * valueFor(search, version, node) : 0;
  }
}

function advanceGraph(search, version, outcome) {
  const path = search.path(version.k + 1);
  const states = [0, ...path.map((node) => search.stateOf(node))];
  const leaf = states.at(-1);
  for (const node of path) version.chosen[node] += 1;
  version.ended[leaf] += 1;
  const worth = [outcome].flat(), { width } = search;
  worth.forEach((one, seat) => { version.worth[leaf * width + seat] = one; });
  if (search.graph.rule === 'sound') {
    for (const state of states.reverse()) {
      recompute(search, version, state);
      show(search, version, state);
    }
  } else {
    for (const [state, ways] of waysUp(search, version, leaf)) {
      version.counted[state] += ways;
      worth.forEach((one, seat) => { version.total[state * width + seat] += ways * one; });
      show(search, version, state);
    }
    for (let node = search.counts[version.k]; node < search.counts[version.k + 1]; node++) show(search, version, search.stateOf(node));
  }
  widen(search, version, path);
  version.k += 1;
  return path[0] ?? -1;
}

// Fold what an iteration saw into the ranges of values of the states on its path.
function widen(search, version, path) {
  const { derived } = rulesAt(search, version.k + 1), { columns } = search, { own } = version;
  for (const node of derived.length ? [...path].reverse() : []) {
    const above = search.parent[node] * columns, below = search.stateOf(node) * columns;
    const child = { value: valueFor(search, version, node), least: own[below], most: own[below + 1] };
    own.set(derived[0].fold(own.slice(above, above + columns), child), above);
  }
}

// A state's numbers from its own iterations and from the values of the states its moves lead to.
function recompute(search, version, state) {
  const { width } = search;
  let visits = version.ended[state];
  const totals = Array.from({ length: width }, (_, seat) => visits * version.worth[state * width + seat]);
  for (const node of nodesOf(search, version, state)) {
    if (!version.chosen[node]) continue;
    visits += version.chosen[node];
    for (let seat = 0; seat < width; seat++) totals[seat] += brought(search, version, node, seat);
  }
  version.counted[state] = visits;
  version.total.set(totals, state * width);
}

// By how many ways the moves lead from each state above down to one; 1 from itself.
function waysUp(search, version, state) {
  const ways = new Map();
  const count = (at) => {
    if (!ways.has(at)) {
      const below = at === state ? [] : nodesOf(search, version, at);
      ways.set(at, at === state ? 1 : below.reduce((sum, node) => sum + count(search.stateOf(node)), 0));
    }
    return ways.get(at);
  };
  const above = new Set([state]);
  for (const at of above) {
    for (const node of search.nodesTo[at]) {
      if (node && search.born[node] <= version.k + 1) above.add(search.parent[node]);
    }
  }
  return [...above].map((at) => [at, count(at)]);
}

// A double as Python's `float.hex` writes it.
function hexOf(number) {
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf';
  if (number === 0) return Object.is(number, -0) ? '-0x0.0p+0' : '0x0.0p+0';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(number));
  const bits = view.getBigUint64(0), exponent = Number(bits >> 52n), tail = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const power = exponent ? exponent - 1023 : -1022;
  return `${number < 0 ? '-' : ''}0x${exponent ? 1 : 0}.${tail}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

// The canonical text of a graph: fmcts/_engines/graph/nodes.py.
function graphAsText(search, version) {
  const { rows } = rulesAt(search, version.k).method, { k } = version, { width, columns } = search;
  const numbers = (of, state) => Array.from(of.subarray(state * width, (state + 1) * width), hexOf);
  const places = new Map(), stack = [0];
  while (stack.length) {
    const state = stack.pop();
    if (places.has(state)) continue;
    places.set(state, places.size);
    stack.push(...search.below(state, k).reverse().map((node) => search.stateOf(node)));
  }
  const lines = [...places.keys()].map((state) => [
    search.several ? search.player[state] : 'XO'[search.player[state]], search.moves[state],
    version.ended[state], ...numbers(version.worth, state), version.counted[state], ...numbers(version.total, state),
    ...search.below(state, k).map((node) => `${search.index[node]}:${places.get(search.stateOf(node))}:${version.chosen[node]}`),
    ...Array.from(version.own.subarray(state * columns, (state + 1) * columns), hexOf),
    ...(rows.length ? search.kinds[search.kind[state]][2].flat().map(hexOf) : []),
  ].join(' '));
  const chosen = search.log.root_moves.length ? [search.log.root_moves.join(' ')] : [];
  const players = search.several ? [`fmcts-players-1 ${width}`] : [];
  return [...players, ['fmcts-graph-1', search.graph.rule, ...search.own, ...rows].join(' '), ...lines, ...chosen, ''].join('\n');
}
