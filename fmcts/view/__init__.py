"""Pictures of values: pure functions from positions and analyses to something to look at.

`parts` says what a page consists of, `designs` makes parts of a comparison of designs; `text`
writes parts as plain text, `terminal` as coloured renderables of rich (the extra `cli`). `formulas`
prints traced formulas, `replay` makes what a page replays a search from. Nothing here prints.
"""
