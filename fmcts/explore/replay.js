// A search replayed from its log: the tree grows here as it grew in Python, bit for bit.
//
// The data of a search (fmcts/explore/_data.py) say of each node what it is like, and of each
// iteration what it was worth to X. Where a node is in the tree follows from the method, which is
// written from its traced formulas. Nodes are numbered as they are made, the root being 0.
'use strict';

// ln n for n up to the limit, by the operations that IEEE 754 fixes: fmcts/search/_arithmetic.py.
function logarithms(limit) {
  const table = [0, 0];
  for (let n = 2; n <= limit; n++) {
    if (n % 2 === 0) {
      table.push(table[n / 2] + 0.6931471805599453);
      continue;
    }
    const x = 1 / (2 * n - 1), y = x * x;
    let tail = 0;
    if (n < 64) for (let odd = 23; odd > 9; odd -= 2) tail = (tail + 1 / odd) * y;
    tail = ((((tail + 1 / 9) * y + 1 / 7) * y + 1 / 5) * y + 1 / 3) * y;
    table.push(table[n - 1] + 2 * x * (1 + tail));
  }
  return table;
}

// What was written in Python from formulas, as functions.
const fromSource = (source) => (source ? new Function(`return (${source});`)() : null);

// The rules of the segment to which an iteration belongs, counted from 1.
function rulesAt(search, iteration) {
  let found = search.segments[0];
  for (const segment of search.segments) if (segment.first < iteration) found = segment;
  return found;
}

// A version of the search: the number of its iterations and, by node, visits, rewards and columns.
function emptyVersion(search) {
  return {
    k: 0,
    visits: new Int32Array(search.size),
    rewards: new Float64Array(search.size),
    own: new Float64Array(search.size * search.columns),
  };
}

function copyOf(version) {
  const { k, visits, rewards, own } = version;
  return { k, visits: visits.slice(), rewards: rewards.slice(), own: own.slice() };
}

// What a score receives for each move of a node, those without a child included.
function edgesOf(search, version, node, method) {
  const edges = [];
  const rows = search.kinds[search.kind[node]][2];
  for (let index = 0; index < search.moves[node]; index++) {
    const child = search.childAt(node, index, version.k);
    const edge = { visits: 0, reward: 0, value: 0 };
    if (child >= 0) [edge.visits, edge.reward] = [version.visits[child], version.rewards[child]];
    if (edge.visits) edge.value = edge.reward / edge.visits;
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
  const visits = version.visits[node];
  const mine = search.mover[node] === search.player[node];
  const backedUp = visits - (version.losses?.[node] ?? 0);
  const reward = mine ? version.rewards[node] : backedUp - version.rewards[node];
  const parent = { visits, log_visits: search.logs[method.log_offset + visits], value: 0, total: 0 };
  parent.value = backedUp ? reward / backedUp : 0;
  if (method.summed) for (const edge of edges) parent.total += method.summed(edge)[0];
  return parent;
}

function scoresOf(search, version, node, method) {
  const edges = edgesOf(search, version, node, method);
  const parent = parentOf(search, version, node, method, edges);
  const scores = edges.map((edge) =>
    (edge.visits || method.scoresUnvisited ? method.score(edge, parent)[0] : Infinity));
  return { edges, parent, scores };
}

// For each move of a node whether selection may not take it: its child is resolved, or there is
// none where a descent goes past untried moves.
function leftOut(search, version, node, untried = true) {
  return Array.from({ length: search.moves[node] }, (_, index) => {
    const child = search.childAt(node, index, version.k);
    if (child < 0) return !untried;
    return Boolean(search.leavesOut) && search.leavesOut(resolvedAt(search, version, child))[0] !== 0;
  });
}

// The place of the highest number, of equals the first.
function highest(numbers, without = []) {
  let best = -Infinity, chosen = -1;
  numbers.forEach((number, index) => {
    if (without[index]) return;
    if (Number.isNaN(number)) throw new Error('a score is not a number');
    if (number > best) [best, chosen] = [number, index];
  });
  if (chosen < 0) throw new Error('all moves are excluded');
  return chosen;
}

// The index of the move that selection takes; an untried one only if `untried`. A score receives one move after the other in the
// same object, as this is where the time goes; `scoresOf` says the same more simply.
function choose(search, version, node, method, untried = true) {
  if (search.moves[node] === 1) return 0;
  if (method.summed || method.byVisits) {
    return highest(scoresOf(search, version, node, method).scores, leftOut(search, version, node, untried));
  }
  const { visits, rewards, own } = version;
  const { columns, rows, score, scoresUnvisited } = method, out = search.leavesOut;
  const stored = search.kinds[search.kind[node]][2];
  const parent = parentOf(search, version, node, method, []);
  const edge = { visits: 0, reward: 0, value: 0 };
  let best = -Infinity, chosen = -1;
  for (let index = 0, at = search.begin[node]; index < search.moves[node]; index++, at++) {
    const child = search.children[at];
    const seen = child >= 0 && search.born[child] <= version.k ? child : -1;
    if (seen < 0 ? !untried : out && out(own[(seen + 1) * search.columns - 1])[0]) continue;
    edge.visits = seen < 0 ? 0 : visits[seen];
    edge.reward = seen < 0 ? 0 : rewards[seen];
    edge.value = edge.visits ? edge.reward / edge.visits : 0;
    for (let place = 0; place < columns.length; place++) {
      edge[columns[place]] = seen < 0 ? 0 : own[seen * search.columns + place];
    }
    for (let place = 0; place < rows.length; place++) edge[rows[place]] = stored[place][index];
    const found = edge.visits || scoresUnvisited ? score(edge, parent)[0] : Infinity;
    if (Number.isNaN(found)) throw new Error('a score is not a number');
    if (found > best) [best, chosen] = [found, index];
  }
  if (chosen < 0) throw new Error('all moves are excluded');
  return chosen;
}

// The index of the move that would be played; null while there is none.
function finalChoice(search, version) {
  const { final, finalMethod } = rulesAt(search, version.k);
  const scores = finalMethod && scoresOf(search, version, 0, finalMethod).scores;
  const visited = [];
  for (let index = 0; index < search.moves[0]; index++) {
    const child = search.childAt(0, index, version.k);
    if (child >= 0 && version.visits[child]) visited.push(child);
  }
  if (final === 'robust-of-all' && visited.length < search.moves[0]) return null;
  let best = null, first = 0, second = 0;
  let among = visited;
  if (search.resolution) {
    const proofs = visited.map((child) => resolvedAt(search, version, child));
    among = preferredAmong(search.resolution, proofs).map((place) => visited[place]);
  }
  for (const child of among) {
    const index = search.index[child], visits = version.visits[child];
    const value = version.rewards[child] / visits;
    let one = visits, two = final === 'robust' ? value : 0;
    if (final === 'max') [one, two] = [value, visits];
    if (scores) [one, two] = [scores[index], 0];
    if (best === null || one > first || (one === first && two > second)) {
      [best, first, second] = [index, one, two];
    }
  }
  return best;
}

// What the schedule wants of an iteration: the indices of the first moves of its path.
function forcedAt(search, iteration) {
  let low = 0, high = search.forced.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (search.forced[middle][0] < iteration) low = middle + 1;
    else high = middle;
  }
  return low ? search.forced[low - 1][1] : [];
}

// The leaf of the iteration that follows a version; it is made where it is new.
function descend(search, version, rules) {
  const { method, expands } = rules;
  const forced = forcedAt(search, version.k + 1);
  const chance = expands === 'jump' ? search.chances[search.drawn++] : null;
  let here = 0;
  for (let depth = 0; search.moves[here]; depth++) {
    if (search.weights(here).length) {
      const rolled = search.rolls[search.rolled++];
      const outcome = search.children[search.begin[here] + rolled];
      if (outcome < 0) return search.add(here, rolled);
      here = outcome;
      continue;
    }
    const begin = search.begin[here];
    const untried = search.tried[here] < search.moves[here];
    const following = () => {
      let index = 0;
      while (search.children[begin + index] >= 0) index += 1;
      return index;
    };
    let index;
    if (depth < forced.length) index = forced[depth];
    else if (!untried || expands === 'selected') index = choose(search, version, here, method);
    else if (expands === 'in-order') index = following();
    else if (expands === 'jump') index = depth === chance ? following() : choose(search, version, here, method, false);
    else {
      index = search.chances[search.drawn++];
      if (expands === 'full') {
        for (let each = 0; each < search.moves[here]; each++) {
          if (search.children[begin + each] < 0) search.add(here, each);
        }
        return search.children[begin + index];
      }
    }
    const child = search.children[begin + index];
    if (child < 0) return search.add(here, index);
    here = child;
  }
  return here;
}

// How many iterations there were before the batch of an iteration. Without batches each is alone.
function batchOf(search, iteration) {
  let low = 0, high = search.batches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (search.batches[middle] < iteration) low = middle + 1;
    else high = middle;
  }
  return low ? search.batches[low - 1] : iteration - 1;
}

// A copy of the version before a batch, in which its descents leave losses.
const beforeBatch = (search, version) => ({ ...copyOf(version), losses: new Int32Array(search.size) });

// Write the loss that a descent leaves until its batch is backed up: a visit without a reward, which
// does not count in the mean of a parent.
function lose(search, version, leaf) {
  for (let node = leaf; node >= 0; node = search.parent[node]) {
    version.visits[node] += 1;
    version.losses[node] += 1;
  }
  version.k += 1;
}

// What the descent of an iteration met: the version before its batch, with the losses of the
// descents before it.
function metBy(search, iteration) {
  const before = batchOf(search, iteration);
  if (before === iteration - 1) return search.version(before);
  const version = beforeBatch(search, search.version(before));
  for (let at = before; at < iteration - 1; at++) lose(search, version, search.leaf[at]);
  return version;
}

const STORED = 32; // versions from which others are advanced
const POINTS = 240; // of a chart

// Grow the tree: what follows from the data of a search, with all that a page asks of it.
function grow(data) {
  const size = data.nodes.length, last = data.outcomes.length;
  const moves = Int32Array.from(data.nodes, (kind) => data.kinds[kind][1].length);
  const begin = new Int32Array(size + 1);
  moves.forEach((count, node) => { begin[node + 1] = begin[node] + count; });
  for (const kind of data.kinds) kind[2] = kind[2].map((row) => row.map((it) => it ?? NaN)); // JSON has no NaN
  const segments = data.segments.map((it) => ({
    ...it,
    method: fromSource(it.method),
    ofTerms: fromSource(it.of_terms),
    finalMethod: fromSource(it.final_score),
    derived: it.derived.map((text, place) => ({ ...fromSource(text), judged: data.judged[place] })),
  }));
  const search = {
    ...data, size, last, moves, begin, segments,
    kind: Int32Array.from(data.nodes),
    player: Uint8Array.from(data.nodes, (kind) => data.kinds[kind][0]),
    parent: new Int32Array(size).fill(-1),
    index: new Int32Array(size),
    mover: new Uint8Array(size).fill(data.mover),
    born: new Int32Array(size), // the iteration that made it
    tried: new Int32Array(size),
    children: new Int32Array(begin[size]).fill(-1),
    leaf: new Int32Array(last),
    columns: data.own.length,
    leavesOut: fromSource(data.leaves_out),
    logs: logarithms(last + 2),
    made: 1, // nodes so far
    drawn: 0, // numbers of chance so far
    rolled: 0, // and outcomes, where chance moves
    proofs: [], // where the root or one of its moves was resolved
    leads: [], // where the move that would be played changed
    points: [], // of the charts: visits and rewards of the root's moves
    kept: [],
    played: (data.playouts?.parts ?? []).map(([first, text]) => ({ first, words: text.split(' ') })),
    steps: data.playouts?.steps && new Map(data.playouts.steps.map(([label, player, count, changes]) => [`${label},${player},${count}`, changes])),
    add(parent, index) {
      const node = this.made;
      this.made += 1;
      this.parent[node] = parent;
      this.index[node] = index;
      this.mover[node] = this.player[parent];
      this.tried[parent] += 1;
      this.children[this.begin[parent] + index] = node;
      return node;
    },
    // The child in version k, -1 if there is none.
    childAt(node, index, k) {
      const child = this.children[this.begin[node] + index];
      return child >= 0 && this.born[child] <= k ? child : -1;
    },
    // How many nodes version k has.
    countAt(k) {
      let low = 1, high = this.size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.born[middle] <= k) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    weights(node) { return this.kinds[this.kind[node]][4]; }, // of the outcomes where chance moves
    label(node) { return node ? this.labelAt(this.parent[node], this.index[node]) : ''; },
    labelAt(node, index) { return this.labels[this.kinds[this.kind[node]][1][index]]; },
    line(node) { return node > 0 ? [...this.line(this.parent[node]), node] : []; },
    below(node, k) {
      const found = [];
      for (let index = 0; index < this.moves[node]; index++) {
        const child = this.childAt(node, index, k);
        if (child >= 0) found.push(child);
      }
      return found;
    },
  };
  const version = emptyVersion(search);
  const every = Math.max(64, Math.ceil(last / STORED));
  const step = Math.max(1, Math.ceil(last / POINTS));
  let leader = null;
  const known = new Map(), batched = search.batches.length > 0;
  let met = version;
  for (let at = 0; at < last; at++) {
    if (batched && batchOf(search, at + 1) === at) met = beforeBatch(search, version);
    if (at % every === 0) search.kept.push(copyOf(version));
    const before = search.made;
    search.leaf[at] = descend(search, met, rulesAt(search, at + 1));
    search.born.fill(at + 1, before, search.made);
    advance(search, version);
    if (batched) lose(search, met, search.leaf[at]);
    if (search.resolution) noteProofs(search, version, known);
    const now = finalChoice(search, version);
    if (now !== null && now !== leader) {
      search.leads.push({ k: at + 1, index: now, before: leader });
      leader = now;
    }
    if ((at + 1) % step === 0 || at + 1 === last || at === 0) search.points.push(atRoot(search, version));
  }
  search.version = cursor(search, every);
  return search;
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

// A function to any version; the next but one that it gives may overwrite it.
function cursor(search, every) {
  const recent = [];
  return (k) => {
    const found = recent.find((it) => it.k === k);
    if (found) return found;
    const kept = search.kept[Math.min(Math.floor(k / every), search.kept.length - 1)];
    let from = kept ?? emptyVersion(search);
    for (const it of recent) if (it.k <= k && it.k > from.k) from = it;
    const version = copyOf(from);
    while (version.k < k) advance(search, version);
    recent.unshift(version);
    recent.length = Math.min(recent.length, 4);
    return version;
  };
}

if (typeof module !== 'undefined') module.exports = { grow, logarithms, metBy, rulesAt };
