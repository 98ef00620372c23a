"""Comparison of rules on integers with the states that declare them.

`walks` plays random games by both and describes the positions it visits, `findings` remembers the
result for each class of states, and `first_look` is the check before a search.
"""
