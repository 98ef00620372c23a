/* The C course's UCT with what it leaves open, or may have got wrong, as options.

   As its text has it: statistics lie on links, a descent follows links to one that points at no node,
   makes the node, plays at random from there, and credits the links on its way. Results are X's:
   1, a draw's worth, 0. Built by tail.py:

     cc -O3 -march=native -ffp-contract=off -fno-math-errno tail.c -lm
     ./a.out play FROM TO STEP GAMES SEED [NAME=VALUE ...]   descents, lost, drawn, won: a line a budget;
                                                            then boards where it erred, how often
     ./a.out choose BOARD DESCENTS TIMES SEED [...]          how often each cell is chosen
     ./a.out root BOARD DESCENTS SEED [...]                  visits of each cell

   A BOARD is nine of X, O and a dot. In `play` the search begins, against perfect play by alpha-beta. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAME 1 /* tic-tac-toe */
#include "../c/rules.h"
#include "../c/numbers.h"

/* ---- what may differ; the first of each is as the text has it, where it says ---- */

enum { OWN, MISTAKEN_SIGN, NO_BONUS, OF_X };
enum { NODE, LIBRARY, DESCENTS, NO_LOGARITHM };
enum { VISITS, MEAN, SCORE, VISITS_THEN_MEAN };
enum { FIRST, LAST, RANDOM };
enum { ALL, LAST_LINK };
enum { SEEN, MISSED };
enum { EXACT, INTEGER };
enum { SPLITMIX, RAND, ANSI, LOW_BITS };
enum { NO, YES };

static double c = 1.4142135623730951, draw_x = 0.5, draw_o = 0.5;
static int opponent, total, choice, untried, ties, perfect_ties, credited, ends, mean, generator, kept;
static int pool = 1 << 20;

typedef struct {
  const char *name;
  int *value;
  const char *names[5];
} Option;
static const Option OPTIONS[] = {
    {"opponent", &opponent, {"own", "mistaken-sign", "no-bonus", "of-x"}},
    {"total", &total, {"node", "library", "descents", "none"}},
    {"choice", &choice, {"visits", "mean", "score", "visits-then-mean"}},
    {"untried", &untried, {"first", "last", "random"}},
    {"ties", &ties, {"first", "last", "random"}},
    {"perfect", &perfect_ties, {"first", "last"}},
    {"credited", &credited, {"all", "last"}},
    {"ends", &ends, {"seen", "missed"}},
    {"mean", &mean, {"exact", "integer"}},
    {"generator", &generator, {"splitmix", "rand", "ansi", "low-bits"}},
    {"kept", &kept, {"no", "yes"}},
};
static const struct {
  const char *name;
  double *value;
} NUMBERS[] = {{"c", &c}, {"draw_x", &draw_x}, {"draw_o", &draw_o}};

static int set(const char *text) {
  const char *value = strchr(text, '=');
  if (!value++) return 0;
  size_t length = value - 1 - text;
#define IS(word) (!strncmp(text, word, length) && strlen(word) == length)
  if (IS("pool")) return pool = atoi(value), 1;
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
    if (IS(NUMBERS[i].name)) return *NUMBERS[i].value = atof(value), 1;
  for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
    for (int k = 0; IS(OPTIONS[i].name) && k < 5 && OPTIONS[i].names[k]; k++)
      if (!strcmp(value, OPTIONS[i].names[k])) return *OPTIONS[i].value = k, 1;
  return 0;
}

/* ---- generators ---- */

static uint32_t linear;

static void begin(u64 number) {
  seed(number);
  srand(number);
  linear = number;
}
static int drawn(int count) {
  if (generator == SPLITMIX) return draw(count);
  if (generator == RAND) return rand() % count;
  linear = (linear * 1103515245u + 12345u) & 0x7fffffff;
  return (generator == ANSI ? linear >> 16 : linear) % count;
}

/* ---- the tree ---- */

typedef struct {
  double sum[9]; /* of results, for who moves here */
  double visits[9];
  int to[9]; /* 0: no node yet */
  int descents;
  int8_t cell[9], links, tried;
} Node;

static Node *nodes;
static int used, root;

static u64 tree_moves(Position p) {
  return ends == SEEN ? moves(p) : ~(p.own | p.other) & 0777;
}
static int make(Position p) {
  Node *node = &nodes[used];
  *node = (Node){0};
  for (u64 left = tree_moves(p); left; left &= left - 1)
    node->cell[node->links++] = __builtin_ctzll(left);
  return used++;
}
static int untried_link(Node *node) {
  if (untried == FIRST) return node->tried;
  int left = untried == RANDOM ? drawn(node->links - node->tried) : node->links - node->tried - 1;
  for (int i = 0;; i++)
    if (!node->visits[i] && !left--) return i;
}
static double exploration(int at, int descents) {
  if (total == NO_LOGARITHM) return 1;
  if (total == DESCENTS) return logarithm[descents];
  return logarithm[nodes[at].descents + (total == LIBRARY && at != root)];
}
static int best_link(int at, int side, int descents) {
  Node *node = &nodes[at];
  if (node->tried < node->links) return untried_link(node);
  double score[9], log_total = exploration(at, descents), best = -1e9;
  double sign = 1, offset = 0, weight = c;
  if (side && opponent == MISTAKEN_SIGN) weight = -c;
  if (side && opponent == NO_BONUS) weight = 0;
  if (side && opponent == OF_X) sign = -1, offset = 1;
  int chosen = 0, equal = 0;
  for (int i = 0; i < 9; i++)
    score[i] = offset + sign * (node->sum[i] / node->visits[i]) +
               weight * sqrt(log_total / node->visits[i]);
  if (mean == INTEGER)
    for (int i = 0; i < node->links; i++)
      score[i] = (1 + (int)(2 * node->sum[i] / node->visits[i] - 1)) / 2.0 +
                 weight * sqrt(log_total / node->visits[i]);
  for (int i = 0; i < node->links; i++) {
    if (score[i] > best) {
      best = score[i], chosen = i, equal = 1;
    } else if (score[i] == best) {
      equal++;
      if (ties == LAST || (ties == RANDOM && !drawn(equal))) chosen = i;
    }
  }
  return chosen;
}
static int result(Position p) { /* 0 X won, 1 O won, 2 nobody */
  return has_line(p.other) ? p.side ^ 1 : has_line(p.own) ? p.side : 2;
}
static int playout(Position p) {
  for (u64 m; (m = moves(p));) p = play(p, nth_bit(m, drawn(__builtin_popcountll(m))));
  return result(p);
}
static void descend(Position p, int descents) {
  int way[16], links[16], sides[16], depth = 0, at = root, made = 0;
  while (!made && nodes[at].links) {
    int i = best_link(at, p.side, descents);
    way[depth] = at, links[depth] = i, sides[depth++] = p.side;
    p = play(p, nodes[at].cell[i]);
    made = !nodes[at].to[i];
    if (made && used < pool) {
      int to = make(p);
      nodes[at].to[i] = to;
    }
    at = nodes[at].to[i];
  }
  int won = playout(p);
  for (int d = credited == ALL ? 0 : depth - 1; d < depth; d++) {
    Node *node = &nodes[way[d]];
    node->tried += !node->visits[links[d]];
    node->visits[links[d]]++, node->descents++;
    node->sum[links[d]] += won == 2 ? (sides[d] ? draw_o : draw_x) : won == sides[d];
  }
}
static int chosen(Position p, int descents) {
  for (int i = 1; i <= descents; i++) descend(p, i);
  Node *node = &nodes[root];
  if (choice == SCORE) return node->cell[best_link(root, p.side, descents)];
  double best = -1;
  int at = 0;
  for (int i = 0; i < node->links; i++) {
    double mean_reward = node->sum[i] / node->visits[i]; /* at most 1 */
    double worth = choice == MEAN ? mean_reward : node->visits[i];
    if (choice == VISITS_THEN_MEAN) worth += mean_reward / 2;
    if (node->visits[i] && worth > best) best = worth, at = i;
  }
  return node->cell[at];
}
static void forget(void) { used = 1; } /* node 0 stands for none */
static void take_root(Position p) { root = make(p); }
static void follow(int cell, Position after) {
  Node *node = &nodes[root];
  for (int i = 0; i < node->links; i++)
    if (node->cell[i] == cell && node->to[i]) {
      root = node->to[i];
      return;
    }
  forget();
  take_root(after);
}

/* ---- matches ---- */

static int value(Position p) { /* for who moves: 1, 0, -1 */
  static int8_t known[512][512];
  int8_t *found = &known[p.own][p.other];
  if (*found) return *found - 2;
  int best = moves(p) ? -1 : has_line(p.other) ? -1 : 0;
  for (u64 left = moves(p); left; left &= left - 1) {
    int worth = -value(play(p, __builtin_ctzll(left)));
    if (worth > best) best = worth;
  }
  *found = best + 2;
  return best;
}
static int perfect(Position p) {
  int best = -2, cell = 0;
  for (u64 left = moves(p); left; left &= left - 1) {
    int worth = -value(play(p, __builtin_ctzll(left)));
    if (worth > best || (worth == best && perfect_ties == LAST))
      best = worth, cell = __builtin_ctzll(left);
  }
  return cell;
}
static int errors[512][512]; /* how often a move here gave something away */

static int play_game(int descents) {
  Position p = START;
  forget();
  take_root(p);
  while (moves(p)) {
    if (p.side == START.side && !kept) {
      if (used >= pool - 1) used = pool - 1; /* the next root takes the last node's place */
      take_root(p);
    }
    int cell = p.side == START.side ? chosen(p, descents) : perfect(p);
    errors[p.own][p.other] += -value(play(p, cell)) < value(p);
    p = play(p, cell);
    if (kept) follow(cell, p);
  }
  return result(p);
}
static void tell_errors(void) { /* positions where who begins is to move */
  for (int own = 0; own < 512; own++)
    for (int other = 0; other < 512; other++)
      if (errors[own][other]) {
        for (int i = 0; i < 9; i++) putchar(own >> i & 1 ? 'X' : other >> i & 1 ? 'O' : '.');
        printf(" %d\n", errors[own][other]);
      }
}
static Position parsed(const char *board) {
  u64 x = 0, o = 0;
  for (int i = 0; i < 9; i++) x |= (u64)(board[i] == 'X') << i, o |= (u64)(board[i] == 'O') << i;
  int side = __builtin_popcountll(x) > __builtin_popcountll(o);
  return side ? (Position){o, x, 1} : (Position){x, o, 0};
}

int main(int count, char **word) {
  int numbers = count < 2                   ? 0
                : !strcmp(word[1], "play")   ? 5
                : !strcmp(word[1], "choose") ? 4
                : !strcmp(word[1], "root")   ? 3
                                             : 0;
  if (!numbers || count < 2 + numbers) return fprintf(stderr, "see the head of tail.c\n"), 2;
  for (int i = 2 + numbers; i < count; i++)
    if (!set(word[i])) return fprintf(stderr, "no such option: %s\n", word[i]), 2;
  nodes = malloc((1 << 20) * sizeof *nodes);
  make_logarithms(1 << 20);
  begin(strtoull(word[1 + numbers], 0, 10));
  if (numbers == 5) {
    int to = atoi(word[3]), step = atoi(word[4]), games = atoi(word[5]);
    for (int descents = atoi(word[2]); descents <= to; descents += step) {
      int ended[3] = {0};
      for (int game = 0; game < games; game++) ended[play_game(descents)]++;
      printf("%d %d %d %d\n", descents, ended[1], ended[2], ended[0]);
    }
    tell_errors();
    return 0;
  }
  Position p = parsed(word[2]);
  int descents = atoi(word[3]), times = numbers == 4 ? atoi(word[4]) : 1;
  long cells[9] = {0};
  for (int i = 0; i < times; i++) {
    forget();
    take_root(p);
    cells[chosen(p, descents)]++;
  }
  if (numbers == 3)
    for (int i = 0; i < 9; i++) cells[i] = 0;
  for (int i = 0; numbers == 3 && i < nodes[root].links; i++)
    cells[nodes[root].cell[i]] = nodes[root].visits[i];
  for (int i = 0; i < 9; i++) printf("%ld ", cells[i]);
  printf("\n");
}
