/* What is done with whole trees: copies, sums of several, and their serialisation.
 *
 * Only `walk` needs a game. The shape of a tree is given as numbers, so that one code serves every search of a game.
 */
#include "game.h"

typedef unsigned char byte;

double first_number(i32 row, const i64 *p, i64 move, i64 total); /* of a method's columns of moves */

INLINE i64 size_of(i64 total, i64 rows, i64 tail) { return 2 + (4 + 2 * rows) * total + tail; }

/* ---- copies ---- */

typedef struct {
  const i32 *words;
  i32 *out;                           /* begins with the block of the root */
  i64 block, rows, tail;              /* what is copied; the shape */
  i64 used, nodes, unvisited;         /* the result, as of an arena */
} Copy;

INLINE i64 append(const i32 *from, i32 *out, i64 end, i64 size) {
  for (i64 place = 0; place < size; place++) out[end + place] = from[place];
  return end + size;
}

/* Copy what links of copied blocks lead to, level by level: the blocks copied so far are the queue of those to scan
 * (Cheney, "A nonrecursive list compacting algorithm", CACM 13, 1970). The first is at `here`; return the end. */
INLINE i64 copy_below(const i32 *from, i32 *out, i64 here, i64 end, i64 rows, i64 tail, i64 *nodes, i64 *unvisited) {
  while (here < end) {
    i32 total = TOTAL(out, here);
    FOR(index, total) {
      i32 visits = VISITS(out, here)[index], *link = BELOW(out, here, total) + index;
      if (visits < 0) continue;
      ++*nodes;
      *unvisited |= visits == 0;
      if (*link > 0) {
        const i32 *block = from + *link;
        *link = (i32)end;
        end = append(block, out, end, size_of(*block, rows, tail));
      }
    }
    here += size_of(total, rows, tail);
  }
  return end;
}

/* Copy a block and all below it. */
void copy_subtree(Copy *s) {
  i64 here = size_of(1, s->rows, 0);
  i64 end = append(s->words + s->block, s->out, here, size_of(TOTAL(s->words, s->block), s->rows, s->tail));
  s->nodes = 1, s->unvisited = 0;
  s->used = copy_below(s->words, s->out, here, end, s->rows, s->tail, &s->nodes, &s->unvisited);
}

/* ---- sums of trees ---- */

typedef struct {
  i32 *into, *from;
  const i32 *base;       /* what both trees continued: its blocks have the same places in all three */
  i64 known, used, nodes; /* the words of the base; words and nodes of `into` */
} Sum;

/* Eight places of a row; what is stored may reach into the next row, or behind the tree, and leaves that as it was. */
INLINE v8i eight(const i32 *row) { return *(const v8i *)row; }
INLINE void store(i32 *row, v8i which, v8i words) { *(v8i *)row = (words & which) | (eight(row) & ~which); }

/* Add to one tree what another has more than their base; there are no doubles. Of the blocks that both have only those
 * that changed are visited. In `from`, which is of no use afterwards, such a block has the next one in place of `total`,
 * and the place of its sum in place of `tried`. */
void add_tree(Sum *s) {
  const v8i places = {0, 1, 2, 3, 4, 5, 6, 7};
  i32 *into = s->into, *from = s->from;
  i64 next = ROOT, end = s->used, unvisited = 0;
  TOTAL(from, ROOT) = TRIED(from, ROOT) = ROOT;
  do {
    i64 b = next, to = TRIED(from, b), total = TOTAL(into, to);
    next = TOTAL(from, b);
    for (i32 low = 0; low < total; low += 8) {
      i32 *visits = VISITS(into, to) + low, *below = visits + 2 * total, *found = VISITS(from, b) + low;
      v8i seen = eight(found), halves = eight(found + total), links = eight(found + 2 * total), known = (v8i){0} - 1;
      if (b < s->known) known = eight(VISITS(s->base, b) + low), halves -= eight(HALVES(s->base, b, total) + low);
      v8i changed = (seen != known) & (places < (i32)total - low), new = changed & (eight(visits) < 0);
      i32 count = -__builtin_reduce_add(new);
      TRIED(into, to) += count, s->nodes += count;
      store(visits, changed, eight(visits) - new + seen - known + (known < 0)); /* a move without a child has -1 */
      store(visits + total, changed, eight(visits + total) + halves);
      store(below, changed & (links < 0), links);
      store(visits + 3 * total, new, eight(found + 3 * total));
      for (i32 left = bits_of(__builtin_convertvector(changed & (links > 0), v8b)); left; left &= left - 1) {
        i32 index = __builtin_ctz(left), link = links[index];
        if (below[index] == 0) { /* nothing of it is there */
          below[index] = (i32)end;
          end = append(from + link, into, end, size_of(TOTAL(from, link), 0, 0));
          continue;
        }
        __builtin_prefetch(from + link + 16), __builtin_prefetch(into + below[index] + 16);
        if (link < s->known) __builtin_prefetch(s->base + link), __builtin_prefetch(s->base + link + 16);
        TOTAL(from, link) = (i32)next, TRIED(from, link) = below[index];
        next = link;
      }
    }
  } while (next != ROOT);
  s->used = copy_below(from, into, s->used, end, 0, 0, &s->nodes, &unvisited);
}

/* ---- serialisation ---- */

typedef struct {
  const i32 *words;
  byte *out;
  i64 *frames;                  /* of each node of the path: its block, the next index, its position */
  i64 room, levels, fields;     /* bytes; frames; numbers of a position */
  i64 own, moves, rows, reward; /* columns of children and of moves; rows of doubles; that of rewards, or -1 */
  i64 columns, keys, in_halves; /* of the tables, if keys are not 0 */
  i64 depth, written, status;
} Walk;

typedef i64 __attribute__((aligned(1), may_alias)) any_word;
typedef double __attribute__((aligned(1), may_alias)) any_real;

/* Write an integer; the next number overwrites what is behind its bytes. */
INLINE void write(byte **out, i64 value, i64 bytes) { *(any_word *)*out = value, *out += bytes; }
INLINE void write_real(byte **out, double value) { *(any_real *)*out = value, *out += 8; }

/* The columns of a node's moves: from its block, or their first numbers, which are 0 where chance moves. */
INLINE void write_moves(const Walk *s, byte **out, i64 b, i64 total, const i64 *p, const i64 *menu) {
  i32 dealt = s->moves && b <= 0 && total > 0 && rule_chances(p) != 0;
  FOR(row, s->moves) for (i64 index = 0; index < total; index++) {
    if (b > 0) write_real(out, REALS(s->words, b, total, s->own + row)[index]);
    else write_real(out, dealt ? 0.0 : first_number(row, p, rule_pick(menu, index), total));
  }
}

/* The entries of a node's table that are not all 0. */
INLINE void write_table(const Walk *s, byte **out, i64 b, i64 total) {
  byte *count = *out;
  i64 entries = 2 * s->keys, found = 0;
  const i32 *table = VISITS(s->words, b) + (4 + 2 * s->rows) * total;
  write(out, 0, 8);
  for (i64 entry = 0; entry < entries && b > 0; entry++) {
    byte *end = *out;
    i32 there = 0;
    write_real(&end, (double)(entry / s->keys)), write_real(&end, (double)(entry % s->keys));
    FOR(column, s->columns) {
      i64 at = column * entries + entry;
      double number = s->in_halves ? 0.5 * table[at] : ((const real *)table)[at];
      there |= number != 0.0;
      write_real(&end, number);
    }
    if (there) found++, *out = end;
  }
  write(&count, found, 8);
}

/* Write the next nodes below the root in preorder; the walk is over at depth 0. It stops where `out` may be too short
 * for another node, and where all frames are taken. */
void walk(Walk *s) {
  const i32 *w = s->words, faults = fault;
  byte *out = s->out;
  i64 wide = s->own + s->moves + s->keys > 0, size = wide ? 8 : 4;
  i64 of_table = s->keys ? 8 * (1 + (2 + s->columns) * 2 * s->keys) : 0;
  while (0 < s->depth && s->depth < s->levels && fault == faults) {
    i64 *frame = s->frames + (s->depth - 1) * (2 + s->fields), *here = frame + 2, *below = here + s->fields;
    i64 b = frame[0], index = frame[1], total = TOTAL(w, b), there[MOST_FIELDS], menu[MOST_FIELDS];
    while (index < total && VISITS(w, b)[index] < 0) index++;
    if (index == total) {
      s->depth--;
      continue;
    }
    rule_play(here, MOVE(w, b, total)[index], there);
    i64 block = BELOW(w, b, total)[index], moves = 0, children = 0;
    if (block > 0) moves = TOTAL(w, block), children = TRIED(w, block);
    if (block == 0) {
      rule_menu(there, menu);
      moves = rule_over(menu) ? 0 : rule_count(menu);
    }
    if (s->out + s->room - out < 48 + 8 * (s->own + s->moves * moves) + of_table) break;
    write(&out, index, size), write(&out, rule_side(here), wide ? 8 : 1), write(&out, moves, size);
    write(&out, children, size), write(&out, VISITS(w, b)[index], 8);
    write_real(&out, s->reward < 0 ? 0.5 * HALVES(w, b, total)[index] : REALS(w, b, total, s->reward)[index]);
    FOR(column, s->own) write_real(&out, REALS(w, b, total, column)[index]);
    write_moves(s, &out, block, moves, there, menu);
    if (s->keys) write_table(s, &out, block, moves);
    frame[1] = index + 1;
    if (block > 0) below[0] = block, below[1] = 0, copy_position(below + 2, there), s->depth++;
  }
  s->written = out - s->out;
  s->status = fault != faults ? FAULT : DONE;
}
