"""The engines in Python, each in one file to compare with the others (see `docs/engines.md`).

`persistent` copies paths, `monadic` does the same in `State`, `inplace` mutates behind a pure
interface; `graph` has all three for searches in which equal states are one. `driver` runs any of
them, as `session` describes.
"""
