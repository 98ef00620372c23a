/* The loop of the search, once for every game and every search: select, expand, simulate, backup.
 *
 * Rules, formulas and constants are declared here and linked in when a search begins; what a search does not
 * use is a constant that is false then, and the optimiser removes it. Freestanding C11: no library, no global that
 * changes, nothing but what the arguments point to is written.
 */
#include "search.h"

/* ---- select ---- */

/* The scores of eight moves from `low` on, or those `given`: minus infinity for a move that is left out or not there. */
INLINE v8d eight_scores(const Search *s, i64 b, i64 total, i64 low, const double *parent, const double *given) {
  v8d scores = (v8d){0} - INFINITY;
  if (LANES) {
    v8d row[MOST_ROWS];
    lanes_of(s, b, total, low, row);
    score_lanes(row, parent, (double)(total - low), s->numbers, &scores);
    return scores;
  }
  ROLLED for (i64 index = low; index < low + 8 && index < total; index++) {
    double edge[MOST_ROWS], *lane = (double *)&scores + index - low;
    if (RESOLVES && leaves_out(REALS(s->words, b, total, NUMBERS)[index], 0) != 0.0) continue;
    if (EXPANSION == JUMP && VISITS(s->words, b)[index] < 0) continue;
    edge_of(s, b, total, index, edge);
    if (given) *lane = given[index];
    else *lane = FIRST_PLAY && !(edge[0] > 0.0) ? INFINITY : score(edge, parent, s->numbers);
  }
  return scores;
}

/* The move with the highest score, of equals the first. */
INLINE i64 best_of(const Search *s, i64 b, i64 total, const double *parent, const double *given) {
  double highest = -INFINITY, top;
  i64 chosen = -ALL_EXCLUDED;
  for (i64 low = 0; low < total; low += 8) {
    v8d scores = eight_scores(s, b, total, low, parent, given);
    if (!POSITIVE && __builtin_reduce_or(scores != scores)) return -NOT_A_NUMBER;
    i32 place = greatest(scores, &top);
    if (top > highest) highest = top, chosen = low + place;
  }
  return chosen;
}

#include "gumbel.h"

INLINE i64 best_together(const Search *s, i64 b, i64 total, const double *parent, const Level *at, i32 same) {
  double edges[MOST_TOGETHER * 8], scores[MOST_TOGETHER], own[MOST_ROWS];
  i32 width = 3 + NUMBERS + MOVES + BY_VISITS;
  if (total > MOST_TOGETHER || width > 8) return -TOO_MANY;
  ROLLED for (i64 index = 0; index < total; index++) edge_of(s, b, total, index, edges + index * width);
  statistics_of(s->words, at->block, at->total, at->index, 0, COLUMNS, own);
  if (score_together(edges, total, parent, own, same, s->numbers, scores)) return -BAD_SCORES;
  return best_of(s, b, total, parent, scores);
}

/* Copy the numbers of the reference's table, the nearest node with enough visits, to the rows of the moves. */
INLINE void refer(Search *s, i64 b, i64 total, i32 side, double visits, i64 *reference) {
  i32 *w = s->words;
  if (refers(visits, s->table_numbers) != 0.0) *reference = b;
  for (i64 index = 0; index < total; index++) {
    i64 key = (i64)REALS(w, b, total, KEY_ROW)[index];
    FOR(column, TABLE_COLUMNS) {
      double number = 0.0;
      if (*reference > 0) {
        i64 at = (2 * column + side) * KEYS + key;
        const i32 *table = TABLE(w, *reference, TOTAL(w, *reference));
        number = IN_HALVES ? 0.5 * table[at] : ((const real *)table)[at];
      }
      REALS(w, b, total, TABLE_ROW + column)[index] = number;
    }
  }
}

/* Write what the moves of a graph's node were worth to its side, by the values that their positions have by now. */
INLINE void look_below(Search *s, i64 b, i64 total, i32 side) {
  i32 *w = s->words;
  ROLLED for (i64 index = 0; index < total; index++) {
    i32 chosen = VISITS(w, b)[index];
    double reward = 0.0, value = 0.0;
    if (chosen > 0) {
      const Node *there = node(w, BELOW(w, b, total)[index]);
      value = there->mean[side];
      reward = chosen != there->visits ? chosen * value : side ? chosen - there->total : there->total;
    }
    REALS(w, b, total, REWARD_ROW)[index] = reward, REALS(w, b, total, REWARD_ROW + 1)[index] = value;
  }
}

/* Choose among the moves of the node that `at` leads to; below 0 is a status. */
INLINE i64 choose(Search *s, const Level *at, i64 b, i64 total, i32 chooser, i64 *reference, i64 forced) {
  const i32 *w = s->words;
  i32 visits = GRAPH ? node(s->words, b)->visits : VISITS(w, at->block)[at->index];
  if (REFERS) refer(s, b, total, chooser, visits, reference);
  if (SCHEDULED && forced >= 0) return forced;
  if (total == 1 && !POSITIVE) return 0;
  i32 backed_up = visits - waiting_at(w, at->block, at->total, at->index);
  double reward = reward_at(w, at->block, at->total, at->index);
  reward = at->mover == chooser ? reward : backed_up - reward;
  if (GRAPH) {
    look_below(s, b, total, chooser);
    reward = chooser ? visits - node(s->words, b)->total : node(s->words, b)->total;
  }
  if (SEATS) { /* what one player gets says nothing of another's */
    reward = 0.0, backed_up = 0;
    ROLLED for (i64 index = 0; index < total; index++) {
      if (VISITS(w, b)[index] <= 0) continue;
      reward += reward_at(w, b, total, index), backed_up += VISITS(w, b)[index];
    }
  }
  double mean = backed_up > 0 ? reward / backed_up : 0.0;
  double parent[6] = {visits, s->logs[visits + LOG_OFFSET], mean, 0.0, 0.0, 0.0}; /* all said, or it is a loop to link */
  if (RANGE_ROW >= 0) FOR(row, 2) parent[4 + row] = REALS(w, ROOT, 1, RANGE_ROW + row)[0];
  if (SUMS) {
    ROLLED for (i64 index = 0; index < total; index++) { /* in this order, as floating-point sums depend on it */
      double edge[MOST_ROWS];
      edge_of(s, b, total, index, edge);
      parent[3] += summed(edge, s->numbers);
    }
  }
  i64 chosen;
  if (GUMBEL) chosen = best_of_gumbel(s, b, total, visits, at, at->mover == chooser);
  else if (TOGETHER) chosen = best_together(s, b, total, parent, at, at->mover == chooser);
  else chosen = best_of(s, b, total, parent, 0);
  if (GUESSES) { /* the processor goes on with the last choice while the score is computed */
    i32 *guess = s->guesses + ((b >> 4) & (GUESSES - 1));
    *guess = (i32)(chosen = guessed(chosen, *guess));
  }
  return chosen;
}

INLINE i32 jumps(Search *s, i64 b, i64 total, i32 tried, i32 visits) {
  const i32 *w = s->words;
  i32 left = visits > 0 ? tried : 0;
  if (RESOLVES && left > 0)
    ROLLED for (i64 index = 0; index < total; index++)
      left -= VISITS(w, b)[index] >= 0 && leaves_out(REALS(w, b, total, NUMBERS)[index], 0) != 0.0;
  return left && draw(s, total + 1) >= tried;
}

/* Open a block for the moves of a position behind `*end` words, which need not be clear. All is 0 but the visits, and the
 * moves themselves of the root and of a node that waits for the network. */
INLINE i32 open_block(Search *s, i64 *end, const i64 *p, const i64 *menu) {
  i64 b = *end, over = GRAPH && rule_over(menu), total = over ? 0 : rule_count(menu), after = b + size_of(total);
  i32 *w = s->words, given = MOVES - TABLE_COLUMNS; /* rows with first numbers of the method's, but where chance moves */
  if ((total < 1 && !over) || total > MOST_MOVES) return BAD_MENU;
  if (after > s->room) return TREE_IS_FULL;
  TOTAL(w, b) = (i32)total, TRIED(w, b) = 0;
  __builtin_memset(VISITS(w, b), -1, 4 * (u64)total);
  __builtin_memset(HALVES(w, b, total), 0, 4 * (u64)(size_of(total) - 2 - total));
  if (HAS_CHANCE && given > 0 && rule_chances(p) != 0) given = 0;
  FOR(row, given) ROLLED for (i64 index = 0; index < total; index++)
    REALS(w, b, total, OWN + row)[index] = first_number(row, p, rule_pick(menu, index), total);
  if (TRACES) ROLLED for (i64 index = 0; index < total; index++)
    REALS(w, b, total, KEY_ROW)[index] = (double)rule_key(p, rule_pick(menu, index));
  if (BATCHED || b == first_block()) ROLLED for (i64 index = 0; index < total; index++) {
    i64 move = rule_pick(menu, index);
    if (move != (i32)move) return WIDE_MOVE;
    MOVE(w, b, total)[index] = (i32)move;
  }
  *end = after;
  return DONE;
}

/* Where a descent ends: a node that gets a child, or, if `block` is below 0, the end of a game. */
typedef struct {
  i64 p[MOST_FIELDS], menu[MOST_FIELDS];
  i64 block, total, index, weights;
  i64 moves;          /* of a new child */
  i32 depth, stopped; /* at a node that gets no child: at the horizon, or without visits (see `Chain`) */
} End;

/* Which moves an iteration played: a bit for each side and key. */
INLINE i64 mark_words(void) { return (KEYS + 63) / 64; }
INLINE u64 *marks_of(const Search *s, i64 side) { return s->marks + side * mark_words(); }
INLINE void mark(const Search *s, i64 side, i64 key) { marks_of(s, side)[key / 64] |= 1ULL << key % 64; }
INLINE void unmark_all(const Search *s) { if (TRACES) __builtin_memset(s->marks, 0, 16 * (u64)mark_words()); }

/* Note a move of the iteration for the tables of the playouts and, if it is a playout's, mark it. */
INLINE i32 remember(Search *s, const i64 *p, i64 move, i32 marks) {
  i64 key = rule_key(p, move), side = rule_side(p) & 1;
  if (key < 0 || key >= KEYS) return BAD_KEY;
  if (TRACES && marks) mark(s, side, key);
  if (!REMEMBERS) return DONE;
  if (s->line[0] + 1 >= s->line_room) return LINE_IS_FULL;
  return s->line[++s->line[0]] = (i32)(side * KEYS + key), DONE;
}

/* A child's first visit: give it a block, or mark the end of its game. */
INLINE i32 open_child(Search *s, i32 *link, End *end, double *worth) {
  rule_menu(end->p, end->menu);
  if (UNVISITED && rule_over(end->menu)) {
    TRY(ended(end->p, worth));
    return end->block = *link = end_mark(worth), DONE;
  }
  i64 b = s->used;
  TRY(open_block(s, &s->used, end->p, end->menu));
  return end->total = rule_count(end->menu), end->block = *link = (i32)b, DONE;
}

INLINE void begin_at_root(Search *s, End *end) {
  copy_position(end->p, s->root);
  end->block = root_block(s), end->depth = 0, end->moves = 0, end->stopped = 0, s->moved = 0;
  if (REMEMBERS) s->line[0] = 0;
}

INLINE i32 descend(Search *s, End *end, double *worth) {
  i32 *w = s->words;
  Level here = {ROOT, 1, 0, (i32)s->root_mover};
  i64 next[MOST_FIELDS], reference = 0;
  if (!GRAPH) begin_at_root(s, end);
  for (;;) {
    if (end->depth + 2 > s->levels) return PATH_IS_FULL; /* for this node, and a new child */
    i64 b = end->block, total = end->total = TOTAL(w, b);
    i32 tried = TRIED(w, b);
    if (GRAPH && !total) return DONE;
    end->weights = HAS_CHANCE ? rule_chances(end->p) : 0;
    if (RETURNS && !end->weights && s->moved >= s->horizon) return end->stopped = 1, DONE;
    if (tried < total && EXPANSION != SELECTED && !end->weights) {
      i32 visits = GRAPH ? node(w, b)->visits : VISITS(w, here.block)[here.index];
      if (!(EXPANSION == JUMP && jumps(s, b, total, tried, visits))) {
        rule_menu(end->p, end->menu);
        return DONE;
      }
    }
    i32 chooser = seat(rule_side(end->p));
    if (HAS_CHANCE && end->weights) {
      rule_menu(end->p, end->menu);
      TRY(draw_outcome(s, end->p, end->menu, end->weights, &end->index));
    } else {
      end->index = choose(s, &here, b, total, chooser, &reference, end->depth ? -1 : s->forced);
      if (!POSITIVE && end->index < 0) return (i32)-end->index;
    }
    if ((EXPANSION == SELECTED || end->weights) && VISITS(w, b)[end->index] < 0) {
      rule_menu(end->p, end->menu);
      return DONE;
    }
    here = s->path[end->depth++] = (Level){(i32)b, (i32)total, (i32)end->index, chooser};
    i32 *link = BELOW(w, b, total) + end->index;
    i64 move = MOVE(w, b, total)[end->index];
    end->block = *link;
    FOR(line, TRACES || REAL ? 4 : 2) __builtin_prefetch(w + end->block + 16 + 16 * line);
    if (REMEMBERS) TRY(remember(s, end->p, move, 0));
    rule_play(end->p, move, next);
    copy_position(end->p, next);
    if (RETURNS) {
      s->moved += !end->weights;
      i32 over = end->block < 0;
      if (UNVISITED && end->block == 0) rule_menu(next, end->menu), over = (i32)rule_over(end->menu);
      TRY(gained_at(s, next, over, gained_on(s, end->depth - 1)));
    }
    if (BATCHED && end->block == WAITS) return WAITING;
    if (end->block == 0) {
      TRY(open_child(s, link, end, worth));
      if (EXPANSION != SELECTED && !HAS_CHANCE && !RETURNS && !JOINS) return DONE;
    }
    if (end->block < 0) return DONE;
    if (JOINS && VISITS(w, b)[end->index] == 0) return end->stopped = 1, DONE;
  }
}

INLINE void make_child(Search *s, i64 b, i64 total, i64 index, i64 move) {
  VISITS(s->words, b)[index] = 0;
  MOVE(s->words, b, total)[index] = (i32)move;
  TRIED(s->words, b)++;
}

#include "playouts.h"

/* ---- expand ---- */

/* The move number `index` of a node; a search may choose among some of the root's moves only. */
INLINE i64 offered(const Search *s, i64 b, i64 total, const i64 *menu, i64 index) {
  return b == first_block() ? MOVE(s->words, b, total)[index] : rule_pick(menu, index);
}

/* The first move without a child, of which there is one. Eight are looked at without a branch, as the processor would
 * guess wrong; the words after the visits are not negative. It is no count of children, as another expansion may have
 * left gaps. */
INLINE i64 first_gap(const i32 *visits) {
  for (i64 low = 0;; low += 8) {
    i32 gaps = bits_of(__builtin_convertvector(*(const v8i *)(visits + low) < 0, v8b));
    if (gaps) return low + __builtin_ctz(gaps);
  }
}

INLINE i64 untried(Search *s, i64 b, i64 total, i32 tried, i64 chosen) {
  const i32 *visits = VISITS(s->words, b);
  if (EXPANSION == SELECTED) return chosen;
  if (EXPANSION == IN_ORDER || EXPANSION == JUMP) return first_gap(visits);
  i64 nth = draw(s, total - tried), index = 0;
  while (visits[index] >= 0 || nth > 0) nth -= visits[index++] < 0;
  return index;
}

/* ---- backup ---- */

INLINE void update_own(Search *s, const Level *at, double reward, i32 above_end) {
  if (!COLUMNS) return;
  double edge[MOST_ROWS], out[MOST_NUMBERS];
  statistics_of(s->words, at->block, at->total, at->index, 0, COLUMNS, edge);
  if (above_end) update_above_end(edge, reward, s->numbers, out);
  else update_columns(edge, reward, s->numbers, out);
  FOR(row, COLUMNS) REALS(s->words, at->block, at->total, row)[at->index] = out[row];
}

/* Add one visit and its reward to a child. */
INLINE void credit(Search *s, const Level *at, const double *worth) {
  i32 *w = s->words;
  update_own(s, at, worth[at->mover], 0);
  VISITS(w, at->block)[at->index]++;
  if (REAL) REALS(w, at->block, at->total, REWARD_ROW)[at->index] += worth[at->mover];
  else HALVES(w, at->block, at->total)[at->index] += twice(worth[at->mover]);
}

/* The same in halves, visits and rewards of one side, for eight moves at once; what lies behind the rows gets 0 more. */
INLINE void add_halves(i32 *row, u64 marks, i32 gained) {
  v8i played = -(((v8i){0} + (i32)(marks & 255)) >> (v8i){0, 1, 2, 3, 4, 5, 6, 7} & 1);
  *(v8i *)row += played & 2, *(v8i *)(row + 2 * KEYS) += played & gained;
}

/* Update the numbers of those of eight moves that were played. The first of `left` moves are there; columns are `width`
 * apart, and what is not played, and what lies behind a row, is written back as it was. */
INLINE void update_played(Search *s, real *place, i64 width, i64 left, v8l played, double reward) {
  v8d row[MOST_NUMBERS], out[MOST_NUMBERS];
  played &= (v8l){0, 1, 2, 3, 4, 5, 6, 7} < left;
  FOR(column, TABLE_COLUMNS) row[column] = reals_of(place + column * width, left);
  if (TABLE_LANES) update_table_lanes(row, reward, s->table_numbers, out);
  else ROLLED for (i32 lane = 0; lane < 8; lane++) if (played[lane]) {
    double one[MOST_NUMBERS], updated[MOST_NUMBERS];
    FOR(column, TABLE_COLUMNS) one[column] = row[column][lane];
    update_table(one, reward, s->table_numbers, updated);
    FOR(column, TABLE_COLUMNS) out[column][lane] = updated[column];
  }
  FOR(column, TABLE_COLUMNS) {
    words8 *words = (words8 *)(place + column * width);
    *words = ((v8l)out[column] & played) | (*words & ~played);
  }
}

/* Which of the keys in eight lanes were played by a side. */
INLINE v8l played_of(const Search *s, i32 side, v8d keys) {
  v8l played;
  if (mark_words() == 1) {
    played = __builtin_convertvector(__builtin_convertvector(keys, v8i), v8l);
    return -((v8l)(((v8u){0} + *marks_of(s, side)) >> (v8u)played) & 1);
  }
  FOR(lane, 8) played[lane] = -(i64)(marks_of(s, side)[(i64)keys[lane] / 64] >> (i64)keys[lane] % 64 & 1);
  return played;
}

/* Update the numbers of the moves that were played at or below the node whose moves are in `b`. */
INLINE void trace(Search *s, i64 b, i32 side, const double *worth) {
  i32 *w = s->words;
  i64 total = TOTAL(w, b);
  if (REFERS) {
    i32 *table = TABLE(w, b, total);
    FOR(who, 2) for (i64 low = 0; low < KEYS; low += 8) {
      u64 marks = marks_of(s, who)[low / 64] >> low % 64;
      v8l played = -((((v8l){0} + (i64)marks) >> (v8l){0, 1, 2, 3, 4, 5, 6, 7}) & 1);
      if (IN_HALVES) add_halves(table + who * KEYS + low, marks, twice(worth[who]));
      else update_played(s, (real *)table + who * KEYS + low, 2 * KEYS, KEYS - low, played, worth[who]);
    }
    return;
  }
  for (i64 low = 0; low < total; low += 8) {
    v8l played = played_of(s, side, reals_of(REALS(w, b, total, KEY_ROW) + low, total - low));
    update_played(s, REALS(w, b, total, TABLE_ROW) + low, total, total - low, played, worth[side]);
  }
}

/* What an iteration tells the derived statistics, from the leaf up. */
typedef struct { i32 finished, chooser, known; double judged[8][2]; i64 index; } Below;

INLINE i32 says(const i32 *w, i64 b, i64 total, i64 index, i32 first, i32 count) {
  i32 found = 0;
  FOR(row, count) found |= REALS(w, b, total, first + row)[index] != 0.0;
  return found;
}

/* Fold the children of a node, or continue from its numbers `seen` with the child `only`, if that is not below 0. */
INLINE void fold_children(Search *s, i32 which, i64 b, i32 same, i64 only, double *seen, const double *numbers,
                          double *out) {
  const i32 *w = s->words;
  i64 total = TOTAL(w, b), folded = 0;
  i32 first = DERIVED_FIRST[which], count = DERIVED_COUNT[which], width = DERIVED_SEEN[which];
  double more[MOST_NUMBERS];
  ROLLED for (i64 index = only < 0 ? 0 : only; index < (only < 0 ? total : only + 1); index++) {
    if (VISITS(w, b)[index] <= 0) continue;
    if (!DERIVED_KNOWS_LEAVES[which] && !says(w, b, total, index, first, count)) continue;
    folded++;
    double child[MOST_ROWS];
    statistics_of(w, b, total, index, 0, COLUMNS, child);
    FOR(row, count) child[3 + COLUMNS + row] = REALS(w, b, total, first + row)[index];
    derived_fold(which, seen, child, numbers, more);
    FOR(each, width) seen[each] = more[each];
  }
  double node[2] = {folded == total, same};
  derived_node(which, seen, node, numbers, out);
}

/* Recompute the derived statistics of a child on the path; `below` carries what is known from its own child. */
INLINE void derive(Search *s, const Level *at, const double *worth, Below *below) {
  i32 *w = s->words, known = 0, number = 0;
  FOR(which, DERIVED) {
    const double *numbers = s->derived_numbers + number;
    number += DERIVED_NUMBERS[which];
    i32 leaf = below->chooser < 0, first = DERIVED_FIRST[which], count = DERIVED_COUNT[which];
    if (!(DERIVED_KNOWS_LEAVES[which] || below->known >> which & 1 || (leaf && below->finished))) continue;
    double out[MOST_NUMBERS], mine = worth[at->mover];
    if (!leaf) {
      i32 block = BELOW(w, at->block, at->total)[at->index], same = at->mover == below->chooser;
      i32 goes_on = DERIVED_RUNNING[which] && VISITS(w, at->block)[at->index] > 1;
      double seen[MOST_NUMBERS];
      FOR(each, DERIVED_SEEN[which])
        seen[each] = goes_on ? REALS(w, at->block, at->total, first + each)[at->index] : DERIVED_START[which][each];
      fold_children(s, which, block, same, DERIVED_RUNNING[which] ? below->index : -1, seen, numbers, out);
    } else if (below->finished) {
      derived_end(which, mine, numbers, out);
    } else {
      derived_leaf(which, DERIVED_JUDGED[which] ? below->judged[which][at->mover] : mine, numbers, out);
    }
    FOR(row, count) REALS(w, at->block, at->total, first + row)[at->index] = out[row];
    known |= says(w, at->block, at->total, at->index, first, count) << which;
  }
  below->known = known;
  below->chooser = at->mover;
  below->index = at->index;
}

/* From the leaf up to the root, which has no level of the path. It is a turn of the same loop, so that its code is there
 * once: that makes a third of what is linked for searches by moves. */
INLINE void backup(Search *s, i32 depth, i32 side, double *worth, Below *below) {
  for (i32 level = depth - 1; level >= -1; level--) {
    /* A copy, as what is written to the tree might be the path for all that the compiler knows. */
    Level at = {ROOT, 1, 0, (i32)s->root_mover};
    if (level >= 0) at = s->path[level];
    if (TRACES) {
      i32 under = BELOW(s->words, at.block, at.total)[at.index];
      if (under > 0) trace(s, under, side, worth);
      if (level >= 0) mark(s, at.mover, (i64)REALS(s->words, at.block, at.total, KEY_ROW)[at.index]);
      side = at.mover;
    }
    if (RETURNS && level >= 0) /* what follows a node becomes its return */
      FOR(player, SEATS) worth[player] = gained_on(s, level)[1 + player] + gained_on(s, level)[0] * worth[player];
    credit(s, &at, worth);
    if (DERIVED) derive(s, &at, worth, below);
  }
}

/* Update the tables of the playouts by the moves of the iteration. */
INLINE void learn(Search *s, const double *worth) {
  i64 before = s->line[1];
  ROLLED for (i32 at = 1; at <= s->line[0]; at++) {
    i64 spot = s->line[at];
    i32 again = s->seen[spot], number = 0;
    s->seen[spot] = 1;
    FOR(which, MEMORIES) {
      i64 place = memory_place(which, before, spot);
      const double *numbers = s->memory_numbers + number;
      number += MEMORY_NUMBERS[which];
      if (place < 0 || (again && MEMORY_INDEX[which] == BY_MOVES)) continue;
      double row[MOST_NUMBERS], out[MOST_NUMBERS];
      row[0] = (double)(spot % KEYS);
      read_memory(s, which, place, row + 1);
      update_memory(which, row, worth[spot < KEYS ? 0 : 1], numbers, out);
      i32 absent = 1;
      FOR(column, MEMORY_COLUMNS[which]) absent &= out[column] == MEMORY_ABSENT[which][column];
      FOR(column, MEMORY_COLUMNS[which])
        s->memory[MEMORY_FIRST[which] + column * memory_row(which) + place] =
            absent ? MEMORY_ABSENT[which][column] : out[column]; /* -0.0 equals 0.0 */
    }
    before = spot;
  }
  for (i32 at = 1; at <= s->line[0]; at++) s->seen[s->line[at]] = 0;
}

/* The end of an iteration: its worth goes up the path, and to the tables. */
INLINE i32 finish(Search *s, const i64 *p, i32 finished, i32 drawn, i32 depth, double *worth) {
  Below below = {finished, -1, 0, {{0}}, 0};
  FOR(which, DERIVED) if (DERIVED_JUDGED[which] && !finished) TRY(share(heuristic(which, p), below.judged[which]));
  if (UPDATES_ABOVE_ENDS && finished && !drawn) {
    Level root = {ROOT, 1, 0, 0};
    i32 root_side = seat(rule_side(s->root));
    update_own(s, depth == 1 ? &root : s->path + depth - 2, worth[root_side], 1);
  }
  backup(s, depth, TRACES ? (i32)(rule_side(p) & 1) : 0, worth, &below);
  if (REMEMBERS) learn(s, worth);
  return DONE;
}

/* ---- an iteration ---- */

#include "graph.h"

/* Give a node a child, and play out from there, or let it wait for the network. `end` becomes the child. */
INLINE i32 grow(Search *s, End *end, double *worth, i32 *finished) {
  i32 *w = s->words;
  i64 b = end->block, total = end->total, leaf = s->used, there[MOST_FIELDS], menu[MOST_FIELDS];
  i32 tried = TRIED(w, b), dealt = HAS_CHANCE && end->weights != 0, all = EXPANSION == FULL && !dealt;
  i64 children = all ? total - tried : 1;
  if (children > s->nodes_left) return NODES_ARE_MADE;
  i64 index = dealt ? end->index : untried(s, b, total, tried, end->index);
  i64 move = offered(s, b, total, end->menu, index);
  i32 side = seat(rule_side(end->p));
  if (move != (i32)move) return WIDE_MOVE;
  if (TRACES || REMEMBERS) TRY(remember(s, end->p, move, 0));
  rule_play(end->p, move, there);
  rule_menu(there, menu);
  *finished = (i32)rule_over(menu);
  Chain chain = {.block = *finished ? 0 : leaf, .end = leaf};
  if (!*finished) end->moves = rule_count(menu);
  if ((TRACES || JOINS) && !BATCHED && !*finished) /* moves played below it change its statistics, or lead to children */
    TRY(open_block(s, &chain.end, there, menu));
  if (RETURNS) {
    s->moved += !dealt;
    TRY(gained_at(s, there, *finished, gained_on(s, end->depth)));
  }
  if (!BATCHED || *finished) TRY(simulate(s, there, &chain, worth));
  else TRY(open_block(s, &s->used, there, menu));
  if (children + chain.made > s->nodes_left) return NODES_ARE_MADE;
  make_child(s, b, total, index, move);
  ROLLED for (i64 other = 0; all && other < total; other++) {
    if (VISITS(w, b)[other] >= 0) continue;
    move = offered(s, b, total, end->menu, other);
    if (move != (i32)move) return WIDE_MOVE;
    make_child(s, b, total, other, move);
  }
  s->nodes_left -= children + chain.made;
  s->path[end->depth++] = (Level){(i32)b, (i32)total, (i32)index, side};
  if (*finished) BELOW(w, b, total)[index] = end_mark(worth);
  else if (BATCHED) BELOW(w, b, total)[index] = WAITS;
  else if (TRACES || JOINS) BELOW(w, b, total)[index] = (i32)leaf, s->used = chain.end;
  copy_position(end->p, there), end->block = leaf;
  return DONE;
}

/* Play out from a node that gets no child before. */
INLINE i32 stay(Search *s, const End *end, double *worth) {
  Chain chain = {.block = end->block, .end = s->used};
  TRY(simulate(s, end->p, &chain, worth));
  if (!chain.made) return DONE;
  if (chain.made > s->nodes_left) return NODES_ARE_MADE;
  s->nodes_left -= chain.made, s->used = chain.end;
  make_child(s, chain.parent, chain.total, chain.index, chain.move);
  BELOW(s->words, chain.parent, chain.total)[chain.index] = chain.below;
  return DONE;
}

enum { TRAIL = 6 }; /* words of a row: the leaf, its parent, its index and mover, its moves, its worth to X */

INLINE void record(Search *s, i64 row, const End *end, const double *worth) {
  i32 *out = s->trail + TRAIL * row;
  const Level *at = s->path + end->depth - 1;
  out[0] = at->block + 2 + at->index;
  out[1] = end->depth > 1 ? at[-1].block + 2 + at[-1].index : 2;
  out[2] = at->index << 1 | (at->mover & 1);
  out[3] = (i32)end->moves;
  *(real *)(out + 4) = worth[0];
}

INLINE i32 resolved(const Search *s) { return RESOLVES && ends(REALS(s->words, ROOT, 1, NUMBERS)[0], 0) != 0.0; }

/* Descend to the end of a game, or to a node that is new or without visits. */
INLINE i32 reach(Search *s, End *end, double *worth, i32 *finished) {
  TRY(descend(s, end, worth));
  unmark_all(s);
  *finished = end->block < 0;
  if (end->stopped) return stay(s, end, worth);
  if (!*finished) return grow(s, end, worth, finished);
  if (REAL) return ended(end->p, worth);
  i32 won = -1 - end->block; /* as in `end_mark` */
  return share(won == 2 ? 0.5 : won == 0, worth);
}

/* One iteration, or nothing of one: what it wrote before a status other than DONE does not count. */
INLINE i32 iterate(Search *s) {
  End end;
  double worth[MOST_PLAYERS];
  if (GRAPH) return iterate_graph(s);
  i32 finished;
  TRY(reach(s, &end, worth, &finished));
  if (s->before + s->made + 1 == s->altered && !finished) TRY(share(s->altered_worth, worth));
  if (s->trail) record(s, s->before + s->made, &end, worth);
  TRY(finish(s, end.p, finished, HAS_CHANCE && end.weights, end.depth, worth));
  return failed(s) ? FAULT : DONE;
}

/* Fill the table of what scores compute from visits, for so many visits of the root more. */
INLINE void know_visits(Search *s, i64 more) {
  if (!BY_VISITS) return;
  i64 most = VISITS(s->words, ROOT)[0] + more;
  ROLLED for (; s->known <= most; s->known++) s->by_visits[s->known] = by_visits((double)s->known, s->numbers);
}

/* Make the tree of a position without visits: what Python writes for a search in Python's process. */
INLINE i32 plant(Search *s) {
  i64 menu[MOST_FIELDS];
  i32 *w = s->words;
  rule_menu(s->root, menu);
  TOTAL(w, ROOT) = TRIED(w, ROOT) = 1;
  VISITS(w, ROOT)[0] = HALVES(w, ROOT, 1)[0] = MOVE(w, ROOT, 1)[0] = 0;
  FOR(row, ROWS) REALS(w, ROOT, 1, row)[0] = 0.0;
  BELOW(w, ROOT, 1)[0] = (i32)(s->used = first_block());
  return open_block(s, &s->used, s->root, menu);
}

void plant_root(Search *s) { s->status = plant(s); }

/* Run iterations; the search may go on after any status that is not an error. */
void search(Search *s) {
  i32 status = DONE;
  s->faults = fault;
  know_visits(s, s->iterations);
  if (GRAPH && !s->taken) fill_table(s);
  for (s->made = 0; s->made < s->iterations; s->made++) {
    if (resolved(s)) { status = RESOLVED; break; }
    u64 first = s->first, second = s->second;
    if ((status = iterate(s))) { s->first = first, s->second = second; break; }
  }
  s->status = failed(s) ? FAULT : status;
}

#include "batches.h"
#include "games.h"
