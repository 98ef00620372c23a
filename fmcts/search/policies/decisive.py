"""Decisive, anti-decisive and patient moves: playouts that take wins and do not give them away.

F. Teytaud and O. Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
algorithms", IEEE Symposium on Computational Intelligence and Games, 2010. A decisive move wins at
once. An anti-decisive move keeps the opponent from winning at once: since a game may not define
moving twice, it is here a move after which the opponent has no decisive move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from attrs import frozen

from fmcts.rules import rules_of
from fmcts.search.policies.narrowing import picked_moves
from fmcts.search.policies.policy import Draw, Policy

_Filter = tuple[str, Callable[[Any, Any], bool] | None]


def wins(state: Any, move: Any) -> bool:
    """Return whether the move wins at once."""
    after = state.play(move)
    return after.over and after.winner is state.player


def is_safe(state: Any, move: Any) -> bool:
    """Return whether the opponent has not won after the move, nor can win at once."""
    after = state.play(move)
    other = state.player.other
    if after.over:
        return after.winner is not other
    # Who keeps the turn cannot be answered at once.
    return after.player is not other or not any(wins(after, reply) for reply in after.moves)


@frozen
class Preferring(Policy):
    """A policy that draws among the moves of the first kind that has any, else among all moves.

    `kinds` are names of kinds of moves, each with a function of state and move. A game may define a
    kind faster, by the field of `fmcts.rules.IntegerRules` with that name. Without a function, only
    a game defines the kind, and otherwise it is empty. A policy is compiled if its functions are
    `wins` and `is_safe`.
    """

    kinds: ClassVar[tuple[_Filter, ...]] = ()

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return one of the preferred moves."""
        rules = rules_of(state)
        for name, belongs in self.kinds:
            # By rules on integers, if the game has any: trying each move costs a state a move.
            faster = getattr(rules, name, None)
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
    """A policy that plays a winning move, if there is one."""

    name = 'decisive'
    kinds = (('winning', wins),)


@frozen
class AntiDecisive(Preferring):
    """`Decisive`, then moves after which the opponent cannot win at once, if there are any."""

    name = 'anti-decisive'
    kinds = (('winning', wins), ('safe', is_safe))


@frozen
class Patient(Preferring):
    """`AntiDecisive`, preferring moves that do not give up a win that the player waits for.

    Only a game can define these (`IntegerRules.patient`). For other games, playouts are those of
    `AntiDecisive`.
    """

    name = 'patient'
    kinds = (('winning', wins), ('patient', None), ('safe', is_safe))
