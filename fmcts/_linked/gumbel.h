/* The method `Gumbel`, to the bit and by the names of `fmcts/search/methods/gumbel.py`. */
#include "draws.h"

enum { MOST_TOGETHER = 512 }; /* moves whose scores are kept on the stack */

/* Of the moves of a node, eight at a time; `found` are values, then `sigmas`, then shares. */
typedef struct {
  v8d priors[MOST_TOGETHER / 8], visits[MOST_TOGETHER / 8], found[MOST_TOGETHER / 8];
  double all; /* visits */
} Rows;

#define AT(row, index) (((double *)(row))[index])
#define EIGHTS(i, total) for (i64 i = 0; 8 * i < (total); i++)

INLINE v8d chosen_of(v8l which, v8d yes, v8d no) { return (v8d)(((v8l)yes & which) | ((v8l)no & ~which)); }

/* Those past `total` are all 0, and count for nothing. */
APART void rows_of(const Search *s, i64 b, i64 total, Rows *rows) {
  v8d row[MOST_ROWS], zero = {0}, sums = zero;
  EIGHTS(i, total) {
    lanes_of(s, b, total, 8 * i, row);
    v8l visited = row[0] > 0.0;
    rows->visits[i] = chosen_of(visited, row[0], zero);
    rows->found[i] = chosen_of(visited, (REAL ? row[1] : 0.5 * row[1]) / row[0], zero);
    rows->priors[i] = row[2 + NUMBERS];
    sums += rows->visits[i];
  }
  rows->all = 0.0;
  FOR(lane, 8) rows->all += sums[lane]; /* exact in any order */
}

/* The value of moves without visits, which have the value 0 here; `raw` is below 0 if it is not known. */
INLINE double mixed(const Rows *rows, i64 total, double raw) {
  if (rows->all == 0.0) return raw < 0.0 ? 0.5 : raw;
  v8d weights[MOST_TOGETHER / 8], least = (v8d){0} + 0x1p-100;
  EIGHTS(i, total) {
    v8d prior = chosen_of(rows->priors[i] > least, rows->priors[i], least);
    weights[i] = chosen_of(rows->visits[i] > 0.0, prior, (v8d){0});
  }
  double weight = 0.0, weighted = 0.0;
  for (i64 index = 0; index < total; index++) { /* in this order, as floating-point sums depend on it */
    weight += AT(weights, index);
    weighted += AT(weights, index) * AT(rows->found, index);
  }
  double mean = weighted / weight;
  return raw < 0.0 ? mean : (raw + rows->all * mean) / (1.0 + rows->all);
}

INLINE double greatest_of(v8d lanes) {
  double most = lanes[0];
  FOR(lane, 8) most = lanes[lane] > most ? lanes[lane] : most;
  return most;
}

APART void complete(Rows *rows, i64 total, double raw, const double *numbers) {
  double mean = mixed(rows, total, raw), low = INFINITY, high = -INFINITY;
  v8d means = (v8d){0} + mean, most = {0};
  EIGHTS(i, total) {
    rows->found[i] = chosen_of(rows->visits[i] > 0.0, rows->found[i], means);
    most = chosen_of(rows->visits[i] > most, rows->visits[i], most);
  }
  double scale = (numbers[0] + greatest_of(most)) * numbers[1];
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
    tops = chosen_of(found > tops, found, tops);
  }
  double all = 0.0, most = greatest_of(tops);
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

INLINE i64 first_of_highest(v8d *scores, i64 total) {
  double highest = -INFINITY;
  i64 chosen = -ALL_EXCLUDED;
  EIGHTS(i, total) {
    double top;
    keep_first(&scores[i], total - 8 * i, -INFINITY, &scores[i]);
    if (not_numbers(&scores[i])) return -NOT_A_NUMBER;
    i32 place = greatest(&scores[i], &top);
    if (top > highest) highest = top, chosen = 8 * i + place;
  }
  return chosen;
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
  if (RESOLVES || EXPANSION == JUMP) return best_of_scores(total, (double *)rows.found, s->words, b);
  return first_of_highest(rows.found, total);
}
