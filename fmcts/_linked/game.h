/* What all C of this engine shares: types, the rules of the game, which are linked in, and the places in a tree. */
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;
typedef int i32;
typedef double __attribute__((aligned(4))) real; /* a double among the words */
typedef i64 __attribute__((aligned(4))) word; /* an i64 among them */
typedef i32 v8i __attribute__((vector_size(32), aligned(4)));
typedef double v8d __attribute__((vector_size(64)));
typedef i64 v8l __attribute__((vector_size(64)));
typedef u64 v8u __attribute__((vector_size(64)));
typedef u64 v4u __attribute__((vector_size(32)));
typedef v8l __attribute__((aligned(4))) words8;
typedef v8d __attribute__((aligned(4))) lanes8;
typedef _Bool v8b __attribute__((ext_vector_type(8)));

#define INLINED __attribute__((always_inline)) /* a function that other parts may call */
#define INLINE static inline INLINED
#define FOR(i, count) for (i32 i = 0; i < (count); i++)
#define INFINITY __builtin_inf()
#define TRY(call) do { i32 returned = call; if (returned) return returned; } while (0) /* pass on a status but DONE */
/* Before a loop that is not to be written out several times: where moves are few, that gains nothing and takes as long
 * to link as all the rest. */
#define ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")

/* The lanes that are true, a bit each. */
INLINE i32 bits_of(v8b lanes) {
  unsigned char bits;
  __builtin_memcpy(&bits, &lanes, 1);
  return bits;
}

enum {
  MOST_FIELDS = 256, MOST_MOVES = 1 << 24, MOST_ROWS = 64, MOST_PLAYERS = 64, MOST_NUMBERS = 32,
  LARGEST_CHANCE = 0x7fffffff
};

enum Status {
  DONE, TREE_IS_FULL, PATH_IS_FULL, NODES_ARE_MADE, WIDE_MOVE, BAD_MENU, BAD_WINNER, NO_END, ALL_EXCLUDED,
  NOT_A_NUMBER, BAD_POLICY, BAD_WORTH, BAD_KEY, RESOLVED, LINE_IS_FULL, BAD_WEIGHT, WAITING, BAD_PRIORS,
  BAD_CHANCES, BAD_REWARD, BAD_SCORES, TOO_MANY, FAULT, LOG_IS_FULL, CHOICE,
  BAD_GAINED, TABLE_IS_TAKEN
};

/* ---- the game ----
 *
 * What is weak is linked in where a game, or a search, has it. What has a body here is the usual case, which the rules
 * of a game may replace.
 */
#define WEAK __attribute__((weak))
#ifndef USUAL /* a compiler that sees no rules must not inline it: `benchmarks/sanitize.py` */
#define USUAL __attribute__((weak, always_inline))
#endif

extern const i32 FIELDS, HAS_CHANCE, EVEN_CHANCES;
extern const i64 KEYS;
extern const i32 SET_OF_BITS; /* a menu is a set of bits, a move the number of a bit */
extern const i32 ONE_WORD;    /* a menu is one word, 0 where the game is over */
i32 fault; /* how often a linked function would have raised; see `link.py` */

extern const i32 HAS_PDEP; /* whether the processor has this instruction */
u64 pdep(u64 bits, u64 mask) __asm__("llvm.x86.bmi.pdep.64");

INLINED i64 nth_bit(u64 bits, i64 index) {
  if (HAS_PDEP) bits = pdep(1ULL << index, bits), index = 0;
  while (index--) bits &= bits - 1;
  return __builtin_ctzll(bits);
}

INLINED i64 popcount(u64 bits) { return __builtin_popcountll(bits); }
INLINED i64 highest_bit(u64 bits) { return (i64)(1ULL << 63 >> __builtin_clzll(bits | 1) & bits); } /* 0 if there is none */

void rule_menu(const i64 *p, i64 *out);
void rule_play(const i64 *p, i64 move, i64 *out);
i64 rule_side(const i64 *p);
i64 rule_key(const i64 *p, i64 move);
USUAL i64 rule_count(const i64 *menu) { return popcount((u64)*menu); }
USUAL i64 rule_pick(const i64 *menu, i64 index) { return nth_bit((u64)*menu, index); }
USUAL i64 rule_over(const i64 *menu) { return ONE_WORD ? *menu == 0 : rule_count(menu) == 0; }
USUAL i64 rule_winner(const i64 *p) { return (void)p, 2; }
USUAL i64 rule_chances(const i64 *p) { return (void)p, 0; }
USUAL i64 rule_weight(const i64 *p, i64 outcome) { return (void)p, (void)outcome, 0; }
USUAL double rule_rewards(const i64 *p, i64 player) { return (void)p, (void)player, 0.0; }
USUAL double rule_gained(const i64 *p, i64 player) { return (void)p, (void)player, 0.0; }
WEAK void rule_winning(const i64 *p, const i64 *menu, i64 *out);
WEAK void rule_safe(const i64 *p, const i64 *menu, i64 *out);
WEAK void rule_patient(const i64 *p, const i64 *menu, i64 *out);

INLINED void copy_position(i64 *out, const i64 *p) { __builtin_memcpy(out, p, 8 * (u64)FIELDS); }

INLINE i32 is_same(const word *p, const word *q) {
  FOR(field, FIELDS) if (p[field] != q[field]) return 0;
  return 1;
}

/* `fmcts.bits.past_runs`, four lines at once. */
INLINED i64 past_runs(i64 a, i64 b, i64 c, i64 d, i64 e, i64 f, i64 g, i64 h, i64 of, i64 other) {
  v4u step = {(u64)a, (u64)b, (u64)c, (u64)d}, inside = {(u64)e, (u64)f, (u64)g, (u64)h};
  v4u mine = (v4u){0} + (u64)of, between = inside & (u64)other, up = between & mine << step, down = between & mine >> step;
  up |= between & up << step, down |= between & down >> step;
  v4u ups = between & between << step, downs = between & between >> step;
  FOR(pair, 2) up |= ups & up << 2 * step, down |= downs & down >> 2 * step;
  return (i64)__builtin_reduce_or(up << step | down >> step);
}

/* ---- arithmetic of users' functions: a result that is another than in Python is noted ---- */

INLINE void note(i32 bad) { if (bad) __atomic_fetch_add(&fault, 1, __ATOMIC_RELAXED); }

INLINED i64 exact_add(i64 a, i64 b) { i64 sum; return note(__builtin_add_overflow(a, b, &sum)), sum; }
INLINED i64 exact_sub(i64 a, i64 b) { i64 rest; return note(__builtin_sub_overflow(a, b, &rest)), rest; }
INLINED i64 exact_mul(i64 a, i64 b) { i64 product; return note(__builtin_mul_overflow(a, b, &product)), product; }
INLINED i64 exact_shl(i64 a, i64 b) {
  i64 by = b & 63, r = (i64)((u64)a << by);
  return note(b != by || r >> by != a), r;
}
INLINED i64 exact_ashr(i64 a, i64 b) { return note(a < 0 || b != (b & 63)), a >> (b & 63); }
INLINED i64 exact_lshr(i64 a, i64 b) { return note(b != (b & 63)), (i64)((u64)a >> (b & 63)); }

/* ---- places in a tree ----
 *
 * A tree is an array of 32-bit words made of blocks. A block has the places of all moves of a node side by side, so
 * that eight are scored together:
 *
 *   total, tried, visits[total], halves[total], below[total], move[total], ROWS rows of doubles[total], a table
 *
 * visits is -1 for a move without a child; halves is twice the summed reward of the child's mover; below is the block
 * of the child's own moves, 0 if there is none, and -1 - winner where the game is over. tried is the number of
 * children. The root is the only child of block 0.
 */
#define VISITS(w, b) ((w) + (b) + 2)
#define HALVES(w, b, total) (VISITS(w, b) + (total))
#define BELOW(w, b, total) (VISITS(w, b) + 2 * (i64)(total))
#define MOVE(w, b, total) (VISITS(w, b) + 3 * (i64)(total))
#define REALS(w, b, total, row) ((real *)(VISITS(w, b) + (4 + 2 * (i64)(row)) * (i64)(total)))
#define TOTAL(w, b) ((w)[b])
#define TRIED(w, b) ((w)[(b) + 1])
enum { ROOT = 0 };
