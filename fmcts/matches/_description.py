"""The description of a match, as one frozen value."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from attrs import Attribute, field, frozen
from attrs.validators import optional

from fmcts._arguments import check_bot, check_generator, check_start, shown, whole_number, within
from fmcts._content import content_of
from fmcts._running import check_seconds
from fmcts._validators import as_count, count_from_zero, must_be, positive_count, switch
from fmcts.bots import MctsBot
from fmcts.errors import FinishedGameError, GameError
from fmcts.game import MAX_PLIES, GameState, has_rewards, is_plain
from fmcts.games import GameModule, find_game, game_of
from fmcts.matches._lines import follow
from fmcts.matches._sprt import Sprt
from fmcts.rng import Rng


def _even(_instance: object, attribute: Attribute[Any], value: object) -> None:
    if whole_number(attribute.name, value, least=2) % 2:
        raise ValueError(
            f'{attribute.name} must be an even number, because each opening is played from both '
            f'sides, not {value}'
        )


def _time(_instance: object, attribute: Attribute[Any], value: object) -> None:
    check_seconds(attribute.name, value)


_is_sprt: Final = must_be('a Sprt or None', lambda value: isinstance(value, Sprt))


def _lines(given: Any) -> Any:
    return None if given is None else tuple(map(tuple, given))


def both_names(names: object) -> tuple[str, str]:
    """Return the names of two bots as a tuple.

    :raises ValueError: they are something else.
    """
    found = names if isinstance(names, list | tuple) else ()
    if len(found) != 2 or not all(isinstance(name, str) for name in found):
        raise ValueError(f'names must be the names of both bots, two texts, not {shown(names)}')
    return found[0], found[1]


def game_named(start: GameState[Any]) -> str:
    """Return the name of a state's game in tables and pictures.

    >>> from fmcts.games import connect4
    >>> game_named(connect4.start)
    'connect4'
    """
    game = game_of(start)
    return type(start).__name__ if game is None else game.name


def keeps_trees(bot: object) -> bool:
    """Return whether the bot can reuse its previous tree: a tree search without a schedule."""
    return isinstance(bot, MctsBot) and bot.search.schedule is None


@frozen(kw_only=True)
class Match:
    """Games between two bots, each opening played from both sides.

    Games 2k and 2k + 1 are a pair with the same opening and the same generator; the first bot plays
    X in one and O in the other. Both are derived from `rng` by the pair's number, so no game
    depends on another.

    :param first: a bot; results are given from its side.
    :param second: its opponent.
    :param start: the state where games start.
    :param games: the number of games, even.
    :param rng: the generator from which all generators of the match are derived.
    :param opening_plies: the number of random moves at the start of each game; fewer where one more
        would end it.
    :param openings: lines of moves to start with instead, used in turn; they must be legal, and not
        end the game.
    :param keep_trees: whether tree searches reuse their tree of the position, and run only the
        iterations that are missing.
    :param sprt: a test that ends the match early.
    :param names: the bots' names in records; equal only if a bot plays against itself.
    :param max_plies: the limit on the plies of a game.
    :param seconds: the time that each tree search has for a move, in place of its iterations. The
        clock then decides how many they are; games record them, and are replayed by them.
    :raises FinishedGameError: the game is over at `start`, or after an opening.
    :raises TypeError: a bot is not a function, `rng` is not a generator, or `start` is a class or
        module.
    :raises ValueError: `games` is odd or below 2, an opening is not legal, there are both openings
        and `opening_plies`, `keep_trees` or `seconds` without a tree search, or `seconds` with
        `keep_trees` or a search with a schedule; or two different bots have the same name.
    """

    first: Any
    second: Any
    start: GameState[Any]
    games: int = field(default=100, converter=as_count, validator=_even)
    rng: Rng
    opening_plies: int = field(default=0, converter=as_count, validator=count_from_zero)
    openings: tuple[tuple[Any, ...], ...] | None = field(default=None, converter=_lines)
    keep_trees: bool = field(default=False, validator=switch)
    sprt: Sprt | None = field(default=None, validator=optional(_is_sprt))
    names: tuple[str, str] = field(default=('first', 'second'), converter=both_names)
    max_plies: int = field(default=MAX_PLIES, converter=as_count, validator=positive_count)
    seconds: float | None = field(default=None, validator=optional(_time))

    def __attrs_post_init__(self) -> None:
        """Refuse fields that contradict each other."""
        check_bot('first', self.first)
        check_bot('second', self.second)
        check_start(self.start)
        check_generator(self.rng)
        one, two = self.names
        if one == two and not (self.first is self.second or self.first == self.second):
            raise ValueError(
                f'names must tell two bots apart, and both are {shown(one)}: give each its own'
            )
        if self.start.over:
            raise FinishedGameError('the game is over at the start: there is nothing to play')
        if has_rewards(self.start):
            raise GameError(
                f'a match is between X and O, and {type(self.start).__name__} has rewards or other '
                'players: use fmcts.matches.seatings, or fmcts tournament with a bot for each seat'
            )
        if self.opening_plies and not is_plain(self.start):
            raise ValueError('opening_plies is not supported in a game with chance: give openings')
        if self.openings is not None:
            self._check_openings(self.openings)
        if self.keep_trees and not any(map(keeps_trees, self.bots)):
            raise ValueError(
                'keep_trees needs a tree search without a schedule, and neither bot is one'
            )
        if self.seconds is not None:
            self._check_timed()

    def _check_timed(self) -> None:
        if self.keep_trees:
            raise ValueError('seconds and keep_trees exclude each other: give one of them')
        searches = [bot.search for bot in self.bots if isinstance(bot, MctsBot)]
        if not searches:
            raise ValueError('seconds needs a tree search, and neither bot is one')
        if any(search.schedule is not None for search in searches):
            raise ValueError(
                'seconds and a schedule exclude each other: a schedule divides a known number of '
                'iterations'
            )

    def _check_openings(self, openings: tuple[tuple[Any, ...], ...]) -> None:
        if self.opening_plies:
            raise ValueError('openings and opening_plies exclude each other: give one of them')
        if not openings:
            raise ValueError('openings must hold at least one line of moves')
        for line in openings:
            with within(f'opening {shown(line)}'):
                found = follow(self.start, line)
            if found.states[-1].over:
                raise FinishedGameError(f'opening {shown(line)}: the game is over after it')

    @property
    def bots(self) -> tuple[Any, Any]:
        """Both bots, the first bot first."""
        return self.first, self.second


Contents: TypeAlias = dict[str, 'str | dict[str, str]']
"""The texts of the game and of both bots; `{'unknown': why}` if a text cannot be made."""

GAME_MEMBERS: Final = ('start', 'parse', 'format', 'parse_move', 'format_move', 'read_move')


def contents_of(described: Match, game: GameModule) -> Contents:
    """Return the texts of a match's game and bots."""
    return {
        'game': content_of_game(game),
        'first': content_of(described.first),
        'second': content_of(described.second),
    }


def content_of_game(game: GameModule) -> str | dict[str, str]:
    """Return the text of a game; for a game of this library, its name."""
    members = {name: getattr(game, name) for name in GAME_MEMBERS if hasattr(game, name)}
    own = find_game(game.name).map(lambda found: found != game).value_or(True)  # noqa: FBT003
    return content_of(members) if own else game.name
