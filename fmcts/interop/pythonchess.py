"""Chess, by python-chess (https://python-chess.readthedocs.io). Moves are written as UCI does.

A whole game at random says little and takes long: searches of chess want an evaluation.

>>> from fmcts import Search, SplitMix, analyse
>>> search = Search(iterations=200, evaluate=material, solver=True)
>>> mate_in_one = position('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1')
>>> analysis, rng = analyse(mate_in_one, SplitMix.from_seed(1), search)
>>> analysis.move, str(analysis.proof)
('a1a8', 'win in 1')
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, Self

from attrs import evolve, field, frozen

from fmcts._arguments import cut, shown
from fmcts._extras import loaded
from fmcts.game import Player
from fmcts.interop.replayed import Replayed

chess = loaded('chess', f'{__name__} needs', 'fmcts[interop]', called='python-chess')
loaded('chess.svg', f'{__name__} needs', 'fmcts[interop]', called='python-chess')

__all__ = ['ChessState', 'material', 'position', 'start']

CLAIMED: Final = (3, 100)
"""When a player may claim a draw: occurrences of the position, plies without progress."""

WORTH: Final = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
MUCH: Final = 4.0  # a lead in pawns worth half of the difference between a draw and a win


@frozen(eq=False)
class ChessState(Replayed):
    """A position of chess; White is X. Moves are sorted by their UCI text.

    A game ends by mate, stalemate, insufficient material, threefold repetition, or fifty moves by
    each side without a capture or pawn move. The last two are draws that a player could claim (FIDE
    Laws of Chess 9.2 and 9.3).
    """

    _board: Any = field(repr=False)

    def after(self, move: str) -> Self:
        """Return the position after a legal move."""
        board = self._board
        # The moves since the last capture or pawn move, within which a position can repeat.
        board = board.copy(stack=min(board.halfmove_clock, len(board.move_stack)))
        board.push_uci(move)
        return evolve(self, history=(*self.history, move), **_facts(board))

    @property
    def board(self) -> Any:
        """A copy of the position, as a `chess.Board`."""
        return self._board.copy()

    def __str__(self) -> str:
        """Return the board, with White below."""
        return str(self._board)

    def picture(self) -> str:
        """Return the board as SVG, drawn by python-chess, with the last move marked."""
        last = self._board.move_stack[-1:]
        return str(chess.svg.board(self._board, lastmove=last[0] if last else None))

    def _repr_svg_(self) -> str:
        return self.picture()


def position(fen: Any) -> ChessState:
    """Return a position of chess, as a text in Forsyth-Edwards notation gives it.

    The text may also be a line of EPD, whose other operations than the clocks are left out; or
    `fen` a `chess.Board`, which is copied with the moves that led to it, so that repetitions
    count. The `history` begins at the position. A text with castling rights that only Chess960 has
    is one of Chess960, where castling is written as the king takes the rook.

    :raises ValueError: it is not such a text or board, or not a valid position of chess.
    """
    if type(fen) is chess.Board:
        root = fen.root()
        moves = tuple(move.uci() for move in fen.move_stack)
        return _begin((root.fen(en_passant='fen'), fen.chess960, moves))
    if not isinstance(fen, str):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'fen must be a position in Forsyth-Edwards notation or a chess.Board, not {shown(fen)}'
        )
    return _begin((fen, False, ()))


def _begin(given: tuple[str, bool, tuple[str, ...]]) -> ChessState:
    """Return the position of a text after these moves; the second is True for Chess960."""
    text, other, moves = given
    try:
        board = _board_of(text)
    except ValueError as error:
        raise ValueError(f'{cut(text)!r} is not a position of chess: {error}') from None
    board.chess960 = other or board.status() == chess.STATUS_BAD_CASTLING_RIGHTS
    for move in moves:
        board.push_uci(move)
    if status := board.status():
        raise ValueError(f'{cut(text)!r} is not a valid position of chess: {status!r}')
    return ChessState(origin=(_begin, given), history=(), **_facts(board))


def _board_of(text: str) -> Any:
    try:
        return chess.Board(text)
    except ValueError:
        with suppress(ValueError):
            return chess.Board.from_epd(text)[0]
        raise


def _facts(board: Any) -> dict[str, Any]:
    """Return the fields of a position of python-chess."""
    player = Player.X if board.turn else Player.O
    times, plies = CLAIMED
    # Sorted, since the order in which python-chess generates them is not promised.
    moves = tuple(sorted(move.uci() for move in board.legal_moves))
    winner = player.other if not moves and board.is_check() else None
    drawn = (
        board.is_insufficient_material()
        or board.halfmove_clock >= plies
        or board.is_repetition(times)
    )
    return {'moves': () if drawn else moves, 'player': player, 'winner': winner, 'board': board}


start: Final = position(chess.STARTING_FEN)


def material(state: ChessState) -> float:
    """Return the balance of the pieces on the board, from 0 (Black) to 1 (White).

    The difference in pawns `d` (knight 3, bishop 3, rook 5, queen 9) is `1/2 + d / (2 (|d| + 4))`.
    """
    board = state._board  # noqa: SLF001 - a copy of it would take longer than the rest
    ahead = sum(
        pawns * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, pawns in WORTH.items()
    )
    # Between 0 and 1 without an exponential, which differs between machines.
    return 0.5 + ahead / (2.0 * (abs(ahead) + MUCH))
