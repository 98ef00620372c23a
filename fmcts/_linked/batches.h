/* Batches for a network: descents until a batch is full, then their backup. */

/* What the network said of an array of positions. */
typedef struct {
  const double *priors, *values;
  const i64 *widths; /* of rows of priors, or null if they are all as wide */
  i64 columns;
} Answers;

typedef struct {
  i64 depth, met, finished, block, side; /* whether it met a node that waits; of the leaf: its block, who is to move */
  double worth;
} Descent;

typedef struct {
  Search search;
  Descent *descents;   /* made so far, each with its path and its position */
  Level *paths;
  i64 *leaves, *asked; /* positions: of all descents, and of those that wait for the network */
  i64 most, done, waiting;
  i64 collisions, met; /* descents, besides `most`, that may meet a node that waits, and did */
  const Answers *answers; /* those that wait have its rows from `row` on */
  i64 row;
} Batch;

/* Count a visit that waits on a path, or take it back. */
INLINE void wait_on(Search *s, i64 depth, i32 change) {
  i32 *w = s->words;
  for (i64 level = 0; level < depth; level++) {
    const Level *at = s->path + level;
    VISITS(w, at->block)[at->index] += change;
    HALVES(w, at->block, at->total)[at->index] += change;
  }
  VISITS(w, ROOT)[0] += change;
  HALVES(w, ROOT, 1)[0] += change;
}

/* Descend to a node, or to one that waits for the network, as often as that may be: then the visits of the path count
 * as long as the batch lasts. */
INLINE i32 descend_once(Batch *batch) {
  Search *s = &batch->search;
  End end;
  double worth[MOST_PLAYERS];
  i32 finished = 1;
  s->path = batch->paths + batch->done * s->levels, worth[0] = 0.0;
  i32 status = reach(s, &end, worth, &finished), met = status == WAITING && batch->met < batch->collisions;
  if (status && !met) return status;
  if (failed(s)) return FAULT;
  batch->descents[batch->done] = (Descent){end.depth, met, finished, end.block, rule_side(end.p) & 1, worth[0]};
  copy_position(batch->leaves + batch->done * FIELDS, end.p);
  if (!finished) copy_position(batch->asked + batch->waiting++ * FIELDS, end.p);
  wait_on(s, end.depth, 1);
  batch->done++, batch->met += met;
  return DONE;
}

/* Descend until there are `most` descents, or one more meets a node that waits for the network than may. */
INLINED void gather_batch(Batch *batch) {
  Search *s = &batch->search;
  s->faults = fault;
  know_visits(s, batch->most + batch->collisions - batch->done);
  i32 status = batch->done == 0 && resolved(s) ? RESOLVED : DONE;
  while (!status && batch->done - batch->met < batch->most) status = descend_once(batch);
  s->status = failed(s) ? FAULT : status;
}

enum { GRID = 1 << 20 }; /* what a network says is rounded to multiples of 1 / GRID, never to -0.0 */

INLINE double on_grid(double number) { return __builtin_rint((number + 0.0) * GRID) / GRID; }

/* Write the priors of the node that waits, from a row by index or, if it is for all keys, by key. */
INLINE i32 write_priors(Batch *batch, i64 b, const i64 *p) {
  const Search *s = &batch->search;
  const Answers *given = batch->answers;
  i64 width = given->widths ? given->widths[batch->row] : given->columns, total = TOTAL(s->words, b);
  real *priors = REALS(s->words, b, total, OWN);
  double all = 0.0;
  if (width == KEYS ? width < total : width != total) return BAD_PRIORS;
  for (i64 index = 0; index < total; index++) {
    i64 place = width == KEYS ? rule_key(p, MOVE(s->words, b, total)[index]) : index;
    if (place < 0 || place >= width) return BAD_PRIORS;
    all += priors[index] = given->priors[batch->row * given->columns + place];
  }
  for (i64 index = 0; index < total; index++) { /* of a row for all keys, their shares of the legal moves */
    double share = all > 0.0 ? priors[index] / all : 1.0 / (double)total;
    priors[index] = on_grid(width == KEYS ? share : priors[index]);
  }
  return DONE;
}

/* Back up a batch, in the order of its descents; on an error `row` is the row of priors at fault. */
INLINED void credit_batch(Batch *batch) {
  Search *s = &batch->search;
  s->faults = fault;
  for (i64 each = 0; each < batch->done; each++) {
    s->path = batch->paths + each * s->levels;
    wait_on(s, batch->descents[each].depth, -1);
  }
  i32 status = DONE;
  for (i64 each = 0; each < batch->done && !status; each++) {
    const Descent *made = batch->descents + each;
    const i64 *p = batch->leaves + each * FIELDS;
    double for_x = made->worth, worth[MOST_PLAYERS];
    if (made->met) continue;
    s->path = batch->paths + each * s->levels;
    if (!made->finished) {
      const Level *at = s->path + made->depth - 1;
      if ((status = write_priors(batch, made->block, p))) break;
      BELOW(s->words, at->block, at->total)[at->index] = (i32)made->block;
      double value = on_grid(batch->answers->values[batch->row++]);
      for_x = made->side ? 1.0 - value : value;
    }
    share(for_x, worth);
    unmark_all(s);
    status = finish(s, p, (i32)made->finished, 0, (i32)made->depth, worth);
  }
  s->status = failed(s) ? FAULT : status;
}
