"""The rules of the games as pure functions on integers, which Python runs and numba compiles.

They are the rules of compiled searches, and not the only statement of them. The state classes in
`fmcts.games` call `has_four`, `drop`, `flips` and the like, but state by hand, for Python's speed,
which moves there are, when a game is over, who won, and the whole of a playout; and Othello has a
module for Python (`othello`) beside one for compilation (`othello_at_once`). Laws hold them
together, in positions drawn at random: `test_states_say_what_the_rules_on_integers_say` and
`test_othello_at_once_is_othello_step_by_step` in `tests/games/test_rules.py`,
`test_the_playout_equals_the_generic_one_draw_for_draw` in `tests/games/test_game_laws.py`, and
`test_the_librarys_games_agree` in `tests/search/compiled/test_rules.py`, for the machine code.

The functions keep to what means the same for Python's integers and for 64-bit ones: nothing that
relies on integers growing past 64 bits, and no containers but tuples. Where compiled code holds bit
63 in a signed integer, each right shift is followed by a mask that leaves none of the bits which a
sign has smeared.

`cells` and `rows` are what families of boards share (`fmcts.games.families`): their states are made
from the rules, which are written once there.

Each other module ends with the functions of a `fmcts.rules.IntegerRules`: `menu`, `play`, `side`
and `winner`. (Othello has a module for Python and one for compilation; the latter ends with them.)
"""
