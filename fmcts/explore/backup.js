// What an iteration leaves at the nodes of its path: visits, rewards, columns, and what is proven.
'use strict';

// Give each node of the path of the iteration that follows a version what it gains.
function advance(search, version) {
  const { method, derived } = rulesAt(search, version.k + 1);
  const leaf = search.leaf[version.k], forX = search.outcomes[version.k];
  let below = -1;
  for (let node = leaf; node >= 0; node = search.parent[node]) {
    const seat = search.mover[node];
    const gained = Array.isArray(forX) ? forX[seat] : seat === 0 ? forX : 1 - forX;
    if (method.kept) credit(search, version, node, below, forX, method);
    for (const each of derived) derive(search, version, node, below, gained, each);
    version.visits[node] += 1;
    version.rewards[node] += gained;
    below = node;
  }
  version.k += 1;
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
    keep(method.aboveEnd(now(), search.player[0] === 0 ? forX : 1 - forX));
  }
  keep(method.update(now(), search.mover[node] === 0 ? forX : 1 - forX));
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
    numbers = fromChildren(search, version, node, derived, known);
  } else if (!search.moves[node]) {
    numbers = derived.end(gained);
  } else {
    if (!knowsLeaves) return;
    const judged = derived.judged?.[node];
    const worth = judged === undefined ? gained : search.mover[node] === 0 ? judged : 1 - judged;
    numbers = derived.leaf(worth);
  }
  for (let place = 0; place < count; place++) own[node * columns + at + place] = numbers[place];
}

function fromChildren(search, version, node, derived, known) {
  const { names, places, first, fold } = derived;
  let seen = first, folded = 0;
  for (let index = 0; index < search.moves[node]; index++) {
    const child = search.children[search.begin[node] + index];
    if (child < 0 || !known(child)) continue;
    const [visits, reward] = [version.visits[child], version.rewards[child]];
    const edge = { visits, reward, value: visits ? reward / visits : 0 };
    for (let place = 0; place < names.length; place++) {
      edge[names[place]] = version.own[child * search.columns + places[place]];
    }
    seen = fold(seen, edge);
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

// The indices of the numbers, those of the visited moves, among which the last choice is made.
function preferredAmong(resolution, numbers) {
  const all = [...numbers.keys()];
  if (!resolution || resolution === 'closed') return all;
  const proofs = numbers.map((it) => (it === 0.5 || Math.abs(it) >= 1 ? it : 0));
  const wins = proofs.filter((it) => it >= 1);
  if (wins.length) return [proofs.indexOf(Math.min(...wins))];
  let left = all.filter((index) => proofs[index] >= 0);
  if (!left.length) left = [proofs.indexOf(Math.min(...proofs))];
  if (resolution === 'bounds' && left.some((index) => numbers[index] === 0.5 || numbers[index] === 0.75)) {
    left = left.filter((index) => numbers[index] !== 0.25);
  }
  return left;
}

// Note where the root or one of its moves became resolved in the last iteration.
function noteProofs(search, version, known) {
  let first = search.leaf[version.k - 1];
  while (first > 0 && search.parent[first] > 0) first = search.parent[first];
  for (const node of first > 0 ? [first, 0] : [0]) {
    const proof = node ? proofOf(search.resolution, resolvedAt(search, version, node)) : proofOfRoot(search, version);
    const words = proof && proofInWords(proof);
    if (words && words !== known.get(node)) {
      search.proofs.push({ k: version.k, index: node ? search.index[node] : null, words, again: known.has(node) });
      known.set(node, words);
    }
  }
}

const proofInWords = ({ outcome, plies }) => (plies === null ? outcome : `${outcome} in ${plies}`);

if (typeof module !== 'undefined') module.exports = { advance, preferredAmong };
