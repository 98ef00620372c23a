/* What the loop knows of a search: what is linked in, its memory, the generator, values, a child's statistics. */
#include "game.h"

/* ---- what is linked in ---- */

/* The structure of the search. */
enum { IN_ORDER, RANDOM, FULL, JUMP, SELECTED };
extern const i32 IS_STDGEN; /* the generator: 0 SplitMix, 1 StdGen */
extern const i32 EXPANSION, UNVISITED, JOINS, SCHEDULED, BATCHED, SHOWS;
extern const i32 REAL, SEATS, HAS_REWARD, EVALUATES, CUT; /* how an iteration is valued */
extern const i32 RETURNS, GAINS; /* whether what follows a node is discounted or cut; whether there is a rule `gained` */
extern const i32 LOG_OFFSET, LANES, GUMBEL, TOGETHER, SUMS, BY_VISITS, FIRST_PLAY, POSITIVE, GUESSES;
extern const i32 ROWS, NUMBERS, OWN, MOVES, COLUMNS; /* rows of doubles; see Schema */
extern const i32 TABLE_ROW, KEY_ROW, REWARD_ROW;     /* -1 where there is none */
extern const i32 RANGE_ROW; /* of the lowest mean seen, before the highest, or -1 */
extern const i32 GRAPH;     /* equal positions are one node; values have a row after the rewards */
extern const i32 TRACES, REFERS, TABLE_COLUMNS, IN_HALVES, TABLE_LANES, UPDATES_ABOVE_ENDS;
extern const i32 RESOLVES, DERIVED, DERIVED_FIRST[8], DERIVED_COUNT[8], DERIVED_SEEN[8], DERIVED_KNOWS_LEAVES[8],
    DERIVED_JUDGED[8], DERIVED_NUMBERS[8], DERIVED_RUNNING[8];
extern const double DERIVED_START[8][MOST_NUMBERS];
extern const i32 REMEMBERS, MEMORIES, MEMORY_FIRST[8], MEMORY_COLUMNS[8], MEMORY_INDEX[8], MEMORY_NUMBERS[8];
extern const double MEMORY_ABSENT[8][MOST_NUMBERS];
/* The playout policy and the parts of its mixtures: of each the kind, the place of its first number, and, by the kind, the
 * number of limits and the first part, the kinds of moves (3 bits each), or the tables (a bit each). */
enum { UNIFORM, MIXES, PREFERS, NARROWS, WEIGHS };
extern const i32 POLICY_KIND[], POLICY_NUMBER[], POLICY_HAS[], POLICY_FIRST[];
enum { BY_MOVES, BY_REPLIES, BY_PAIRS };

/* Formulas and functions of the search. `numbers` are its parameters. */
WEAK void score_lanes(const v8d *row, const double *parent, double count, const double *numbers, v8d *out); /* of the first */
WEAK double score(const double *edge, const double *parent, const double *numbers);
WEAK i64 score_together(const double *edges, i64 total, const double *parent, const double *own, i64 same,
                   const double *numbers, double *out);
WEAK double summed(const double *edge, const double *numbers);
WEAK double by_visits(double visits, const double *numbers);
WEAK void update_columns(const double *row, double reward, const double *numbers, double *out);
WEAK void update_above_end(const double *row, double reward, const double *numbers, double *out);
WEAK void update_table(const double *row, double reward, const double *numbers, double *out);
WEAK void update_table_lanes(const v8d *row, double reward, const double *numbers, v8d *out);
WEAK double refers(double visits, const double *numbers);
double first_number(i32 which, const i64 *p, i64 move, i64 total);
void derived_end(i32 which, double reward, const double *numbers, double *out);
void derived_leaf(i32 which, double reward, const double *numbers, double *out);
void derived_fold(i32 which, const double *seen, const double *child, const double *numbers, double *out);
void derived_node(i32 which, const double *seen, const double *node, const double *numbers, double *out);
double heuristic(i32 which, const i64 *p);
WEAK double leaves_out(double number, const double *numbers);
WEAK double ends(double number, const double *numbers);
WEAK double evaluate(const i64 *p);
WEAK double reward_of(const i64 *p);
void update_memory(i32 which, const double *row, double reward, const double *numbers, double *out);
double weigh(i32 which, const double *row, const double *numbers);
void narrow(i32 which, const i64 *p, const i64 *menu, i64 *out);

/* ---- eight lanes ---- */

INLINE v8d chosen_of(v8l which, v8d yes, v8d no) { return (v8d)(((v8l)yes & which) | ((v8l)no & ~which)); }

/* The lanes before `count`, and 0 in the others. */
INLINE v8d first_of(i64 count, v8d lanes) {
  return chosen_of((v8l){0, 1, 2, 3, 4, 5, 6, 7} < count, lanes, (v8d){0});
}

/* What lies behind a row of doubles would be very small numbers, which are slow to compute with. */
INLINE v8d reals_of(const real *row, i64 count) { return first_of(count, *(const lanes8 *)row); }
INLINE v8d halves_of(const i32 *row) { return __builtin_convertvector(*(const v8i *)row, v8d); }

INLINE v8d greater_of(v8d one, v8d two) { return chosen_of(one > two, one, two); }

/* The lane with the greatest number, the first of equals; none may be NaN. */
INLINE i32 greatest(v8d lanes, double *top) {
  v8d most = greater_of(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 4, 5, 6, 7));
  most = greater_of(most, __builtin_shufflevector(most, most, 2, 3, 2, 3, 2, 3, 2, 3));
  most = greater_of(most, __builtin_shufflevector(most, most, 1, 1, 1, 1, 1, 1, 1, 1));
  return __builtin_ctz(bits_of(__builtin_convertvector(lanes == (*top = most[0]), v8b)));
}

/* The number, which the processor takes to be the guess until it is known. */
INLINE i64 guessed(i64 number, i64 guess) {
  i64 unrelated, kept;
  __asm__("" : "=r"(unrelated) : "0"(guess));
  if (number != guess) return number;
  __asm__ volatile("" : "=r"(kept) : "0"(unrelated));
  return kept;
}

/* ---- a running search ---- */

typedef struct { i32 block, total, index, mover; } Level; /* a child, and who chose it */

typedef struct {
  i32 *words;
  i64 room, used, nodes_left; /* words that the tree may have and has; children that may be made */
  Level *path;
  i64 levels;
  double *gained;         /* for each level of the path: the factor of what follows, what each player gained */
  const double *logs;     /* ln n */
  double *by_visits;      /* for each count of visits; the first `known` are filled */
  i64 known;
  u64 *marks;             /* which moves an iteration played; see `mark` */
  i32 *seen;              /* of the playouts' tables: for each side and key, 0 but while `learn` runs */
  double *memory;         /* tables of the playouts */
  i32 *line;              /* the moves of an iteration: their number, then side * KEYS + key of each */
  i64 line_room;
  i32 *guesses;
  i32 *trail;             /* a row for each iteration, or null */
  const double *numbers, *table_numbers, *policy_numbers, *memory_numbers, *derived_numbers;
  const i64 *root;        /* the position */
  u64 first, second;      /* the generator */
  i64 root_mover, forced, max_plies, before, iterations, made;
  double cut_after, discount;
  i64 horizon, moved;     /* moves of players: at most, and on the path */
  i64 altered;            /* the number of an iteration whose playout is worth `altered_worth` to X; 0 for none */
  double altered_worth;
  i64 status, faults;
  i32 *played;            /* the moves of playouts, in a search that shows them; room for so many, and their number */
  i64 played_room, plies;
  i32 *table;             /* of a graph: blocks by their positions; a power of two of places, and how many are taken */
  i64 places, taken;
} Search;

/* Whether a linked function would have raised since the call began. `fault` is a constant where none can. */
INLINE i32 failed(const Search *s) { return fault && fault != s->faults; }

/* The numbers of a graph's node, before its block: a move that leads to it, how many moves at most, how many iterations ended
 * here, each with what worth to X; all visits, the sum of what they were worth to X, its mean for X and for O; the position. */
typedef struct { i32 above, index, level, own, visits; real worth, total, mean[2]; word p[]; } Node;
enum { NODE_WORDS = sizeof(Node) / 4 };

#define TABLE(w, b, total) (VISITS(w, b) + (4 + 2 * (i64)ROWS) * (i64)(total))

INLINE i64 tail(void) { return REFERS ? (IN_HALVES ? 1 : 2) * TABLE_COLUMNS * 2 * KEYS : 0; }
INLINE i64 node_words(void) { return GRAPH ? NODE_WORDS + 2 * (i64)FIELDS : 0; }
INLINE i64 size_of(i64 total) { return 2 + (4 + 2 * (i64)ROWS) * total + tail(); }
INLINE i64 first_block(void) { return 2 + 4 + 2 * (i64)ROWS + node_words(); }
INLINE Node *node(i32 *w, i64 b) { return (Node *)(w + b - node_words()); }
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
  if (HAS_CHANCE && count == 2) return (i64)mix64(s->first += s->second) & 1; /* as often in games of dice */
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

/* ---- values ---- */

#define PLAYERS (SEATS ? SEATS : 2) /* an iteration has a worth to each */

INLINE i32 seat(i64 side) { return (i32)((u64)side % (u64)PLAYERS); }

INLINE i32 twice(double gain) { return (i32)(2.0 * gain); }

INLINE i32 share(double value, double *worth) { /* a user's value to X, which must be from 0 to 1 */
  worth[0] = value, worth[1] = 1.0 - value;
  return value >= 0.0 && value <= 1.0 ? DONE : BAD_WORTH;
}

INLINE i32 is_finite(double number) { return number - number == 0.0; }

/* The worth of a finished game; with rewards on the way, what its end gives besides. */
INLINE i32 ended(const i64 *p, double *worth) {
  if (SEATS && (HAS_REWARD || GAINS)) {
    FOR(player, SEATS) {
      double given = worth[player] = HAS_REWARD ? rule_rewards(p, player) : 0.0;
      if (GAINS ? !is_finite(given) : !(given >= 0.0 && given <= 1.0)) return BAD_REWARD;
    }
    return DONE;
  }
  if (HAS_REWARD) return share(reward_of(p), worth);
  i64 won = rule_winner(p);
  FOR(player, PLAYERS) worth[player] = won == player ? 1.0 : won < PLAYERS || SEATS == 1 ? 0.0 : 1.0 / PLAYERS;
  return won >= 0 && won <= PLAYERS ? DONE : BAD_WINNER;
}

/* ---- rewards on the way ---- */

/* The factor of what follows a position, then what each player gained by reaching it. */
INLINE i32 gained_at(const Search *s, const i64 *p, i32 over, double *out) {
  out[0] = over || (HAS_CHANCE && rule_chances(p)) ? 1.0 : s->discount;
  FOR(player, SEATS) {
    double given = out[1 + player] = GAINS ? rule_gained(p, player) : 0.0;
    if (!is_finite(given)) return BAD_GAINED;
  }
  return DONE;
}

INLINE double *gained_on(const Search *s, i64 level) { return s->gained + level * (1 + SEATS); }

INLINE i32 winner_of(const double *worth) { return worth[0] == 0.5 ? 2 : worth[0] == 0.0; }
INLINE i32 end_mark(const double *worth) { return REAL ? -1 : -1 - winner_of(worth); }

enum { WAITS = -4 }; /* in place of a link: the node waits for the network */

INLINE i32 draw_outcome(Search *s, const i64 *p, const i64 *menu, i64 weights, i64 *index) {
  if (weights < 1 || weights > LARGEST_CHANCE) return BAD_CHANCES;
  i64 total = rule_count(menu), left = draw(s, weights);
  if (EVEN_CHANCES) return *index = left, weights == total ? DONE : BAD_CHANCES;
  u64 bits = (u64)menu[0]; /* walked through, which is shorter than picking each bit by its place */
  for (i64 place = 0; place < total; place++, bits &= bits - 1) {
    i64 weight = rule_weight(p, SET_OF_BITS ? (i64)__builtin_ctzll(bits) : rule_pick(menu, place));
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
  if (GRAPH) edge[2] = REALS(w, b, total, REWARD_ROW + 1)[index];
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

/* The rows of eight moves from `low` on: visits, halves or rewards, columns, what visits give, places, resolution. */
INLINE void lanes_of(const Search *s, i64 b, i64 total, i64 low, v8d *row) {
  const i32 *w = s->words;
  i64 count = total - low;
  i32 at = 2;
  row[0] = halves_of(VISITS(w, b) + low);
  row[1] = REAL ? reals_of(REALS(w, b, total, REWARD_ROW) + low, count) : halves_of(HALVES(w, b, total) + low);
  if (GRAPH) row[at++] = reals_of(REALS(w, b, total, REWARD_ROW + 1) + low, count);
  FOR(each, NUMBERS) row[at++] = reals_of(REALS(w, b, total, each) + low, count);
  FOR(each, MOVES) row[at++] = reals_of(REALS(w, b, total, OWN + each) + low, count);
  if (BY_VISITS) {
    FOR(lane, 8) {
      i32 visits = lane < count ? VISITS(w, b)[low + lane] : 0;
      row[at][lane] = s->by_visits[visits > 0 ? visits : 0];
    }
    at++;
  }
  row[at++] = (v8d){0, 1, 2, 3, 4, 5, 6, 7};
  if (RESOLVES) row[at] = reals_of(REALS(w, b, total, NUMBERS) + low, count);
}
