"""Pictures of values: pure functions from positions and analyses to something to look at.

`parts` says what a page consists of, `text` writes parts as plain text, `terminal` as coloured
renderables of rich (the extra `cli`). Nothing here reads or prints.
"""
