"""The rules of the games as pure functions on integers, each written once.

Python runs them on its own integers and numba compiles the very same functions for 64-bit ones.
They therefore keep to what means the same in both worlds: nothing that relies on integers growing
past 64 bits, and no containers but tuples. Where compiled code holds bit 63 in a signed integer,
each right shift is followed by a mask that leaves none of the bits which a sign has smeared.

Each module ends with the functions of a `fmcts.rules.IntegerRules`: `menu`, `play`, `side` and
`winner`. (Othello has a module for Python and one for compilation; the latter ends with them.)
"""
