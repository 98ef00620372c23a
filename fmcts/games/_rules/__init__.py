"""The rules of the games as pure functions on integers, which Python runs and numba compiles.

Compiled searches use these rules. The state classes in `fmcts.games` call `has_four`, `drop`,
`flips` and the like, but for Python's speed they define separately which moves there are, when a
game is over, who won, and the whole of a playout. Othello has a module for Python (`othello`) and
one for compilation (`othello_at_once`). Tests compare the two in positions drawn at random:
`test_states_equal_the_rules_on_integers` and `test_both_formulations_of_othello_agree`
in `tests/games/test_rules.py`, `test_the_playout_equals_the_generic_one_draw_for_draw` in
`tests/games/test_game_laws.py`, and `test_the_library_s_games_pass` in
`tests/search/linked/test_rules.py`, for the machine code.

The functions use only what gives the same result for Python's integers and for 64-bit ones: no
integers beyond 64 bits, and no containers but tuples. Compiled code may hold bit 63 in a signed
integer, so each right shift is followed by a mask that clears the copies of the sign bit.

`cells` is shared by the families of boards (`fmcts.games.families`), whose states are
made from the rules.

Each other module ends with the functions of a `fmcts.rules.IntegerRules`: `menu`, `play`, `side`
and `winner`. (For Othello, they are in `othello_at_once`.)
"""
