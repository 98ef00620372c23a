/* Games that a network plays against itself, many side by side: each goes on until it asks the network again. */

enum Phase { IDLE, NEW, ROOT_ASKED, GATHERING, ASKED, MOVING };

typedef struct {
  Batch batch;   /* its search has the generator of the game */
  i64 phase, number, ply;
  i64 step, last; /* of the search: the next row of `steps`, and the end of its rows */
  i64 goal, over; /* visits of the root that end a step; whether the search ended before */
  i64 choice;     /* of the move to play, if Python made it, or -1 */
  double raw;     /* what the network says of the root, for the side to move */
} Game;

typedef struct {
  Game *games;
  i64 count, at;        /* the games side by side; the one that goes on next */
  i64 next, end;        /* the numbers of the games that have not begun */
  const u64 *seeds;     /* of the games by number: two words of a generator each */
  const i64 *start;
  i32 *words;           /* memory of each game: `room` for its tree, `most` descents with paths and positions */
  Level *paths;
  Descent *descents;
  i64 *leaves, *positions;
  i64 room, levels, most;
  i64 *asked, waiting;  /* positions for the network */
  const Answers *answers;
  i64 size, collisions, max_nodes; /* of the search */
  const i64 *steps;     /* rows: visits of the moves among which the best is picked, or -1; a place for it; iterations */
  const i64 *programs;  /* where the steps begin for a root of 1, 2, ... moves, the last for all with more */
  i64 longest;
  double scale;         /* of the Gumbel numbers, or those of the root's moves if there are `given` */
  const double *gumbels;
  i64 given;
  double alpha, share;  /* of the noise; `share` is below 0 if there is none */
  i64 drawn_plies;
  double temperature;
  i64 chooses;          /* whether Python chooses the moves that are not drawn */
  i64 *log, log_room, logged; /* what was played: see `move_on` */
  i64 status;
} Games;

#define LOWEST -1e9 /* as in `gumbel_halving.py` */

/* Behind the block of the root: the scores of its moves, and those that the halving has left. */
INLINE real *scores_of(const Search *s, i64 total) { return (real *)(s->words + first_block() + size_of(total)); }
INLINE i32 *left_of(const Search *s, i64 total) { return (i32 *)(scores_of(s, total) + total); }
INLINE i32 visits_of(const Search *s) { return VISITS(s->words, ROOT)[0]; }

/* ---- the root ---- */

/* The move with the highest score and value among those with so many visits; below 0: with the most. */
APART i64 best(const Game *g, i64 level) {
  const Search *s = &g->batch.search;
  i64 b = first_block(), total = TOTAL(s->words, b), chosen = -1;
  double highest = 0.0;
  Rows rows;
  rows_of(s, b, total, &rows);
  if (level < 0) level = (i64)rows.most;
  complete(&rows, total, g->raw, s->numbers);
  for (i64 index = 0; index < total; index++) {
    double score = scores_of(s, total)[index] + AT(rows.found, index);
    if (AT(rows.visits, index) != (double)level) continue;
    score = score > LOWEST ? score : LOWEST;
    if (chosen < 0 || score > highest) highest = score, chosen = index;
  }
  return chosen;
}

INLINE void mix_noise(const Games *all, Search *s, i64 total) {
  real *priors = REALS(s->words, first_block(), total, OWN), *noise = scores_of(s, total);
  for (i64 index = 0; index < total; index++) noise[index] = draw_log_gamma(s, all->alpha);
  shares_of(noise, total);
  for (i64 index = 0; index < total; index++)
    priors[index] = (1.0 - all->share) * priors[index] + all->share * noise[index];
}

INLINE i32 draw_scores(const Games *all, Search *s, i64 total) {
  real *priors = REALS(s->words, first_block(), total, OWN), *scores = scores_of(s, total);
  if (total > MOST_TOGETHER) return TOO_MANY;
  if (all->gumbels && all->given != total) return BAD_SCORES;
  for (i64 index = 0; index < total; index++)
    scores[index] = all->gumbels ? all->gumbels[index] : all->scale != 0.0 ? draw_gumbel(s) : 0.0;
  for (i64 index = 0; index < total; index++)
    scores[index] = priors[index] > 0.0 ? all->scale * scores[index] + logarithm(priors[index]) : LOWEST;
  return DONE;
}

/* Begin the search of a position that the network has judged. */
APART i32 begin_search(const Games *all, Game *g) {
  Search *s = &g->batch.search;
  i64 b = first_block();
  TRY(plant(s));
  i64 total = TOTAL(s->words, b);
  if ((s->used += 3 * total) > s->room) return TREE_IS_FULL; /* for scores, and those left */
  s->nodes_left = all->max_nodes - 1;
  s->root_mover = !(rule_side(s->root) & 1);
  g->goal = g->over = 0, g->choice = -1;
  TRY(write_priors(&g->batch, b, s->root));
  g->raw = on_grid(g->batch.answers->values[g->batch.row]);
  if (all->share >= 0.0) mix_noise(all, s, total);
  i64 which = total < all->longest ? total : all->longest;
  g->step = all->programs[which - 1], g->last = all->programs[which];
  return SCHEDULED ? draw_scores(all, s, total) : DONE;
}

/* ---- the search ---- */

/* Begin the next batch, if the search is not over. */
INLINE void begin_batch(const Games *all, Game *g) {
  Batch *batch = &g->batch;
  Search *s = &batch->search;
  i64 visits = visits_of(s);
  if (g->over || (visits >= g->goal && g->step == g->last)) {
    g->phase = MOVING;
    return;
  }
  if (visits >= g->goal) {
    const i64 *row = all->steps + 3 * g->step++;
    if (SCHEDULED) {
      i32 *left = left_of(s, TOTAL(s->words, first_block())) + row[1];
      if (row[0] >= 0) *left = (i32)best(g, row[0]);
      s->forced = *left;
    }
    g->goal = visits + row[2];
  }
  i64 most = g->goal - visits, room = all->size - visits % all->size;
  batch->most = most < room ? most : room;
  batch->done = batch->waiting = batch->met = 0;
  batch->collisions = all->collisions, batch->row = all->waiting, batch->asked = all->asked + all->waiting * FIELDS;
  g->phase = GATHERING;
}

/* ---- the move ---- */

/* The move with the most visits, of these the one with the highest mean if `by_mean`, of these the first. */
APART i64 most_visited(const Search *s, i64 total, i32 by_mean) {
  i64 b = first_block(), chosen = 0;
  double visits = 0.0, value = 0.0;
  for (i64 index = 0; index < total; index++) {
    double edge[MOST_ROWS];
    edge_of(s, b, total, index, edge);
    i32 better = by_mean && edge[0] == visits && edge[2] > value;
    if (edge[0] > visits || better) visits = edge[0], value = edge[2], chosen = index;
  }
  return chosen;
}

APART i64 drawn_move(const Games *all, Search *s, i64 total) {
  const i32 *visits = VISITS(s->words, first_block());
  real *weights = scores_of(s, total);
  i64 last = 0;
  if (all->temperature == 0.0) return most_visited(s, total, 0);
  for (i64 index = 0; index < total; index++) /* those without visits get a share of 0 */
    weights[index] = visits[index] > 0 ? logarithm(visits[index]) / all->temperature : LOWEST;
  shares_of(weights, total);
  double u = draw_real(s);
  for (i64 index = 0; index < total && u >= 0.0; index++)
    if (visits[index] > 0) last = index, u -= weights[index];
  return last;
}

/* Play the move that the search found, and log: the number of the game; the length of what follows, with itself; the
 * number of moves, the move's index, the value of the position; the visits of the moves; and, where the search halves,
 * the shares of an improved policy. */
APART i32 move_on(Games *all, Game *g) {
  Search *s = &g->batch.search;
  i64 b = first_block(), total = TOTAL(s->words, b), index = g->choice, there[MOST_FIELDS], menu[MOST_FIELDS];
  i64 visits = visits_of(s), *log = all->log + all->logged;
  if (g->ply >= s->max_plies) return NO_END;
  if (!visits) return NODES_ARE_MADE;
  if (all->logged + 9 + 2 * total > all->log_room) return LOG_IS_FULL;
  for (i64 each = 0; each < total; each++) {
    i64 count = VISITS(s->words, b)[each];
    log[5 + each] = count > 0 ? count : 0;
  }
  if (SCHEDULED) {
    index = best(g, -1);
    Rows rows;
    rows_of(s, b, total, &rows);
    if (improve(&rows, total, g->raw, s->numbers)) return FAULT;
    for (i64 each = 0; each < total; each++) ((double *)log)[5 + total + each] = AT(rows.found, each);
  } else if (g->ply < all->drawn_plies) index = drawn_move(all, s, total);
  else if (!all->chooses) index = most_visited(s, total, 1);
  else if (index < 0) return CHOICE;
  log[0] = g->number, log[1] = 4 + (SCHEDULED ? 2 : 1) * total, log[2] = total, log[3] = index;
  ((double *)log)[4] = 1.0 - reward_at(s->words, ROOT, 1, 0) / (double)visits;
  all->logged += 1 + log[1];
  rule_play(s->root, MOVE(s->words, b, total)[index], there);
  copy_position((i64 *)s->root, there);
  rule_menu(there, menu);
  g->ply++, g->phase = NEW;
  if (rule_over(menu)) { /* log the end: the number of the game, 0, and its generator */
    log = all->log + all->logged, all->logged += 4;
    log[0] = g->number, log[1] = 0, log[2] = (i64)s->first, log[3] = (i64)s->second;
    g->phase = IDLE;
  }
  return DONE;
}

/* ---- the games ---- */

/* Let a game go on until it asks the network, or ends and no other begins. */
INLINE i32 go_on(Games *all, Game *g) {
  Search *s = &g->batch.search;
  i64 place = g - all->games;
  s->faults = fault;
  s->words = all->words + place * all->room, s->room = all->room - 32;
  s->root = all->positions + place * FIELDS, s->levels = all->levels;
  g->batch.paths = all->paths + place * all->most * all->levels;
  g->batch.descents = all->descents + place * all->most;
  g->batch.leaves = all->leaves + place * all->most * FIELDS;
  g->batch.answers = all->answers;
  for (;;) {
    switch (g->phase) {
      case IDLE: /* begin the next game */
        if (all->next == all->end) return DONE;
        g->number = all->next++, g->ply = 0, g->phase = NEW;
        s->first = all->seeds[2 * g->number], s->second = all->seeds[2 * g->number + 1];
        copy_position((i64 *)s->root, all->start);
        break;
      case NEW: /* ask about the root */
        g->batch.row = all->waiting;
        copy_position(all->asked + all->waiting++ * FIELDS, s->root);
        g->phase = ROOT_ASKED;
        return DONE;
      case ROOT_ASKED:
        TRY(begin_search(all, g));
        begin_batch(all, g);
        break;
      case GATHERING:
        gather_batch(&g->batch);
        g->over = s->status == NODES_ARE_MADE || s->status == RESOLVED;
        if (s->status && s->status != WAITING && !g->over) return (i32)s->status;
        all->waiting += g->batch.waiting, g->phase = ASKED;
        if (g->batch.waiting) return DONE;
        break;
      case ASKED:
        credit_batch(&g->batch);
        TRY((i32)s->status);
        begin_batch(all, g);
        break;
      case MOVING:
        TRY(move_on(all, g));
    }
    if (failed(s)) return FAULT;
  }
}

/* Begin to load what a game reads first, as the others have displaced it since: itself and its descents, then, when
 * these are there, the blocks on the path to be backed up. */
INLINE void load(const Games *all, i64 place, i32 path) {
  const Game *g = all->games + place;
  const Level *levels = all->paths + place * all->most * all->levels;
  const Descent *descents = all->descents + place * all->most;
  if (place >= all->count) return;
  if (!path) {
    FOR(line, (i32)(sizeof(Game) / 64)) __builtin_prefetch((const char *)g + 64 * line);
    __builtin_prefetch(levels), __builtin_prefetch(descents), __builtin_prefetch(all->leaves + place * all->most * FIELDS);
  } else if (g->phase == ASKED) {
    const i32 *words = all->words + place * all->room;
    for (i64 level = 0; level < descents->depth; level++)
      FOR(line, 5) __builtin_prefetch(words + levels[level].block + 16 * line);
  }
}

/* Let all games go on, those that asked with the answers, until one has a status for Python to heed. */
void play_games(Games *all) {
  for (all->status = DONE; all->at < all->count; all->at++) {
    load(all, all->at + 4, 0), load(all, all->at + 2, 1);
    if ((all->status = go_on(all, all->games + all->at))) return;
  }
}
