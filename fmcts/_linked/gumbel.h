/* The method `Gumbel`, to the bit and by the names of `fmcts/search/methods/gumbel.py`. */
#include "draws.h"

enum { MOST_TOGETHER = 512 }; /* moves whose scores are kept on the stack */

/* Of the moves of a node, eight at a time; `found` are values, then `sigmas`, then shares. */
typedef struct {
  v8d priors[MOST_TOGETHER / 8], visits[MOST_TOGETHER / 8], found[MOST_TOGETHER / 8];
  double all, most; /* visits: in all, and of the move that has most */
} Rows;

#define AT(row, index) (((double *)(row))[index])
#define EIGHTS(i, total) for (i64 i = 0; 8 * i < (total); i++)

/* Those past `total` are all 0, and count for nothing. */
APART void rows_of(const Search *s, i64 b, i64 total, Rows *rows) {
  v8d row[MOST_ROWS], zero = {0}, sums = zero, tops = zero;
  EIGHTS(i, total) {
    lanes_of(s, b, total, 8 * i, row);
    FOR(each, 2) row[each] = first_of(total - 8 * i, row[each]);
    v8l visited = row[0] > 0.0;
    rows->visits[i] = chosen_of(visited, row[0], zero);
    rows->found[i] = chosen_of(visited, (REAL ? row[1] : 0.5 * row[1]) / row[0], zero);
    rows->priors[i] = row[2 + NUMBERS];
    sums += rows->visits[i];
    tops = chosen_of(rows->visits[i] > tops, rows->visits[i], tops);
  }
  greatest(tops, &rows->most);
  rows->all = 0.0;
  FOR(lane, 8) rows->all += sums[lane]; /* exact in any order */
}

/* The value of moves without visits, which have the value 0 here; `raw` is below 0 if it is not known. */
INLINE double mixed(const Rows *rows, i64 total, double raw) {
  if (rows->all == 0.0) return raw < 0.0 ? 0.5 : raw;
  double weight = 0.0, weighted = 0.0;
  for (i64 index = 0; index < total; index++) { /* in this order, as floating-point sums depend on it */
    double prior = AT(rows->priors, index);
    prior = AT(rows->visits, index) > 0.0 ? (prior > 0x1p-100 ? prior : 0x1p-100) : 0.0;
    weight += prior, weighted += prior * AT(rows->found, index);
  }
  double mean = weighted / weight;
  return raw < 0.0 ? mean : (raw + rows->all * mean) / (1.0 + rows->all);
}

APART void complete(Rows *rows, i64 total, double raw, const double *numbers) {
  double mean = mixed(rows, total, raw), low = INFINITY, high = -INFINITY;
  v8d means = (v8d){0} + mean;
  EIGHTS(i, total) rows->found[i] = chosen_of(rows->visits[i] > 0.0, rows->found[i], means);
  double scale = (numbers[0] + rows->most) * numbers[1];
  if (numbers[2] > 0.0) {
    for (i64 index = 0; index < total; index++) {
      double value = AT(rows->found, index);
      low = value < low ? value : low, high = value > high ? value : high;
    }
    double width = high - low > 1e-8 ? high - low : 1e-8;
    EIGHTS(i, total) rows->found[i] = (rows->found[i] - low) / width;
  }
  EIGHTS(i, total) rows->found[i] *= scale;
}

/* The improved policy; a status if its numbers leave the doubles, where Python raises an error. */
APART i32 improve(Rows *rows, i64 total, double raw, const double *numbers) {
  v8l any = {0};
  v8d least = (v8d){0} - INFINITY, tops = least;
  complete(rows, total, raw, numbers);
  EIGHTS(i, total) any |= rows->priors[i] != 0.0;
  if (!__builtin_reduce_or(any)) for (i64 index = 0; index < total; index++) AT(rows->priors, index) = 1.0;
  EIGHTS(i, total) {
    v8d found = chosen_of(rows->priors[i] != 0.0, rows->found[i], least);
    tops = chosen_of(found > tops, found, tops); /* never NaN */
  }
  double all = 0.0, most;
  greatest(tops, &most);
  if (!(most > -INFINITY && most < INFINITY)) return FAULT;
  EIGHTS(i, total) {
    v8d prior = rows->priors[i], below = rows->found[i] - most;
    if (__builtin_reduce_or(below != 0.0)) prior *= exponentials(below); /* of 0 it is 1 */
    rows->found[i] = chosen_of(rows->priors[i] != 0.0, prior, (v8d){0});
  }
  for (i64 index = 0; index < total; index++) all += AT(rows->found, index);
  EIGHTS(i, total) rows->found[i] /= all;
  return DONE;
}

/* The scores of `Gumbel.scores`, and the first of the highest. */
INLINE i64 best_of_gumbel(const Search *s, i64 b, i64 total, double parent, const Level *at, i32 same) {
  Rows rows;
  if (total > MOST_TOGETHER) return -TOO_MANY;
  rows_of(s, b, total, &rows);
  double raw = -1.0;
  if (parent > rows.all) { /* all nodes have a visit of their own, but for a new root */
    raw = REALS(s->words, at->block, at->total, 0)[at->index];
    raw = same ? raw : 1.0 - raw;
  }
  i32 status = improve(&rows, total, raw, s->numbers);
  if (status) return -status;
  EIGHTS(i, total) rows.found[i] -= rows.visits[i] / (1.0 + rows.all);
  return best_of(s, b, total, 0, (double *)rows.found);
}
