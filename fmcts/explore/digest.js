// The digest of a version: BLAKE2b over its canonical serialisation, as fmcts/search/_digest.py.
'use strict';

// The canonical serialisation of a version.
function serialise(search, version) {
  const rows = rulesAt(search, version.k).method.rows;
  const names = [...search.own, ...rows];
  const players = search.seats ? `fmcts-players-1 ${search.seats}\n` : '';
  const header = new TextEncoder().encode(players + (names.length
    ? [`fmcts-tree-columns-1 ${search.columns}`, ...names, ''].join('\n')
    : 'fmcts-tree-1'));
  const widths = names.length ? [8, 8, 8, 8, 8] : [4, 1, 4, 4, 8];
  let room = header.length;
  for (let node = 0; node < search.size; node++) {
    const numbers = 1 + search.columns + rows.length * search.moves[node];
    if (search.born[node] <= version.k) room += widths.reduce((a, b) => a + b) + 8 * numbers;
  }
  const bytes = new Uint8Array(room), view = new DataView(bytes.buffer);
  bytes.set(header);
  let at = header.length;
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    const children = search.below(node, version.k);
    const shape = [search.index[node], search.mover[node], search.moves[node], children.length,
      version.visits[node]];
    shape.forEach((value, place) => {
      if (widths[place] === 1) view.setUint8(at, value);
      else view.setUint32(at, value, true); // no number here is greater
      at += widths[place];
    });
    const own = version.own.subarray(node * search.columns, (node + 1) * search.columns);
    const numbers = [version.rewards[node], ...own];
    for (const row of search.kinds[search.kind[node]][2]) numbers.push(...row);
    for (const number of numbers) {
      view.setFloat64(at, number, true);
      at += 8;
    }
    for (let place = children.length - 1; place >= 0; place--) stack.push(children[place]);
  }
  return bytes;
}

// BLAKE2b (RFC 7693) of 32 bytes without a key, in hexadecimal; words of 64 bits are two of 32.
function blake2b(bytes) {
  const IV = new Uint32Array([
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
    0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
  ]);
  const ORDER = [
    '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8',
    '905724afe1bc683d', '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a',
    '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
  ].map((row) => [...row].map((digit) => 2 * parseInt(digit, 16)));
  const h = IV.slice(), v = new Uint32Array(32), m = new Uint32Array(32);
  h[0] ^= 0x01010000 ^ 32;
  const add = (a, low, high) => {
    const sum = v[a] + low;
    v[a] = sum;
    v[a + 1] = v[a + 1] + high + (sum > 0xffffffff ? 1 : 0);
  };
  // The word at d, mixed with that at a, and turned right by 32, 24, 16 or 63 bits.
  const turn = (d, a, by) => {
    const low = v[d] ^ v[a], high = v[d + 1] ^ v[a + 1];
    if (by === 32) {
      v[d] = high;
      v[d + 1] = low;
    } else if (by === 63) {
      v[d] = (low << 1) | (high >>> 31);
      v[d + 1] = (high << 1) | (low >>> 31);
    } else {
      v[d] = (low >>> by) | (high << (32 - by));
      v[d + 1] = (high >>> by) | (low << (32 - by));
    }
  };
  const mix = (a, b, c, d, x, y) => {
    add(a, v[b], v[b + 1]);
    add(a, m[x], m[x + 1]);
    turn(d, a, 32);
    add(c, v[d], v[d + 1]);
    turn(b, c, 24);
    add(a, v[b], v[b + 1]);
    add(a, m[y], m[y + 1]);
    turn(d, a, 16);
    add(c, v[d], v[d + 1]);
    turn(b, c, 63);
  };
  const blocks = Math.max(1, Math.ceil(bytes.length / 128));
  const padded = new Uint8Array(blocks * 128);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 32; word++) m[word] = view.getUint32(block * 128 + word * 4, true);
    v.set(h);
    v.set(IV, 16);
    const last = block === blocks - 1;
    const count = last ? bytes.length : (block + 1) * 128;
    v[24] ^= count % 2 ** 32;
    v[25] ^= Math.floor(count / 2 ** 32);
    if (last) [v[28], v[29]] = [~v[28], ~v[29]];
    for (let round = 0; round < 12; round++) {
      const s = ORDER[round % 10];
      for (let i = 0; i < 4; i++) mix(2 * i, 8 + 2 * i, 16 + 2 * i, 24 + 2 * i, s[2 * i], s[2 * i + 1]);
      for (let i = 0; i < 4; i++) {
        const [b, c, d] = [(i + 1) % 4, (i + 2) % 4, (i + 3) % 4].map((it) => 2 * it);
        mix(2 * i, 8 + b, 16 + c, 24 + d, s[8 + 2 * i], s[9 + 2 * i]);
      }
    }
    for (let word = 0; word < 16; word++) h[word] ^= v[word] ^ v[word + 16];
  }
  return [...new Uint8Array(h.buffer, 0, 32)].map((it) => it.toString(16).padStart(2, '0')).join('');
}

const digestOf = (search, version) => blake2b(serialise(search, version));

if (typeof module !== 'undefined') module.exports = { blake2b, digestOf, serialise };
