"""Rules on integers are compared with states before the first search, without numba."""

from typing import NamedTuple

import pytest
from attrs import evolve, frozen

from fmcts import EngineError, Player, Search, SplitMix, _compiled as compiled, analyse, monte_carlo
from fmcts._agreement import walks as agreement
from fmcts._agreement.findings import Findings, check_briefly
from fmcts.games import GAMES, tictactoe
from fmcts.rules import IntegerRules

RNG = SplitMix.from_seed(1)


class Position(NamedTuple):
    left: int


RULES = IntegerRules(
    pack=lambda state: Position(state.left),
    menu=lambda position: position.left > 0,
    play=lambda position, _: Position(position.left - 1),
    side=lambda position: position.left & 1,
    winner=lambda _: 2,
)


def make(**changed):
    """A game in which one counter is taken at a time, and nobody wins; with other rules."""

    @frozen
    class Counters:
        left: int
        compiled = evolve(RULES, **changed)
        player = property(lambda self: Player.O if self.left & 1 else Player.X)
        moves = property(lambda self: (0,)[: self.left])
        over = property(lambda self: not self.left)
        winner = None

        def play(self, _move):
            return type(self)(self.left - 1)

    return Counters


@pytest.fixture(autouse=True)
def _without_numba(monkeypatch):
    monkeypatch.setattr(compiled, 'installed', lambda: False)


def test_correct_rules_pass():
    for state in (make()(5), make()(100), *(game.start for game in GAMES.values())):
        check_briefly(state)
    assert analyse(make()(5), RNG, Search(5))[0].move == 0


def test_wrong_rules_are_refused_at_once_and_permanently():
    kind = make(winner=lambda _: 0)
    complaint = (
        r'^the rules on integers of Counters disagree with it: after the moves \[0, 0, 0\], '
        r'the winner: 0 interpreted, 2 by Counters \(see fmcts.testing.check_rules\)$'
    )
    for act in (
        lambda: analyse(kind(3), RNG, Search(1)),
        lambda: analyse(kind(200), RNG, Search(1)),  # where it would not have been found
        lambda: monte_carlo(1)(kind(3), RNG),
    ):
        with pytest.raises(EngineError, match=complaint):
            act()
    assert analyse(kind(3), RNG, Search(1), engine='inplace')[0].move == 0


def test_terminal_positions_are_compared_except_the_side():
    kind = make(side=lambda position: position.left & 1 if position.left < 5 else 2)
    check_briefly(kind(0))
    with pytest.raises(EngineError, match='at the start, the side to move: 2 interpreted, 0 by'):
        check_briefly(kind(6))
    with pytest.raises(EngineError, match='the winner: 1 interpreted, 2 by Counters'):
        check_briefly(make(winner=lambda _: 1)(0))


def test_a_class_and_its_rules_are_checked_once():
    asked = []
    findings = Findings(asked.append)
    kind, states = make(), [tictactoe.start, tictactoe.start.play(4)]
    for state in (*states, kind(3), kind(2), *states):
        assert findings.of(state) is None
    kind.compiled = evolve(RULES)
    findings.of(kind(1))
    assert asked == [states[0], kind(3), kind(1)]


def test_the_brief_walk_is_deterministic():
    start, rules = GAMES['connect4'].start, type(GAMES['connect4'].start).compiled
    plies = list(agreement.brief_walk(start, rules))
    assert plies == list(agreement.brief_walk(start, rules))
    assert len(plies) == agreement.PLIES
    assert [len(ply.tried) for ply in plies[:2]] == [7, 1]
    assert sum(ply.menu == 0 for ply in plies) > 0
