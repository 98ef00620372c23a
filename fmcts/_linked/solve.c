/* Alpha-beta, once for every game: the same three steps again and again, each on one node of the line that is searched.
 *
 *   enter    looks the node up and generates its moves
 *   advance  goes to the node of the next move, or ends this one
 *   leave    passes the score of a node to the one above
 *
 * Moves that end the game are valued when they are generated, and are never entered. Moves are ordered without
 * knowledge of the game: first the move that was best before, then moves that caused cutoffs elsewhere ("history
 * heuristic", Schaeffer 1989, here less the failures) and leave few replies. If the table has a move that cuts off, no
 * move is searched ("enhanced transposition cutoff", Plaat, Schaeffer, Pijls and de Bruin 1996).
 *
 * The line is a stack of our own, so that a search can be left at any node and continued later, and only memory limits
 * its length.
 */
#include "game.h"

extern const i32 EVALUATES; /* whether positions where the search stops are evaluated */
WEAK double evaluate(const i64 *p);

/* Scores as in `fmcts.solve._scores`: for the side to move, outcomes beyond the edges and evaluations between them. */
#define EDGE (1LL << 62)
#define WIN (EDGE + (1LL << 30))
#define ANY (WIN + 1)

#define REPLIES 1000        /* the weight of a further reply in the order of moves, in units of history */
#define LIKELY (1LL << 60)  /* more than any history: the move that was best before is searched first */

/* What is known of a position that was searched to `depth` - 1 plies, to the end if -1. An empty entry has no size. */
typedef struct {
  i64 lower, upper;
  u64 size : 8;    /* how large the search was: the number of bits of its nodes */
  u64 depth : 32;
  u64 choice : 24; /* the best move, and one; 0 if unknown */
  i64 here[];
} Entry;

/* A move. */
typedef struct {
  Entry *bucket; /* of the position after it, while the moves are generated */
  i64 order;     /* the greatest is searched first */
  i64 index;     /* its number among the legal ones */
  i64 place;     /* of its history */
  i64 there[];   /* the position after it */
} Row;

/* A node of the line. */
typedef struct {
  i64 alpha, beta, left, first; /* the window; plies to look ahead, -1 to the end; its first row */
  i64 next, end;                /* the next row to search, and the end of its rows */
  i64 from;                     /* the lower end of the window as it was at first */
  i64 best, choice;             /* the best score so far, and the move that has it */
  i64 mover, same;              /* who moves; whether the same side moved before */
  i64 since;                    /* how many nodes there were when it was entered */
  i64 here[];
} Frame;

enum { PAUSED = FAULT + 1, TABLE_IS_FULL, ROWS_ARE_FULL }; /* statuses besides those of all loops */
enum Step { ENTER, ADVANCE, LEAVE };
enum { BUCKET = 4 }; /* entries where a position may be; in a full bucket the smallest search is replaced */

typedef struct {
  i64 *table, *old;           /* what is known of positions; a smaller table, whose entries move to it */
  i64 buckets, old_buckets;   /* powers of two, or 0 */
  i64 used, limit;            /* entries, and with how many the table should grow first */
  i64 *frames, *rows;         /* the line, and the moves of its nodes */
  i64 levels, room;
  i64 *history;               /* for each side and key of a move: how often it cut off, less its failures */
  i64 step, max_plies;        /* how much a ply moves a score to the middle; the most plies of a line */
  i64 then, ply, score;       /* the next step; the current node; the score of the one last left */
  i64 nodes, budget;          /* nodes entered; how many more may be */
  i64 status, faults;
} Solve;

#define BYTES(kind) (sizeof(kind) + 8 * (u64)FIELDS) /* of a structure that ends with a position */
INLINE Frame *frame_at(const Solve *s, i64 ply) { return (Frame *)((char *)s->frames + ply * (i64)BYTES(Frame)); }
INLINE Row *row_at(const Solve *s, i64 row) { return (Row *)((char *)s->rows + row * (i64)BYTES(Row)); }
INLINE Entry *entry_at(i64 *table, i64 entry) { return (Entry *)((char *)table + entry * (i64)BYTES(Entry)); }

INLINE i64 one_less(i64 left) { return left > 0 ? left - 1 : left; } /* to the end stays to the end */
INLINE i64 least(i64 one, i64 two) { return one < two ? one : two; }
INLINE i64 most(i64 one, i64 two) { return one > two ? one : two; }
INLINE i64 bits_in(i64 count) { return 64 - __builtin_clzll((u64)count); }

/* ---- scores ---- */

/* A score one ply earlier, nearer to the middle; or later, for a step below 0. */
INLINE i64 before(i64 score, i64 step) { return score > EDGE ? score - step : score < -EDGE ? score + step : score; }

/* An unfinished position is worth no more. */
INLINE i64 win(const Solve *s) { return WIN - s->step; }

INLINE i64 mover_of(const i64 *p) { return rule_side(p) & 1; }

/* The score of a worth for X: the rank of the number among all from 0. */
INLINE i64 score_of(double worth, i64 mover) {
  i64 rank;
  worth += 0.0; /* or -0.0 would have another rank than 0.0 */
  __builtin_memcpy(&rank, &worth, sizeof rank);
  return mover == 0 ? rank : -rank;
}

/* The score of a position where the search stops. */
INLINE i32 stop(const i64 *here, i64 *score) {
  if (!EVALUATES) return *score = 0, DONE;
  double worth = evaluate(here);
  *score = score_of(worth, mover_of(here));
  return worth >= 0.0 && worth <= 1.0 ? DONE : BAD_WORTH;
}

/* The score of a move for `mover`, given the position after it, where the game is over. */
INLINE i32 ended(const Solve *s, const i64 *there, i64 mover, i64 *score) {
  i64 won = rule_winner(there);
  if (won == 2) *score = EVALUATES ? score_of(0.5, mover) : 0;
  else *score = won == mover ? win(s) : -win(s);
  return won >= 0 && won <= 2 ? DONE : BAD_WINNER;
}

/* ---- the table ---- */

/* The first entry that a position may have; the constants are those of SplitMix64 (Steele, Lea and Flood 2014). */
INLINE Entry *bucket_of(i64 *table, i64 buckets, const i64 *p, i64 left) {
  u64 bits = (u64)left * 0x9E3779B97F4A7C15ULL;
  FOR(field, FIELDS) {
    bits = (bits ^ (u64)p[field]) * 0xBF58476D1CE4E5B9ULL;
    bits ^= bits >> 32;
  }
  bits *= 0x94D049BB133111EBULL;
  return entry_at(table, BUCKET * (i64)((bits ^ bits >> 32) & (u64)(buckets - 1)));
}

/* The entry of a position in its bucket, or null. Positions are compared in every field, not by their hash alone. */
INLINE Entry *find(Entry *bucket, const i64 *p, i64 left) {
  FOR(place, BUCKET) {
    Entry *entry = entry_at((i64 *)bucket, place);
    if (!entry->size) return 0;
    if (entry->depth == (u64)(left + 1) && is_same(entry->here, p)) return entry;
  }
  return 0;
}

INLINE Entry *smallest(Entry *bucket) {
  Entry *found = bucket;
  FOR(place, BUCKET) {
    Entry *entry = entry_at((i64 *)bucket, place);
    if (entry->size < found->size) found = entry;
  }
  return found;
}

/* Store the bounds that the search of a node has found. */
INLINE i32 store(Solve *s, const Frame *frame) {
  i64 lower = frame->best > frame->from ? frame->best : -win(s);
  i64 upper = frame->best < frame->beta ? frame->best : win(s);
  i64 size = bits_in(s->nodes - frame->since + 1), here[MOST_FIELDS];
  copy_position(here, frame->here);
  Entry *bucket = bucket_of(s->table, s->buckets, here, frame->left), *entry = find(bucket, here, frame->left);
  if (entry) {
    lower = most(lower, entry->lower), upper = least(upper, entry->upper), size = most(size, (i64)entry->size);
  } else {
    entry = smallest(bucket);
    if (!entry->size && s->used >= s->limit) return TABLE_IS_FULL;
    s->used += !entry->size;
    copy_position(entry->here, here);
  }
  entry->lower = lower, entry->upper = upper;
  entry->size = size & 0xff, entry->depth = (u32)(frame->left + 1), entry->choice = (frame->choice + 1) & 0xffffff;
  return DONE;
}

/* Move the entries of the old table to the new one, which is larger and empty: each finds a place. */
void move_table(Solve *s) {
  s->used = 0;
  for (i64 place = 0; place < BUCKET * s->old_buckets; place++) {
    const Entry *entry = entry_at(s->old, place);
    if (!entry->size) continue;
    Entry *new = smallest(bucket_of(s->table, s->buckets, entry->here, (i64)entry->depth - 1));
    __builtin_memcpy(new, entry, BYTES(Entry)), s->used++;
  }
}

/* ---- moves ---- */

/* Generate the moves of a node; those that end the game count at once. One that cuts off is the last looked at. */
INLINE i32 expand(Solve *s, Frame *frame, const i64 *here, i64 likely, i64 beta) {
  i64 menu[MOST_FIELDS], mover = mover_of(here), best = -ANY, choice = -1, end = frame->first;
  rule_menu(here, menu);
  i64 total = rule_count(menu);
  if (total < 1 || total > MOST_MOVES) return BAD_MENU;
  if (end + total > s->room) return ROWS_ARE_FULL;
  for (i64 index = 0; index < total && best < beta; index++) {
    i64 move = rule_pick(menu, index), there[MOST_FIELDS], replies[MOST_FIELDS];
    rule_play(here, move, there);
    rule_menu(there, replies);
    if (rule_over(replies)) {
      i64 score;
      TRY(ended(s, there, mover, &score));
      if (score > best) best = score, choice = index;
      continue;
    }
    i64 key = rule_key(here, move);
    if (key < 0 || key >= KEYS) return BAD_KEY;
    Row *row = row_at(s, end++);
    row->place = mover * KEYS + key;
    row->order = s->history[row->place] - REPLIES * rule_count(replies) + (index == likely ? LIKELY : 0);
    row->index = index;
    copy_position(row->there, there);
    if (s->buckets) __builtin_prefetch(row->bucket = bucket_of(s->table, s->buckets, there, one_less(frame->left)));
  }
  frame->mover = mover, frame->best = best, frame->choice = choice, frame->end = end;
  return DONE;
}

/* Take the score of a move whose entry in the table cuts off, if there is one. */
INLINE void look_ahead(Solve *s, Frame *frame, i64 beta, i64 left) {
  for (i64 place = frame->first; place < frame->end; place++) {
    const Row *row = row_at(s, place);
    i64 there[MOST_FIELDS];
    copy_position(there, row->there);
    const Entry *entry = find(row->bucket, there, left);
    if (!entry) continue;
    i64 score = before(mover_of(there) == frame->mover ? entry->lower : -entry->upper, s->step);
    if (score >= beta) {
      frame->best = score, frame->choice = row->index;
      return;
    }
  }
}

/* Put the row that comes first in the order, of equals the first, at `place`. */
INLINE Row *bring_next(Solve *s, i64 place, i64 end) {
  Row *at = row_at(s, place), *found = at;
  i64 greatest = at->order;
  for (i64 other = place + 1; other < end; other++) {
    Row *row = row_at(s, other);
    if (row->order > greatest) found = row, greatest = row->order;
  }
  if (found != at) {
    i64 *one = &at->order, *two = &found->order;
    FOR(word, 3 + FIELDS) { /* all but the bucket */
      i64 moved = one[word];
      one[word] = two[word], two[word] = moved;
    }
  }
  return at;
}

/* Update the history for the move of a row, which cut off, against those searched before it. */
INLINE void remember_cut(Solve *s, const Frame *frame, i64 place) {
  i64 size = bits_in(s->nodes - frame->since + 1);
  s->history[row_at(s, place)->place] += size * size;
  while (place-- > frame->first) s->history[row_at(s, place)->place] -= size;
}

/* ---- the steps ---- */

INLINE i32 leave_with(Solve *s, i64 score) { return s->score = score, s->then = LEAVE, DONE; }

INLINE i32 enter(Solve *s) {
  Frame *frame = frame_at(s, s->ply);
  i64 alpha = frame->alpha, beta = frame->beta, left = frame->left, likely = -1, score, here[MOST_FIELDS];
  copy_position(here, frame->here);
  if (left == 0) {
    TRY(stop(here, &score));
    return leave_with(s, score);
  }
  if (alpha >= win(s)) return leave_with(s, win(s));
  if (beta <= -win(s)) return leave_with(s, -win(s));
  if (s->buckets) {
    const Entry *entry = find(bucket_of(s->table, s->buckets, here, left), here, left);
    if (entry) {
      likely = (i64)entry->choice - 1;
      if (entry->lower >= beta || entry->lower == entry->upper) return leave_with(s, entry->lower);
      if (entry->upper <= alpha) return leave_with(s, entry->upper);
      alpha = most(alpha, entry->lower), beta = least(beta, entry->upper);
    }
  }
  if (s->ply >= s->max_plies) return NO_END;
  TRY(expand(s, frame, here, likely, beta));
  if (frame->best >= beta) return leave_with(s, frame->best);
  if (s->buckets) look_ahead(s, frame, beta, one_less(left));
  frame->from = alpha, frame->alpha = most(alpha, frame->best), frame->beta = beta;
  frame->since = s->nodes, frame->next = frame->first;
  s->then = ADVANCE;
  return DONE;
}

INLINE i32 advance(Solve *s) {
  Frame *frame = frame_at(s, s->ply);
  if (frame->best < frame->beta && frame->next < frame->end) {
    const Row *row = bring_next(s, frame->next++, frame->end);
    i64 low = before(frame->alpha, -s->step), high = before(frame->beta, -s->step);
    Frame *below = frame_at(s, ++s->ply);
    copy_position(below->here, row->there);
    below->same = mover_of(row->there) == frame->mover;
    below->alpha = below->same ? low : -high, below->beta = below->same ? high : -low;
    below->left = one_less(frame->left), below->first = frame->end;
    s->then = ENTER;
    return DONE;
  }
  if (s->buckets) TRY(store(s, frame));
  return leave_with(s, frame->best);
}

INLINE void leave(Solve *s) {
  i64 same = frame_at(s, s->ply--)->same;
  Frame *frame = frame_at(s, s->ply);
  i64 score = before(same ? s->score : -s->score, s->step);
  if (score > frame->best) {
    frame->best = score, frame->choice = row_at(s, frame->next - 1)->index;
    frame->alpha = most(score, frame->alpha);
    if (score >= frame->beta) remember_cut(s, frame, frame->next - 1);
  }
  s->then = ADVANCE;
}

/* Search on, until the score of the first frame is known, or for `budget` nodes. No step is left half done. */
void solve(Solve *given) {
  Solve local = *given, *s = &local; /* in registers */
  i64 last = s->nodes + s->budget;
  i32 status = DONE;
  s->faults = fault;
  while (!status) {
    if (s->then == ENTER) {
      if (s->nodes >= last) { status = PAUSED; break; }
      if (s->ply + 2 > s->levels) { status = PATH_IS_FULL; break; }
      s->nodes++;
      status = enter(s);
      s->nodes -= status == ROWS_ARE_FULL;
    } else if (s->then == ADVANCE) {
      status = advance(s);
    } else {
      if (s->ply == 0) break;
      leave(s);
    }
  }
  s->status = fault != s->faults ? FAULT : status;
  *given = local;
}
