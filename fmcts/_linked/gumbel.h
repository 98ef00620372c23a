/* The method `Gumbel`, to the bit and by the names of `fmcts/search/methods/gumbel.py`. */
#include "draws.h"

enum { MOST_TOGETHER = 512 }; /* moves whose scores are kept on the stack */

/* Of the moves of a node, eight at a time; `found` are values, then `sigmas`, then shares. */
typedef struct { v8d priors[MOST_TOGETHER / 8], visits[MOST_TOGETHER / 8], found[MOST_TOGETHER / 8]; } Rows;

#define AT(row, index) (((double *)(row))[index])
#define EIGHTS(i, total) for (i64 i = 0; 8 * i < (total); i++)

INLINE void rows_of(const Search *s, i64 b, i64 total, Rows *rows) {
  i64 last = (total - 1) / 8;
  rows->visits[last] = rows->found[last] = rows->priors[last] = (v8d){0}; /* those past `total` count for nothing */
  for (i64 index = 0; index < total; index++) {
    double edge[MOST_ROWS];
    edge_of(s, b, total, index, edge);
    AT(rows->visits, index) = edge[0], AT(rows->found, index) = edge[2], AT(rows->priors, index) = edge[3 + NUMBERS];
  }
}

/* The value of moves without visits; `raw` is below 0 if it is not known. */
INLINE double mixed(const Rows *rows, i64 total, double raw) {
  double all = 0.0, weight = 0.0, weighted = 0.0;
  for (i64 index = 0; index < total; index++) {
    double visits = AT(rows->visits, index), prior = AT(rows->priors, index);
    prior = prior > 0x1p-100 ? prior : 0x1p-100;
    all += visits;
    if (visits > 0.0) weight += prior, weighted += prior * AT(rows->found, index);
  }
  if (all == 0.0) return raw < 0.0 ? 0.5 : raw;
  double mean = weighted / weight;
  return raw < 0.0 ? mean : (raw + all * mean) / (1.0 + all);
}

INLINE void complete(Rows *rows, i64 total, double raw, const double *numbers) {
  double mean = mixed(rows, total, raw), low = INFINITY, high = -INFINITY, most = 0.0;
  for (i64 index = 0; index < total; index++) {
    double visits = AT(rows->visits, index), value = visits > 0.0 ? AT(rows->found, index) : mean;
    AT(rows->found, index) = value;
    low = value < low ? value : low, high = value > high ? value : high, most = visits > most ? visits : most;
  }
  double scale = (numbers[0] + most) * numbers[1], width = high - low > 1e-8 ? high - low : 1e-8;
  EIGHTS(i, total) rows->found[i] = scale * (numbers[2] > 0.0 ? (rows->found[i] - low) / width : rows->found[i]);
}

/* The improved policy; a status if its numbers leave the doubles, where Python raises an error. */
INLINE i32 improve(Rows *rows, i64 total, double raw, const double *numbers) {
  double all = 0.0, most = -INFINITY;
  i32 none = 1;
  complete(rows, total, raw, numbers);
  for (i64 index = 0; index < total; index++) none &= AT(rows->priors, index) == 0.0;
  for (i64 index = 0; index < total; index++)
    if ((none || AT(rows->priors, index) != 0.0) && AT(rows->found, index) > most) most = AT(rows->found, index);
  if (!(most > -INFINITY && most < INFINITY)) return FAULT;
  EIGHTS(i, total) {
    v8d prior = none ? (v8d){0} + 1.0 : rows->priors[i], share = exponentials(rows->found[i] - most) * prior;
    rows->found[i] = (v8d)((v8l)share & (v8l)(prior != 0.0));
  }
  for (i64 index = 0; index < total; index++) all += AT(rows->found, index);
  EIGHTS(i, total) rows->found[i] /= all;
  return DONE;
}
