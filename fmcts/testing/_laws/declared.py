"""Laws of what is said of a game besides its states.

By its class: keys, a playout, rules on integers. By the user: its text, symmetries, whole games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from returns.pipeline import is_successful
from returns.result import Result

from fmcts._arguments import shown
from fmcts._declared import declared
from fmcts._promises import rewards_of
from fmcts.errors import EndlessGameError
from fmcts.game import Player, equal, key_of, players_of
from fmcts.rng import Rng, thaw
from fmcts.testing._laws.cases import Case, ask, differences, look, moves_of, play, playable, same
from fmcts.testing._laws.law import FEW, Answer, Law, OtherwiseError, Unchecked, few, law

NOT_GIVEN: Final = Unchecked('none was given')


@law('text is read back', 'A state is equal to what is read from its text.')
def text_is_read_back(case: Case) -> Answer:
    if case.game.text is None:
        return NOT_GIVEN
    parse, write = case.game.text
    text: Any = write(case.state)
    if not isinstance(text, str):
        return f'the text is {shown(text)}'
    read = _value(parse(text))
    other = differences(look(case.state), look(read))
    if other:
        return f'the state and the one read from {shown(text, 80)} have {other}'
    if not equal(read, case.state):
        return f'the state read from {shown(text, 80)} is not equal to the one that was written'
    again = write(read)
    if again != text:
        return f'what was read from {shown(text, 80)} is written as {shown(again, 80)}'
    return None


def _value(read: object) -> Any:
    """Return the value read, unwrapped if it is a `Result`."""
    if not isinstance(read, Result):
        return read
    if not is_successful(read):
        raise OtherwiseError(f'its text is not read again: {read.failure()}')
    return read.unwrap()


@law(
    'the symmetry holds',
    'The image of a state has the images of its moves, the same player, end and winner; and the '
    'image of the state after a move is the image after the image of the move.',
)
def the_symmetry_holds(case: Case) -> Answer:
    given = case.game.symmetry
    return _image(case, *given, lambda player: player) if given else NOT_GIVEN


@law(
    'the colours are alike',
    'With the colours exchanged a state has the images of its moves, the other player, the same '
    'end and the other winner; and the image of the state after a move is the image after the '
    'image of the move.',
)
def the_colours_are_alike(case: Case) -> Answer:
    given = case.game.colours
    if given is None:
        return NOT_GIVEN
    return _image(case, *given, lambda it: it.other if isinstance(it, Player) else it)


def _image(
    case: Case,
    on_state: Callable[[Any], Any],
    on_move: Callable[[Any], Any],
    on_player: Callable[[Any], Any],
) -> str | None:
    """Return how the image of a state differs from what it should be, in words."""
    image, seen = on_state(case.state), look(case.state)
    mirrored = look(image)
    expected = {
        'player': on_player(seen.player),
        'over': seen.over,
        'winner': on_player(seen.winner),
        'players': seen.players,
        'rewards': seen.rewards and _exchanged(seen.rewards, players_of(case.state), on_player),
    }
    for name, one in expected.items():
        two = getattr(mirrored, name)
        if not same(one, two):
            return f'{name} is {shown(two)} in the image, not {shown(one)}'
    if seen.chances:
        there = mirrored.chances
        moves = tuple((on_move(outcome), weight) for outcome, weight in seen.chances)
    else:
        there, moves = mirrored.moves, tuple(map(on_move, seen.moves))
    missing = [move for move in there if not any(equal(move, it) for it in moves)]
    if len(moves) != len(there) or missing:
        return (
            f'the images of the moves are {shown(moves, 80)}, and the moves of the image '
            f'are {shown(there, 80)}'
        )
    for move in few(playable(case.state)):
        if not equal(on_state(play(case.state, move)), play(image, on_move(move))):
            return f'the image of the state after {shown(move)} is not the image after the image'
    return None


def _exchanged(
    rewards: tuple[Any, ...], players: tuple[Any, ...], on_player: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """Return the rewards where each player has the reward of the player mapped to it."""
    worth = {on_player(player): reward for player, reward in zip(players, rewards, strict=True)}
    return tuple(worth[player] for player in players)


@law('known games end so', 'The games that are given are legal, and end with the winners given.')
def known_games_end_so(case: Case) -> Answer:
    line = case.line
    if not case.game.known:
        return NOT_GIVEN
    for moves, winner in case.game.known:
        if not same(line, moves[: len(line)]):
            continue
        if len(line) < len(moves):
            following = moves[len(line)]
            if not any(equal(following, move) for move in playable(case.state)):
                return f'a known game continues with {shown(following)}, which is not legal here'
        elif not ask(case.state, 'over'):
            return 'a known game is over here, and the state is not'
        elif case.game.general and isinstance(winner, tuple):
            if not same(found := rewards_of(case.state), winner):
                return f'a known game has the rewards {shown(winner)} here, not {shown(found)}'
        elif (found := ask(case.state, 'winner')) is not winner:
            return f'a known game is won by {shown(winner)} here, and the winner is {shown(found)}'
    return None


def invariant(name: str, holds: Callable[[Any], object]) -> Law[Case]:
    """Return the law that the user's condition holds for every state."""

    def found(case: Case) -> str | None:
        said = holds(case.state)
        if said is None or equal(said, True):  # noqa: FBT003 - of numpy, say
            return None
        return said if isinstance(said, str) else f'{name} gives {shown(said)}'

    return Law(
        f'invariant {name}', f'{name} gives True (or None, and raises nothing) everywhere.', found
    )


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
            return f'the key of {shown(move)} is {shown(key)}, which has no hash'
        if other is not move:
            return f'the moves {shown(other)} and {shown(move)} have the same key {shown(key)}'
        if key_of(case.state, move) != key:
            return f'the key of {shown(move)} is {shown(key)}, and asked again it is another'
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
    (fast, own_draw), (counts, draw) = (_recorded(rng, case.game.max_plies) for _ in range(2))
    state: Any = case.state
    line: list[Any] = []
    try:
        while moves := moves_of(state):
            line.append(moves[draw(len(moves))])
            state = play(state, line[-1])
        expected = ask(state, 'winner')
    except (OtherwiseError, EndlessGameError):  # another law reports it
        return None
    winner = own(case.state, own_draw)
    way = f'in the game {shown(line, 80)} '
    if winner is not expected:
        return f'{way}the winner is {shown(winner)} by playout, {shown(expected)} by play'
    # Equal counts mean equal draws: else the compiled engine and Python would part.
    if fast != counts:
        return (
            f'{way}playout draws below {shown(fast, 80)}, and there are {shown(counts, 80)} moves'
        )
    return None


def _recorded(rng: Rng, most: int) -> tuple[list[int], Callable[[int], int]]:
    """Return a function that draws, `most` times at most, and a list of the ranges it drew from."""
    counts, below = list[int](), thaw(rng).draw

    def draw(count: int) -> int:
        counts.append(count)
        if len(counts) > most:
            raise EndlessGameError(f'more than {most:,} plies')
        return below(count)

    return counts, draw
