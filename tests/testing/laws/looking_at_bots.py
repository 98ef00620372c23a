"""Check one law of bots at one answer, and bots with given answers."""

from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws.bots import BOT_LAWS, BotCase
from fmcts.testing._laws.law import Unchecked, found_by
from zoo_bots import some

(
    GAME,
    STAYS,
    ANSWERS,
    PAIR,
    LEGAL,
    HANDED_BACK,
    GLOBAL,
    AGAIN,
    COMES,
    ONCE,
    DRAWS,
    ANALYSIS,
    ENGINES_AGREE,
    LATER,
    ELSEWHERE,
) = LAWS = {law.name: law for law in BOT_LAWS}
RNG = SplitMix.from_seed(1)
GRID = tictactoe.start
SOME = some(GRID, RNG)


def found(law, bot, state=GRID, rng=RNG, **case):
    told = found_by(LAWS[law], BotCase(state, rng, bot=bot, **case))
    return None if isinstance(told, Unchecked) else told


def gives(*answers):
    """A bot that gives these answers in turn, the last one for ever."""
    left = [*answers]

    def bot(_state, _rng):
        return left.pop(0) if len(left) > 1 else left[0]

    return bot


def fails(_state, _rng):
    raise ValueError('no move')


def leaves(_state, _rng):
    raise SystemExit('no more')


class HalfAGenerator:
    def uniform(self):
        """Of three methods one."""

    def __repr__(self):
        return 'half'


LONG = ['x' * 50] * 5
SEEN = "the global generator of Python's module random was drawn from or seeded"
