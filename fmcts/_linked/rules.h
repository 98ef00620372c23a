/* What the loops share: types, statuses, and the rules of a game, which are linked in. */
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;
typedef int i32;

#define INLINE static inline __attribute__((always_inline))
#define FOR(i, count) for (i32 i = 0; i < (count); i++)

enum { MOST_FIELDS = 256, MOST_MOVES = 1 << 24 };

enum Status {
  DONE, TREE_IS_FULL, PATH_IS_FULL, NODES_ARE_MADE, WIDE_MOVE, BAD_MENU, BAD_WINNER, NO_END, ALL_EXCLUDED,
  NOT_A_NUMBER, BAD_POLICY, BAD_WORTH, BAD_KEY, RESOLVED, LINE_IS_FULL, BAD_WEIGHT, WAITING, BAD_PRIORS,
  BAD_CHANCES, BAD_REWARD, BAD_SCORES, FAULT, PAUSED, TABLE_IS_FULL, ROWS_ARE_FULL
};

extern const i64 KEYS;
void rule_menu(const i64 *p, i64 *menu);
i64 rule_over(const i64 *menu);
i64 rule_count(const i64 *menu);
i64 rule_pick(const i64 *menu, i64 index);
void rule_play(const i64 *p, i64 move, i64 *out);
i64 rule_side(const i64 *p);
i64 rule_winner(const i64 *p);
i64 rule_key(const i64 *p, i64 move);
i64 rule_chances(const i64 *p);
i64 rule_weight(const i64 *p, i64 outcome);
double rule_rewards(const i64 *p, i64 player);
void rule_preferred(i32 kind, const i64 *p, const i64 *menu, i64 *out); /* winning, safe or patient moves */
void copy_position(i64 *out, const i64 *p);
double evaluate(const i64 *p);
extern i32 fault; /* of a linked function that would raise; see `numbas.py` */
