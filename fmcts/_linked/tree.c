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

/* Copy a block and all below it, level by level: the blocks copied so far are the queue of those to scan (Cheney, "A
 * nonrecursive list compacting algorithm", CACM 13, 1970). */
void copy_subtree(Copy *s) {
  const i32 *from = s->words;
  i32 *out = s->out;
  i64 here = size_of(1, s->rows, 0);
  i64 end = append(from + s->block, out, here, size_of(TOTAL(from, s->block), s->rows, s->tail));
  s->nodes = 1, s->unvisited = 0;
  while (here < end) {
    i32 total = TOTAL(out, here);
    FOR(index, total) {
      i32 visits = VISITS(out, here)[index], *link = BELOW(out, here, total) + index;
      if (visits < 0) continue;
      s->nodes++;
      s->unvisited |= visits == 0;
      if (*link > 0) {
        const i32 *block = from + *link;
        *link = (i32)end;
        end = append(block, out, end, size_of(*block, s->rows, s->tail));
      }
    }
    here += size_of(total, s->rows, s->tail);
  }
  s->used = end;
}

/* ---- sums of trees ----
 *
 * Several searches continued copies of one tree, the base: its blocks have the same places in each copy, a row. Only
 * blocks without doubles can be added up. First the blocks of the base are summed over all rows, ranges of them in
 * parallel if wanted, as they share no words. The new blocks of the first row are then copied to the base as they are,
 * and those of every other row added to them.
 */
typedef struct {
  i32 *base, **rows;
  i64 count, known;          /* of the rows; where their new blocks begin */
  i64 row, begin, end;       /* the row whose new blocks are added; the blocks to add */
  i64 used, nodes;           /* of the base; how many it gets, those aside that the first row has made */
} Sum;

/* Add to a child of block `to` what a row has more than the base had. In a new block of another row than the first,
 * `tried` becomes the place of the link that will lead to it. */
INLINE void add_child(Sum *s, i64 row, i64 b, i64 to, i64 total, i64 index, i32 had_visits, i32 had_halves) {
  i32 *base = s->base, *w = s->rows[row], *visits = VISITS(base, to) + index, *link = BELOW(base, to, total) + index;
  i32 grown = VISITS(w, b)[index], below = BELOW(w, b, total)[index];
  if (grown == had_visits) return;
  if (*visits < 0) {
    *visits = 0, TRIED(base, to)++, s->nodes += row > 0;
    MOVE(base, to, total)[index] = MOVE(w, b, total)[index];
  }
  *visits += grown - (had_visits < 0 ? 0 : had_visits);
  HALVES(base, to, total)[index] += HALVES(w, b, total)[index] - had_halves;
  if (row > 0 && below >= s->known) TRIED(w, below) = (i32)(link - base);
  else if (below) *link = below;
}

void add_known(Sum *s) {
  for (i64 b = s->begin, total; b < s->end; b += size_of(total, 0, 0)) {
    total = TOTAL(s->base, b);
    for (i64 low = 0; low < total; low += 8) {
      v8i had = *(v8i *)(VISITS(s->base, b) + low), changed = {0};
      for (i64 row = 0; row < s->count; row++) changed |= *(v8i *)(VISITS(s->rows[row], b) + low) ^ had;
      if (!__builtin_reduce_or(changed)) continue; /* as in most blocks */
      for (i64 index = low; index < total && index < low + 8; index++) {
        i32 halves = HALVES(s->base, b, total)[index];
        if (!changed[index - low]) continue;
        for (i64 row = 0; row < s->count; row++) add_child(s, row, b, b, total, index, had[index - low], halves);
      }
    }
  }
}

/* Add the new blocks of one row, in the order in which they were made: parents come first. */
void add_new(Sum *s) {
  i32 *base = s->base, *w = s->rows[s->row];
  for (i64 b = s->begin, total; b < s->end; b += size_of(total, 0, 0)) {
    total = TOTAL(w, b);
    i32 *link = base + TRIED(w, b);
    i64 to = *link;
    if (to == 0) { /* no earlier row has it */
      *link = (i32)(to = s->used);
      s->used += size_of(total, 0, 0);
      TOTAL(base, to) = (i32)total, TRIED(base, to) = 0;
      FOR(index, total) VISITS(base, to)[index] = -1, HALVES(base, to, total)[index] = BELOW(base, to, total)[index] = 0;
    }
    for (i64 index = 0; index < total; index++) add_child(s, s->row, b, to, total, index, -1, 0);
  }
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
typedef i32 __attribute__((aligned(1), may_alias)) any_half;

INLINE void write_word(byte **out, i64 value) { *(any_word *)*out = value, *out += 8; }
INLINE void write_half(byte **out, i64 value) { *(any_half *)*out = (i32)value, *out += 4; }
INLINE void write_byte(byte **out, i64 value) { *(*out)++ = (byte)value; }
INLINE void write_real(byte **out, double value) { *(any_real *)*out = value, *out += 8; }

typedef struct { i64 index, mover, moves, children, visits; double reward; } Row;

INLINE void write_row(byte **out, const Row *row, i32 wide) {
  if (wide) {
    write_word(out, row->index), write_word(out, row->mover), write_word(out, row->moves);
    write_word(out, row->children), write_word(out, row->visits);
  } else {
    write_half(out, row->index), write_byte(out, row->mover), write_half(out, row->moves);
    write_half(out, row->children), write_word(out, row->visits);
  }
  write_real(out, row->reward);
}

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
  write_word(out, 0);
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
  write_word(&count, found);
}

/* Write the next nodes below the root in preorder; the walk is over at depth 0. It stops where `out` may be too short
 * for another node, and where all frames are taken. */
void walk(Walk *s) {
  const i32 *w = s->words, faults = fault;
  byte *out = s->out;
  i32 wide = s->own + s->moves + s->keys > 0;
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
    i64 block = BELOW(w, b, total)[index];
    Row row = {.index = index, .mover = rule_side(here), .visits = VISITS(w, b)[index]};
    row.reward = s->reward < 0 ? 0.5 * HALVES(w, b, total)[index] : REALS(w, b, total, s->reward)[index];
    if (block > 0) row.moves = TOTAL(w, block), row.children = TRIED(w, block);
    if (block == 0) {
      rule_menu(there, menu);
      row.moves = rule_over(menu) ? 0 : rule_count(menu);
    }
    if (s->out + s->room - out < 48 + 8 * (s->own + s->moves * row.moves) + of_table) break;
    write_row(&out, &row, wide);
    if (wide) {
      FOR(column, s->own) write_real(&out, REALS(w, b, total, column)[index]);
      write_moves(s, &out, block, row.moves, there, menu);
      if (s->keys) write_table(s, &out, block, row.moves);
    }
    frame[1] = index + 1;
    if (block > 0) below[0] = block, below[1] = 0, copy_position(below + 2, there), s->depth++;
  }
  s->written = out - s->out;
  s->status = fault != faults ? FAULT : DONE;
}
