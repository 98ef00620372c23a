"""Self-play of many games at the same time, with one network call for all their batches."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, islice, repeat
from typing import Any, Final, Generic, NamedTuple

from attrs import define, field, frozen

from fmcts import _linked as linked
from fmcts._arguments import check_generator, check_start, shown, whole_number
from fmcts._engines import answers, choose, facts_of, fitted, steps_of, windows, with_draws
from fmcts._extras import loaded
from fmcts._promises import check_plain
from fmcts._running import look_at
from fmcts.bots import check_temperature
from fmcts.errors import EngineError
from fmcts.game import GameState, Player, endless, key_of, reward
from fmcts.rng import R, Rng
from fmcts.rules import rules_of
from fmcts.search import Analysis, Columns, Node, Search, check_search, freeze_in_place, plant
from fmcts.search.gumbel_halving import DrawnHalving, GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.search.networks import answers_of, positions_of
from fmcts.selfplay.draws import by_visits, with_noise

OWN: Final = {Gumbel, GumbelHalving}
ENGINES: Final = ('auto', 'compiled', 'inplace')


@frozen
class Noise:
    """The noise that is mixed into the priors of each root; see `fmcts.selfplay.draws`."""

    alpha: float = 0.3
    share: float = 0.25


@frozen
class Played(Generic[R]):
    """A game, and the results of its searches, for each position before a move.

    It is kept as its `start`, the `log` of its searches, and the generator to use next. What is
    read from the log is computed then, so games cost little until they are looked at.
    """

    start: Any
    rng: R
    log: bytes = field(repr=False)

    @cached_property
    def _plies(self) -> tuple[tuple[Any, ...], ...]:
        """The columns of the log: moves' indices, visits, values, policies."""
        # The log is written by machine code too: words of 64 bits, for each ply its length, how
        # many visits there are, the index of the move, the value, the visits, and the policy if
        # there is one.
        words, reals = memoryview(self.log).cast('q'), memoryview(self.log).cast('d')
        plies, at = [], 0
        while at < len(words):
            length, total, index = words[at : at + 3]
            first, end, after = at + 4, at + 4 + total, at + length
            policy = tuple(reals[end:after])
            plies.append((index, tuple(words[first:end]), reals[at + 3], policy))
            at = after
        return tuple(zip(*plies, strict=True))

    @cached_property
    def _line(self) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
        """The states before each move, the moves, and the last state."""
        states, moves, state = [], [], self.start
        for index in self._plies[0]:
            move = state.moves[index]
            states.append(state)
            moves.append(move)
            state = state.play(move)
        return tuple(states), tuple(moves), state

    @property
    def states(self) -> tuple[Any, ...]:
        """The position before each move."""
        return self._line[0]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves played."""
        return self._line[1]

    @property
    def winner(self) -> Player | None:
        """The winner, or `None` after a draw."""
        return self._line[2].winner  # type: ignore[no-any-return]

    @property
    def visits(self) -> tuple[tuple[int, ...], ...]:
        """For each position, the visits of its moves in order."""
        return self._plies[1]

    @property
    def values(self) -> tuple[float, ...]:
        """The search's value of each position for the side to move."""
        return self._plies[2]

    @property
    def policies(self) -> tuple[tuple[float, ...], ...]:
        """The improved policy at each position with `GumbelHalving`; otherwise empty."""
        return self._plies[3] if any(self._plies[3]) else ()


class Arrays(NamedTuple):
    """Positions of games as arrays, for training.

    `positions` has a row of integers for each position; `policies` the share of visits for each key
    of a move (`fmcts.rules.IntegerRules.keys` of them), or the improved policy if the games have
    one; `values` the search's value of the position and `outcomes` the reward of the game, both for
    the side to move.
    """

    positions: Any
    policies: Any
    values: Any
    outcomes: Any


def _roots_and_values(states: Sequence[GameState[Any]], search: Search) -> list[tuple[Node, float]]:
    """Return new roots with the priors of the network, and its value of each for X.

    The network is called once for all states.
    """
    if search.network is None:
        raise ValueError('a root with priors needs a search with a network')
    plain = [plant(state) for state in states]
    names = search.columns
    found = []
    for root, answer in zip(plain, answers_of(search.network, states), strict=True):
        draft = root.mutable_copy(())
        # A method without a column of priors keeps none.
        draft.columns = Columns(names, None, (answer.priors,)[: len(names.moves)])
        found.append((freeze_in_place(draft), answer.for_x))
    return found


def root_of(state: GameState[Any], search: Search) -> Node:
    """Return a new root with the priors of the network, for the argument `tree` of `analyse`.

    :raises ValueError: the search has no network.
    """
    return _roots_and_values([state], search)[0][0]


def improved_policy(analysis: Analysis[Any], search: Search) -> list[float]:
    """Return a share for each move of the root: the priors, shifted to moves of higher value.

    It is the policy of `fmcts.search.methods.Gumbel`, a target for training the network. `search`
    is the search that returned the analysis.

    :raises ValueError: the search has another selection.
    """
    if not isinstance(search.method, Gumbel):
        raise ValueError(  # noqa: TRY004 - as other options
            'an improved policy needs a search with selection=Gumbel()'
        )
    root, rows = analysis.tree, analysis.stats
    facts = facts_of(root, search)
    visits, values = [row.visits for row in rows], [row.value or 0.0 for row in rows]
    return search.method.policy(facts.priors, visits, values, facts.raw)


@define
class _Game:
    """A game in progress, and the search for its next move.

    The search's step in progress ends when the root has `goal` visits; `forced` is the move that
    its iterations begin with.
    """

    start: Any
    rng: Any
    state: Any
    log: bytes = b''
    ply: int = 0
    search: Any = None
    session: Any = None
    steps: Any = None
    goal: int = 0
    forced: Any = None

    def begin(self, root: Node, value: float, settings: _Settings) -> None:
        """Begin the search from a root that the network gave this value for X."""
        if settings.noise is not None:
            alpha, share = settings.noise.alpha, settings.noise.share
            # First the noise, then the schedule's numbers, then the moves: the machine code draws
            # in this order too.
            root, self.rng = with_noise(root, self.rng, alpha=alpha, share=share)
        self.search, _, self.rng = with_draws(settings.search, root, self.rng, value)
        self.session = windows.flying(root, self.rng, settings.search)
        self.steps, self.goal = steps_of(self.search, self.session.stats), 0

    def goes_on(self) -> bool:
        """Return whether the search is unfinished, and start its next step if one is due."""
        while not self.session.ended and self.session.visits >= self.goal:
            step = next(self.steps, None)
            if step is None:
                return False
            self.forced, self.goal = step.forced, self.session.visits + step.iterations
        return not self.session.ended

    def move(self, settings: _Settings) -> None:
        """Play the move found by the search."""
        state, search = self.state, self.search
        if self.ply >= search.max_plies:
            raise endless(state, search.max_plies)
        stats = self.session.stats()
        tree, _ = self.session.finish()
        drawing = isinstance(search.schedule, DrawnHalving)
        most = settings.drawn_plies
        if drawing or (most is not None and self.ply >= most):
            move = choose(tree, search)
        else:
            move, self.rng = by_visits(stats, self.rng, settings.temperature)
        policy = search.schedule.policy(stats) if drawing else ()
        # A root's value is for its mover, as a rule the side that moved before.
        value = tree.value if tree.mover is state.player else 1.0 - tree.value
        visits = [row.visits for row in stats]
        numbers = 4 + len(visits) + len(policy), len(visits), state.moves.index(move), value
        form = f'3qd{len(visits)}q{len(policy)}d'  # as `move_on` in `games.h`
        self.log += struct.pack(form, *numbers, *visits, *policy)
        self.state, self.ply = state.play(move), self.ply + 1


def self_play(  # noqa: PLR0913 - options by name
    start: GameState[Any],
    rng: Rng,
    search: Search,
    *,
    games: int,
    together: int | None = None,
    noise: Noise | None = None,
    temperature: float = 1.0,
    drawn_plies: int | None = None,
    engine: str = 'auto',
    threads: int = 1,
    overlap: bool = False,
) -> tuple[Played[Any], ...]:
    """Return games that a search with a network plays against itself.

    Game i has the generator `rng.child(i)`. Each move is searched with a new tree.

    :param together: the number of games played at the same time, by default all; when one is over
        the next may begin. One call of the network evaluates their batches. It does not change the
        results, if the network's answer for a position does not depend on the rest of the batch.
    :param noise: the noise mixed into the priors of each root.
    :param temperature: moves are drawn in proportion to their visits to the power of
        1 / temperature (see `fmcts.selfplay.draws.by_visits`).
    :param drawn_plies: the number of first plies whose moves are drawn, by default all; after them
        the search's choice is played. With the schedule `GumbelHalving`, which draws itself, the
        search's choice is always played.
    :param engine: `inplace`, `compiled`, or `auto`: `compiled` if it supports the search.
    :param threads: the number of threads that descend, by the engine `compiled`. They share the
        games, and do not change the results.
    :param overlap: descend in one half of the games while the network judges the positions of the
        other. The results are the same; a call has half as many positions. The network is called
        in the calling thread.
    :raises EngineError: the engine does not support the search, `threads` or `overlap`.
    :raises TypeError: `noise` is not a `Noise`, `rng` not a generator, or `start` is a class or
        module.
    :raises ValueError: the search has no network, a stop, `sliding`, or a schedule other than
        `GumbelHalving`; or a number is out of range.
    """
    check_search(search)
    check_generator(rng)
    check_start(start)
    check_plain(start, 'self-play')
    _check_options(noise, temperature, drawn_plies)
    whole_number('threads', threads)
    whole_number('games', games)
    count = games if together is None else whole_number('together', together)
    if search.network is None:
        raise ValueError('self-play needs a search with a network')
    drawing = isinstance(search.schedule, GumbelHalving)
    if (search.schedule is not None and not drawing) or search.stop is not None or search.sliding:
        raise ValueError(
            'self-play supports no stop, no sliding, and no schedule other than GumbelHalving'
        )
    if drawing and drawn_plies is not None:
        raise ValueError('drawn_plies and GumbelHalving exclude each other: it draws the moves')
    settings = _Settings(search, noise, temperature, drawn_plies)
    generators = [rng.child(number) for number in range(games)]
    compiles = _compiles(start, rng, search, engine)
    if not compiles and (threads > 1 or overlap):
        raise EngineError('threads and overlap need the engine compiled')
    if compiles:
        sides = {'together': count, 'threads': threads, 'overlap': overlap}
        return _compiled(start, generators, settings, sides)
    played: list[Played[Any]] = []
    for first in range(0, games, count):
        some = generators[first : first + count]
        played += _played_together([_Game(start, each, start) for each in some], settings)
    return tuple(played)


def _check_options(noise: object, temperature: object, drawn_plies: object) -> None:
    if noise is not None and not isinstance(noise, Noise):
        raise TypeError(f'noise must be a Noise, such as Noise(alpha=0.3), not {shown(noise)}')
    check_temperature(temperature)
    if drawn_plies is not None:
        whole_number('drawn_plies', drawn_plies, least=0)


class _Settings(NamedTuple):
    search: Search
    noise: Noise | None
    temperature: float
    drawn_plies: int | None


def _compiles(start: Any, rng: Rng, search: Search, engine: str) -> bool:
    """Return whether machine code plays, which plays the same games.

    :raises EngineError: there is no such engine, or it does not support the search.
    """
    if engine not in ENGINES:
        raise EngineError(f'self-play has the engines {", ".join(ENGINES)}, not {shown(engine)}')
    look_at(start, engine)
    missing = linked.unsupported(fitted(plant(start), search), rng, search)
    # A subclass may override what the machine code has written out for these two.
    if isinstance(search.method, Gumbel) and {type(search.method), type(search.schedule)} != OWN:
        missing = missing or 'subclasses of Gumbel and GumbelHalving in self-play'
    if engine == 'compiled' and missing is not None:
        raise EngineError(f'the engine compiled does not support {missing}; use one of: inplace')
    return engine != 'inplace' and missing is None


def _played_together(games: list[_Game], settings: _Settings) -> list[Played[Any]]:
    """Play games side by side, in Python."""
    network: Any = settings.search.network
    while running := [game for game in games if not game.state.over]:
        roots = _roots_and_values([game.state for game in running], settings.search)
        for game, (root, value) in zip(running, roots, strict=True):
            game.begin(root, value, settings)
        while searching := [game for game in running if game.goes_on()]:
            asked = [game.session.collect(game.goal, game.forced) for game in searching]
            given = answers(network, [*chain.from_iterable(asked)])
            # One iterator for all: each game takes as many answers as it asked for, and the next
            # goes on.
            for game, states in zip(searching, asked, strict=True):
                game.session.credit([*islice(given, len(states))])
        for game in running:
            game.move(settings)
    return [Played(game.start, game.rng, game.log) for game in games]


def _compiled(
    start: Any, generators: list[Any], settings: _Settings, sides: dict[str, Any]
) -> tuple[Played[Any], ...]:
    """Play games side by side, in machine code."""
    module = linked.loaded('games')
    played: list[Any] = [None] * len(generators)
    for number, rng, found in module.play(start, generators, settings, **sides):
        if isinstance(found, module.Fault):  # Python raises what machine code cannot
            (played[number],) = _played_together(
                [_Game(start, generators[number], start)], settings
            )
        elif isinstance(found, Exception):
            raise found
        else:
            played[number] = Played(start, rng, found)
    return tuple(played)


def as_arrays(games: Sequence[Played[Any]]) -> Arrays:
    """Return the positions of games as arrays, in the order of games and moves.

    :raises MissingLibraryError: NumPy is not installed.
    :raises ValueError: the games have no positions, or no rules on integers.
    """
    numpy = loaded('numpy', 'arrays of games need', 'fmcts[fast]', 'NumPy')
    states = [state for game in games for state in game.states]
    if not states:
        raise ValueError('these games have no positions')
    positions = positions_of(states)
    rules: Any = rules_of(states[0])
    policies = numpy.zeros((len(states), rules.keys))
    rows = [row for game in games for row in game.policies or game.visits]
    keys = [key_of(state, move) for state in states for move in state.moves]
    places = numpy.repeat(numpy.arange(len(rows)), [*map(len, rows)])
    policies[places, keys] = [
        count / total for row in rows for total in (sum(row),) for count in row
    ]
    winners = chain.from_iterable(repeat(game.winner, len(game.states)) for game in games)
    outcomes = [reward(each, state.player) for each, state in zip(winners, states, strict=True)]
    values = [value for game in games for value in game.values]
    return Arrays(positions, policies, numpy.array(values), numpy.array(outcomes))
