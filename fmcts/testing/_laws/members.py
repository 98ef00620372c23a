"""Laws of a state's members, of play and its refusals, and of the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from attrs import evolve

from fmcts._arguments import shown
from fmcts._promises import checked_chances, checked_players, gained_of, rewards_of
from fmcts.errors import FinishedGameError, GameError, IllegalMoveError
from fmcts.game import Player, equal, players_of, reward
from fmcts.rng import thaw
from fmcts.testing._laws.cases import (
    NEEDED,
    OPTIONAL,
    Case,
    ask,
    differences,
    has,
    look,
    moves_of,
    picture,
    play,
    playable,
    same,
)
from fmcts.testing._laws.law import Answer, OtherwiseError, Unchecked, few, law, raised
from fmcts.testing._laws.watching import changed

SMALL: Final = 64
"""The number of moves up to which all are compared, even if their hashes differ."""

TRIED: Final = 12
"""The number of moves of other positions that are tried in a position."""

GAMES: Final = 4
"""The number of random games played to check that games end."""

BEGINNING: Final = 8
"""The number of moves quoted of an endless game."""

HORIZON: Final = (
    " (if it is searched with a horizon, it need not be: without=['games end'], max_plies=...)"
)


@law(
    'a state has all members',
    'A state has `player`, `moves`, `over`, `winner` and `play`, and can be asked for each.',
    basic=True,
)
def a_state_has_all_members(case: Case) -> str | None:
    look(case.state)
    ask(case.state, 'play')
    for name in OPTIONAL:
        if has(case.state, name) != has(case.game.start, name):
            return f'{shown(case.state)} and the start do not both have {name}'
    return None


a_chance_state_has_all_members: Final = evolve(
    a_state_has_all_members,
    sentence='A state has `player`, `moves`, `over`, `play`, and `winner`, `rewards` or `gained`, '
    'and can be asked for each; `players`, `chances`, `rewards` and `gained` are there in every '
    'state or in none.',
)


@law('moves are a tuple', '`moves` is a tuple, so that nobody can change it.', basic=True)
def moves_are_a_tuple(case: Case) -> str | None:
    moves = ask(case.state, 'moves')
    return (
        None if isinstance(moves, tuple) else f'moves is a {type(moves).__name__}: {shown(moves)}'
    )


@law(
    'answers are stable',
    'Asked twice, a state gives the same moves in the same order, player, end and winner.',
    basic=True,
)
def answers_are_stable(case: Case) -> str | None:
    first, second = look(case.state), look(case.state)
    other = differences(first, second)
    return f'reading the state twice gives {other}' if other else None


@law('moves equal themselves', 'Each move equals itself, which NaN does not.', basic=True)
def moves_equal_themselves(case: Case) -> str | None:
    for move in ask(case.state, 'moves'):
        if not equal(move, move):
            return f'the move {shown(move)} does not equal itself'
    return None


@law('moves are unique', 'No two moves of a state are equal.')
def moves_are_unique(case: Case) -> str | None:
    moves = ask(case.state, 'moves')
    with suppress(TypeError):  # moves need not be hashable
        if len(moves) > SMALL and len(set(moves)) == len(moves):
            return None
    for index, move in enumerate(moves):
        for earlier in range(index):
            if equal(move, moves[earlier]):
                return f'the move {shown(move)} at {earlier} and at {index}'
    return None


@law('over is a bool', '`over` is `True` or `False`.')
def over_is_a_bool(case: Case) -> str | None:
    over = ask(case.state, 'over')
    return None if isinstance(over, bool) else f'over is {shown(over)}'


@law(
    'two players',
    '`player` is `Player.X` or `Player.O`, also at the end: a game has two players.',
    basic=True,
)
def two_players(case: Case) -> str | None:
    player = ask(case.state, 'player')
    return None if isinstance(player, Player) else f'player is {shown(player)}, not a Player'


@law('no moves at the end', '`moves` is `()` exactly when the game is over.')
def no_moves_at_the_end(case: Case) -> str | None:
    moves, over = playable(case.state), ask(case.state, 'over')
    if over and len(moves):
        return f'the state is over but has the moves {shown(moves, 80)}'
    if not over and not case.options:
        return (
            'the state has no moves but is not over (moves that cannot be listed are proposed, by '
            'Search(proposals=...): then give the check proposals=, too)'
        )
    return None


who_is_asked_has_a_move: Final = evolve(
    no_moves_at_the_end,
    name='who is asked has a move',
    sentence='Where chance does not move and the game is not over, the player has a move; a '
    'finished game has none.',
)


@law('no winner before the end', '`winner` is `None` while the game is not over.')
def no_winner_before_the_end(case: Case) -> str | None:
    winner = ask(case.state, 'winner')
    if ask(case.state, 'over') or winner is None:
        return None
    return f'the state is not over but its winner is {shown(winner)}'


@law(
    'the winner is a player',
    'At the end `winner` is `Player.X`, `Player.O` or, for a draw, `None`: so the '
    'rewards of the two add up to 1.',
)
def the_winner_is_a_player(case: Case) -> str | None:
    if not ask(case.state, 'over'):
        return None
    winner = ask(case.state, 'winner')
    adds_to_1 = sum(reward(winner, player) for player in Player) == 1.0
    return None if adds_to_1 else f'the winner is {shown(winner)}'


# Games with chance, rewards or other players.


def _complaint(check: Callable[[Any], object], case: Case) -> str | None:
    """Return the message of the `GameError` that a check of the state raises, if it raises one."""
    try:
        check(case.state)
    except GameError as error:
        return str(error)
    return None


@law(
    'players are the same everywhere',
    'Every state has the same tuple of distinct players, and `player` is one of them.',
    basic=True,
)
def players_are_the_same_everywhere(case: Case) -> str | None:
    players = players_of(case.state)
    if not same(players, players_of(case.game.start)):
        return f'the players are {shown(players)} here'
    return _complaint(checked_players, case)


@law(
    'chances are outcomes with weights',
    'Chances are pairs of an outcome and a whole number of at least 1, no outcome comes twice, '
    'and where there are any the game is not over and has no moves.',
    basic=True,
)
def chances_are_outcomes_with_weights(case: Case) -> str | None:
    drawn = case.game.proposals and callable(getattr(case.state, 'chances', None))
    return None if drawn else _complaint(checked_chances, case)


@law(
    'ends have rewards',
    'A finished game has a reward from 0 to 1 for each player, or a winner who is a player or '
    'None, and a winner has the highest reward; before the end there are none. What is gained on '
    'the way, if states say it, is a finite number for each player.',
)
def ends_have_rewards(case: Case) -> str | None:
    state = case.state
    if has(state, 'gained'):
        count = len(players_of(state))
        wrong = _complaint(lambda state: gained_of(state, count), case)
        if wrong is not None:
            return wrong
    if ask(state, 'over'):
        return _complaint(rewards_of, case) or _contradiction(state)
    for name, nothing in (('rewards', ()), ('winner', None)):
        if has(state, name) and (given := ask(state, name)) != nothing:
            return f'the game is not over, and {name} is {shown(given)}'
    return None


def _contradiction(state: Any) -> str | None:
    """Return how the winner of a finished game differs from whom its rewards are best for."""
    winner = state.winner if has(state, 'rewards') and has(state, 'winner') else None
    if winner is None:
        return None
    for player, worth in zip(players_of(state), rewards_of(state), strict=True):
        if equal(player, winner) and worth == max(state.rewards):
            return None
    return f'the winner is {shown(winner)}, and the rewards are {shown(state.rewards)}'


# Play.


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
def every_move_can_be_played(case: Case) -> str | None:
    for move in few(playable(case.state) or case.options):
        after = play(case.state, move)
        rewarded = has(after, 'rewards') or has(after, 'gained')
        for name in (*NEEDED, 'play'):
            if not has(after, name) and not (rewarded and name == 'winner'):
                return f'playing {shown(move)} gives {shown(after)}, which has no {name}'
    return None


@law('games end', 'Every game is over after `max_plies` plies at most.', scope='start')
def games_end(case: Case) -> Answer:
    """Play some random games."""
    if not case.options and not ask(case.state, 'over'):
        return Unchecked('what can be played is not listed')
    for number in range(GAMES):
        draws = thaw(case.game.rng.child(number))
        state: Any = case.game.fresh()
        line: list[Any] = []
        while moves := case.game.options_at(state, len(line)):
            if len(line) >= case.game.max_plies:
                begin = ', '.join(map(shown, line[:BEGINNING]))
                found = f'a random game that begins {begin} is not over after '
                return found + f'{case.game.max_plies:,} plies' + case.game.general * HORIZON
            line.append(moves[draws.draw(len(moves))])
            try:
                state = play(state, line[-1])
            except OtherwiseError:  # another law reports it
                break
    return None


def _not_legal_here(case: Case) -> list[Any]:
    """Return moves of positions before and after this one, non-moves, and numbers beside moves."""
    legal = playable(case.state)
    if not legal and not ask(case.state, 'over'):  # moves that are not listed may be any values
        return [*NO_MOVES[-1:]]
    positions = [earlier.state for earlier in case.path[:-1][-TRIED:]]
    with suppress(OtherwiseError):  # another law reports it
        positions += [play(case.state, move) for move in few(legal, 4)]  # as a move made twice
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
def illegal_moves_are_refused(case: Case) -> str | None:
    return None if ask(case.state, 'over') else _not_refused(case, IllegalMoveError)


@law(
    'nothing is played after the end',
    'In a finished game any move raises `IllegalMoveError` (or `FinishedGameError`).',
)
def nothing_is_played_after_the_end(case: Case) -> str | None:
    accepted = (IllegalMoveError, FinishedGameError)
    return _not_refused(case, accepted) if ask(case.state, 'over') else None


def _not_refused(case: Case, accepted: Any) -> str | None:
    """Return what happens when an illegal move is played, unless it raises an `accepted` error."""
    state = case.state
    seen, before = look(state), picture(case, state)
    for move in _not_legal_here(case):
        try:
            after = state.play(move)
        except accepted:
            pass
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            return (
                f'playing {shown(move)}, which is not legal here, {raised(error)}; raise '
                f'IllegalMoveError, as in: raise fmcts.game.illegal(self, move)'
            )
        else:
            return f'{shown(move)} is played, though it is not legal here, and gives {shown(after)}'
        other = differences(seen, look(state)) or changed(before, picture(case, state))
        if other:
            return f'playing {shown(move)} is refused but changes the state: {other}'
    return None
