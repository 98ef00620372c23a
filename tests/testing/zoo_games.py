"""Wrong games, each with one realistic mistake, and the law that it breaks.

`ZOO` has them in the order of the laws and of their names, as the documentation shows them. A game
enters it by the decorator `wrong`, in any of the modules imported here.
"""

import zoo_of_answers  # noqa: F401 - it enters its games
import zoo_of_dice  # noqa: F401
import zoo_of_play  # noqa: F401
import zoo_of_states  # noqa: F401
import zoo_stated_twice  # noqa: F401
from fmcts.testing import CHANCE_LAWS, GAME_LAWS, SAME_LAWS
from zoo_right import WRONG

ORDER = [law.name for law in (*GAME_LAWS, *CHANCE_LAWS, *SAME_LAWS)]
ZOO = tuple(sorted(WRONG, key=lambda wrong: (ORDER.index(wrong.law), wrong.name)))
