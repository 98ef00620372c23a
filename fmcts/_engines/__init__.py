"""The engines in Python, each in one file to compare with the others (see `docs/engines.md`).

`persistent` copies paths, `monadic` does so in `State`, `inplace` mutates behind a pure interface;
`graph` has all three for searches in which equal states are one node. `driver` runs any of them,
through the interface in `session`.
"""
