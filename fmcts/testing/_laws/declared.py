"""Laws of what a game's class declares besides its states: keys, a playout, rules on integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from returns.result import Result

from fmcts import _compiled as compiled
from fmcts._agreement.walks import Disagreement, walk
from fmcts._arguments import shown
from fmcts._declared import declared
from fmcts.errors import EndlessGameError
from fmcts.game import GameState, key_of
from fmcts.rng import Rng, thaw
from fmcts.rules import rules_of
from fmcts.testing._laws.cases import FEW, Case, ask, few, moves_of, named, play
from fmcts.testing._laws.law import Law, OtherwiseError


def _keys(case: Case) -> str | None:
    first: dict[Any, Any] = {}
    for move in few(ask(case.state, 'moves'), 4 * FEW):
        key = key_of(case.state, move)
        try:
            other = first.setdefault(key, move)
        except TypeError:
            return f'the key of {named(move)} is {shown(key)}, which has no hash'
        if other is not move:
            return f'the moves {named(other)} and {named(move)} have the same key {shown(key)}'
        if key_of(case.state, move) != key:
            return f'the key of {named(move)} is {shown(key)}, and asked again it is another'
    return None


def _playout(case: Case) -> str | None:
    own = declared(case.state, 'playout')
    rng = case.game.rng.child(case.plies)
    fast, draws = (_Recorded(rng, case.game.max_plies) for _ in range(2))
    state: Any = case.state
    line: list[Any] = []
    try:
        while moves := moves_of(state):
            line.append(moves[draws.draw(len(moves))])
            state = play(state, line[-1])
        expected = ask(state, 'winner')
    except (OtherwiseError, EndlessGameError):  # another law reports it
        return None
    winner = own(case.state, fast.draw)
    way = f'in the game {shown(line, 80)} '
    if winner is not expected:
        return f'{way}the winner is {shown(winner)} by playout, {shown(expected)} by play'
    if fast.counts != draws.counts:
        return (
            f'{way}playout draws below {shown(fast.counts, 80)}, and there are '
            f'{shown(draws.counts, 80)} moves'
        )
    return None


class _Recorded:
    """Draws of a generator, at most `most`, recorded with the ranges they were drawn from."""

    def __init__(self, rng: Rng, most: int) -> None:
        self.most = most
        self.below: Callable[[int], int] = thaw(rng).draw
        self.counts: list[int] = []

    def draw(self, count: int) -> int:
        self.counts.append(count)
        if len(self.counts) > self.most:
            raise EndlessGameError(f'more than {self.most:,} plies')
        return self.below(count)


def _rules(case: Case) -> str | None:
    rules = rules_of(case.state)
    assert rules is not None  # noqa: S101 - else the law is left out
    try:
        next(walk(case.state, rules, case.game.rng, first_moves=FEW))
    except Disagreement as found:
        return str(found).removeprefix('at the start, ')  # the walk starts here
    return None


KEYS: Final = Law[Case](
    'keys are unique',
    'The keys of the legal moves of a state can be hashed, and no two are equal.',
    _keys,
)
PLAYOUT: Final = Law[Case](
    'the playout agrees',
    '`playout(draw)` gives the winner of the game in which each move is `moves[draw(len(moves))]`.',
    _playout,
)
RULES: Final = Law[Case](
    'the rules on integers agree',
    'The rules that the class declares as `compiled` say the same as its states.',
    _rules,
)


def check_rules(
    start: GameState[Any], *, plies: int = 10_000, rng: Rng | None = None
) -> Result[int, str]:
    """Compare a game's rules on integers with its states over `plies` plies of random games.

    Return `Success(plies)` if they agree, else `Failure` with the first difference. Every move of
    every position met is tried. First the rules as Python runs them are compared with the states:
    positions, sides, moves and their order, ends, winners. Then the compiled rules are compared
    with what Python found; they are compiled for this check with every index into an array, a
    table or a set of bits checked. numba is loaded.

    :raises EngineError: the game declares no rules on integers, or numba is not installed.
    :raises FinishedGameError: the game is over at `start`.
    :raises ValueError: `plies` is not a whole number of at least 1.
    """
    return compiled.check(start, plies, rng)
