"""Proofs: what one player is sure to get, and the moves that get it.

A proof is a strategy: one move for each position in which its player is to move and that can arise.
The opponent's replies follow from the rules of the game. A position reached in several ways occurs
once. How the proof was found does not matter: `fmcts.solve._checker` verifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, Final, Generic

from attrs import field, frozen

from fmcts._arguments import shown, whole_number
from fmcts.game import GameState, M, Player
from fmcts.search import Analysis, Node, Watch, ignore, root_of, walk
from fmcts.search.resolution.solver import AT_LEAST, DRAWN, proof_at, proof_number
from fmcts.solve._asked import Asked
from fmcts.solve._description import AlphaBeta
from fmcts.solve._scores import WIN, Score, after, plies_of, value_of


@frozen
class Proof(Generic[M]):
    """A claim, and the moves that prove it.

    `player` gets at least `value`: 1, a win, within `plies` plies; 1/2, a draw; 0, a loss, but no
    sooner than after `plies` plies. With `plies` `None` there is no such limit. `moves` maps the
    states in which `player` is to move to the moves to play there.

    A drawn position has two proofs, one for each player: both get at least 1/2.

    :raises ValueError: a value is not accepted; the message names it and the accepted values.
    """

    player: Player
    value: float
    plies: int | None
    moves: Mapping[Any, M] = field(hash=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.player, Player):
            raise ValueError(  # noqa: TRY004 - as every other field
                f'player must be Player.X or Player.O, not {shown(self.player)}'
            )
        if self.value not in (0, 0.5, 1):
            raise ValueError(f'value must be 0, 0.5 or 1, not {shown(self.value)}')
        if self.plies is not None:
            whole_number('plies', self.plies, least=0)

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
    asked = Asked(state, search, engine, watch)
    score, step = asked.exact(state, None), asked.search.step

    def choose(state: GameState[M], least: Score) -> M:
        return asked.first_move(state, least, None)

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
        # A position met again with a higher demand needs its moves anew.
        if here.over or wanted.get(here, least - 1) >= least:
            continue
        wanted[here] = least
        replies = here.moves
        if here.player is player:
            moves[here] = choose(here, least)
            replies = (moves[here],)
        waiting += [(here.play(move), after(least, step)) for move in replies]
    return moves


STEP: Final = 1


def searched_proofs(tree: Node | Analysis[Any]) -> tuple[Proof[Any], ...]:
    """Return what a search with a solver has proven of the root, for `check_proof` to verify.

    `tree` is an analysis or the root of its tree, searched with `solver=True`. A win is one proof,
    by its player; a draw is two, one for each player. There may be a shorter win than the search
    has found.

    :raises ValueError: nothing is proven of the root: the search had no solver, or was too short.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> from fmcts.solve import check_proof
    >>> state = tictactoe.parse('X.O.O..X.').unwrap()
    >>> analysis, _ = analyse(state, SplitMix.from_seed(1), Search(1000, solver=True))
    >>> (proof,) = searched_proofs(analysis)
    >>> proof.claim, check_proof(state, proof)
    ('X wins within 3 plies', <Success: None>)
    """
    root = root_of(tree)
    here = proof_at(root)
    if here is None:
        raise ValueError(
            'nothing is proven of the root: expected a tree that Search(solver=True) has solved'
        )
    best = _best_moves(root)
    if here.plies is None:
        players, least = tuple(Player), 0
    else:
        player = root.state.player
        players = (player if here.reward else player.other,)
        least = WIN - here.plies
    return tuple(_proof(root.state, player, least, best) for player in players)


def _proof(state: Any, player: Player, least: Score, best: dict[Any, tuple[Score, Any]]) -> Any:
    moves = gather(state, player, least, lambda here, _least: best[here][1], step=STEP)
    return Proof(player, value_of(least, player, evaluated=False), plies_of(least, STEP), moves)


def _best_moves(root: Node) -> dict[Any, tuple[Score, Any]]:
    """Return the best known move of each position, with the score that it is sure to get.

    A position that occurs in several places may be resolved in one of them only, or by a shorter
    win in one.
    """
    found: dict[Any, tuple[Score, Any]] = {}
    for node in walk(root):
        state = node.state
        if state.over:
            continue
        rated = [(_least_of(proof_number(child)), child.move) for child in node.children]
        sure = [(score, move) for score, move in rated if score is not None]
        if not sure:
            continue
        score, move = max(sure, key=itemgetter(0))
        if state not in found or score > found[state][0]:
            found[state] = score, move
    return found


def _least_of(number: float) -> Score | None:
    """Return the score that a move gets at least, by the number of the node it leads to."""
    if abs(number) >= 1.0:
        return WIN - int(number) if number > 0 else int(-number) - WIN
    return 0 if number in (DRAWN, AT_LEAST) else None
