/* Graphs: a block for each position, by whichever moves it is reached, also for one where the game is over.
 *
 * The rule is `sound` of `fmcts/_engines/graph`. VISITS of a move are how often it was chosen here, BELOW is the block of the
 * position that it leads to, and its reward and value are those of `look_below`.
 */

/* The place of a position in the table, which is 0 there if the position is new. */
INLINE i64 place_in_table(const Search *s, const word *p) {
  u64 hash = 0;
  FOR(field, FIELDS) hash = mix64(hash + (u64)p[field]);
  for (;; hash++) {
    i64 place = (i64)(hash & (u64)(s->places - 1)), b = s->table[place];
    if (!b || is_same(node(s->words, b)->p, p)) return place;
  }
}

INLINE void fill_table(Search *s) {
  for (i64 b = first_block(); b < s->used; b += size_of(TOTAL(s->words, b)) + node_words(), s->taken++)
    s->table[place_in_table(s, node(s->words, b)->p)] = (i32)b;
}

/* Raise the level of a position, and of all below it, above that of a position with a move to it. Return whether this one is
 * among them, so that it can come again. Each remembers by which move it was met, which is the way back. */
INLINE i32 comes_again(i32 *w, i64 first, i64 above) {
  i64 b = first, index = 0;
  if (first == above) return 1;
  if (node(w, first)->level > node(w, above)->level) return 0;
  node(w, first)->level = node(w, above)->level + 1;
  for (;;) {
    i64 total = TOTAL(w, b);
    if (index == total) {
      if (b == first) return 0;
      index = node(w, b)->index + 1, b = node(w, b)->above;
      continue;
    }
    i64 to = BELOW(w, b, total)[index];
    if (!to || node(w, to)->level > node(w, b)->level) {
      index++;
    } else {
      if (to == above) return 1;
      node(w, to)->level = node(w, b)->level + 1;
      node(w, to)->above = (i32)b, node(w, to)->index = (i32)index;
      b = to, index = 0;
    }
  }
}

/* Let a move lead to its position, which is new or known. */
INLINE i32 lead(Search *s, i64 b, i64 index, const i64 *p, i64 move) {
  i32 *w = s->words;
  i64 there[MOST_FIELDS], menu[MOST_FIELDS];
  if (move != (i32)move) return WIDE_MOVE;
  rule_play(p, move, there);
  i64 place = place_in_table(s, there), to = s->table[place];
  if (to) {
    if (comes_again(w, to, b)) return FAULT; /* Python says so */
  } else {
    rule_menu(there, menu);
    i64 end = to = s->used + node_words();
    if (s->nodes_left < 1) return NODES_ARE_MADE;
    if (2 * s->taken >= s->places) return TABLE_IS_TAKEN;
    TRY(open_block(s, &end, there, menu));
    Node *made = node(w, to);
    *made = (Node){.above = (i32)b, .index = (i32)index, .level = node(w, b)->level + 1};
    FOR(field, FIELDS) made->p[field] = there[field];
    s->table[place] = (i32)to, s->taken++, s->nodes_left--, s->used = end;
  }
  make_child(s, b, TOTAL(w, b), index, move);
  BELOW(w, b, TOTAL(w, b))[index] = (i32)to;
  return DONE;
}

enum { TRIES = 2 }; /* in place of who chose: moves were tried there; see `take_back` */

/* Descend to a position without visits, or an end. From a move to a position that has visits the descent continues.
 * Where there are untried moves, the next one is tried, or all. */
INLINE i32 descend_graph(Search *s, End *end, double *worth) {
  i32 *w = s->words;
  i64 next[MOST_FIELDS];
  do {
    TRY(descend(s, end, worth));
    i64 b = end->block, total = end->total;
    if (!total) return DONE;
    i64 index = untried(s, b, total, TRIED(w, b), end->index);
    s->path[end->depth++] = (Level){(i32)b, (i32)total, (i32)index, TRIES};
    ROLLED for (i64 each = 0; each < total; each++)
      if (VISITS(w, b)[each] < 0 && (EXPANSION == FULL || each == index))
        TRY(lead(s, b, each, end->p, offered(s, b, total, end->menu, each)));
    rule_play(end->p, MOVE(w, b, total)[index], next);
    copy_position(end->p, next);
    end->block = BELOW(w, b, total)[index];
  } while (node(w, end->block)->visits);
  return DONE;
}

/* Undo what an iteration has made: moves that it tried have no visits, and its blocks come last. */
INLINE void take_back(Search *s, const End *end, i64 used) {
  i32 *w = s->words;
  FOR(level, end->depth) if (s->path[level].mover == TRIES) {
    i64 b = s->path[level].block, total = TOTAL(w, b);
    ROLLED for (i64 index = 0; index < total; index++)
      if (VISITS(w, b)[index] == 0) VISITS(w, b)[index] = -1, BELOW(w, b, total)[index] = 0, TRIED(w, b)--;
  }
  for (i64 place = 0; place < s->places; place++)
    if (s->table[place] > used) s->table[place] = 0, s->taken--, s->nodes_left++;
  s->used = used;
}

/* Compute the numbers of a position from those that its moves lead to, of each its share by how often it was chosen. */
INLINE void recompute(i32 *w, i64 b) {
  Node *here = node(w, b);
  i64 total = TOTAL(w, b);
  i32 visits = here->own;
  double sum = visits * here->worth;
  ROLLED for (i64 index = 0; index < total; index++) {
    i32 chosen = VISITS(w, b)[index];
    if (chosen <= 0) continue;
    const Node *there = node(w, BELOW(w, b, total)[index]);
    visits += chosen;
    sum += chosen == there->visits ? there->total : chosen * there->mean[0];
  }
  here->visits = visits, here->total = sum;
  here->mean[0] = total ? sum / visits : here->worth; /* exactly, even if the sum was rounded */
  here->mean[1] = total ? (visits - sum) / visits : 1.0 - here->worth;
}

INLINE i32 iterate_graph(Search *s) {
  i32 *w = s->words;
  End end;
  double worth[MOST_PLAYERS];
  i64 used = s->used;
  begin_at_root(s, &end);
  i32 status = descend_graph(s, &end, worth);
  if (!status) status = simulate(s, end.p, 0, worth);
  if (failed(s)) status = FAULT;
  if (status) return take_back(s, &end, used), status;
  node(w, end.block)->own++, node(w, end.block)->worth = worth[0];
  recompute(w, end.block);
  for (i32 level = end.depth - 1; level >= 0; level--) {
    VISITS(w, s->path[level].block)[s->path[level].index]++;
    recompute(w, s->path[level].block);
  }
  VISITS(w, ROOT)[0]++;
  return DONE;
}
