/* The rules of rules.h as fmcts/_linked/game.h declares them, for benchmarks/sanitize.py. */
#include "rules.h"

typedef int64_t i64;
enum { FIELDS = GAME == 3 ? 3 : 2, PASS = 64 };

static Position at(const i64 *p) {
  u64 own = (u64)p[0], other = (u64)p[1];
  return (Position){own, other, GAME == 3 ? (int)p[2] : __builtin_popcountll(own | other) & 1};
}
void rule_menu(const i64 *p, i64 *menu) { *menu = (i64)moves(at(p)); }
void rule_play(const i64 *p, i64 move, i64 *out) {
  Position next = play(at(p), (int)move);
  out[0] = (i64)next.own, out[1] = (i64)next.other;
  if (GAME == 3) out[2] = next.side;
}
i64 rule_side(const i64 *p) { return at(p).side; }
i64 rule_winner(const i64 *p) { return winner(at(p)); }
i64 rule_key(const i64 *p, i64 move) { return GAME == 3 && (u64)(p[0] | p[1]) >> move & 1 ? PASS : move; }

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
static u64 safe(const i64 *p, u64 cells, u64 mine) {
  u64 against = threats((u64)p[1], (u64)(p[0] | p[1])), forced = cells & against;
  u64 allowed = forced & (forced - 1) ? 0 : forced ? forced : cells;
  return (allowed & ~(against >> 1)) | (cells & mine);
}
static u64 mine(const i64 *p) { return threats((u64)p[0], (u64)(p[0] | p[1])); }
void rule_winning(const i64 *p, const i64 *menu, i64 *out) { *out = *menu & (i64)mine(p); }
void rule_safe(const i64 *p, const i64 *menu, i64 *out) { *out = (i64)safe(p, (u64)*menu, mine(p)); }
void rule_patient(const i64 *p, const i64 *menu, i64 *out) {
  *out = (i64)(safe(p, (u64)*menu, mine(p)) & ~(mine(p) >> 1));
}

#endif
