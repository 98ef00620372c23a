// The digest of a version: BLAKE2b over its canonical serialisation, as fmcts/search/_digest.py.
'use strict';

// The canonical serialisation of a version; of visits and rewards alone, where a page cannot compute
// all statistics.
function serialise(search, version) {
  if (search.graph) return new TextEncoder().encode(graphAsText(search, version));
  const rows = search.whole ? rulesAt(search, version.k).method.rows : [];
  const own = search.whole ? search.own : [];
  const names = [...own, ...rows];
  const players = search.seats ? `fmcts-players-1 ${search.seats}\n` : '';
  const header = new TextEncoder().encode(players + (names.length
    ? [`fmcts-tree-columns-1 ${own.length}`, ...names, ''].join('\n')
    : 'fmcts-tree-1'));
  const wide = names.length > 0, columns = own.length, chosen = search.log.root_moves;
  const width = (wide ? 40 : 21) + 8 * (1 + columns);
  let room = header.length + 4 * chosen.length;
  for (let node = 0; node < search.size; node++) {
    if (search.born[node] <= version.k) room += width + 8 * rows.length * search.moves[node];
  }
  const bytes = new Uint8Array(room), view = new DataView(bytes.buffer);
  bytes.set(header);
  let at = header.length;
  const whole = (value, size = wide ? 8 : 4) => { // no number here has more than 32 bits
    view.setUint32(at, value, true);
    at += size;
  };
  const real = (value) => {
    view.setFloat64(at, value, true);
    at += 8;
  };
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    const moves = search.moves[node], before = stack.length;
    for (let index = moves - 1; index >= 0; index--) {
      const child = search.childAt(node, index, version.k);
      if (child >= 0) stack.push(child);
    }
    whole(search.index[node]);
    if (wide) whole(search.mover[node]);
    else bytes[at++] = search.mover[node];
    whole(moves);
    whole(stack.length - before);
    whole(version.visits[node], 8);
    real(version.rewards[node]);
    for (let place = 0; place < columns; place++) real(version.own[node * columns + place]);
    if (rows.length) for (const row of search.kinds[search.kind[node]][2]) row.forEach(real);
  }
  for (const index of chosen) whole(index, 4);
  return bytes;
}

const BLAKE_IV = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);
const BLAKE_ORDER = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8',
  '905724afe1bc683d', '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a',
  '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
];

// The mixes of twelve rounds: the places of four words of the state, and of two of the block.
const BLAKE_MIXES = Uint8Array.from(Array.from({ length: 12 }, (_, round) => {
  const words = [...BLAKE_ORDER[round % 10]].map((digit) => parseInt(digit, 16));
  return Array.from({ length: 8 }, (__, i) => {
    const by = i < 4 ? 0 : 1, at = i % 4;
    const places = [0, 1, 2, 3].map((row) => 4 * row + ((at + by * row) % 4));
    return [...places, words[2 * i], words[2 * i + 1]].map((it) => 2 * it);
  });
}).flat(2));

// Twelve rounds on the state v with the block m. A word of 64 bits is two of 32, the lower first; a
// sum of lower halves is exact as a double, and what it has above 32 bits is carried.
function blakeRounds(v, m) {
  const CARRY = 1 / 2 ** 32;
  for (let at = 0; at < BLAKE_MIXES.length; at += 6) {
    const a = BLAKE_MIXES[at], b = BLAKE_MIXES[at + 1], c = BLAKE_MIXES[at + 2];
    const d = BLAKE_MIXES[at + 3], x = BLAKE_MIXES[at + 4], y = BLAKE_MIXES[at + 5];
    let bl = v[b], bh = v[b + 1];
    let sum = v[a] + bl + m[x];
    let ah = (v[a + 1] + bh + m[x + 1] + Math.floor(sum * CARRY)) >>> 0, al = sum >>> 0;
    let low = v[d] ^ al, high = v[d + 1] ^ ah;
    let dl = high >>> 0, dh = low >>> 0; // by 32 bits
    sum = v[c] + dl;
    let ch = (v[c + 1] + dh + Math.floor(sum * CARRY)) >>> 0, cl = sum >>> 0;
    low = bl ^ cl;
    high = bh ^ ch;
    bl = ((low >>> 24) | (high << 8)) >>> 0;
    bh = ((high >>> 24) | (low << 8)) >>> 0;
    sum = al + bl + m[y];
    ah = (ah + bh + m[y + 1] + Math.floor(sum * CARRY)) >>> 0;
    al = sum >>> 0;
    low = dl ^ al;
    high = dh ^ ah;
    dl = ((low >>> 16) | (high << 16)) >>> 0;
    dh = ((high >>> 16) | (low << 16)) >>> 0;
    sum = cl + dl;
    ch = (ch + dh + Math.floor(sum * CARRY)) >>> 0;
    cl = sum >>> 0;
    low = bl ^ cl;
    high = bh ^ ch;
    [v[a], v[a + 1], v[c], v[c + 1], v[d], v[d + 1]] = [al, ah, cl, ch, dl, dh];
    v[b] = (low << 1) | (high >>> 31); // by 63 bits
    v[b + 1] = (high << 1) | (low >>> 31);
  }
}

// BLAKE2b (RFC 7693) of 32 bytes without a key, in hexadecimal; between its blocks, how many there were.
function* hashing(bytes) {
  const h = BLAKE_IV.slice(), v = new Uint32Array(32), m = new Uint32Array(32);
  h[0] ^= 0x01010000 ^ 32;
  const blocks = Math.max(1, Math.ceil(bytes.length / 128));
  const padded = new Uint8Array(blocks * 128);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 32; word++) m[word] = view.getUint32(block * 128 + word * 4, true);
    v.set(h);
    v.set(BLAKE_IV, 16);
    const last = block === blocks - 1;
    const count = last ? bytes.length : (block + 1) * 128;
    v[24] ^= count % 2 ** 32;
    v[25] ^= Math.floor(count / 2 ** 32);
    if (last) [v[28], v[29]] = [~v[28], ~v[29]];
    blakeRounds(v, m);
    if (block % 4096 === 4095) yield block / blocks;
    for (let word = 0; word < 16; word++) h[word] ^= v[word] ^ v[word + 16];
  }
  return [...new Uint8Array(h.buffer, 0, 32)].map((it) => it.toString(16).padStart(2, '0')).join('');
}

const digesting = (search, version) => hashing(serialise(search, version));
const digestOf = (search, version) => finished(digesting(search, version));
const blake2b = (bytes) => finished(hashing(bytes));
