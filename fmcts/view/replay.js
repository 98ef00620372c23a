// A search replayed from its log: the tree grows here as it grew in Python, bit for bit.
//
// A log (see fmcts/view/replay.py) says of each iteration what the leaf is: how many moves it has,
// who is to move there (0 is X, 1 is O), what the outcome is worth to X, and the numbers of its
// moves. Where the leaf is follows from the method, which is written from its traced formulas.
'use strict';

// ln n for n up to the limit, by the operations that IEEE 754 fixes: fmcts/search/scoring.py.
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

function node(index, mover, [moves, player, , rows], method) {
  const own = method.columns.map(() => 0);
  return { index, mover, moves, player, rows, own, visits: 0, reward: 0, children: [] };
}

// What a score is told of each move of a node, those without a child included.
function edgesOf(parent, method) {
  const children = Array(parent.moves).fill(null);
  for (const child of parent.children) children[child.index] = child;
  return children.map((child, place) => {
    const edge = { visits: 0, reward: 0, value: 0 };
    if (child) [edge.visits, edge.reward] = [child.visits, child.reward];
    if (edge.visits) edge.value = edge.reward / edge.visits;
    method.columns.forEach((name, at) => { edge[name] = child ? child.own[at] : 0; });
    method.rows.forEach((name, at) => { edge[name] = parent.rows[at][place]; });
    if (method.byVisits) [edge.by_visits] = method.byVisits(edge.visits);
    return edge;
  });
}

// The index of the move with the highest score, of equals the first.
function choose(parent, method, logs) {
  if (parent.moves === 1) return 0;
  const edges = edgesOf(parent, method);
  const { visits } = parent;
  const reward = parent.mover === parent.player ? parent.reward : visits - parent.reward;
  const told = { visits, log_visits: logs[method.counted + visits], total: 0 };
  told.value = visits ? reward / visits : 0;
  if (method.summed) for (const edge of edges) told.total += method.summed(edge)[0];
  let best = -Infinity, chosen = -1;
  edges.forEach((edge, index) => {
    const [score] = edge.visits || method.scoresUnvisited ? method.score(edge, told) : [Infinity];
    if (Number.isNaN(score)) throw new Error('a score is not a number');
    if (score > best) [best, chosen] = [score, index];
  });
  if (chosen < 0) throw new Error('all moves are excluded');
  return chosen;
}

// Give a node of the path one visit more, and what the outcome is worth to who moved there.
function credit(it, forX, method) {
  const gained = it.mover === 0 ? forX : 1 - forX;
  if (method.columns.length) {
    const edge = { visits: it.visits, reward: it.reward, value: it.visits ? it.reward / it.visits : 0 };
    method.columns.forEach((name, at) => { edge[name] = it.own[at]; });
    it.own = method.update(edge, gained);
  }
  it.visits += 1;
  it.reward += gained;
}

// The tree after all iterations of a log; `each(path)` is called with the nodes of each iteration.
function replay(log, method, each = () => {}) {
  const logs = logarithms(log.leaves.length + 1);
  const root = node(0, log.mover, log.root, method);
  for (const leaf of log.leaves) {
    const path = [root];
    let here = root;
    while (here.moves) {
      const inOrder = !method.scoresUnvisited && here.children.length < here.moves;
      const index = inOrder ? here.children.length : choose(here, method, logs);
      let child = here.children.find((it) => it.index === index);
      const made = !child;
      if (made) {
        child = node(index, here.player, leaf, method);
        here.children.push(child);
        here.children.sort((one, two) => one.index - two.index);
      }
      path.push(child);
      here = child;
      if (made) break;
    }
    for (const it of path.reverse()) credit(it, leaf[2], method);
    each(path.reverse());
  }
  return root;
}

// The canonical serialisation, as fmcts/search/digest.py has it.
function serialise(root, method) {
  const names = [...method.columns, ...method.rows];
  const header = names.length
    ? [`fmcts-tree-columns-1 ${method.columns.length}`, ...names, ''].join('\n')
    : 'fmcts-tree-1';
  const parts = [new TextEncoder().encode(header)];
  const stack = [root];
  while (stack.length) {
    const it = stack.pop();
    const shape = [it.index, it.mover, it.moves, it.children.length, it.visits];
    const numbers = names.length ? [it.reward, ...it.own, ...it.rows.flat()] : [it.reward];
    const widths = names.length ? [8, 8, 8, 8, 8] : [4, 1, 4, 4, 8];
    const bytes = new Uint8Array(widths.reduce((a, b) => a + b) + 8 * numbers.length);
    const view = new DataView(bytes.buffer);
    let at = 0;
    shape.forEach((value, place) => {
      for (let byte = 0; byte < widths[place]; byte++, value = Math.floor(value / 256)) {
        view.setUint8(at++, value % 256);
      }
    });
    for (const number of numbers) {
      view.setFloat64(at, number, true);
      at += 8;
    }
    parts.push(bytes);
    stack.push(...[...it.children].reverse());
  }
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// BLAKE2b (RFC 7693) of 32 bytes without a key, in hexadecimal.
function blake2b(bytes) {
  const MASK = (1n << 64n) - 1n;
  const IV = [
    0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
    0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
  ];
  const ORDER = [
    '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8',
    '905724afe1bc683d', '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a',
    '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
  ].map((row) => [...row].map((digit) => parseInt(digit, 16)));
  const h = [...IV];
  h[0] ^= 0x01010000n ^ 32n;
  const blocks = Math.max(1, Math.ceil(bytes.length / 128));
  const padded = new Uint8Array(blocks * 128);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const turn = (value, by) => ((value >> by) | (value << (64n - by))) & MASK;
  for (let block = 0; block < blocks; block++) {
    const m = Array.from({ length: 16 }, (_, i) => view.getBigUint64(block * 128 + i * 8, true));
    const v = [...h, ...IV];
    const last = block === blocks - 1;
    v[12] ^= BigInt(last ? bytes.length : (block + 1) * 128);
    if (last) v[14] ^= MASK;
    const mix = (a, b, c, d, x, y) => {
      v[a] = (v[a] + v[b] + x) & MASK;
      v[d] = turn(v[d] ^ v[a], 32n);
      v[c] = (v[c] + v[d]) & MASK;
      v[b] = turn(v[b] ^ v[c], 24n);
      v[a] = (v[a] + v[b] + y) & MASK;
      v[d] = turn(v[d] ^ v[a], 16n);
      v[c] = (v[c] + v[d]) & MASK;
      v[b] = turn(v[b] ^ v[c], 63n);
    };
    for (let round = 0; round < 12; round++) {
      const s = ORDER[round % 10];
      for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
      for (let i = 0; i < 4; i++) {
        const [b, c, d] = [4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)];
        mix(i, b, c, d, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
      }
    }
    for (let i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
  }
  return h.slice(0, 4).flatMap((word) => Array.from({ length: 8 }, (_, i) =>
    Number((word >> BigInt(8 * i)) & 255n).toString(16).padStart(2, '0'))).join('');
}

if (typeof module !== 'undefined') module.exports = { blake2b, logarithms, replay, serialise };
