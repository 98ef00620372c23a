/* Plain UCT in C, by hand: what the compiled engine is measured against.

   The same algorithm to the bit: in-order expansion, one uniform playout an iteration, UCB1 with the
   same order of operations, SplitMix as in Haskell, logarithms of integers from the same series.

     cc -O3 -march=native -ffp-contract=off -DGAME=1|2|3 uct.c -lm
     ./a.out search ITERATIONS SEED    ./a.out playouts COUNT SEED

   prints: count per second, the state of the generator, then root visits or the winners' counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "rules.h"

#include "numbers.h"

/* ---- the tree: one array, the children of a node side by side ---- */

typedef struct {
  double reward;
  uint32_t visits, first;              /* first: where the children begin */
  uint8_t move, total, tried, outcome; /* outcome: 0 while the game runs, else 1 + winner */
} Node;

static Node *nodes;
static uint32_t used, room;

static inline uint32_t best_child(const Node *parent, double c) {
  double log_total = logarithm[parent->visits + 1], best = -1;
  uint32_t chosen = parent->first;
  for (uint32_t i = parent->first, end = i + parent->total; i < end; i++) {
    double visits = nodes[i].visits;
    double value = nodes[i].reward / visits + c * sqrt(log_total / visits);
    if (value > best) best = value, chosen = i;
  }
  return chosen;
}
static inline int playout(Position p) {
  for (u64 m; (m = moves(p));) p = play(p, nth_bit(m, draw(__builtin_popcountll(m))));
  return winner(p);
}
static inline uint32_t expand(uint32_t at, Position *p) {
  u64 legal = moves(*p);
  if (!nodes[at].tried) {
    if (used + nodes[at].total > room) nodes = realloc(nodes, (room *= 2) * sizeof *nodes);
    nodes[at].first = used;
    used += nodes[at].total;
  }
  uint32_t child = nodes[at].first + nodes[at].tried;
  int move = nth_bit(legal, nodes[at].tried++);
  *p = play(*p, move);
  u64 replies = moves(*p);
  nodes[child] = (Node){.move = move,
                        .total = __builtin_popcountll(replies),
                        .outcome = replies ? 0 : 1 + winner(*p)};
  return child;
}
static void search(u64 iterations, double c) {
  uint32_t path[256];
  uint8_t mover[256];
  used = 1;
  nodes[0] = (Node){.total = __builtin_popcountll(moves(START))};
  for (u64 i = 0; i < iterations; i++) {
    Position p = START;
    uint32_t at = 0;
    int depth = 0, expanded = 0;
    while (!nodes[at].outcome && !expanded) {
      mover[depth] = p.side;
      expanded = nodes[at].tried < nodes[at].total;
      if (expanded) {
        at = expand(at, &p);
      } else {
        at = best_child(&nodes[at], c);
        p = play(p, nodes[at].move);
      }
      path[depth++] = at;
    }
    int won = nodes[at].outcome ? nodes[at].outcome - 1 : playout(p);
    nodes[0].visits++;
    for (int d = 0; d < depth; d++) {
      nodes[path[d]].visits++;
      nodes[path[d]].reward += won == 2 ? 0.5 : won == mover[d] ? 1.0 : 0.0;
    }
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: %s search|playouts COUNT SEED\n", argv[0]), 2;
  u64 count = strtoull(argv[2], 0, 10), results[64] = {0};
  int width = 3;
  seed(strtoull(argv[3], 0, 10));
  make_logarithms(strcmp(argv[1], "playouts") ? count + 2 : 2); /* not timed */
  double begin = now();
  if (!strcmp(argv[1], "playouts")) {
    for (u64 i = 0; i < count; i++) results[playout(START)]++;
  } else {
    nodes = malloc((room = 1 << 16) * sizeof *nodes);
    search(count, 1.4142135623730951);
    width = nodes[0].tried;
    for (int i = 0; i < width; i++) results[i] = nodes[nodes[0].first + i].visits;
  }
  double seconds = now() - begin;
  printf("%s %.0f %llu", NAME, count / seconds, (unsigned long long)state);
  for (int i = 0; i < width; i++) printf(" %llu", (unsigned long long)results[i]);
  printf("\n");
}
