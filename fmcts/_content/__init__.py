"""Names and stamps of functions by their content: code, constants, globals, closures, helpers.

`reached` finds what a function refers to, `naming` names it (for machine code on disk and for match
files), `stamps` notices that it has changed, `remembered` keeps answers while it has not, and
`user_code` distinguishes the user's code from installed packages.
"""
