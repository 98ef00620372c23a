/* The rules of the three games by hand: `own` are the stones of the side to move.

   moves(p) is a set of bits, empty when the game is over; play(p, m) makes move m; winner(p) of a
   finished game is 0 (X), 1 (O) or 2 (nobody). GAME: 1 tic-tac-toe, 2 Connect Four, 3 Othello. */
#include <stdint.h>

typedef uint64_t u64;
typedef struct {
  u64 own, other;
  int side;
} Position;

#if GAME == 1

static const char *NAME = "tictactoe";
static const Position START = {0, 0, 0};

static inline int has_line(u64 x) {
  return (x & x >> 1 & x >> 2 & 0111) || (x & x >> 3 & x >> 6) || (x & 0421) == 0421 ||
         (x & 0124) == 0124;
}
static inline u64 moves(Position p) {
  return has_line(p.other) ? 0 : ~(p.own | p.other) & 0777;
}
static inline Position play(Position p, int cell) {
  return (Position){p.other, p.own | 1ULL << cell, p.side ^ 1};
}
static inline int winner(Position p) { return has_line(p.other) ? p.side ^ 1 : 2; }

#elif GAME == 2

/* Seven bits a column, the top one always empty; a move is the cell in which the disc comes to lie. */
static const char *NAME = "connect4";
static const Position START = {0, 0, 0};
#define BOTTOM 0x0040810204081ULL
#define BOARD (BOTTOM * 63)

static inline int has_four(u64 x) {
  u64 up = x & x >> 1, across = x & x >> 7, falling = x & x >> 6, rising = x & x >> 8;
  return ((up & up >> 2) | (across & across >> 14) | (falling & falling >> 12) |
          (rising & rising >> 16)) != 0;
}
static inline u64 moves(Position p) {
  return has_four(p.other) ? 0 : ((p.own | p.other) + BOTTOM) & BOARD;
}
static inline Position play(Position p, int cell) {
  return (Position){p.other, p.own | 1ULL << cell, p.side ^ 1};
}
static inline int winner(Position p) { return has_four(p.other) ? p.side ^ 1 : 2; }

#else

/* Kogge-Stone fills in the eight directions; a pass is the lone move onto an occupied square. */
static const char *NAME = "othello";
static const Position START = {1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36, 0};
#define INNER_COLUMNS 0x7e7e7e7e7e7e7e7eULL

static inline u64 run_up(u64 from, u64 over, int step) {
  u64 run = over & from << step;
  run |= over & run << step;
  u64 pairs = over & over << step;
  run |= pairs & run << 2 * step;
  run |= pairs & run << 2 * step;
  return run;
}
static inline u64 run_down(u64 from, u64 over, int step) {
  u64 run = over & from >> step;
  run |= over & run >> step;
  u64 pairs = over & over >> step;
  run |= pairs & run >> 2 * step;
  run |= pairs & run >> 2 * step;
  return run;
}
static inline u64 mobility(u64 own, u64 other) {
  u64 inner = other & INNER_COLUMNS;
  return (run_up(own, inner, 1) << 1 | run_down(own, inner, 1) >> 1 | run_up(own, other, 8) << 8 |
          run_down(own, other, 8) >> 8 | run_up(own, inner, 7) << 7 | run_down(own, inner, 7) >> 7 |
          run_up(own, inner, 9) << 9 | run_down(own, inner, 9) >> 9) &
         ~(own | other);
}
static inline u64 moves(Position p) {
  u64 squares = mobility(p.own, p.other);
  if (squares) return squares;
  return mobility(p.other, p.own) ? p.own & -p.own : 0;
}
static inline u64 flips_up(u64 disc, u64 own, u64 over, int step) {
  u64 run = run_up(disc, over, step);
  return run << step & own ? run : 0;
}
static inline u64 flips_down(u64 disc, u64 own, u64 over, int step) {
  u64 run = run_down(disc, over, step);
  return run >> step & own ? run : 0;
}
static inline Position play(Position p, int square) {
  u64 disc = 1ULL << square, own = p.own, other = p.other, inner = other & INNER_COLUMNS;
  if (disc & (own | other)) return (Position){other, own, p.side ^ 1};
  u64 flipped = flips_up(disc, own, inner, 1) | flips_down(disc, own, inner, 1) |
                flips_up(disc, own, other, 8) | flips_down(disc, own, other, 8) |
                flips_up(disc, own, inner, 7) | flips_down(disc, own, inner, 7) |
                flips_up(disc, own, inner, 9) | flips_down(disc, own, inner, 9);
  return (Position){other ^ flipped, own | flipped | disc, p.side ^ 1};
}
static inline int winner(Position p) {
  int own = __builtin_popcountll(p.own), other = __builtin_popcountll(p.other);
  return own > other ? p.side : own < other ? p.side ^ 1 : 2;
}

#endif
