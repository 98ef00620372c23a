"""One game of a match: a pure function of the match and the game's number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from statistics import median
from typing import Any, Final, TypeAlias, cast

from attrs import evolve, field, frozen

from fmcts import notices
from fmcts._running import analyse
from fmcts.bots import Made, limited
from fmcts.game import GameState, Player, reward
from fmcts.matches._description import Match, keeps_trees
from fmcts.record import play_game
from fmcts.rng import Rng, SplitMix, format as format_rng
from fmcts.search import reroot

OPENING, PLAY = range(2)  # the children of a pair's generator

ENGINES: Final = ('python', 'compiled')
UNEQUAL: Final = 10  # times as many iterations in the same time

Hear: TypeAlias = Callable[[GameState[Any], Any], None]
"""A function that receives every state, and the move played there."""

Ask: TypeAlias = Callable[[int, int, Player, Callable[[], Any]], Any]


@frozen
class PlayedGame:
    """A game that was played.

    :param number: its number in the match, from 0.
    :param start: the state where the match's games start.
    :param first_plays: the side of the match's first bot.
    :param opening: the moves of the opening.
    :param moves: the bots' moves, after the opening.
    :param winner: `None` for a draw.
    :param rng_in: the generator at the bots' first move.
    :param rng_out: the generator that they returned at the end.
    :param iterations: of each tree search, in order, in a match by time; `None` in others.
    :param engines: which engine made each of these searches, `compiled` or `python`; not compared.
    """

    number: int
    start: GameState[Any]
    first_plays: Player
    opening: tuple[Any, ...]
    moves: tuple[Any, ...]
    winner: Player | None
    rng_in: Rng
    rng_out: Rng
    iterations: tuple[int, ...] | None = None
    engines: tuple[str, ...] | None = field(default=None, eq=False)

    @property
    def points(self) -> float:
        """The first bot's points: 1, 1/2 or 0."""
        return reward(self.winner, self.first_plays)

    def to_dict(self, names: tuple[str, str], text: Callable[[Any], str] = str) -> dict[str, Any]:
        """Return the game as values for JSON, given the names of the match's bots.

        :param text: writes a move, as a game's `format_move`.
        """
        x, o = names[::-1] if self.number % 2 else names
        found = {
            'number': self.number,
            'x': x,
            'o': o,
            'opening': [*map(text, self.opening)],
            'moves': [*map(text, self.moves)],
            'winner': None if self.winner is None else self.winner.name,
            'rng_in': format_rng(cast('SplitMix', self.rng_in)),
            'rng_out': format_rng(cast('SplitMix', self.rng_out)),
        }
        timed = {'iterations': self.iterations, 'engines': self.engines}
        return found | {name: [*them] for name, them in timed.items() if them is not None}


def points(games: tuple[PlayedGame, ...]) -> tuple[float, ...]:
    """Return the first bot's points in each complete pair of games, 0 to 2."""
    pairs = zip(games[::2], games[1::2], strict=False)
    return tuple(one.points + two.points for one, two in pairs)


def opening_of(match: Match, number: int) -> tuple[Any, ...]:
    """Return the opening moves of a game.

    Random moves stop before the end of the game.
    """
    pair = number // 2
    if match.openings is not None:
        return match.openings[pair % len(match.openings)]
    if not match.opening_plies:
        return ()
    rng, state = match.rng.child(pair).child(OPENING), match.start
    moves: list[Any] = []
    for _ in range(match.opening_plies):
        index, rng = rng.uniform(0, len(state.moves) - 1)
        after = state.play(state.moves[index])
        if after.over:
            break
        moves.append(state.moves[index])
        state = after
    return tuple(moves)


def play_number(match: Match, number: int, iterations: Sequence[int] | None = None) -> PlayedGame:
    """Return game number `number`, from 0; it depends only on the match and the number.

    In a match by time it depends on the clock, unless `iterations` has the number of each tree
    search, in order, as the game records them.

    :raises EndlessGameError: the game is not over after `match.max_plies` plies.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises IllegalMoveError: a bot returned an illegal move, or not a pair of move and generator;
        the message names the game, the ply from 1, and the bot.
    :raises ValueError: `iterations` are not as many as the searches of the game.
    """
    return play_watched(match, number, None, iterations)


def play_watched(
    match: Match, number: int, asking: Ask | None, iterations: Sequence[int] | None = None
) -> PlayedGame:
    """Play the game of `play_number`, with its errors.

    :param asking: asks a bot for its move, given the game's number, the ply and the player.
    """
    opening = opening_of(match, number)
    begin = reduce(lambda state, move: state.play(move), opening, match.start)
    # Both games of a pair have one generator: only who plays which side differs.
    rng = match.rng.child(number // 2).child(PLAY)
    heard: list[Hear] = []
    bots = [_keeping(bot, heard) if match.keep_trees else bot for bot in match.bots]
    made: Made = []
    if match.seconds is not None:
        bots = [limited(bot, match.seconds, iterations, made) for bot in bots]
    searching = bots
    if asking is not None:
        bots = [_asked(bot, asking, number, len(opening), heard) for bot in bots]

    def tell(state: GameState[Any], move: Any) -> None:
        for hear in heard:
            hear(state, move)

    first_plays = Player.O if number % 2 else Player.X
    x, o = bots if first_plays is Player.X else bots[::-1]
    record, _ = play_game(
        begin,
        x,
        o,
        rng,
        watch=tell,
        max_plies=match.max_plies,
        who=lambda player, played: name_of(match, number, len(opening) + played + 1, player),
    )
    if iterations is None:
        _compare_paces(match.names, [[it for it in made if it[0] is bot] for bot in searching])
    elif len(iterations) != len(made):
        raise ValueError(f'game {number} has {len(made)} searches, not {len(iterations)}')
    timed = match.seconds is not None
    return PlayedGame(
        number,
        match.start,
        first_plays,
        opening,
        record.moves,
        record.winner,
        record.rng_in,
        record.rng_out,
        tuple(count for _, count, _ in made) if timed else None,
        tuple(ENGINES[by_code] for _, _, by_code in made) if timed else None,
    )


def _compare_paces(names: Sequence[str], paces: Sequence[Made]) -> None:
    """Send a notice if a bot lacked machine code, and made far fewer iterations than the other."""
    if not all(paces):
        return
    medians = [median(count for _, count, _ in pace) for pace in paces]
    slow = medians[0] > medians[1]
    if max(medians) > UNEQUAL * min(medians) and not all(by_code for _, _, by_code in paces[slow]):
        notices.warning(
            f'{names[slow]} made less than a tenth of the iterations of {names[not slow]} in the '
            'same time, as it searches without machine code'
        )


def _asked(
    bot: Any, asking: Ask, number: int, given: int, heard: list[Hear]
) -> Callable[[GameState[Any], Any], Any]:
    """Return the bot, asked for each of its moves by `asking`."""
    ply = given + 1

    def count(_state: GameState[Any], _move: Any) -> None:
        nonlocal ply
        ply += 1

    heard.append(count)
    return lambda state, rng: asking(number, ply, state.player, lambda: bot(state, rng))


def name_of(match: Match, number: int, ply: int, player: Player) -> str:
    """Return the name of the bot that plays that side, with the game and the ply, from 1."""
    first_plays = Player.O if number % 2 else Player.X
    name, other = match.names if player is first_plays else match.names[::-1]
    return f'game {number}: ply {ply}: {name} ({player}) against {other}'


def _keeping(bot: Any, heard: list[Hear]) -> Any:
    """Return the bot for one game, which reuses the tree of its previous move.

    The tree gets as many visits as a new one would have: only the missing iterations are run.
    """
    if not keeps_trees(bot):
        return bot
    trees: list[Any] = []  # for the current position: none or one

    def follow(state: GameState[Any], move: Any) -> None:
        trees[:] = [reroot(tree, move) for tree in trees if not state.play(move).over]

    def play(state: GameState[Any], rng: Any) -> tuple[Any, Any]:
        tree = trees[0] if trees else None
        search = bot.search
        if tree is not None:  # at least one iteration, as in a search
            search = evolve(search, iterations=max(1, search.iterations - tree.visits))
        analysis, rng = analyse(state, rng, search, engine=bot.engine, tree=tree)
        trees[:] = [analysis]
        return analysis.move, rng

    heard.append(follow)
    return play
