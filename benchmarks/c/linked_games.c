/* The rules of rules.h as fmcts/_linked/game.h declares them, for benchmarks/sanitize.py. */
#include "rules.h"

typedef int64_t i64;
enum { FIELDS = GAME == 3 ? 3 : 2, PASS = 64 };

static Position at(const i64 *p) {
  u64 own = (u64)p[0], other = (u64)p[1];
  return (Position){own, other, GAME == 3 ? (int)p[2] : __builtin_popcountll(own | other) & 1};
}
void copy_position(i64 *out, const i64 *p) {
  for (int field = 0; field < FIELDS; field++) out[field] = p[field];
}
void rule_menu(const i64 *p, i64 *menu) { *menu = (i64)moves(at(p)); }
i64 rule_over(const i64 *menu) { return *menu == 0; }
i64 rule_count(const i64 *menu) { return __builtin_popcountll((u64)*menu); }
i64 rule_pick(const i64 *menu, i64 index) {
  u64 left = (u64)*menu;
  while (index--) left &= left - 1;
  return __builtin_ctzll(left);
}
void rule_play(const i64 *p, i64 move, i64 *out) {
  Position next = play(at(p), (int)move);
  out[0] = (i64)next.own, out[1] = (i64)next.other;
  if (GAME == 3) out[2] = next.side;
}
i64 rule_side(const i64 *p) { return at(p).side; }
i64 rule_winner(const i64 *p) { return winner(at(p)); }
i64 rule_key(const i64 *p, i64 move) { return GAME == 3 && (u64)(p[0] | p[1]) >> move & 1 ? PASS : move; }

/* What these games lack. */
double rule_rewards(const i64 *p, i64 player) { return 0.0 * (double)(*p + player); }
double rule_gained(const i64 *p, i64 player) { return 0.0 * (double)(*p + player); }
i64 rule_chances(const i64 *p) { return *p & 0; }
i64 rule_weight(const i64 *p, i64 outcome) { return (*p ^ outcome) & 0; }

#if GAME == 2 /* the kinds of moves of fmcts/games/_rules/connect4.py */

static u64 threats(u64 stones, u64 occupied) {
  u64 found = stones << 1 & stones << 2 & stones << 3;
  for (int step = 6; step <= 8; step++) {
    u64 above = stones << step & stones << 2 * step, below = stones >> step & stones >> 2 * step;
    found |= (above & stones << 3 * step) | (above & stones >> step);
    found |= (below & stones << step) | (below & stones >> 3 * step);
  }
  return found & (BOARD ^ occupied);
}
void rule_preferred(int kind, const i64 *p, const i64 *menu, i64 *out) {
  u64 own = (u64)p[0], other = (u64)p[1], cells = (u64)*menu;
  u64 mine = threats(own, own | other), against = threats(other, own | other), forced = cells & against;
  u64 allowed = forced & (forced - 1) ? 0 : forced ? forced : cells;
  u64 safe = (allowed & ~(against >> 1)) | (cells & mine);
  *out = (i64)(kind == 0 ? cells & mine : kind == 1 ? safe : safe & ~(mine >> 1));
}

#else

void rule_preferred(int kind, const i64 *p, const i64 *menu, i64 *out) { *out = *menu & (kind ^ *p) & 0; }

#endif
