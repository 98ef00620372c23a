/* What a search in C needs to be the library's to the bit: SplitMix as in Haskell, logarithms of
   integers from the same series, and the bit of a drawn number. After rules.h, which has u64. */
#include <stdint.h>
#include <stdlib.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* ---- SplitMix ---- */

static u64 state, gamma_;

static inline u64 mix64(u64 z) {
  z = (z ^ z >> 33) * 0xff51afd7ed558ccdULL;
  z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return z ^ z >> 33;
}
static void seed(u64 n) {
  state = mix64(n);
  u64 z = n + 0x9e3779b97f4a7c15ULL;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
  z = (z ^ z >> 31) | 1;
  gamma_ = __builtin_popcountll(z ^ z >> 1) >= 24 ? z : z ^ 0xaaaaaaaaaaaaaaaaULL;
}
static inline unsigned draw(unsigned count) {
  if (count == 1) return 0;
  unsigned span = count - 1, mask = 0xffffffffu >> __builtin_clz(span | 1), number;
  do {
    state += gamma_;
    number = (unsigned)mix64(state) & mask;
  } while (number > span);
  return number;
}

static inline int nth_bit(u64 bits, int index) {
#ifdef __BMI2__
  return __builtin_ctzll(_pdep_u64(1ULL << index, bits));
#else
  while (index--) bits &= bits - 1;
  return __builtin_ctzll(bits);
#endif
}

/* ---- logarithms ---- */

static double *logarithm;

static void make_logarithms(uint32_t n) {
  logarithm = malloc((n + 1) * sizeof *logarithm);
  logarithm[0] = logarithm[1] = 0;
  for (uint32_t i = 2; i <= n; i++) {
    if (i % 2 == 0) {
      logarithm[i] = logarithm[i / 2] + 0.6931471805599453;
      continue;
    }
    double x = 1.0 / (2.0 * i - 1.0), y = x * x, tail = 0;
    if (i < 64)
      for (int odd = 23; odd > 9; odd -= 2) tail = (tail + 1.0 / odd) * y;
    tail = ((((tail + 1.0 / 9.0) * y + 1.0 / 7.0) * y + 1.0 / 5.0) * y + 1.0 / 3.0) * y;
    logarithm[i] = logarithm[i - 1] + 2.0 * x * (1.0 + tail);
  }
}
