"""Decisive, anti-decisive and patient moves: playouts that take a win, and hand none over.

F. Teytaud and O. Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
algorithms", IEEE Symposium on Computational Intelligence and Games, 2010. A decisive move wins at
once. An anti-decisive move keeps the opponent from winning at once: here, as no game need have a
rule for moving twice, it is one after which the opponent has no decisive move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from attrs import frozen

from fmcts.rules import rules_of
from fmcts.search.policies.narrowing import picked_moves
from fmcts.search.policies.policy import Draw, Policy

__all__ = ['AntiDecisive', 'Decisive', 'Patient', 'Preferring', 'is_safe', 'wins']

Filter = tuple[str, Callable[[Any, Any], bool] | None]


def wins(state: Any, move: Any) -> bool:
    """Whether the move wins at once."""
    after = state.play(move)
    return after.over and after.winner is state.player


def is_safe(state: Any, move: Any) -> bool:
    """Whether the opponent cannot win at once after the move, and has not won by it."""
    after = state.play(move)
    other = state.player.other
    if after.over:
        return after.winner is not other
    return after.player is not other or not any(wins(after, reply) for reply in after.moves)


@frozen
class Preferring(Policy):
    """Moves of the first kind of which there are any are equally likely; of none, all are.

    `kinds` are the names of kinds of moves: each is a field of `fmcts.rules.IntegerRules`, by which
    a game may state the same faster, and a function of state and move. Without a function, a kind
    is what the game states, and empty where it states nothing.
    """

    kinds: ClassVar[tuple[Filter, ...]] = ()

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """One of the preferred moves."""
        rules = rules_of(state)
        for name, belongs in self.kinds:
            faster = None if rules is None else getattr(rules, name)
            among: Sequence[Any] = ()
            if faster is not None:
                among = picked_moves(state, moves, faster)
            elif belongs is not None:
                among = [move for move in moves if belongs(state, move)]
            if among:
                return among[draw(len(among))]
        return moves[draw(len(moves))]


@frozen
class Decisive(Preferring):
    """A move that wins at once is played, if there is one."""

    kinds = (('winning', wins),)


@frozen
class AntiDecisive(Preferring):
    """Else one after which the opponent cannot win at once, if there is one."""

    kinds = (('winning', wins), ('safe', is_safe))


@frozen
class Patient(Preferring):
    """Else, first, one by which the player gives up no win that it waits for.

    Only a game can tell which these are (`IntegerRules.patient`). Of one that does not, playouts
    are those of `AntiDecisive`.
    """

    kinds = (('winning', wins), ('patient', None), ('safe', is_safe))
