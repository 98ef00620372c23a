"""Whether rules on integers agree with the states that declare them.

`walks` plays random games by both, `plies` is what it sees, `findings` remembers the result for
each class of states, and `first_look` is the check that a search makes before it begins.
"""
