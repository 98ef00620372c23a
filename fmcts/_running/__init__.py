"""Running a search: the choice of the engine, limits of time, and the caller's result.

`entry_points` has `analyse` and `trees`, `timed` has `analyse_for`, `registry` has the engines,
`automatic` says when machine code pays, `rounds` and `merging` join parallel searches, and
`playouts` plays many games without a tree.
"""
