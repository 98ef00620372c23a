/* What benchmarks/sanitize.py links with the loops of fmcts/_linked: the rules of five games, as game.h there
   declares them, and the functions that drawn searches give (tests/search/drawn_searches.py).

   GAME: 1 tic-tac-toe, 2 Connect Four, 3 Othello (see rules.h), 4 Maze (tests/search/maze.py), 5 Heap
   (benchmarks/campaign/games.py); 0: the functions alone. */
#if GAME >= 1 && GAME <= 3
#include "rules.h"
#endif
#include <stdint.h>

typedef int64_t i64;

#if GAME >= 1 && GAME <= 3

static Position at(const i64 *p) {
  return (Position){(uint64_t)p[0], (uint64_t)p[1],
                    GAME == 3 ? (int)p[2] : __builtin_popcountll((uint64_t)(p[0] | p[1])) & 1};
}
void rule_menu(const i64 *p, i64 *menu) { *menu = (i64)moves(at(p)); }
void rule_play(const i64 *p, i64 move, i64 *out) {
  Position next = play(at(p), (int)move);
  out[0] = (i64)next.own, out[1] = (i64)next.other;
  if (GAME == 3) out[2] = next.side;
}
i64 rule_side(const i64 *p) { return at(p).side; }
i64 rule_winner(const i64 *p) { return winner(at(p)); }
i64 rule_key(const i64 *p, i64 move) {
  return GAME == 3 && (uint64_t)(p[0] | p[1]) >> move & 1 ? 64 : move; /* a pass */
}

#elif GAME == 4

enum { SEED, SIZE, WIDTH, ROOM, TURN, PASS = 99, PASSING = 100 };

static i64 noise(const i64 *p, i64 salt) {
  i64 mixed = p[SEED] * 7919 + p[ROOM] * 104729 + salt * 1299709 + 12345;
  return ((mixed & 0x7FFFFFF) * 2654435761 >> 13) & 0xFFFF;
}
void rule_menu(const i64 *p, i64 *menu) {
  *menu = p[ROOM] >= p[SIZE] ? 0 : noise(p, 1) % 6 == 0 ? PASSING : 1 + noise(p, 2) % p[WIDTH];
}
i64 rule_count(const i64 *menu) { return *menu == PASSING ? 1 : *menu; }
i64 rule_pick(const i64 *menu, i64 index) { return *menu == PASSING ? PASS : 3 - 2 * index; }
void rule_play(const i64 *p, i64 move, i64 *out) {
  i64 step = move == PASS ? 1 : 1 + noise(p, 20 - move) % 3;
  i64 again = move != PASS && noise(p, 40 - move) % 4 == 0;
  out[SEED] = p[SEED], out[SIZE] = p[SIZE], out[WIDTH] = p[WIDTH], out[ROOM] = p[ROOM] + step;
  out[TURN] = again ? p[TURN] : 1 - p[TURN];
}
i64 rule_side(const i64 *p) { return p[TURN]; }
i64 rule_winner(const i64 *p) { return (noise(p, 3) + p[TURN]) % 3; }
i64 rule_key(const i64 *p, i64 move) { return (void)p, move + 32; }

#elif GAME == 5

enum { LEFT, MOST, LAST_WINS, TURN };

void rule_menu(const i64 *p, i64 *menu) {
  *menu = (1LL << (p[LEFT] < p[MOST] ? p[LEFT] : p[MOST])) - 1;
}
void rule_play(const i64 *p, i64 move, i64 *out) {
  out[LEFT] = p[LEFT] - move - 1, out[MOST] = p[MOST], out[LAST_WINS] = p[LAST_WINS];
  out[TURN] = 1 - p[TURN];
}
i64 rule_side(const i64 *p) { return p[TURN]; }
i64 rule_winner(const i64 *p) { return p[LAST_WINS] ? 1 - p[TURN] : p[TURN]; }
i64 rule_key(const i64 *p, i64 move) { return (void)p, move; }

#endif

#if GAME

enum { FIELDS = GAME == 3 ? 3 : GAME == 4 ? 5 : GAME == 5 ? 4 : 2 };

void copy_position(i64 *out, const i64 *p) {
  for (int field = 0; field < FIELDS; field++) out[field] = p[field];
}
i64 rule_over(const i64 *menu) { return *menu == 0; }
double rule_rewards(const i64 *p, i64 player) { return (void)p, (double)(0 * player); }
i64 rule_chances(const i64 *p) { return 0 * *p; }
i64 rule_weight(const i64 *p, i64 outcome) { return 0 * (*p + outcome); }

#if GAME != 4
i64 rule_count(const i64 *menu) { return __builtin_popcountll((uint64_t)*menu); }
i64 rule_pick(const i64 *menu, i64 index) {
  uint64_t left = (uint64_t)*menu;
  while (index--) left &= left - 1;
  return __builtin_ctzll(left);
}
#endif

#if GAME == 2 /* the kinds of moves that fmcts/games/_rules/connect4.py has */

static uint64_t threats(uint64_t stones, uint64_t occupied) {
  uint64_t found = stones << 1 & stones << 2 & stones << 3;
  for (int step = 6; step <= 8; step++) {
    uint64_t pair = stones << step & stones << 2 * step;
    found |= (pair & stones << 3 * step) | (pair & stones >> step);
    pair = stones >> step & stones >> 2 * step;
    found |= (pair & stones << step) | (pair & stones >> 3 * step);
  }
  return found & (BOARD ^ occupied);
}

void rule_preferred(int kind, const i64 *p, const i64 *menu, i64 *out) {
  uint64_t own = (uint64_t)p[0], other = (uint64_t)p[1], occupied = own | other, cells = (uint64_t)*menu;
  uint64_t mine = threats(own, occupied), against = threats(other, occupied), forced = cells & against;
  uint64_t allowed = forced & (forced - 1) ? 0 : forced ? forced : cells;
  uint64_t safe = (allowed & ~(against >> 1)) | (cells & mine);
  *out = (i64)(kind == 0 ? cells & mine : kind == 1 ? safe : safe & ~(mine >> 1));
}

#else
void rule_preferred(int kind, const i64 *p, const i64 *menu, i64 *out) { *out = *menu & 0 * (kind + *p); }
#endif
#endif

/* ---- functions of a search ---- */

static inline double worth(const i64 *p) { return (double)((p[0] ^ p[1]) & 7) / 7.0; }
static inline double payoff(const i64 *p) { return (double)((p[0] >> 1 ^ p[1]) & 3) / 4.0; }
static inline double liking(const i64 *p, i64 move, i64 count) {
  return (void)count, 1.0 / (1.0 + (double)((p[0] ^ move) & 7));
}
static inline double _uniform(const i64 *p, i64 move, i64 count) {
  return (void)p, (void)move, 1.0 / (double)count;
}
static inline void fewest_bits(const i64 *p, const i64 *menu, i64 *out) {
  i64 lowest = *menu & -*menu, others = *menu ^ lowest;
  (void)p, *out = *menu & 4 && others ? others : lowest;
}
static inline void fewer_ways(const i64 *p, const i64 *menu, i64 *out) {
  (void)p, *out = *menu == 100 ? 100 : (*menu + 1) / 2; /* 100 is the menu of a pass */
}
/* An edge has visits, reward and value, a parent visits and the logarithm of visits, first. */
static inline double branching(const double *edge, const double *parent, const double *numbers) {
  return (void)numbers, edge[0] > 3.0 ? edge[2] : edge[2] + parent[1] / edge[0];
}
