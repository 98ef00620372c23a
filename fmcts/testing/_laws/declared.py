"""Laws of what a game's class declares besides its states: keys and a playout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fmcts._arguments import shown
from fmcts._declared import declared
from fmcts.errors import EndlessGameError
from fmcts.game import key_of
from fmcts.rng import Rng, thaw
from fmcts.testing._laws.cases import Case, ask, moves_of, named, play
from fmcts.testing._laws.items import FEW, few
from fmcts.testing._laws.law import Answer, OtherwiseError, Unchecked, law


@law(
    'keys are unique', 'The keys of the legal moves of a state can be hashed, and no two are equal.'
)
def keys_are_unique(case: Case) -> Answer:
    if getattr(case.game.kind, 'key', None) is None:
        return Unchecked(f'{case.game.kind.__name__} declares no key')
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


@law(
    'the playout agrees',
    '`playout(draw)` gives the winner of the game in which each move is `moves[draw(len(moves))]`.',
)
def the_playout_agrees(case: Case) -> Answer:
    own = declared(case.state, 'playout')
    if case.game.general:
        return Unchecked('it is for games of two players without chance')
    if own is None:
        return Unchecked(f'{case.game.kind.__name__} declares no playout')
    rng = case.game.rng.child(len(case.line))
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
