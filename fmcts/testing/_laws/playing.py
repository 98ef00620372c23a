"""Laws of play: which moves are accepted or refused, and that games end."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from fmcts._arguments import shown
from fmcts.errors import FinishedGameError, IllegalMoveError
from fmcts.game import equal
from fmcts.rng import thaw
from fmcts.testing._laws.cases import (
    Case,
    a_state_has_all_members,
    ask,
    differences,
    has,
    look,
    moves_of,
    named,
    play,
    playable,
)
from fmcts.testing._laws.items import few
from fmcts.testing._laws.law import Answer, Law, OtherwiseError, Unchecked, law, raised
from fmcts.testing._laws.snapshots import changed
from fmcts.testing._laws.states import picture

TRIED: Final = 12
"""The number of moves of other positions that are tried in a position."""

GAMES: Final = 4
"""The number of random games played to check that games end."""

BEGINNING: Final = 8
"""The number of moves quoted of an endless game."""


HORIZON: Final = (
    " (if it is searched with a horizon, it need not be: without=['games end'], max_plies=...)"
)


class NoMove:
    """A value that is not a move of any game."""

    def __repr__(self) -> str:
        return 'an object that is not a move'


NO_MOVES: Final = (-1, None, 2**70, 1.5, '', 'no move', ('no', 'move'), NoMove())


@law(
    'every move can be played',
    'Each of the moves, or of the outcomes, can be played, and gives a state with all members.',
    basic=True,
)
def _playable(case: Case) -> str | None:
    for move in few(playable(case.state) or case.options):
        after = play(case.state, move)
        needed = [name for name in (*a_state_has_all_members, 'play') if not has(after, name)]
        rewarded = has(after, 'rewards') or has(after, 'gained')
        missing = [name for name in needed if name != 'winner' or not rewarded]
        if missing:
            return f'playing {named(move)} gives {shown(after)}, which has no {missing[0]}'
    return None


def _elsewhere(case: Case) -> list[Any]:
    """Return moves of positions before and after this one, non-moves, and numbers beside moves.

    None is legal here.
    """
    legal = playable(case.state)
    if not legal and not ask(case.state, 'over'):  # moves that are not listed may be any values
        return [*NO_MOVES[-1:]]
    positions = [earlier.state for earlier in case.path[:-1][-TRIED:]]
    with suppress(OtherwiseError):  # another law reports it
        positions += [play(case.state, move) for move in few(legal, 4)]
    moves: list[Any] = []
    for state in positions:
        for move in few(moves_of(state), TRIED):
            if len(moves) < TRIED and not _among(move, moves):
                moves.append(move)
    numbers = [move for move in legal if type(move) is int]
    beside = (min(numbers) - 1, max(numbers) + 1) if numbers else ()
    moves += NO_MOVES
    moves += [move for move in beside if not _among(move, moves)]
    return [move for move in moves if not _among(move, legal)]


def _among(move: Any, moves: Any) -> bool:
    return any(equal(move, other) for other in moves)


@law(
    'illegal moves are refused',
    'What is not one of `moves` raises `IllegalMoveError`, and the state stays as it is.',
)
def _refused(case: Case) -> str | None:
    return None if ask(case.state, 'over') else _not_refused(case, IllegalMoveError)


@law(
    'nothing is played after the end',
    'In a finished game any move raises `IllegalMoveError` (or `FinishedGameError`).',
)
def _nothing_after(case: Case) -> str | None:
    if not ask(case.state, 'over'):
        return None
    return _not_refused(case, (IllegalMoveError, FinishedGameError))


def _not_refused(case: Case, accepted: Any) -> str | None:
    """Return what happens when an illegal move is played, unless it raises an `accepted` error."""
    state = case.state
    seen, before = look(state), picture(case, state)
    for move in _elsewhere(case):
        try:
            after = state.play(move)
        except accepted:
            pass
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            return (
                f'playing {named(move)}, which is not legal here, {raised(error)}; raise '
                f'IllegalMoveError, as in: raise fmcts.game.illegal(self, move)'
            )
        else:
            return f'{named(move)} is played, though it is not legal here, and gives {shown(after)}'
        other = differences(seen, look(state)) or changed(before, picture(case, state))
        if other:
            return f'playing {named(move)} is refused but changes the state: {other}'
    return None


@law('games end', 'Every game is over after `max_plies` plies at most.', scope='start')
def _ends(case: Case) -> Answer:
    """Play some random games."""
    if not case.options and not ask(case.state, 'over'):
        return Unchecked('what can be played is not listed')
    for number in range(GAMES):
        draws = thaw(case.game.rng.child(number))
        state: Any = case.game.fresh()
        line: list[Any] = []
        while moves := case.game.options_at(state, len(line)):
            if len(line) >= case.game.max_plies:
                begin = ', '.join(map(named, line[:BEGINNING]))
                found = f'a random game that begins {begin} is not over after '
                return found + f'{case.game.max_plies:,} plies' + case.game.general * HORIZON
            line.append(moves[draws.draw(len(moves))])
            try:
                state = play(state, line[-1])
            except OtherwiseError:  # another law reports it
                break
    return None


LAWS_OF_PLAY: Final[tuple[Law[Case], ...]] = (
    _playable,
    _ends,
)

LAWS_OF_REFUSALS: Final[tuple[Law[Case], ...]] = (
    _refused,
    _nothing_after,
)
