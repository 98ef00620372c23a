"""Answers to the requests of a served page: playouts, forks, "what if", other positions.

The HTTP server is in `fmcts.explore._server`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import evolve, field, frozen
from returns.result import Failure

from fmcts._arguments import amount, shown
from fmcts.bots import MctsBot, parse_bot
from fmcts.explore._boards import boards_of, picture_of
from fmcts.explore._data import (
    RecordedSearch,
    against_of,
    beside,
    fork_of,
    run_of,
    what_if_of,
)
from fmcts.explore._machines import page_data
from fmcts.explore._page import Page, page_of
from fmcts.game import GameState, chances_of, has_rewards, options_of, players_of
from fmcts.games.boards import ended
from fmcts.history import History, Outcome, history
from fmcts.rng import Rng
from fmcts.search import Search, Watch, ignore

KEPT: Final = 6  # searches of other positions
OUTCOMES: Final[Mapping[str, tuple[Outcome, str]]] = {
    '0': (0.0, 'O had won'),
    '0.5': (0.5, 'a draw'),
    '1': (1.0, 'X had won'),
}


class AskError(ValueError):
    """Raised when a request cannot be answered."""


class Place(NamedTuple):
    """A position, and the words of the moves that led to it."""

    state: GameState[Any]
    words: tuple[str, ...]


Reader: TypeAlias = Callable[[str], Place]
"""A function from the words of moves, separated by commas, to the position, or `AskError`."""


@frozen
class Answers:
    """A game and its searches, which answer the requests of a page.

    `searches` are one or two named searches: the second is compared with the first at the start
    position. A search `n` moves after the start has the generator `rng.child(n)`.
    """

    game: Any
    begin: Place
    searches: tuple[tuple[str, Search], ...]
    rng: Rng
    engine: str
    read: Reader
    watch: Watch = ignore
    _known: dict[tuple[str, ...], tuple[History[Any], ...]] = field(factory=dict, init=False)
    _begun: dict[str, Any] = field(factory=dict, init=False)  # the data of the first page
    _lock: Any = field(factory=Lock, init=False)

    def made(self, moves: str | None) -> tuple[Place, tuple[History[Any], ...]]:
        """Return the position after some moves, and the searches of it.

        :raises AskError: the moves are not legal, or the game is over.
        """
        place = self.begin if moves is None else self.read(moves)
        if place.state.over:
            raise AskError(f'the game is over, {ended(place.state)}')
        chances = chances_of(place.state)
        if chances:
            outcomes = ', '.join(self.game.format_move(each) for each, _ in chances)
            raise AskError(f'chance moves there: give one of its outcomes, too, of {outcomes}')
        # The server has a thread for each request, and a browser asks again when it is impatient.
        with self._lock:
            known = self._known.get(place.words)
            if known is None:
                known = tuple(self._searched(place))
                while len(self._known) >= KEPT:
                    # The oldest goes, but never the first position, which every link leads back to.
                    del self._known[next(it for it in self._known if it != self.begin.words)]
                self._known[place.words] = known
        return place, known

    def _searched(self, place: Place) -> Iterator[History[Any]]:
        at_start = place.words == self.begin.words
        # At other positions a child of it, so that each search is that of the command alone.
        rng: Any = self.rng if at_start else self.rng.child(len(place.words))
        for _, search in self.searches if at_start else self.searches[:1]:
            yield history(place.state, rng, search, self.engine, watch=self.watch)

    def page(
        self,
        moves: str | None = None,
        *,
        served: bool = True,
        watch: Callable[[float], object] = ignore,
    ) -> Page:
        """Return the page about a position; `watch` hears how much is written, from 0 to 1."""
        place, (one, *two) = self.made(moves)
        names = [name for name, _ in self.searches]
        others = [partial(against_of, other=it, name=names[1]) for it in two]
        options: Any = {'name': names[0], 'game': self.game, 'before': place.words, 'watch': watch}
        begun = place.words == self.begin.words
        data = (begun and self._begun) or page_data(one, *others, **options)
        if begun:
            self._begun.update(data)  # a long log takes seconds to write
        return page_of(data, served=served)

    def playout(self, moves: str | None, iteration: str) -> dict[str, Any]:
        """Return the moves of an iteration's playout, each with what it changed on the board."""
        _, (made, *_) = self.made(moves)
        number = _iteration(iteration, made.last)
        why = made.why(number)
        state = made.root.state
        boards = boards_of(state, self.game)
        for move in why.path:
            state = state.play(move)
        steps = []
        for move in why.playout:
            after = state.play(move)
            changed = boards.difference(state, after)
            step = {'label': self.game.format_move(move)}
            drawn = {'picture': picture_of(after, self.game)}
            steps.append(step | (drawn if changed is None else {'changes': changed}))
            state = after
        return {'steps': steps}

    def fork(
        self, moves: str | None, iteration: str, spec: str, watch: Watch = ignore
    ) -> dict[str, Any]:
        """Return the data of a search that continues this one after an iteration as `spec`.

        The iterations of `spec` include those before the fork. The search may be as long as one
        likes, and nobody waits for it but who asked: `watch` can end it by an error.
        """
        _, (made, *_) = self.made(moves)
        number = _iteration(iteration, made.last)
        found = parse_bot(spec)
        if isinstance(found, Failure):
            raise AskError(found.failure())
        bot = found.unwrap()
        if not isinstance(bot, MctsBot):
            raise AskError(f'{shown(spec)}: expected a tree search, such as mcts:1000')
        rest = bot.search.iterations - number
        if rest < 1:
            raise AskError(
                f'{shown(spec)} has {amount(bot.search.iterations, "iteration")} in all: '
                f'to continue after {number} it needs more'
            )

        # The browser's watch first, as it may end the search; then that of who serves the page.
        def watched(done: int) -> object:
            watch(done)
            return self.watch(done)

        other = made.fork(number, evolve(bot.search, iterations=rest), watch=watched)
        name = f'{spec.strip()} from {number:,}'
        return self._beside(made, lambda run: fork_of(run, number, other, name))

    def what_if(self, moves: str | None, iteration: str, worth: str) -> dict[str, Any]:
        """Return the data of the search if an iteration's playout had this outcome for X.

        In a game with rewards it is the number of a player, who then got 1 and the others 0.
        """
        _, (made, *_) = self.made(moves)
        number = _iteration(iteration, made.last)
        known = _outcomes(made.root.state)
        if worth not in known:
            raise AskError(f'outcome must be one of {", ".join(known)}, not {shown(worth)}')
        number_of, words = known[worth]
        found, name = made.what_if(number, number_of), f'{words} in iteration {number:,}'
        return self._beside(made, lambda run: what_if_of(run, found, name))

    def board(self, moves: str | None, line: str) -> dict[str, Any]:
        """Return the picture of the position after the moves with the indices in `line`."""
        place, _ = self.made(moves)
        state = place.state
        for word in line.split('.') if line else ():
            legal = options_of(state)
            if not (word.isascii() and word.isdecimal() and int(word) < len(legal)):
                raise AskError(f'line must be indices of moves such as 0.3.1, not {shown(line)}')
            state = state.play(legal[int(word)])
        return {'picture': picture_of(state, self.game)}

    def _beside(
        self, made: History[Any], other: Callable[[RecordedSearch], RecordedSearch]
    ) -> dict[str, Any]:
        """Return the data of a second search of the same position."""
        # No seeds: nobody waits for a page that says how sure the choice was of either.
        run = run_of(made, seeds=0)
        return beside(run, other(run), self.game, boards_of(made.root.state, self.game))


def _outcomes(state: GameState[Any]) -> Mapping[str, tuple[Outcome, str]]:
    """Return what can be asked of a playout: how it had ended, and that in words."""
    if not has_rewards(state):
        return OUTCOMES
    players = players_of(state)
    return {
        str(seat): (tuple(float(other == seat) for other in range(len(players))), f'1 for {player}')
        for seat, player in enumerate(players)
    }


def _iteration(text: str, last: int) -> int:
    """Return the number of an iteration."""
    # Cut, because `int` refuses thousands of digits in its own words; a cut number is still too
    # large.
    if text.isascii() and text.isdecimal() and 1 <= int(text[:18]) <= last:
        return int(text)
    raise AskError(f'k must be a whole number from 1 to {last}, not {shown(text)}')
