"""A rule-based state machine for any game: moves are played and taken back, beside a plain list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fmcts._arguments import shown
from fmcts.errors import FinishedGameError
from fmcts.game import options_of
from fmcts.rng import SplitMix
from fmcts.testing._laws.cases import Case, Description, ask, differences, hash_of, look


def to_the_end(case: Case, rng: Any) -> Iterator[Case]:
    """Yield the cases after a case, by moves and outcomes drawn alike, up to the end of a game."""
    while options := options_of(case.state):
        index, rng = rng.uniform(0, len(options) - 1)
        case = case.step(options[index])
        yield case


def game_machine(start: Any, *, max_plies: int = 10_000) -> type[RuleBasedStateMachine]:
    """Return a state machine that plays the game from `start` and takes moves back, in any order.

    The model is the list of moves played. After each step the state must be the one that these
    moves lead to from the start: equal, with the same hash and the same members. One step plays to
    the end of the game. This finds a game without an end, and a `play` that changes a state to
    which the machine returns. Where chance moves, one of the outcomes is played.

        TestMyGame = game_machine(my_start).TestCase

    :param max_plies: the most moves played at a time.
    :raises FinishedGameError: the game is over at `start`.
    :raises ValueError: `max_plies` is not a whole number of at least 1, or `start` is a class.
    """
    game = Description(start, max_plies=max_plies)
    if ask(Case(game, game.fresh()).state, 'over'):
        raise FinishedGameError('start must be a state with moves to play, but its game is over')

    class GameMachine(RuleBasedStateMachine):
        """The game beside a list of moves."""

        def __init__(self) -> None:
            super().__init__()
            self.cases: list[Case] = [Case(game, game.fresh())]

        @property
        def here(self) -> Any:
            """The current state."""
            return self.cases[-1].state

        @property
        def after(self) -> str:
            """The moves so far, in words."""
            return f'after [{", ".join(map(shown, self.cases[-1].line))}]'

        @precondition(lambda self: not self.here.over)
        @rule(data=st.data())
        def play(self, data: st.DataObject) -> None:
            """Play one of the moves, or of the outcomes where chance moves."""
            if len(self.cases) <= max_plies:
                moves = options_of(self.here)
                assert moves, f'{self.after}, the game is not over, and there is no move'  # noqa: S101
                self.cases.append(self.cases[-1].step(data.draw(st.sampled_from(moves), 'move')))

        @precondition(lambda self: not self.here.over)
        @rule(seed=st.integers(0, 2**16))
        def play_on(self, seed: int) -> None:
            """Play random moves to the end of the game."""
            left = max_plies - len(self.cases) + 1
            self.cases += islice(to_the_end(self.cases[-1], SplitMix.from_seed(seed)), left)

        @precondition(lambda self: len(self.cases) > 1)
        @rule(data=st.data())
        def take_back(self, data: st.DataObject) -> None:
            """Return to an earlier state of the line."""
            keep = data.draw(st.integers(1, len(self.cases) - 1), 'states kept')
            del self.cases[keep:]

        @invariant()
        def is_what_the_moves_lead_to(self) -> None:
            """Compare the state with one that is reached anew."""
            case = self.cases[-1]
            again = case.again
            other = differences(look(case.state), look(again))
            assert other is None, f'{self.after}, the moves played anew give: {other}'  # noqa: S101
            assert case.state == again, f'{self.after}, the moves played anew give another state'  # noqa: S101
            assert hash_of(case.state) == hash_of(again), f'{self.after}, another hash'  # noqa: S101

    GameMachine.__name__ = GameMachine.__qualname__ = f'MachineOf{game.kind.__name__}'
    return GameMachine
