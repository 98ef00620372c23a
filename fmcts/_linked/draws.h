/* Draws of real numbers, to the bit as in `fmcts/_arithmetic.py` and `fmcts/selfplay/draws.py`, by which they are named. */

#define APART static __attribute__((noinline)) /* what would be long in each place: it takes time to link */
#define LN2_HIGH 0x1.62E42FEE00000p-1
#define LN2_LOW 0x1.A39EF35793C76p-33

typedef union { double number; u64 bits; } Bits;

APART double logarithm(double x) {
  static const double terms[12] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15,
                                   1.0 / 13, 1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
  i64 exponent = 0;
  if (x < 0x1p-1022) x *= 0x1p54, exponent = -54;
  Bits m = {x};
  exponent += (i64)(m.bits >> 52) - 1022;
  m.bits = (m.bits & 0xfffffffffffffULL) | 1022ULL << 52;
  if (m.number < 0x1.6A09E667F3BCDp-1) m.number *= 2.0, exponent--; /* the root of 1/2 */
  double f = m.number - 1.0, s = f / (2.0 + f), square = s * s, tail = 0.0;
  FOR(each, 12) tail = (tail + terms[each]) * square;
  return (double)exponent * LN2_HIGH + (f - (s * (f - 2.0 * tail) - (double)exponent * LN2_LOW));
}

/* The exponentials of eight numbers; those above 0 give anything. */
INLINE v8d exponentials(v8d x) {
  static const double factorials[15] = {
      1.0 / 20922789888000, 1.0 / 1307674368000, 1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600,
      1.0 / 39916800,       1.0 / 3628800,       1.0 / 362880,      1.0 / 40320,      1.0 / 5040,
      1.0 / 720,            1.0 / 120,           1.0 / 24,          1.0 / 6,          1.0 / 2};
  v8d zero = {0}, real_k = x / (LN2_HIGH + LN2_LOW) + 0.5, tail = zero;
  v8l k = __builtin_convertvector(real_k, v8l), least = (v8l){0} - 1000;
  k += __builtin_convertvector(k, v8d) > real_k; /* rounded down */
  v8d whole = __builtin_convertvector(k, v8d), r = (x - whole * LN2_HIGH) - whole * LN2_LOW;
  FOR(each, 15) tail = (tail + factorials[each]) * r;
  v8l high = k > least, exponent = (k & high) | (least & ~high), rest = k - exponent;
  v8d found = (1.0 + (r + tail * r)) * (v8d)((exponent + 1023) << 52) * (v8d)((rest + 1023) << 52); /* rounded once */
  return (v8d)((v8l)found & (v8l)(x >= -750.0));
}

APART double draw_real(Search *s) { return ((double)draw(s, 1LL << 52) + 0.5) * 0x1p-52; }

INLINE double draw_gumbel(Search *s) { return -logarithm(-logarithm(draw_real(s))); }

INLINE double draw_normal(Search *s) {
  for (;;) {
    double u = draw_real(s), v = draw_real(s), x = 2.0 * u - 1.0, y = 2.0 * v - 1.0, square = x * x + y * y;
    if (square < 1.0) return x * __builtin_sqrt(-2.0 * logarithm(square) / square);
  }
}

APART double draw_log_gamma(Search *s, double alpha) {
  double d = alpha + 1.0 - 1.0 / 3.0, c = 1.0 / __builtin_sqrt(9.0 * d), cube;
  for (;;) {
    double x = draw_normal(s);
    cube = 1.0 + c * x;
    if (cube <= 0.0) continue;
    cube = cube * cube * cube;
    if (logarithm(draw_real(s)) < 0.5 * x * x + d - d * cube + d * logarithm(cube)) break;
  }
  double first = logarithm(d * cube);
  return first + logarithm(draw_real(s)) / alpha;
}

/* Numbers that add up to 1, in proportion to the exponentials of `logs`, in their place; seven more are written to. */
APART void shares_of(real *logs, i64 count) {
  double most = logs[0], total = 0.0;
  for (i64 each = 1; each < count; each++) most = logs[each] > most ? logs[each] : most;
  for (i64 each = 0; each < count; each += 8) {
    lanes8 *eight = (lanes8 *)(logs + each);
    *eight = exponentials(*eight - most);
  }
  for (i64 each = 0; each < count; each++) total += logs[each];
  for (i64 each = 0; each < count; each++) logs[each] /= total;
}
