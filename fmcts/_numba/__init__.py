"""Machine code in general, which knows nothing of search.

`menus`, `positions`, `generators`, `bits`, `simd` and `intrinsics` are what rules and verbs become,
`formulas` emits traced formulas, `private` has all that is used of numba beyond its public
interface, and `cache` makes, names and keeps machine code.
"""
