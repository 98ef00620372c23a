"""The rules of the games as pure functions on integers, each written once.

Python runs them on its own integers and numba compiles the very same functions for 64-bit ones.
They therefore keep to what means the same in both worlds: no negative numbers, nothing that relies
on integers growing past 64 bits, no containers but constant tuples, and no calls among themselves.
Where compiled code may hold bit 63 in a signed integer, each right shift is followed by a mask that
leaves none of the bits which a sign could have smeared.
"""
