"""Running a search: which engine, for how long, and what the caller gets.

`entry_points` has `analyse` and `trees`, `timed` has `analyse_for`, `registry` knows the engines,
`automatic` chooses among them while `helper` compiles, `rounds` and `merging` join parallel
searches, and `playouts` plays many games without a tree.
"""
