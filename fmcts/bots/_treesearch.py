"""The bots that play the move chosen by a tree search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen
from returns.unsafe import unsafe_perform_io

from fmcts._running import analyse, analyse_for, by_machine_code, known_engine
from fmcts.bots._bot import AnalysingBot
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import Analysis, Search, Watch, check_search, ignore

B = TypeVar('B')


@frozen
class MctsBot(AnalysingBot):
    """Monte-Carlo tree search as a bot; every move is searched in a new tree.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is not a `Search`.
    """

    search: Search = field(factory=Search, validator=lambda _bot, _field, it: check_search(it))
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """Return the analysis whose move the bot plays; see `fmcts.analyse`."""
        return analyse(
            state, rng, self.search, engine=self.engine, watch=watch, root_moves=root_moves
        )


def mcts(search: Search | None = None, *, engine: str = 'auto') -> MctsBot:
    """Return a bot `(state, rng) -> (move, rng)` that plays by `search`; by default `Search()`.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is something else.

    >>> from fmcts.games import connect4
    >>> from fmcts.rng import SplitMix
    >>> move, rng = mcts(Search(iterations=50))(connect4.start, SplitMix.from_seed(42))
    >>> move in connect4.start.moves
    True
    """
    return MctsBot(Search() if search is None else search, engine=engine)


Made: TypeAlias = list[tuple['LimitedBot', int, bool]]
"""Of each search of a game its bot, the iterations made, and whether machine code made them."""


@frozen(eq=False, kw_only=True)
class LimitedBot(MctsBot):
    """A tree search with `seconds` for each move, or with the next of `iterations`.

    The bots of one game share `iterations` and `made`, to which each search is added. It is not a
    pure function.
    """

    seconds: float | None
    iterations: Sequence[int] | None
    made: Made

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """Analyse as `fmcts.analyse_for` or `fmcts.analyse` does.

        :raises ValueError: there are no more `iterations`.
        """
        given['engine'] = self.engine
        if self.iterations is None:
            timed = analyse_for(state, rng, self.search, seconds=self.seconds or 0, **given)
            found = unsafe_perform_io(timed)
        elif len(self.made) == len(self.iterations):
            raise ValueError(f'the game has more searches than the {len(self.made)} given')
        else:
            search = evolve(self.search, iterations=self.iterations[len(self.made)])
            found = analyse(state, rng, search, **given)
        self.made.append((self, found[0].iterations, by_machine_code(found[0].tree)))
        return found


def limited(bot: B, seconds: float | None, iterations: Sequence[int] | None, made: Made) -> B:
    """Return a tree search as a `LimitedBot`, any other bot as it is."""
    if not isinstance(bot, MctsBot):
        return bot
    limits: Any = {'seconds': seconds, 'iterations': iterations, 'made': made}
    return LimitedBot(bot.search, engine=bot.engine, **limits)  # type: ignore[return-value]
