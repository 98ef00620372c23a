// The versions of a search, by addition from its log: visits and rewards, bit for bit.
//
// The log says where each iteration ended and what it was worth (fmcts/history/_log.py); the columns
// of a node follow by formulas of the method, and so do the scores that are shown. Nodes are numbered
// as they are made, the root being 0.
'use strict';

// ln n for n up to the limit, by the operations that IEEE 754 fixes: fmcts/_arithmetic.py.
function logarithms(limit) {
  const table = [0, 0];
  for (let n = 2; n <= limit; n++) table.push(nextLogarithm(n, table[Math.floor(n / 2)], table[n - 1]));
  return table;
}

// ln n from that of its half, if it is even, or else from that of the number before.
function nextLogarithm(n, half, before) {
  if (n % 2 === 0) return half + 0.6931471805599453;
  const x = 1 / (2 * n - 1), y = x * x;
  let tail = 0;
  if (n < 64) for (let odd = 23; odd > 9; odd -= 2) tail = (tail + 1 / odd) * y;
  tail = ((((tail + 1 / 9) * y + 1 / 7) * y + 1 / 5) * y + 1 / 3) * y;
  return before + 2 * x * (1 + tail);
}

// The same without the table, in which the counts of a graph may not be.
function logarithmOf(n) {
  let value = 0, m = 1;
  for (const digit of n.toString(2).slice(1)) {
    value = nextLogarithm(m *= 2, value, 0);
    if (digit === '1') value = nextLogarithm(m += 1, 0, value);
  }
  return value;
}

// What was written in Python from formulas, as functions.
const fromSource = (source) => (source ? new Function(`return (${source});`)() : null);

// The rules of the segment to which an iteration belongs, counted from 1.
const rulesAt = (search, iteration) => search.rules.findLast((it) => it.first < iteration) ?? search.rules[0];

// A version of the search: the number of its iterations and, by node, visits, rewards and columns.
function emptyVersion(search) {
  return {
    k: 0,
    visits: new Int32Array(search.size),
    rewards: new Float64Array(search.size),
    own: new Float64Array(search.size * search.columns).map((_, at) => (search.graph ? (at % 2 ? -Infinity : Infinity) : 0)),
    ...(search.graph ? noStates(search.size, search.width) : {}),
  };
}

const copyOf = (version) =>
  Object.fromEntries(Object.entries(version).map(([name, it]) => [name, it.slice ? it.slice() : it]));

// What a score receives for each move of a node, those without a child included.
function edgesOf(search, version, node, method) {
  const edges = [], range = method.columns.indexOf('least');
  const rows = search.kinds[search.kind[node]][2];
  for (let index = 0; index < search.moves[node]; index++) {
    const child = search.childAt(node, index, version.k);
    const edge = { visits: 0, reward: 0, value: 0 };
    if (child >= 0) [edge.visits, edge.reward] = [version.visits[child], version.rewards[child]];
    if (edge.visits) edge.value = search.graph ? valueFor(search, version, child) : edge.reward / edge.visits;
    const waits = version.losses?.[child]; // which counts as the least of the tree
    if (waits && range >= 0) edge.value = (edge.reward + waits * version.own[range]) / edge.visits;
    for (let at = 0; at < method.columns.length; at++) {
      edge[method.columns[at]] = child >= 0 ? version.own[child * search.columns + at] : 0;
    }
    for (let at = 0; at < method.rows.length; at++) edge[method.rows[at]] = rows[at][index];
    if (method.byVisits) [edge.by_visits] = method.byVisits(edge.visits);
    edges.push(edge);
  }
  return edges;
}

// What a score receives about the node whose moves it judges.
function parentOf(search, version, node, method, edges) {
  const [visits, gained] = search.graph ? ofState(search, version, node) : [version.visits[node], version.rewards[node]];
  const mine = search.mover[node] === search.player[node];
  const backedUp = visits - (version.losses?.[node] ?? 0);
  const reward = mine || search.graph ? gained : backedUp - gained;
  const count = method.log_offset + visits;
  const log_visits = search.logs[count] ?? logarithmOf(count);
  const parent = { visits, log_visits, value: 0, total: 0, least: 0, most: 0 };
  parent.value = backedUp ? reward / backedUp : 0;
  if (search.several) { // what one player gets says nothing of another's
    const sums = edges.reduce(([all, sum], edge) => [all + edge.visits, sum + edge.reward], [0, 0]);
    parent.value = sums[0] ? sums[1] / sums[0] : 0;
  }
  const range = method.columns.indexOf('least'); // of the root: the scale of the tree
  if (range >= 0) [parent.least, parent.most] = [version.own[range], version.own[range + 1]];
  if (method.summed) for (const edge of edges) parent.total += method.summed(edge)[0];
  return parent;
}

// Scores are null where a page cannot compute them.
function scoresOf(search, version, node, method) {
  const edges = edgesOf(search, version, node, method);
  const parent = parentOf(search, version, node, method, edges);
  const scores = edges.map((edge) => {
    if (!method.score) return null;
    return edge.visits || method.scoresUnvisited ? method.score(edge, parent)[0] : Infinity;
  });
  return { edges, parent, scores };
}

// For each move of a node whether selection may not take it: its child is resolved, or there is
// none where a descent goes past untried moves.
function leftOut(search, version, node, rules, untried = true) {
  return Array.from({ length: search.moves[node] }, (_, index) => {
    const child = search.childAt(node, index, version.k);
    if (child < 0) return !untried;
    return Boolean(rules.leavesOut) && rules.leavesOut(resolvedAt(search, version, child))[0] !== 0;
  });
}

// The index of the move that an iteration took at a node; null where it did not come there.
function takenAt(search, iteration, node) {
  const child = search.path(iteration).find((it) => search.parent[it] === search.stateOf(node));
  return child === undefined ? null : search.index[child];
}

// How many iterations there were before the batch of an iteration. Without batches each is alone.
const batchOf = (search, iteration) => search.batches[iteration - 1] ?? iteration - 1;

// What the descent of an iteration met: the version before its batch, in which each descent before it
// left a loss on its way, a visit without a reward, which does not count in the mean of a parent.
function metBy(search, iteration) {
  const before = batchOf(search, iteration);
  if (before === iteration - 1) return search.version(before);
  const version = { ...copyOf(search.version(before)), losses: new Int32Array(search.size) };
  for (let at = before; at < iteration - 1; at++) {
    for (let node = search.leaf[at]; node >= 0; node = search.parent[node]) {
      version.visits[node] += 1;
      version.losses[node] += 1;
    }
    version.k += 1;
  }
  return version;
}

const STORED = 32; // versions from which others are advanced
const POINTS = 240; // of a chart

// The whole of what a generator does.
function finished(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// A search with all that a page asks of it. Its own fields are plain values, which a worker can send; what it
// makes of them is in private fields, which are not sent.
class Search {
  #rules;
  #recent = [];

  constructor(fields) {
    Object.assign(this, fields);
    this.#rules = this.segments.map((it) => ({
      ...it,
      method: fromSource(it.method),
      ofTerms: fromSource(it.of_terms),
      leavesOut: fromSource(it.leaves_out),
      derived: it.derived.map((text, place) => ({ ...fromSource(text), judged: this.judged[place] })),
    }));
  }

  get rules() { return this.#rules; }

  // Any version; the next but three that this gives may overwrite it.
  version(k) {
    const recent = this.#recent, found = recent.find((it) => it.k === k);
    if (found) return found;
    const kept = this.kept[Math.min(Math.floor(k / this.every), this.kept.length - 1)];
    let from = kept ?? emptyVersion(this);
    for (const it of recent) if (it.k <= k && it.k > from.k) from = it;
    const version = copyOf(from);
    while (version.k < k) advance(this, version);
    recent.unshift(version);
    recent.length = Math.min(recent.length, 4);
    return version;
  }

  // The child in version k, -1 if there is none.
  childAt(node, index, k) {
    const child = this.children[this.begin[this.stateOf(node)] + index];
    return child >= 0 && this.born[child] <= k ? child : -1;
  }

  weights(node) { return this.kinds[this.kind[node]][4]; } // of the outcomes where chance moves
  label(node) { return node ? this.labelAt(this.parent[node], this.index[node]) : ''; }
  labelAt(node, index) { return this.labels[this.kinds[this.kind[node]][1][index]]; }
  stateOf(node) { return this.graph ? this.graph.states[node] : node; } // the first node of its state

  path(k) { // the nodes that an iteration passed, below the root
    let node = 0;
    return this.graph ? this.graph.paths[k - 1].map((index) => (node = this.childAt(node, index, k))) : this.line(this.leaf[k - 1]);
  }

  line(node) { return node > 0 ? [...this.line(this.parent[node]), node] : []; }

  below(node, k) {
    return Array.from({ length: this.moves[node] }, (_, index) => this.childAt(node, index, k)).filter((it) => it >= 0);
  }
}

const grow = (data) => finished(growing(data));

// Lay out the tree that a log grew; between its iterations, how much of the log is replayed.
function* growing(data) {
  const { log } = data, size = data.nodes.length, last = log.leaves.length;
  const moves = Int32Array.from(data.nodes, (kind) => data.kinds[kind][1].length);
  const begin = new Int32Array(size + 1);
  moves.forEach((count, node) => { begin[node + 1] = begin[node] + count; });
  for (const kind of data.kinds) kind[2] = kind[2].map((row) => row.map((it) => it ?? NaN)); // JSON has no NaN
  const several = Array.isArray(log.outcomes[0]); // each player has a reward of his own
  const search = new Search({
    ...data, size, last, moves, begin, several, width: several ? log.outcomes[0].length : 1,
    outcomes: several ? log.outcomes : Float64Array.from(log.outcomes),
    log: { made: Uint8Array.from(log.made), root_moves: log.root_moves, returns: log.returns },
    kind: Int32Array.from(data.nodes),
    player: Uint8Array.from(data.nodes, (kind) => data.kinds[kind][0]),
    parent: Int32Array.from(log.parents),
    index: Int32Array.from(log.indexes),
    mover: new Uint8Array(size).fill(data.mover),
    born: new Int32Array(size), // the iteration that made it
    counts: [1], // of nodes, by version
    children: new Int32Array(begin[size]).fill(-1),
    leaf: new Int32Array(last),
    columns: data.own.length,
    logs: logarithms(last + 2),
    leads: (data.leads ?? []).map(([k, index], at) => ({ k, index, before: at ? data.leads[at - 1][1] : null })),
    proofs: [], // where the root or one of its moves was resolved
    points: [], // of the charts: visits and rewards of the root's moves
    kept: [], // versions, every so many
    every: Math.max(64, Math.ceil(last / STORED)),
  });
  search.parent[0] = -1;
  for (let node = 1; node < size; node++) {
    const parent = search.parent[node];
    search.mover[node] = search.player[parent];
    search.children[begin[parent] + search.index[node]] = node;
  }
  if (search.graph) {
    search.nodesTo = Array.from(data.nodes, () => []);
    search.graph.states.forEach((state, node) => search.nodesTo[state].push(node));
  }
  const version = emptyVersion(search), known = new Map();
  const { every } = search, drawn = pointsOf(last);
  for (let at = 0, made = 1; at < last; at++) {
    search.born.fill(at + 1, made, made + log.made[at]);
    made += log.made[at];
    search.counts.push(made);
    search.leaf[at] = made - 1 - log.leaves[at];
  }
  for (let at = 0; at < last; at++) {
    if (at % every === 0) search.kept.push(copyOf(version));
    const moved = advance(search, version);
    if (search.resolution) noteProofs(search, version, known, moved);
    if (!data.leads) noteLead(search, version, moved);
    if (drawn.has(at + 1)) search.points.push(atRoot(search, version));
    if (at % 256 === 255) yield at / last;
  }
  return search;
}

// Where an iteration is on the slider and on the charts, from 0 to 1: on a logarithmic scale, as most is
// decided early; and the iteration at such a place.
const onScale = (k, last) => (last > 1 ? Math.log(k) / Math.log(last) : 0);
const iterationAt = (place, last) => Math.max(1, Math.min(last, Math.round(last ** place)));

// The iterations that the charts show: at even places.
function pointsOf(last) {
  const found = new Set([1, last]);
  if (last <= POINTS) for (let k = 1; k <= last; k++) found.add(k);
  else for (let at = 0; at < POINTS; at++) found.add(iterationAt(at / POINTS, last));
  return found;
}

// Visits and summed rewards of the root's moves, by index.
function atRoot(search, version) {
  const rows = [];
  for (let index = 0; index < search.moves[0]; index++) {
    const child = search.childAt(0, index, version.k);
    rows.push(child < 0 ? [0, 0] : [version.visits[child], version.rewards[child]]);
  }
  return { k: version.k, rows };
}

// What an iteration gives a player: his own number, or X's, or for O the rest of 1.
const gainOf = (worth, seat) => (Array.isArray(worth) ? worth[seat] : seat === 0 ? worth : 1 - worth);

// Give each node of the path of the iteration that follows a version what it gains; return the first below the root, or -1.
function advance(search, version) {
  const { method, derived } = rulesAt(search, version.k + 1);
  const leaf = search.leaf[version.k];
  let forX = search.outcomes[version.k];
  if (search.graph) {
    return advanceGraph(search, version, forX);
  }
  let below = -1, moved = -1;
  for (let node = leaf; node >= 0; node = search.parent[node]) {
    const seat = search.mover[node];
    if (search.log.returns.length && node) { // rewards on the way: fmcts/_engines/returns.py
      const [factor, ...now] = search.log.returns[node];
      forX = now.map((it, player) => it + factor * forX[player]);
    }
    const gained = gainOf(forX, seat);
    if (method.kept) credit(search, version, node, below, forX, method);
    for (const each of derived) derive(search, version, node, below, gained, each);
    version.visits[node] += 1;
    version.rewards[node] += gained;
    [moved, below] = [below, node];
  }
  version.k += 1;
  return moved;
}

// Update the columns that a method keeps for a node; the node below is -1 at the leaf.
function credit(search, version, node, below, forX, method) {
  const at = node * search.columns;
  const now = () => {
    const [visits, reward] = [version.visits[node], version.rewards[node]];
    const edge = { visits, reward, value: visits ? reward / visits : 0 };
    for (let place = 0; place < method.kept; place++) {
      edge[method.columns[place]] = version.own[at + place];
    }
    return edge;
  };
  const keep = (numbers) => numbers.forEach((value, place) => { version.own[at + place] = value; });
  if (method.aboveEnd && below >= 0 && !search.moves[below] && !search.weights(node).length) {
    keep(method.aboveEnd(now(), gainOf(forX, search.player[0])));
  }
  keep(method.update(now(), gainOf(forX, search.mover[node])));
}

// Compute the numbers of a node that follow from those of its children, or at a leaf from `gained`.
function derive(search, version, node, below, gained, derived) {
  const { own } = version, { columns } = search;
  const { at, count, knowsLeaves } = derived;
  const known = (child) => {
    if (knowsLeaves) return version.visits[child] > 0;
    for (let place = at; place < at + count; place++) if (own[child * columns + place]) return true;
    return false;
  };
  let numbers;
  if (below >= 0) {
    if (!knowsLeaves && !known(below)) return;
    const from = version.visits[node] ? own.slice(node * columns + at, node * columns + at + count) : derived.first;
    if (derived.running) numbers = derived.fold(from, foldedChild(search, version, below, derived));
    else if (derived.averaged && search.weights(node).length) numbers = expected(search, version, node, derived, known);
    else numbers = fromChildren(search, version, node, derived, known);
    numbers = returned(search, node, derived, numbers);
  } else if (!search.moves[node]) {
    numbers = derived.end(gained);
  } else {
    if (!knowsLeaves) return;
    const judged = derived.judged?.[node];
    if (judged === undefined) numbers = derived.leaf(gained);
    else numbers = returned(search, node, derived, derived.leaf(search.mover[node] === 0 ? judged : 1 - judged));
  }
  for (let place = 0; place < count; place++) own[node * columns + at + place] = numbers[place];
}

// The value of a node, from that of what follows it; 0 may say that nothing is known.
function returned(search, node, derived, numbers) {
  const { returns } = search.log;
  if (!returns.length || !node || !derived.averaged || !(derived.knowsLeaves || numbers[0])) return numbers;
  return derived.end(returns[node][1] + returns[node][0] * numbers[0]);
}

// The mean of the outcomes by weight, over those that are folded.
function expected(search, version, node, derived, known) {
  const weights = search.weights(node);
  let total = 0, value = 0;
  weights.forEach((weight, index) => {
    const child = search.children[search.begin[node] + index];
    if (child < 0 || !known(child)) return;
    total += weight;
    value += weight * version.own[child * search.columns + derived.at];
  });
  value /= total;
  return derived.end(search.mover[node] === search.player[node] ? value : 1 - value);
}

// What the fold of a derived statistic receives for a child.
function foldedChild(search, version, child, { names, places }) {
  const [visits, reward] = [version.visits[child], version.rewards[child]];
  const edge = { visits, reward, value: visits ? reward / visits : 0 };
  for (let place = 0; place < names.length; place++) {
    edge[names[place]] = version.own[child * search.columns + places[place]];
  }
  return edge;
}

function fromChildren(search, version, node, derived, known) {
  const { first, fold } = derived;
  let seen = first, folded = 0;
  for (let index = 0; index < search.moves[node]; index++) {
    const child = search.children[search.begin[node] + index];
    if (child < 0 || !known(child)) continue;
    seen = fold(seen, foldedChild(search, version, child, derived));
    folded += 1;
  }
  const same = search.mover[node] === search.player[node];
  return derived.node(seen, { complete: folded === search.moves[node], same });
}

// ---- resolved nodes: fmcts/search/resolution ----

// The number that says how a node is resolved, 0 where nothing is known.
const resolvedAt = (search, version, node) =>
  (search.resolution && node >= 0 ? version.own[(node + 1) * search.columns - 1] : 0);

// What such a number of a child means for the side that moved there: null, or how the game ends and
// within how many plies.
function proofOf(resolution, number) {
  if (resolution === 'closed') return number ? { outcome: 'explored', plies: null } : null;
  if (resolution === 'exact') { // the smallest number stands for 0
    return number ? { outcome: `worth ${Math.abs(number) < 1e-300 ? 0 : number}`, plies: null } : null;
  }
  if (number === 0.5) return { outcome: 'draw', plies: null };
  if (Math.abs(number) < 1) return null;
  return { outcome: number > 0 ? 'win' : 'loss', plies: Math.abs(number) };
}

// What is proven of the root, for the side to move there.
function proofOfRoot(search, version) {
  const proof = proofOf(search.resolution, resolvedAt(search, version, 0));
  if (!proof || proof.plies === null) return proof;
  const won = (proof.outcome === 'win') === (search.mover[0] === search.player[0]);
  return { outcome: won ? 'win' : 'loss', plies: proof.plies - 1 };
}

// Note where the root or one of its moves became resolved in the last iteration.
function noteProofs(search, version, known, moved) {
  for (const node of moved > 0 ? [moved, 0] : [0]) {
    const proof = node ? proofOf(search.resolution, resolvedAt(search, version, node)) : proofOfRoot(search, version);
    const words = proof && proofInWords(proof);
    if (words && words !== known.get(node)) {
      search.proofs.push({ k: version.k, index: node ? search.index[node] : null, words, again: known.has(node) });
      known.set(node, words);
    }
  }
}

const provenInWords = (words) => (words.startsWith('worth') ? words : `a proven ${words}`);
const proofInWords = ({ outcome, plies }) => (plies === null ? outcome : `${outcome} in ${plies}`);
