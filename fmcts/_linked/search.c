/* The loop of the search, once for every game and every search: select, expand, simulate, backup.
 *
 * Rules, formulas and constants are declared here and linked in when a search begins; what a search does not
 * use is a constant that is false then, and the optimiser removes it. Freestanding C11: no library, no global that
 * changes, nothing but what the arguments point to is written.
 */
#include "game.h"

/* ---- what is linked in ---- */

/* The structure of the search. */
enum { IN_ORDER, RANDOM, FULL, JUMP, SELECTED };
extern const i32 EXPANSION, UNVISITED, SCHEDULED, BATCHED;
extern const i32 REAL, SEATS, HAS_REWARD, EVALUATES, CUT; /* how an iteration is valued */
extern const i32 LOG_OFFSET, LANES, TOGETHER, SUMS, BY_VISITS, FIRST_PLAY, POSITIVE, GUESSES;
extern const i32 ROWS, NUMBERS, OWN, MOVES, COLUMNS; /* rows of doubles; see Schema */
extern const i32 TABLE_ROW, KEY_ROW, REWARD_ROW;     /* -1 where there is none */
extern const i32 TRACES, REFERS, TABLE_COLUMNS, IN_HALVES, TABLE_LANES, UPDATES_ABOVE_ENDS;
extern const i32 RESOLVES, DERIVED, DERIVED_FIRST[8], DERIVED_COUNT[8], DERIVED_SEEN[8], DERIVED_KNOWS_LEAVES[8],
    DERIVED_JUDGED[8], DERIVED_NUMBERS[8];
extern const double DERIVED_START[8][MOST_NUMBERS];
extern const i32 REMEMBERS, MEMORIES, MEMORY_FIRST[8], MEMORY_COLUMNS[8], MEMORY_INDEX[8], MEMORY_NUMBERS[8];
extern const double MEMORY_ABSENT[8][MOST_NUMBERS];
enum { BY_MOVES, BY_REPLIES, BY_PAIRS };

/* Formulas and functions of the search. `numbers` are its parameters. */
void score_lanes(const v8d *row, const double *parent, const double *numbers, v8d *out);
double score_one(const double *edge, const double *parent, const double *numbers);
i64 score_together(const double *edges, i64 total, const double *parent, const double *own, i64 same,
                   const double *numbers, double *out);
double summed(const double *edge, const double *numbers);
double by_visits(double visits, const double *numbers);
void update_columns(const double *edge, double reward, const double *numbers, double *out);
void update_above_end(const double *edge, double reward, const double *numbers, double *out);
void update_table(const double *row, double reward, const double *numbers, double *out);
void update_table_lanes(const v8d *row, double reward, const double *numbers, v8d *out);
double refers(double visits, const double *numbers);
double first_number(i32 row, const i64 *p, i64 move, i64 total);
void derived_end(i32 which, double reward, const double *numbers, double *out);
void derived_leaf(i32 which, double reward, const double *numbers, double *out);
void derived_fold(i32 which, const double *seen, const double *edge, const double *numbers, double *out);
void derived_node(i32 which, const double *seen, const double *node, const double *numbers, double *out);
double heuristic(i32 which, const i64 *p);
double leaves_out(double number, const double *numbers);
double ends(double number, const double *numbers);
double evaluate(const i64 *p);
double reward_of(const i64 *p);
void update_memory(i32 which, const double *row, double reward, const double *numbers, double *out);
double weigh(i32 which, const double *row, const double *numbers);
void narrow(i32 which, const i64 *p, const i64 *menu, i64 *out);

/* Instructions that C does not have. */
i64 nth_bit(u64 bits, i64 index);
i32 greatest(const v8d *scores, double *top);        /* no lane may be NaN; the first of equals */
i32 not_numbers(const v8d *lanes);                   /* a bit for each NaN */
void keep_first(const v8d *lanes, i64 count, double otherwise, v8d *out);
void first_reals(const real *row, i64 count, v8d *out); /* 0 in the lanes past `count`, which are not read */
void halves_of(const i32 *row, i64 count, i32 all, v8d *out);
i64 guessed(i64 number, i64 guess);
double rounded(double number); /* to the nearest integer, halves to the even one */

/* ---- a running search ---- */

typedef struct { i32 block, total, index, mover; } Level; /* a child, and who chose it */

typedef struct {
  i32 *words;
  i64 room, used, nodes_left; /* words that the tree may have and has; children that may be made */
  Level *path;
  i64 levels;
  const double *logs;     /* ln n */
  double *by_visits;      /* for each count of visits; the first `known` are filled */
  i64 known;
  i32 *stamps;            /* which moves an iteration played: bits, or the number of the iteration */
  double *memory;         /* tables of the playouts */
  i32 *line;              /* the moves of an iteration: their number, then side * KEYS + key of each */
  i64 line_room;
  i32 *guesses;
  i32 *trail;             /* a row for each iteration, or null */
  const double *numbers, *table_numbers, *policy_numbers, *memory_numbers, *derived_numbers;
  const i64 *root;        /* the position */
  u64 first, second;      /* the generator */
  i64 root_mover, forced, max_plies, before, iterations, made;
  double cut_after;
  i64 status, faults;
} Search;

/* Whether a linked function would have raised since the call began. `fault` is a constant where none can. */
INLINE i32 failed(const Search *s) { return fault && fault != s->faults; }

/* The worth of an iteration: a winner, a reward for X, or a reward for each player. */
typedef struct { i32 winner; double for_x, of[MOST_PLAYERS]; } Worth;

#define TABLE(w, b, total) (VISITS(w, b) + (4 + 2 * (i64)ROWS) * (i64)(total))
enum { ROOT = 0 };

INLINE i64 tail(void) { return REFERS ? (IN_HALVES ? 1 : 2) * TABLE_COLUMNS * 2 * KEYS : 0; }
INLINE i64 size_of(i64 total) { return 2 + (4 + 2 * (i64)ROWS) * total + tail(); }
INLINE i64 first_block(void) { return 2 + 4 + 2 * (i64)ROWS; }
INLINE i64 root_block(const Search *s) { return *BELOW(s->words, ROOT, 1); }

/* ---- the generator ---- */

INLINE u64 mix64(u64 z) {
  z = (z ^ z >> 33) * 0xff51afd7ed558ccdULL;
  z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return z ^ z >> 33;
}

INLINE i64 stdgen(Search *s) {
  i64 one = 40014 * (i64)s->first % 2147483563, two = 40692 * (i64)s->second % 2147483399;
  s->first = (u64)one, s->second = (u64)two;
  return one - two >= 1 ? one - two - 1 : one - two + 2147483561;
}

/* An index below `count`, draw for draw as `Draws`. A count below 1, which only wrong rules ask for, gives 0. */
INLINE i64 draw(Search *s, i64 count) {
  if (IS_STDGEN) {
    i64 value = stdgen(s), covered = 2147483562;
    while (covered < 1000 * count) value = value * 2147483562 + stdgen(s), covered *= 2147483562;
    return count > 1 ? value % count : 0;
  }
  if (count <= 1) return 0;
  i64 mask = (i64)(~0ULL >> __builtin_clzll((u64)count - 1));
  for (;;) {
    /* Two words at a time: the second takes the place of a rejected first without a branch. */
    u64 first = s->first + s->second, second = first + s->second;
    i64 index = (i64)mix64(first) & mask, spare = (i64)mix64(second) & mask;
    s->first = index >= count ? second : first;
    index = index >= count ? spare : index;
    if (index < count) return index;
  }
}

/* In games of dice there are often two moves, such as to roll or to stop: never rejected. */
INLINE i64 draw_move(Search *s, i64 count) {
  if (HAS_CHANCE && !IS_STDGEN && count == 2) return (i64)mix64(s->first += s->second) & 1;
  return draw(s, count);
}

/* ---- values ---- */

INLINE i32 seat(i64 side) { return SEATS ? (i32)((u64)side % (u64)SEATS) : (i32)(side & 1); }

INLINE double gain(const Worth *worth, i32 mover) {
  if (SEATS) return worth->of[mover];
  if (REAL) return mover ? 1.0 - worth->for_x : worth->for_x;
  return worth->winner == 2 ? 0.5 : worth->winner == mover ? 1.0 : 0.0;
}

INLINE i32 twice_gain(const Worth *worth, i32 mover) {
  return worth->winner == 2 ? 1 : worth->winner == mover ? 2 : 0;
}

INLINE i32 share(double value, double *out) { /* a user's value, which must be from 0 to 1 */
  *out = value;
  return value >= 0.0 && value <= 1.0 ? DONE : BAD_WORTH;
}

/* The worth of a finished game. */
INLINE i32 ended(const i64 *p, Worth *worth) {
  if (SEATS && HAS_REWARD) {
    FOR(player, SEATS) {
      double given = worth->of[player] = rule_rewards(p, player);
      if (!(given >= 0.0 && given <= 1.0)) return BAD_REWARD;
    }
    return DONE;
  }
  if (HAS_REWARD) return share(reward_of(p), &worth->for_x);
  i64 won = rule_winner(p);
  if (SEATS) {
    if (won < 0 || won > SEATS) return BAD_WINNER;
    FOR(player, SEATS) worth->of[player] = won == player ? 1.0 : won < SEATS || SEATS == 1 ? 0.0 : 1.0 / SEATS;
    return DONE;
  }
  worth->winner = (i32)won;
  worth->for_x = won == 2 ? 0.5 : 1.0 - (double)won;
  return won >= 0 && won <= 2 ? DONE : BAD_WINNER;
}

INLINE i32 end_mark(const Worth *worth) { return REAL ? -1 : -1 - worth->winner; }

INLINE i32 draw_outcome(Search *s, const i64 *p, const i64 *menu, i64 weights, i64 *index) {
  if (weights < 1 || weights > LARGEST_CHANCE) return BAD_CHANCES;
  i64 total = rule_count(menu), left;
  if (EVEN_CHANCES) {
    if (weights != total) return BAD_CHANCES;
    *index = draw(s, weights);
    return DONE;
  }
  left = draw(s, weights);
  for (i64 place = 0; place < total; place++) {
    i64 weight = rule_weight(p, rule_pick(menu, place));
    if (weight < 1) return BAD_CHANCES;
    if ((left -= weight) < 0) return *index = place, DONE;
  }
  return BAD_CHANCES;
}

/* ---- statistics of a child ---- */

INLINE double reward_at(const i32 *w, i64 b, i64 total, i64 index) {
  return REAL ? REALS(w, b, total, REWARD_ROW)[index] : 0.5 * HALVES(w, b, total)[index];
}

/* Visits of a batch that are not backed up yet; rewards have a row of their own there, so the halves count them. */
INLINE i32 waiting_at(const i32 *w, i64 b, i64 total, i64 index) { return BATCHED ? HALVES(w, b, total)[index] : 0; }

/* What `update` and `fold` read: visits, reward, value, then `count` rows from `first` on. */
INLINE void statistics_of(const i32 *w, i64 b, i64 total, i64 index, i32 first, i32 count, double *edge) {
  edge[0] = VISITS(w, b)[index];
  edge[1] = reward_at(w, b, total, index);
  double backed_up = edge[0] - waiting_at(w, b, total, index);
  edge[2] = backed_up > 0.0 ? edge[1] / backed_up : 0.0;
  FOR(row, count) edge[3 + row] = REALS(w, b, total, first + row)[index];
}

/* What a score reads of a move; one without a child has no visits. */
INLINE void edge_of(const Search *s, i64 b, i64 total, i64 index, double *edge) {
  const i32 *w = s->words;
  statistics_of(w, b, total, index, 0, NUMBERS, edge);
  edge[0] = edge[0] > 0.0 ? edge[0] : 0.0;
  if (BATCHED) edge[2] = edge[0] > 0.0 ? edge[1] / edge[0] : 0.0; /* a visit that waits counts as a loss here */
  FOR(row, MOVES) edge[3 + NUMBERS + row] = REALS(w, b, total, OWN + row)[index];
  if (BY_VISITS) edge[3 + NUMBERS + MOVES] = s->by_visits[(i64)edge[0]];
}

/* The rows of eight moves from `low` on: visits, halves or rewards, columns, what visits give, resolution. */
INLINE void lanes_of(const Search *s, i64 b, i64 total, i64 low, v8d *row) {
  const i32 *w = s->words;
  i64 count = total - low;
  i32 at = 2;
  halves_of(VISITS(w, b) + low, count, POSITIVE, &row[0]);
  if (REAL) first_reals(REALS(w, b, total, REWARD_ROW) + low, count, &row[1]);
  else halves_of(HALVES(w, b, total) + low, count, POSITIVE, &row[1]);
  FOR(each, NUMBERS) first_reals(REALS(w, b, total, each) + low, count, &row[at++]);
  FOR(each, MOVES) first_reals(REALS(w, b, total, OWN + each) + low, count, &row[at++]);
  if (BY_VISITS) {
    FOR(lane, 8) {
      i64 visits = lane < count ? VISITS(w, b)[low + lane] : 0;
      row[at][lane] = s->by_visits[visits > 0 ? visits : 0];
    }
    at++;
  }
  if (RESOLVES) first_reals(REALS(w, b, total, NUMBERS) + low, count, &row[at]);
}

/* ---- select ---- */

INLINE i32 is_open(const i32 *w, i64 b, i64 total, i64 index) {
  if (RESOLVES && leaves_out(REALS(w, b, total, NUMBERS)[index], 0) != 0.0) return 0;
  return EXPANSION != JUMP || VISITS(w, b)[index] >= 0;
}

INLINE i64 best_of_lanes(const Search *s, i64 b, i64 total, const double *parent) {
  double highest = -INFINITY;
  i64 chosen = -ALL_EXCLUDED;
  i32 broken = 0;
  for (i64 low = 0; low < total; low += 8) {
    v8d row[MOST_ROWS], scores;
    double top;
    lanes_of(s, b, total, low, row);
    score_lanes(row, parent, s->numbers, &scores);
    keep_first(&scores, total - low, POSITIVE ? -1.0 : -INFINITY, &scores);
    if (!POSITIVE) {
      i32 nans = not_numbers(&scores);
      broken |= nans;
      if (nans) break;
    }
    i32 place = greatest(&scores, &top);
    if (top > highest) highest = top, chosen = low + place;
  }
  return broken ? -NOT_A_NUMBER : chosen;
}

INLINE i64 best_of_scores(i64 total, const double *scores, const i32 *w, i64 b) {
  double highest = -INFINITY;
  i64 chosen = -ALL_EXCLUDED;
  for (i64 index = 0; index < total; index++) {
    if (scores[index] != scores[index]) return -NOT_A_NUMBER;
    if (scores[index] > highest && is_open(w, b, total, index)) highest = scores[index], chosen = index;
  }
  return chosen;
}

INLINE i64 best_one_by_one(const Search *s, i64 b, i64 total, const double *parent) {
  const i32 *w = s->words;
  double highest = -INFINITY;
  i64 chosen = -ALL_EXCLUDED;
  for (i64 index = 0; index < total; index++) {
    if (!is_open(w, b, total, index)) continue;
    double edge[MOST_ROWS];
    edge_of(s, b, total, index, edge);
    double score = FIRST_PLAY && !(edge[0] > 0.0) ? INFINITY : score_one(edge, parent, s->numbers);
    if (score != score) return -NOT_A_NUMBER;
    if (score > highest) highest = score, chosen = index;
  }
  return chosen;
}

enum { MOST_TOGETHER = 512 }; /* moves whose scores are kept on the stack */

INLINE i64 best_together(const Search *s, i64 b, i64 total, const double *parent, const Level *at, i32 same) {
  if (total > MOST_TOGETHER) return -BAD_MENU;
  double edges[MOST_TOGETHER * 8], scores[MOST_TOGETHER], own[MOST_ROWS];
  i32 width = 3 + NUMBERS + MOVES + BY_VISITS;
  if (width > 8) return -BAD_SCORES;
  for (i64 index = 0; index < total; index++) edge_of(s, b, total, index, edges + index * width);
  statistics_of(s->words, at->block, at->total, at->index, 0, COLUMNS, own);
  if (score_together(edges, total, parent, own, same, s->numbers, scores)) return -BAD_SCORES;
  return best_of_scores(total, scores, s->words, b);
}

/* Copy the numbers of the reference's table, the nearest node with enough visits, to the rows of the moves. */
INLINE void refer(Search *s, i64 b, i64 total, i32 side, double visits, i64 *known, i64 *known_total) {
  i32 *w = s->words;
  if (refers(visits, s->table_numbers) != 0.0) *known = b, *known_total = total;
  for (i64 index = 0; index < total; index++) {
    i64 key = (i64)REALS(w, b, total, KEY_ROW)[index];
    FOR(column, TABLE_COLUMNS) {
      double number = 0.0;
      if (*known > 0) {
        i64 at = (2 * column + side) * KEYS + key;
        const i32 *table = TABLE(w, *known, *known_total);
        number = IN_HALVES ? 0.5 * table[at] : ((const real *)table)[at];
      }
      REALS(w, b, total, TABLE_ROW + column)[index] = number;
    }
  }
}

typedef struct { i64 known, known_total; } Reference;

/* Choose among the moves of the node that `at` leads to; below 0 is a status. */
INLINE i64 choose(Search *s, const Level *at, i64 b, i64 total, i32 chooser, Reference *reference, i64 forced) {
  const i32 *w = s->words;
  i32 visits = VISITS(w, at->block)[at->index];
  if (REFERS) refer(s, b, total, chooser, visits, &reference->known, &reference->known_total);
  if (SCHEDULED && forced >= 0) return forced;
  if (total == 1 && !POSITIVE) return 0;
  i32 backed_up = visits - waiting_at(w, at->block, at->total, at->index);
  double reward = reward_at(w, at->block, at->total, at->index);
  reward = at->mover == chooser ? reward : backed_up - reward;
  double parent[4] = {visits, s->logs[visits + LOG_OFFSET], backed_up > 0 ? reward / backed_up : 0.0, 0.0};
  if (SUMS) {
    for (i64 index = 0; index < total; index++) { /* in this order, as floating-point sums depend on it */
      double edge[MOST_ROWS];
      edge_of(s, b, total, index, edge);
      parent[3] += summed(edge, s->numbers);
    }
  }
  i64 chosen;
  if (TOGETHER) chosen = best_together(s, b, total, parent, at, at->mover == chooser);
  else if (LANES) chosen = best_of_lanes(s, b, total, parent);
  else chosen = best_one_by_one(s, b, total, parent);
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
    for (i64 index = 0; index < total; index++)
      left -= VISITS(w, b)[index] >= 0 && leaves_out(REALS(w, b, total, NUMBERS)[index], 0) != 0.0;
  return left && draw(s, total + 1) >= tried;
}

/* A new block for the moves of a position, in words that need not be clear. */
INLINE void open_block(Search *s, i64 b, i64 total, const i64 *p, const i64 *menu) {
  i32 *w = s->words;
  TOTAL(w, b) = (i32)total;
  TRIED(w, b) = 0;
  i32 given = MOVES - TABLE_COLUMNS; /* rows that begin with numbers of the method's, but where chance moves */
  if (HAS_CHANCE && given > 0 && rule_chances(p) != 0) given = 0;
  for (i64 index = 0; index < total; index++) {
    VISITS(w, b)[index] = -1;
    HALVES(w, b, total)[index] = 0;
    BELOW(w, b, total)[index] = 0;
    FOR(row, OWN) REALS(w, b, total, row)[index] = 0.0;
    FOR(row, MOVES)
      REALS(w, b, total, OWN + row)[index] = row < given ? first_number(row, p, rule_pick(menu, index), total) : 0.0;
    if (TRACES) REALS(w, b, total, KEY_ROW)[index] = (double)rule_key(p, rule_pick(menu, index));
    if (REAL) REALS(w, b, total, REWARD_ROW)[index] = 0.0;
  }
  i32 *table = TABLE(w, b, total);
  for (i64 place = 0; place < tail(); place++) table[place] = 0;
}

INLINE i32 refusal(i64 total, i64 end, i64 room) {
  return total < 1 || total > MOST_MOVES ? BAD_MENU : end > room ? TREE_IS_FULL : DONE;
}

/* Where a descent ends: a node that gets a child, or, if `block` is below 0, the end of a game. */
typedef struct {
  i64 p[MOST_FIELDS], menu[MOST_FIELDS];
  i64 block, total, index, weights;
  i32 depth;
} End;

INLINE i32 note_key(Search *s, const i64 *p, i64 move, i32 side, i64 at) {
  i64 key = rule_key(p, move);
  if (key < 0 || key >= KEYS) return BAD_KEY;
  s->line[at] = (i32)(side * KEYS + key);
  return DONE;
}

/* A child's first visit: give it a block, or mark the end of its game. */
INLINE i32 open_child(Search *s, i32 *link, End *end, Worth *worth) {
  rule_menu(end->p, end->menu);
  if (UNVISITED && rule_over(end->menu)) {
    i32 status = ended(end->p, worth);
    if (!status) end->block = *link = end_mark(worth);
    return status;
  }
  end->total = rule_count(end->menu);
  i32 status = refusal(end->total, s->used + size_of(end->total), s->room);
  if (status) return status;
  open_block(s, s->used, end->total, end->p, end->menu);
  end->block = *link = (i32)s->used;
  s->used += size_of(end->total);
  return DONE;
}

INLINE i32 descend(Search *s, End *end, Worth *worth) {
  i32 *w = s->words;
  Level here = {ROOT, 1, 0, (i32)s->root_mover};
  Reference reference = {0, 0};
  i64 next[MOST_FIELDS];
  copy_position(end->p, s->root);
  end->block = root_block(s), end->depth = 0;
  for (;;) {
    if (end->depth + 2 > s->levels) return PATH_IS_FULL; /* for this node, and a new child */
    if (REMEMBERS && end->depth + 3 > s->line_room) return LINE_IS_FULL;
    i64 b = end->block, total = end->total = TOTAL(w, b);
    i32 tried = TRIED(w, b);
    end->weights = HAS_CHANCE ? rule_chances(end->p) : 0;
    if (tried < total && EXPANSION != SELECTED && !end->weights) {
      i32 visits = VISITS(w, here.block)[here.index];
      if (!(EXPANSION == JUMP && jumps(s, b, total, tried, visits))) {
        rule_menu(end->p, end->menu);
        return DONE;
      }
    }
    i32 chooser = seat(rule_side(end->p));
    if (HAS_CHANCE && end->weights) {
      rule_menu(end->p, end->menu);
      i32 status = draw_outcome(s, end->p, end->menu, end->weights, &end->index);
      if (status) return status;
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
    __builtin_prefetch(w + end->block + 16), __builtin_prefetch(w + end->block + 32);
    if (TRACES || REAL) __builtin_prefetch(w + end->block + 48), __builtin_prefetch(w + end->block + 64);
    if (REMEMBERS) {
      i32 status = note_key(s, end->p, move, chooser & 1, end->depth);
      if (status) return status;
    }
    rule_play(end->p, move, next);
    copy_position(end->p, next);
    if (BATCHED && end->block == 0) return WAITING;
    if (end->block == 0) {
      i32 status = open_child(s, link, end, worth);
      if (status || (EXPANSION != SELECTED && !HAS_CHANCE)) return status;
    }
    if (end->block < 0) return DONE;
  }
}

/* ---- simulate ---- */

INLINE i32 pick_uniform(Search *s, const i64 *menu, i64 *move) {
  i64 choices = rule_count(menu);
  if (choices < 1 || choices > MOST_MOVES) return BAD_MENU;
  *move = rule_pick(menu, draw_move(s, choices));
  return DONE;
}

INLINE i32 wins(const i64 *p, i64 move) {
  i64 there[MOST_FIELDS], menu[MOST_FIELDS];
  rule_play(p, move, there);
  rule_menu(there, menu);
  return rule_over(menu) && rule_winner(there) == rule_side(p);
}

INLINE i32 is_safe(const i64 *p, i64 move) { /* the opponent neither wins by it nor right after */
  i64 there[MOST_FIELDS], menu[MOST_FIELDS], mine = rule_side(p);
  rule_play(p, move, there);
  rule_menu(there, menu);
  if (rule_over(menu)) return rule_winner(there) != 1 - mine;
  if (rule_side(there) == mine) return 1;
  i64 total = rule_count(menu);
  for (i64 index = 0; index < total; index++)
    if (wins(there, rule_pick(menu, index))) return 0;
  return 1;
}

/* What policies are made of; `choose_move`, which is linked in, calls these. A status, or -1: no such move. */
enum { BY_WINNING, BY_SAFE, BY_PATIENT, WINS, IS_SAFE };

i32 policy_uniform(Search *s, const i64 *menu, i64 *move) { return pick_uniform(s, menu, move); }

i32 policy_prefers(Search *s, i32 kind, const i64 *p, const i64 *menu, i64 *move) {
  if (kind <= BY_PATIENT) {
    i64 among[MOST_FIELDS];
    rule_preferred(kind, p, menu, among);
    return rule_over(among) ? -1 : pick_uniform(s, among, move);
  }
  i64 total = rule_count(menu), kept = 0;
  if (total < 1 || total > MOST_MOVES) return BAD_MENU;
  for (i64 index = 0; index < total; index++) {
    i64 each = rule_pick(menu, index);
    kept += kind == WINS ? wins(p, each) : is_safe(p, each);
  }
  if (!kept) return -1;
  i64 nth = draw(s, kept);
  for (i64 index = 0; index < total; index++) {
    i64 each = rule_pick(menu, index);
    if ((kind == WINS ? wins(p, each) : is_safe(p, each)) && nth-- == 0) return *move = each, DONE;
  }
  return BAD_MENU; /* not reached: rules are pure */
}

i32 policy_narrows(Search *s, i32 which, const i64 *p, const i64 *menu, i64 *move) {
  i64 among[MOST_FIELDS];
  narrow(which, p, menu, among);
  if (rule_over(among)) return BAD_POLICY;
  if (SET_OF_BITS) return among[0] & ~menu[0] ? BAD_POLICY : pick_uniform(s, among, move);
  i64 kept = rule_count(among), total = rule_count(menu);
  for (i64 index = 0; index < kept; index++) {
    i32 found = 0;
    for (i64 other = 0; other < total && !found; other++) found = rule_pick(among, index) == rule_pick(menu, other);
    if (!found) return BAD_POLICY;
  }
  return pick_uniform(s, among, move);
}

i32 policy_draws(Search *s, i64 below) { return (i32)draw(s, below); }

/* The place of a move's numbers in the rows of a playout's table, or -1. */
INLINE i64 memory_place(i32 which, i64 before, i64 spot) {
  if (MEMORY_INDEX[which] == BY_MOVES) return spot;
  if ((before < KEYS) == (spot < KEYS)) return -1;
  return MEMORY_INDEX[which] == BY_REPLIES ? before : before * KEYS + spot % KEYS;
}

INLINE i64 memory_row(i32 which) { return MEMORY_INDEX[which] == BY_PAIRS ? 2 * KEYS * KEYS : 2 * KEYS; }

INLINE void read_memory(const Search *s, i32 which, i64 place, double *out) {
  FOR(column, MEMORY_COLUMNS[which])
    out[column] = place < 0 ? MEMORY_ABSENT[which][column]
                            : s->memory[MEMORY_FIRST[which] + column * memory_row(which) + place];
}

/* The move that weighs most by the tables whose bits are in `tables`, the first of equals. */
i32 policy_weighs(Search *s, i32 which, i32 tables, const double *numbers, const i64 *p, const i64 *menu, i64 *move) {
  i64 total = rule_count(menu);
  if (total < 1 || total > MOST_MOVES) return BAD_MENU;
  i64 before = s->line[s->line[0]], begin = (rule_side(p) & 1) * KEYS, chosen = 0;
  double best = -INFINITY;
  i32 broken = 0;
  for (i64 index = 0; index < total; index++) {
    i64 each = rule_pick(menu, index), key = rule_key(p, each);
    if (key < 0 || key >= KEYS) return BAD_KEY;
    double row[MOST_NUMBERS];
    i32 at = 1;
    row[0] = (double)key;
    FOR(table, MEMORIES) if (tables >> table & 1) {
      read_memory(s, table, memory_place(table, before, begin + key), row + at);
      at += MEMORY_COLUMNS[table];
    }
    double weight = weigh(which, row, numbers);
    if (weight > best) best = weight, chosen = each;
    broken |= weight != weight;
  }
  if (broken) return BAD_WEIGHT;
  if (best == -INFINITY) return pick_uniform(s, menu, move);
  return *move = chosen, DONE;
}

i32 choose_move(Search *s, const double *numbers, const i64 *p, const i64 *menu, i64 *move); /* linked in */

/* Which moves an iteration played: bits if there are few keys, else the number of the iteration. */
INLINE i32 marks_are_bits(void) { return KEYS >= 2 && KEYS <= 64; }
INLINE u64 *bits_of(Search *s, i64 side) { return (u64 *)(void *)(s->stamps + 2 * side); }

INLINE void mark(Search *s, i64 side, i64 key, i64 stamp) {
  if (marks_are_bits()) *bits_of(s, side) |= 1ULL << key;
  else s->stamps[side * KEYS + key] = (i32)stamp;
}

INLINE i32 is_marked(Search *s, i64 side, i64 key, i64 stamp) {
  return marks_are_bits() ? (i32)(*bits_of(s, side) >> key & 1) : s->stamps[side * KEYS + key] == (i32)stamp;
}

/* Play on from a position, which is overwritten, to an end or an evaluation. */
INLINE i32 simulate(Search *s, i64 *p, i64 *menu, Worth *worth, i64 stamp) {
  if (EVALUATES && !CUT && !HAS_CHANCE)
    return rule_over(menu) ? ended(p, worth) : share(evaluate(p), &worth->for_x);
  i64 left = s->max_plies, next[MOST_FIELDS];
  while (!rule_over(menu)) {
    if (left == 0) return NO_END;
    i64 weights = HAS_CHANCE ? rule_chances(p) : 0, move, index = 0;
    if (EVALUATES && (double)(s->max_plies - left) >= s->cut_after && !weights)
      return share(evaluate(p), &worth->for_x);
    left--;
    i32 status = HAS_CHANCE && weights ? draw_outcome(s, p, menu, weights, &index) : choose_move(s, s->policy_numbers, p, menu, &move);
    if (status) return status;
    if (HAS_CHANCE && weights) move = rule_pick(menu, index);
    if (move != (i32)move) return WIDE_MOVE;
    if (TRACES || REMEMBERS) {
      i64 key = rule_key(p, move), mover = rule_side(p) & 1;
      if (key < 0 || key >= KEYS) return BAD_KEY;
      if (TRACES) mark(s, mover, key, stamp);
      if (REMEMBERS) {
        if (s->line[0] + 1 >= s->line_room) return LINE_IS_FULL;
        s->line[++s->line[0]] = (i32)(mover * KEYS + key);
      }
    }
    rule_play(p, move, next);
    copy_position(p, next);
    rule_menu(p, menu);
    if (failed(s)) return FAULT; /* the position may be the same as before, for ever */
  }
  return ended(p, worth);
}

/* ---- expand ---- */

/* The move number `index` of a node; a search may choose among some of the root's moves only. */
INLINE i64 offered(const Search *s, i64 b, i64 total, const i64 *menu, i64 index) {
  return b == first_block() ? MOVE(s->words, b, total)[index] : rule_pick(menu, index);
}

INLINE i64 untried(Search *s, i64 b, i64 total, i32 tried, i64 chosen) {
  if (EXPANSION == SELECTED) return chosen;
  if (EXPANSION == IN_ORDER) return tried;
  i64 nth = EXPANSION == JUMP ? 0 : draw(s, total - tried), index = 0; /* a jump that was not made: the first gap */
  const i32 *visits = VISITS(s->words, b);
  while (visits[index] >= 0 || nth > 0) nth -= visits[index++] < 0;
  return index;
}

INLINE void make_child(Search *s, i64 b, i64 total, i64 index, i64 move) {
  VISITS(s->words, b)[index] = 0;
  MOVE(s->words, b, total)[index] = (i32)move;
}

INLINE i32 make(Search *s, const End *end, i64 index, i64 move) {
  i32 *w = s->words;
  i64 b = end->block, total = end->total;
  if (EXPANSION == FULL && !end->weights) {
    for (i64 other = 0; other < total; other++) {
      if (VISITS(w, b)[other] >= 0) continue;
      i64 its = offered(s, b, total, end->menu, other);
      if (its != (i32)its) return WIDE_MOVE;
      make_child(s, b, total, other, its);
    }
    TRIED(w, b) = (i32)total;
    return DONE;
  }
  make_child(s, b, total, index, move);
  if (EXPANSION != IN_ORDER) TRIED(w, b)++;
  else { /* `tried` is the first gap, which a drawn outcome may leave where it is */
    i32 gap = TRIED(w, b) + !end->weights;
    while (gap < total && VISITS(w, b)[gap] >= 0) gap++;
    TRIED(w, b) = gap;
  }
  return DONE;
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
INLINE void credit(Search *s, const Level *at, const Worth *worth) {
  i32 *w = s->words;
  update_own(s, at, gain(worth, at->mover), 0);
  VISITS(w, at->block)[at->index]++;
  if (REAL) REALS(w, at->block, at->total, REWARD_ROW)[at->index] += gain(worth, at->mover);
  else HALVES(w, at->block, at->total)[at->index] += twice_gain(worth, at->mover);
}

INLINE void update_entry(Search *s, i32 *table, i64 place, double reward) {
  double row[MOST_NUMBERS], out[MOST_NUMBERS];
  FOR(column, TABLE_COLUMNS) {
    i64 at = column * 2 * KEYS + place;
    row[column] = IN_HALVES ? 0.5 * table[at] : ((real *)table)[at];
  }
  update_table(row, reward, s->table_numbers, out);
  FOR(column, TABLE_COLUMNS) {
    i64 at = column * 2 * KEYS + place;
    if (IN_HALVES) table[at] = (i32)(2.0 * out[column]);
    else ((real *)table)[at] = out[column];
  }
}

/* Update eight moves at once; those not played, and words past the row, are written back as they were. */
INLINE void trace_lanes(Search *s, i64 b, i64 total, i64 low, i32 side, double reward, i64 stamp) {
  i32 *w = s->words;
  v8d keys, row[MOST_NUMBERS], out[MOST_NUMBERS];
  first_reals(REALS(w, b, total, KEY_ROW) + low, total - low, &keys);
  v8l played, places = {0, 1, 2, 3, 4, 5, 6, 7};
  if (marks_are_bits()) {
    played = __builtin_convertvector(__builtin_convertvector(keys, v8i), v8l);
    played = -((v8l)(((v8u){0} + *bits_of(s, side)) >> (v8u)played) & 1);
  } else {
    FOR(lane, 8) played[lane] = -(i64)(s->stamps[side * KEYS + (i64)keys[lane]] == (i32)stamp);
  }
  played &= places < total - low;
  FOR(column, TABLE_COLUMNS) first_reals(REALS(w, b, total, TABLE_ROW + column) + low, total - low, &row[column]);
  update_table_lanes(row, reward, s->table_numbers, out);
  FOR(column, TABLE_COLUMNS) {
    words8 *place = (words8 *)(REALS(w, b, total, TABLE_ROW + column) + low);
    *place = ((v8l)out[column] & played) | (*place & ~played);
  }
}

/* Update the numbers of the moves that were played at or below the node whose moves are in `b`. */
INLINE void trace(Search *s, i64 b, i32 side, const Worth *worth, i64 stamp) {
  i32 *w = s->words;
  i64 total = TOTAL(w, b);
  if (REFERS) {
    i32 *table = TABLE(w, b, total);
    FOR(who, 2) {
      double reward = gain(worth, who);
      if (marks_are_bits()) {
        for (u64 left = *bits_of(s, who); left; left &= left - 1)
          update_entry(s, table, who * KEYS + __builtin_ctzll(left), reward);
      } else {
        for (i64 key = 0; key < KEYS; key++)
          if (is_marked(s, who, key, stamp)) update_entry(s, table, who * KEYS + key, reward);
      }
    }
    return;
  }
  double reward = gain(worth, side);
  if (TABLE_LANES) {
    for (i64 low = 0; low < total; low += 8) trace_lanes(s, b, total, low, side, reward, stamp);
    return;
  }
  for (i64 index = 0; index < total; index++) {
    if (!is_marked(s, side, (i64)REALS(w, b, total, KEY_ROW)[index], stamp)) continue;
    double row[MOST_NUMBERS], out[MOST_NUMBERS];
    FOR(column, TABLE_COLUMNS) row[column] = REALS(w, b, total, TABLE_ROW + column)[index];
    update_table(row, reward, s->table_numbers, out);
    FOR(column, TABLE_COLUMNS) REALS(w, b, total, TABLE_ROW + column)[index] = out[column];
  }
}

/* What an iteration tells the derived statistics, from the leaf up. */
typedef struct { const Worth *worth; i32 finished, chooser, known; double judged[8]; } Below;

INLINE i32 says(const i32 *w, i64 b, i64 total, i64 index, i32 first, i32 count) {
  i32 found = 0;
  FOR(row, count) found |= REALS(w, b, total, first + row)[index] != 0.0;
  return found;
}

INLINE void fold_children(Search *s, i32 which, i64 b, i32 same, const double *numbers, double *out) {
  const i32 *w = s->words;
  i64 total = TOTAL(w, b), folded = 0;
  i32 first = DERIVED_FIRST[which], count = DERIVED_COUNT[which], width = DERIVED_SEEN[which];
  double seen[MOST_NUMBERS], more[MOST_NUMBERS];
  FOR(each, width) seen[each] = DERIVED_START[which][each];
  for (i64 index = 0; index < total; index++) {
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
INLINE void derive(Search *s, const Level *at, Below *below) {
  i32 *w = s->words, known = 0, number = 0;
  FOR(which, DERIVED) {
    const double *numbers = s->derived_numbers + number;
    number += DERIVED_NUMBERS[which];
    i32 leaf = below->chooser < 0, first = DERIVED_FIRST[which], count = DERIVED_COUNT[which];
    if (!(DERIVED_KNOWS_LEAVES[which] || below->known >> which & 1 || (leaf && below->finished))) continue;
    double out[MOST_NUMBERS], mine = gain(below->worth, at->mover);
    if (!leaf) {
      fold_children(s, which, BELOW(w, at->block, at->total)[at->index], at->mover == below->chooser, numbers, out);
    } else if (below->finished) {
      derived_end(which, mine, numbers, out);
    } else {
      if (DERIVED_JUDGED[which]) mine = at->mover ? 1.0 - below->judged[which] : below->judged[which];
      derived_leaf(which, mine, numbers, out);
    }
    FOR(row, count) REALS(w, at->block, at->total, first + row)[at->index] = out[row];
    known |= says(w, at->block, at->total, at->index, first, count) << which;
  }
  below->known = known;
  below->chooser = at->mover;
}

INLINE void backup(Search *s, i32 depth, i32 leaf_side, i32 root_side, Below *below, i64 stamp) {
  i32 side = leaf_side;
  for (i32 level = depth - 1; level >= 0; level--) {
    const Level *at = s->path + level;
    if (TRACES) {
      i32 under = BELOW(s->words, at->block, at->total)[at->index];
      if (under > 0) trace(s, under, side, below->worth, stamp);
      mark(s, at->mover, (i64)REALS(s->words, at->block, at->total, KEY_ROW)[at->index], stamp);
      side = at->mover;
    }
    credit(s, at, below->worth);
    if (DERIVED) derive(s, at, below);
  }
  Level root = {ROOT, 1, 0, (i32)s->root_mover};
  if (TRACES) trace(s, root_block(s), root_side, below->worth, stamp);
  credit(s, &root, below->worth);
  if (DERIVED) derive(s, &root, below);
}

/* Update the tables of the playouts by the moves of the iteration. */
INLINE void learn(Search *s, const Worth *worth, i64 stamp) {
  i64 before = s->line[1];
  i32 *stamps = s->stamps + 2 * KEYS;
  for (i32 at = 1; at <= s->line[0]; at++) {
    i64 spot = s->line[at];
    i32 again = stamps[spot] == (i32)stamp, number = 0;
    stamps[spot] = (i32)stamp;
    FOR(which, MEMORIES) {
      i64 place = memory_place(which, before, spot);
      const double *numbers = s->memory_numbers + number;
      number += MEMORY_NUMBERS[which];
      if (place < 0 || (again && MEMORY_INDEX[which] == BY_MOVES)) continue;
      double row[MOST_NUMBERS], out[MOST_NUMBERS];
      row[0] = (double)(spot % KEYS);
      read_memory(s, which, place, row + 1);
      update_memory(which, row, gain(worth, spot < KEYS ? 0 : 1), numbers, out);
      i32 absent = 1;
      FOR(column, MEMORY_COLUMNS[which]) absent &= out[column] == MEMORY_ABSENT[which][column];
      FOR(column, MEMORY_COLUMNS[which])
        s->memory[MEMORY_FIRST[which] + column * memory_row(which) + place] =
            absent ? MEMORY_ABSENT[which][column] : out[column]; /* -0.0 equals 0.0 */
    }
    before = spot;
  }
}

/* The end of an iteration: its worth goes up the path, and to the tables. */
INLINE i32 finish(Search *s, const i64 *p, i32 finished, i32 drawn, i32 depth, const Worth *worth, i64 stamp) {
  Below below = {worth, finished, -1, 0, {0}};
  FOR(which, DERIVED) if (DERIVED_JUDGED[which] && !finished) {
    i32 status = share(heuristic(which, p), &below.judged[which]);
    if (status) return status;
  }
  if (UPDATES_ABOVE_ENDS && finished && !drawn) {
    Level root = {ROOT, 1, 0, 0};
    i32 root_side = seat(rule_side(s->root));
    update_own(s, depth == 1 ? &root : s->path + depth - 2, gain(worth, root_side), 1);
  }
  i32 leaf_side = TRACES ? (i32)(rule_side(p) & 1) : 0, root_side = TRACES ? (i32)(rule_side(s->root) & 1) : 0;
  backup(s, depth, leaf_side, root_side, &below, stamp);
  if (REMEMBERS) learn(s, worth, stamp);
  return DONE;
}

/* ---- an iteration ---- */

/* Give a node a child, and play out from there. `end` becomes the child's position. */
INLINE i32 grow(Search *s, End *end, Worth *worth, i32 *finished, i64 stamp) {
  i32 *w = s->words, status;
  i64 b = end->block, total = end->total, leaf = s->used, there[MOST_FIELDS], playing[MOST_FIELDS], menu[MOST_FIELDS];
  i32 tried = TRIED(w, b), dealt = HAS_CHANCE && end->weights != 0;
  i64 children = EXPANSION == FULL && !dealt ? total - tried : 1;
  if (children > s->nodes_left) return NODES_ARE_MADE;
  i64 index = dealt ? end->index : untried(s, b, total, tried, end->index);
  i64 move = offered(s, b, total, end->menu, index);
  i32 side = seat(rule_side(end->p));
  if (move != (i32)move) return WIDE_MOVE;
  if (TRACES || REMEMBERS) {
    i64 key = rule_key(end->p, move);
    if (key < 0 || key >= KEYS) return BAD_KEY;
    if (REMEMBERS) s->line[0] = end->depth + 1, s->line[end->depth + 1] = (i32)((side & 1) * KEYS + key);
  }
  rule_play(end->p, move, there);
  rule_menu(there, menu);
  *finished = (i32)rule_over(menu);
  i64 moves = 0, end_of_leaf = leaf;
  if (TRACES && !*finished) { /* moves played below it update its statistics now */
    moves = rule_count(menu), end_of_leaf = leaf + size_of(moves);
    if ((status = refusal(moves, end_of_leaf, s->room))) return status;
    open_block(s, leaf, moves, there, menu);
  }
  copy_position(playing, there);
  if ((status = simulate(s, playing, menu, worth, stamp))) return status;
  if ((status = make(s, end, index, move))) return status;
  s->nodes_left -= children;
  s->path[end->depth++] = (Level){(i32)b, (i32)total, (i32)index, side};
  if (*finished) BELOW(w, b, total)[index] = end_mark(worth);
  else if (TRACES) BELOW(w, b, total)[index] = (i32)leaf, s->used = end_of_leaf;
  copy_position(end->p, there);
  return DONE;
}

enum { TRAIL = 6 }; /* words of a row: the leaf, its parent, its index and mover, its moves, its worth to X */

INLINE void record(Search *s, i64 row, const End *end, i32 finished, const Worth *worth) {
  i32 *out = s->trail + TRAIL * row;
  const Level *at = s->path + end->depth - 1;
  i64 menu[MOST_FIELDS];
  rule_menu(end->p, menu);
  out[0] = at->block + 2 + at->index;
  out[1] = end->depth > 1 ? at[-1].block + 2 + at[-1].index : 2;
  out[2] = at->index << 1 | (at->mover & 1);
  out[3] = finished ? 0 : (i32)rule_count(menu);
  *(real *)(out + 4) = gain(worth, 0);
}

INLINE i32 resolved(const Search *s) { return RESOLVES && ends(REALS(s->words, ROOT, 1, NUMBERS)[0], 0) != 0.0; }

/* One iteration, or nothing of one: what it wrote before a status other than DONE does not count. */
INLINE i32 iterate(Search *s) {
  i64 stamp = s->before + s->made + 1;
  End end;
  Worth worth;
  i32 finished = 1, status = descend(s, &end, &worth);
  if (status) return status;
  if (TRACES && marks_are_bits()) *bits_of(s, 0) = *bits_of(s, 1) = 0;
  if (end.block < 0) {
    if (REMEMBERS) s->line[0] = end.depth;
    if (REAL) status = ended(end.p, &worth);
    else worth.winner = (i32)(-1 - end.block);
  } else {
    status = grow(s, &end, &worth, &finished, stamp);
  }
  if (status) return status;
  if (s->trail) record(s, s->before + s->made, &end, finished, &worth);
  status = finish(s, end.p, finished, HAS_CHANCE && end.weights, end.depth, &worth, stamp);
  return failed(s) ? FAULT : status;
}

/* Fill the table of what scores compute from visits, for so many visits of the root more. */
INLINE void know_visits(Search *s, i64 more) {
  if (!BY_VISITS) return;
  i64 most = VISITS(s->words, ROOT)[0] + more;
  for (; s->known <= most; s->known++) s->by_visits[s->known] = by_visits((double)s->known, s->numbers);
}

/* Run iterations; the search may go on after any status that is not an error. */
void search(Search *s) {
  i32 status = DONE;
  s->faults = fault;
  know_visits(s, s->iterations);
  for (s->made = 0; s->made < s->iterations; s->made++) {
    if (resolved(s)) { status = RESOLVED; break; }
    u64 first = s->first, second = s->second;
    if ((status = iterate(s))) { s->first = first, s->second = second; break; }
  }
  s->status = failed(s) ? FAULT : status;
}

/* ---- batches for a network: descents until a batch is full, then their backup ---- */

typedef struct {
  i64 depth, finished, block, total, side; /* of the node that waits: its block, its moves, who is to move */
  double worth;
} Descent;

typedef struct {
  Search search;
  Descent *descents;   /* made so far, each with its path and its position */
  Level *paths;
  i64 *leaves, *asked; /* positions: of all descents, and of those that wait for the network */
  i64 most, done, waiting;
  const double *priors, *values; /* what the network said of those that wait, from `row` on */
  const i64 *widths;             /* of rows of priors, or null if they are all as wide */
  i64 rows, columns, by_columns, row;
} Batch;

/* Give a node the child that selection chose, and a block of its own, to which no link leads yet. */
INLINE i32 grow_waiting(Search *s, End *end, Worth *worth, Descent *made) {
  i32 *w = s->words, status;
  i64 b = end->block, total = end->total, leaf = s->used, there[MOST_FIELDS], menu[MOST_FIELDS];
  i64 move = offered(s, b, total, end->menu, end->index);
  i32 side = seat(rule_side(end->p));
  if (move != (i32)move) return WIDE_MOVE;
  if (s->nodes_left < 1) return NODES_ARE_MADE;
  rule_play(end->p, move, there);
  rule_menu(there, menu);
  made->finished = rule_over(menu) != 0;
  if (made->finished) {
    if ((status = ended(there, worth))) return status;
  } else {
    made->block = leaf, made->total = rule_count(menu);
    if ((status = refusal(made->total, leaf + size_of(made->total), s->room))) return status;
    open_block(s, leaf, made->total, there, menu);
    for (i64 index = 0; index < made->total; index++) {
      i64 each = rule_pick(menu, index);
      if (each != (i32)each) return WIDE_MOVE;
      MOVE(w, leaf, made->total)[index] = (i32)each;
    }
    s->used += size_of(made->total);
  }
  make_child(s, b, total, end->index, move);
  TRIED(w, b)++;
  BELOW(w, b, total)[end->index] = made->finished ? -1 : 0;
  s->path[end->depth++] = (Level){(i32)b, (i32)total, (i32)end->index, side};
  s->nodes_left--;
  copy_position(end->p, there);
  return DONE;
}

/* Count a visit that waits on a path, or take it back. */
INLINE void wait_on(Search *s, i64 depth, i32 change) {
  i32 *w = s->words;
  for (i64 level = 0; level < depth; level++) {
    const Level *at = s->path + level;
    VISITS(w, at->block)[at->index] += change;
    HALVES(w, at->block, at->total)[at->index] += change;
  }
  VISITS(w, ROOT)[0] += change;
  HALVES(w, ROOT, 1)[0] += change;
}

INLINE i32 descend_once(Batch *batch) {
  Search *s = &batch->search;
  Descent *made = batch->descents + batch->done;
  End end;
  Worth worth;
  s->path = batch->paths + batch->done * s->levels;
  *made = (Descent){0};
  i32 status = descend(s, &end, &worth);
  if (status) return status;
  if (end.block < 0) made->finished = 1, status = ended(end.p, &worth);
  else status = grow_waiting(s, &end, &worth, made);
  if (status) return status;
  if (failed(s)) return FAULT;
  made->depth = end.depth, made->side = rule_side(end.p) & 1, made->worth = made->finished ? worth.for_x : 0.0;
  copy_position(batch->leaves + batch->done * FIELDS, end.p);
  if (!made->finished) copy_position(batch->asked + batch->waiting++ * FIELDS, end.p);
  wait_on(s, made->depth, 1);
  batch->done++;
  return DONE;
}

/* Descend until there are `most` descents, or one meets a node that waits for the network. */
void gather(Batch *batch) {
  Search *s = &batch->search;
  s->faults = fault;
  know_visits(s, batch->most - batch->done);
  i32 status = batch->done == 0 && resolved(s) ? RESOLVED : DONE;
  while (!status && batch->done < batch->most) status = descend_once(batch);
  s->status = failed(s) ? FAULT : status;
}

enum { GRID = 1 << 20 }; /* what a network says is rounded to multiples of 1 / GRID, never to -0.0 */

INLINE double on_grid(double number) { return rounded((number + 0.0) * GRID) / GRID; }

/* The place of a move in a row of priors: by its index or, in a row for all keys, by its key; -1 if it has none. */
INLINE i64 place_of(const Search *s, const Descent *made, i64 index, const i64 *p, i64 width) {
  if (width != KEYS) return width == made->total ? index : -1;
  if (width < made->total) return -1;
  i64 key = rule_key(p, MOVE(s->words, made->block, made->total)[index]);
  return key >= 0 && key < KEYS ? key : -1;
}

/* Write the priors of the node that waits. */
INLINE i32 write_priors(Batch *batch, const Descent *made, const i64 *p) {
  const Search *s = &batch->search;
  i64 across = batch->by_columns ? batch->rows : 1, down = batch->by_columns ? 1 : batch->columns;
  i64 width = batch->widths ? batch->widths[batch->row] : batch->columns, total = made->total;
  real *priors = REALS(s->words, made->block, total, OWN);
  double all = 0.0;
  for (i64 index = 0; index < total; index++) {
    i64 place = place_of(s, made, index, p, width);
    if (place < 0) return BAD_PRIORS;
    all += priors[index] = batch->priors[down * batch->row + across * place];
  }
  for (i64 index = 0; index < total; index++) { /* of a row for all keys, their shares of the legal moves */
    double share = all > 0.0 ? priors[index] / all : 1.0 / (double)total;
    priors[index] = on_grid(width == KEYS ? share : priors[index]);
  }
  return DONE;
}

/* Back up a batch, in the order of its descents; on an error `row` is the row of priors at fault. */
void credit_batch(Batch *batch) {
  Search *s = &batch->search;
  s->faults = fault;
  for (i64 each = 0; each < batch->done; each++) {
    s->path = batch->paths + each * s->levels;
    wait_on(s, batch->descents[each].depth, -1);
  }
  i32 status = DONE;
  for (i64 each = 0; each < batch->done && !status; each++) {
    const Descent *made = batch->descents + each;
    const i64 *p = batch->leaves + each * FIELDS;
    Worth worth = {0};
    s->path = batch->paths + each * s->levels;
    worth.for_x = made->worth;
    if (!made->finished) {
      const Level *at = s->path + made->depth - 1;
      if ((status = write_priors(batch, made, p))) break;
      BELOW(s->words, at->block, at->total)[at->index] = (i32)made->block;
      double value = on_grid(batch->values[batch->row++]);
      worth.for_x = made->side ? 1.0 - value : value;
    }
    status = finish(s, p, (i32)made->finished, 0, (i32)made->depth, &worth, 0);
  }
  s->status = failed(s) ? FAULT : status;
}

/* Many searches at once: threads may share them out. */
typedef struct { Batch **batches; i64 count; } Many;

void gather_all(Many *many) {
  for (i64 each = 0; each < many->count; each++) gather(many->batches[each]);
}

void credit_all(Many *many) {
  for (i64 each = 0; each < many->count; each++) credit_batch(many->batches[each]);
}

/* ---- playouts without a tree ---- */

typedef struct { Search search; i64 ends[3]; } Playouts; /* won by X, by O, drawn */

void playouts(Playouts *games) {
  Search *s = &games->search;
  Worth worth;
  i64 p[MOST_FIELDS], menu[MOST_FIELDS];
  s->status = DONE, s->faults = fault;
  for (s->made = 0; s->made < s->iterations && !s->status; s->made++) {
    copy_position(p, s->root);
    rule_menu(p, menu);
    s->status = simulate(s, p, menu, &worth, 0);
    if (failed(s)) s->status = FAULT;
    if (!s->status) games->ends[worth.winner]++;
  }
}
