/* Playouts, from a leaf of the tree or without one. */

INLINE i32 pick_uniform(Search *s, const i64 *menu, i64 *move) {
  i64 choices = rule_count(menu);
  if (choices < 1 || choices > MOST_MOVES) return BAD_MENU;
  *move = rule_pick(menu, draw(s, choices));
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
  ROLLED for (i64 index = 0; index < total; index++)
    if (wins(there, rule_pick(menu, index))) return 0;
  return 1;
}

/* ---- policies ---- */

enum { NONE, BY_WINNING, BY_SAFE, BY_PATIENT, WINS, IS_SAFE };

/* Draw among the moves of a kind; -1 if there are none. */
INLINE i32 prefer(Search *s, i32 kind, const i64 *p, const i64 *menu, i64 *move) {
  if (kind == NONE) return -1;
  if (kind <= BY_PATIENT) {
    i64 among[MOST_FIELDS];
    (kind == BY_WINNING ? rule_winning : kind == BY_SAFE ? rule_safe : rule_patient)(p, menu, among);
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

INLINE i32 narrowed(Search *s, i32 which, const i64 *p, const i64 *menu, i64 *move) {
  i64 among[MOST_FIELDS];
  narrow(which, p, menu, among);
  if (rule_over(among)) return BAD_POLICY;
  if (SET_OF_BITS) return among[0] & ~menu[0] ? BAD_POLICY : pick_uniform(s, among, move);
  i64 kept = rule_count(among), total = rule_count(menu);
  ROLLED for (i64 index = 0; index < kept; index++) {
    i32 found = 0;
    ROLLED for (i64 other = 0; other < total && !found; other++) found = rule_pick(among, index) == rule_pick(menu, other);
    if (!found) return BAD_POLICY;
  }
  return pick_uniform(s, among, move);
}

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
INLINE i32 weighed(Search *s, i32 which, i32 tables, const double *numbers, const i64 *p, const i64 *menu, i64 *move) {
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

INLINED i32 choose_by_part(i32 which, Search *s, const i64 *p, const i64 *menu, i64 *move) {
  i32 kind = POLICY_KIND[which], has = POLICY_HAS[which], status = -1;
  if (kind == NARROWS) return narrowed(s, which, p, menu, move);
  if (kind == WEIGHS) return weighed(s, which, has, s->policy_numbers + POLICY_NUMBER[which], p, menu, move);
  if (kind == PREFERS) {
    status = prefer(s, has & 7, p, menu, move);
    if (status < 0) status = prefer(s, has >> 3 & 7, p, menu, move);
    if (status < 0) status = prefer(s, has >> 6, p, menu, move);
  }
  return status < 0 ? pick_uniform(s, menu, move) : status;
}

i32 choose_by(i32 which, Search *s, const i64 *p, const i64 *menu, i64 *move); /* linked in; calls `choose_by_part` */

INLINE i32 choose_move(Search *s, const i64 *p, const i64 *menu, i64 *move) {
  i32 which = 0;
  while (POLICY_KIND[which] == MIXES) {
    const double *limits = s->policy_numbers + POLICY_NUMBER[which], drawn = (double)draw(s, 1 << 20); /* SCALE */
    i32 part = POLICY_FIRST[which];
    FOR(place, POLICY_HAS[which]) part += drawn >= limits[place];
    which = part;
  }
  return choose_by(which, s, p, menu, move);
}

/* The states of a playout that join the tree. Blocks of those that are new are behind the words in use, so nothing of
 * them is in the tree before one child leads there. */
typedef struct {
  i64 block, end;  /* of the state that the playout is in, or 0; of the words with the new blocks */
  i32 *link;       /* to the block of that state, if it is 0 */
  i64 made;        /* new children */
  i64 parent, total, index, move; /* of the first, if its parent is in the tree */
  i32 below;                      /* the first one's block */
} Chain;

/* Let a move of the playout lead to a child. */
INLINE i32 join(Search *s, Chain *chain, const i64 *p, const i64 *menu, i64 move) {
  i64 b = chain->block, index = 0;
  if (b == 0) {
    b = chain->end;
    TRY(open_block(s, &chain->end, p, menu));
    *chain->link = (i32)b;
    if (!chain->made) s->used = chain->end; /* the block of a node of the tree */
  }
  i64 total = TOTAL(s->words, b);
  while (index < total && rule_pick(menu, index) != move) index++;
  if (index == total) return BAD_MENU;
  chain->link = BELOW(s->words, b, total) + index, chain->block = *chain->link;
  if (VISITS(s->words, b)[index] >= 0) return DONE;
  chain->made++;
  if (b >= s->used) return make_child(s, b, total, index, move), DONE;
  chain->parent = b, chain->total = total, chain->index = index, chain->move = move, chain->link = &chain->below;
  return DONE;
}

/* Play on from a position to an end or an evaluation. */
INLINE i32 simulate(Search *s, const i64 *from, Chain *chain, double *worth) {
  i64 left = s->max_plies, moved = s->moved, p[MOST_FIELDS], menu[MOST_FIELDS], next[MOST_FIELDS];
  copy_position(p, from);
  rule_menu(p, menu);
  double total[MOST_PLAYERS] = {0.0}, weight = 1.0, here[1 + MOST_PLAYERS];
  while (!rule_over(menu)) {
    if (EVALUATES && !CUT) return share(evaluate(p), worth);
    if (left == 0) return NO_END;
    i64 move, index = 0, weights = HAS_CHANCE ? rule_chances(p) : 0;
    if (RETURNS && !weights && moved++ >= s->horizon) {
      FOR(player, SEATS) worth[player] = total[player] + weight * 0.0;
      return DONE;
    }
    if (EVALUATES && (double)(s->max_plies - left) >= s->cut_after && !weights)
      return share(evaluate(p), worth);
    left--;
    TRY(HAS_CHANCE && weights ? draw_outcome(s, p, menu, weights, &index) : choose_move(s, p, menu, &move));
    if (HAS_CHANCE && weights) move = rule_pick(menu, index);
    if (move != (i32)move) return WIDE_MOVE;
    if (JOINS) TRY(join(s, chain, p, menu, move));
    if (SHOWS && s->plies < s->played_room) s->played[s->plies++] = (i32)move;
    if (TRACES || REMEMBERS) TRY(remember(s, p, move, 1));
    rule_play(p, move, next);
    copy_position(p, next);
    rule_menu(p, menu);
    if (failed(s)) return FAULT; /* the position may be the same as before, for ever */
    if (RETURNS) {
      TRY(gained_at(s, p, (i32)rule_over(menu), here));
      FOR(player, SEATS) total[player] += weight * here[1 + player];
      weight *= here[0];
    }
  }
  TRY(ended(p, worth));
  if (RETURNS) FOR(player, SEATS) worth[player] = total[player] + weight * worth[player];
  return DONE;
}

/* ---- playouts without a tree ---- */

typedef struct { Search search; i64 ends[3]; } Playouts; /* won by X, by O, drawn */

void playouts(Playouts *games) {
  Search *s = &games->search;
  double worth[MOST_PLAYERS];
  s->status = DONE, s->faults = fault;
  for (s->made = 0; s->made < s->iterations && !s->status; s->made++) {
    s->status = simulate(s, s->root, 0, worth);
    if (failed(s)) s->status = FAULT;
    if (!s->status) games->ends[winner_of(worth)]++;
  }
}
