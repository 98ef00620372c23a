"""Proofs: what one player is sure to get, and the moves that get it.

A proof is a strategy: one move for each position in which its player is to move and that can arise.
The opponent's replies follow from the rules of the game. A position reached in several ways occurs
once. How the proof was found does not matter: `fmcts.solve._checker` verifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic

from attrs import Attribute, field, frozen

from fmcts._arguments import shown, whole_number
from fmcts.game import GameState, M, Player
from fmcts.search._watch import Watch, ignore
from fmcts.solve._description import AlphaBeta
from fmcts.solve._questions import exact, first_move
from fmcts.solve._scores import Score, after, plies_of, value_of
from fmcts.solve._solution import started


def _player(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    if not isinstance(value, Player):
        raise ValueError(  # noqa: TRY004 - as every other field
            f'player must be Player.X or Player.O, not {shown(value)}'
        )


def _value(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    if value not in (0, 0.5, 1):
        raise ValueError(f'value must be 0, 0.5 or 1, not {shown(value)}')


def _plies(instance: Proof[Any], _attribute: Attribute[Any], value: object) -> None:
    if value is None:
        return
    whole_number('plies', value, least=0)
    if instance.value == 0.5:
        raise ValueError(f'plies must be None for a draw, not {value}')


def _moves(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(  # noqa: TRY004 - as every other field
            f'moves must be a mapping from states to moves, not {shown(value)}'
        )


@frozen
class Proof(Generic[M]):
    """A claim, and the moves that prove it.

    `player` gets at least `value`: 1, a win, within `plies` plies; 1/2, a draw; 0, a loss, but no
    sooner than after `plies` plies. With `plies` `None` there is no such limit. `moves` maps the
    states in which `player` is to move to the moves to play there.

    A drawn position has two proofs, one for each player: both get at least 1/2.

    :raises ValueError: a value is not accepted; the message names it and the accepted values.
    """

    player: Player = field(validator=_player)
    value: float = field(validator=_value)
    plies: int | None = field(validator=_plies)
    moves: Mapping[Any, M] = field(hash=False, repr=False, validator=_moves)

    @property
    def claim(self) -> str:
        """Return the claim in words."""
        if self.value == 0.5:
            return f'{self.player} does not lose'
        if self.plies is None:
            return f'{self.player} wins' if self.value else f'{self.player} may lose'
        if self.value:
            return f'{self.player} wins within {self.plies} plies'
        return f'{self.player} loses no sooner than after {self.plies} plies'


def prove(
    state: GameState[M],
    search: AlphaBeta | None = None,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
) -> tuple[Proof[M], Proof[M]]:
    """Prove the value of a position: return a proof for the side to move, and one for the other.

    Arguments and errors are those of `solve`; a search with `distance=False` gives smaller proofs.

    :raises ValueError: the search has a depth, so that it may not reach the ends of games.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.solve import check_proof
    >>> wins, loses = prove(tictactoe.parse('X.O.O..X.').unwrap())
    >>> wins.claim, loses.claim
    ('X wins within 3 plies', 'O loses no sooner than after 3 plies')
    >>> check_proof(tictactoe.parse('X.O.O..X.').unwrap(), wins)
    <Success: None>
    """
    if search is not None and search.depth is not None:
        raise ValueError('a search to a depth proves nothing: depth must be None')
    asked = started(state, search, engine, watch)
    score, step = exact(asked, state, None), asked.search.step

    def choose(state: GameState[M], least: Score) -> M:
        return first_move(asked, state, least, None)

    def proof(player: Player, least: Score) -> Proof[M]:
        moves = gather(state, player, least, choose, step=step)
        value = value_of(least, player, evaluated=False)
        return Proof(player, value, plies_of(least, step), moves)

    return proof(state.player, score), proof(state.player.other, -score)


def gather(
    state: GameState[M],
    player: Player,
    least: Score,
    choose: Callable[[GameState[M], Score], M],
    *,
    step: int,
) -> dict[Any, M]:
    """Return moves with which `player` gets a score of at least `least` from `state`.

    `choose(state, least)` returns a move of `player` that keeps this score; `step` is 0 if only the
    outcome matters (see `fmcts.solve._scores`).
    """
    moves: dict[Any, M] = {}
    wanted: dict[Any, Score] = {}  # by position, so that each is visited once
    waiting = [(state, least)]
    while waiting:
        here, least = waiting.pop()
        if here.over or wanted.get(here, least - 1) >= least:
            continue
        wanted[here] = least
        replies = here.moves
        if here.player is player:
            moves[here] = choose(here, least)
            replies = (moves[here],)
        waiting += [(here.play(move), after(least, step)) for move in replies]
    return moves
