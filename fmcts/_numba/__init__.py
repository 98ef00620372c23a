"""Machine code in general, which knows nothing of search.

`positions` (and menus), `generators`, `bits`, `simd` and `intrinsics` are the building blocks of
compiled rules and verbs. `formula_code` emits traced formulas, `private` wraps the parts of numba
beyond its public interface, and `cache` compiles, names and stores machine code.
"""
