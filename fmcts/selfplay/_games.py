"""Self-play of many games at the same time, with one network call for all their batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, Self

from attrs import define, field, frozen

from fmcts import _linked as linked
from fmcts._arguments import check_generator, check_start, shown, whole_number
from fmcts._engines import batched
from fmcts._engines.final import choose
from fmcts._engines.plan import fitted
from fmcts._engines.steps import facts_of, steps_of, with_draws
from fmcts._extras import loaded
from fmcts._running.registry import look_at
from fmcts.errors import EngineError
from fmcts.game import GameState, Player, endless, key_of, reward
from fmcts.rng._protocol import R, Rng
from fmcts.rules import rules_of
from fmcts.search._analysis import Analysis
from fmcts.search._columns import Columns
from fmcts.search._description import Search, check_search
from fmcts.search._tree import Node, freeze_in_place, plant
from fmcts.search.gumbel_halving import DrawnHalving, GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.search.networks import answers_of, positions_of
from fmcts.search.schedules import Step
from fmcts.selfplay.draws import by_visits, check_temperature, with_noise

ENGINES: Final = ('auto', 'compiled', 'inplace')


@frozen
class Noise:
    """The noise that is mixed into the priors of each root; see `fmcts.selfplay.draws`."""

    alpha: float = 0.3
    share: float = 0.25


@frozen
class Played(Generic[R]):
    """A game: the position before each move, the moves, and the results of the searches.

    `visits` has, for each position, the visits of its moves in order; `values` the search's value
    of the position for the side to move. `winner` is `None` for a draw. `policies` has the improved
    policy at each position if the schedule is `GumbelHalving`; otherwise it is empty.
    """

    states: tuple[Any, ...]
    moves: tuple[Any, ...]
    visits: tuple[tuple[int, ...], ...]
    values: tuple[float, ...]
    winner: Player | None
    rng: R
    policies: tuple[tuple[float, ...], ...] = ()


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


def roots_of(states: Sequence[GameState[Any]], search: Search) -> list[Node]:
    """Return new roots with the priors of the network, by one call for all states.

    :raises ValueError: the search has no network.
    """
    return [root for root, _ in _roots_and_values(states, search)]


def _roots_and_values(states: Sequence[GameState[Any]], search: Search) -> list[tuple[Node, float]]:
    """Return new roots, and the network's value of each for X."""
    if search.network is None:
        raise ValueError('a root with priors needs a search with a network')
    plain = [plant(state) for state in states]
    names = search.columns
    own = (0.0,) * len(names.own)
    found = []
    for root, answer in zip(plain, answers_of(search.network, states), strict=True):
        draft = root.mutable_copy(())
        draft.columns = Columns(names, own, (answer.priors,))
        found.append((freeze_in_place(draft), answer.for_x))
    return found


def root_of(state: GameState[Any], search: Search) -> Node:
    """Return a new root with the priors of the network, for the argument `tree` of `analyse`.

    :raises ValueError: the search has no network.
    """
    return roots_of([state], search)[0]


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
    """A game in progress."""

    state: Any
    rng: Any
    states: list[Any] = field(factory=list)
    moves: list[Any] = field(factory=list)
    visits: list[tuple[int, ...]] = field(factory=list)
    values: list[float] = field(factory=list)
    policies: list[tuple[float, ...]] = field(factory=list)

    def finished(self) -> Played[Any]:
        return Played(
            tuple(self.states),
            tuple(self.moves),
            tuple(self.visits),
            tuple(self.values),
            self.state.winner,
            self.rng,
            tuple(self.policies),
        )


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
) -> tuple[Played[Any], ...]:
    """Return games that a search with a network plays against itself.

    Game i has the generator `rng.child(i)`. Each move is searched with a new tree.

    :param together: the number of games played at the same time, by default all. One call of the
        network evaluates their batches. It does not change the results, if the network's answer for
        a position does not depend on the rest of the batch.
    :param noise: the noise mixed into the priors of each root.
    :param temperature: moves are drawn in proportion to their visits to the power of
        1 / temperature (see `fmcts.selfplay.draws.by_visits`).
    :param drawn_plies: the number of first plies whose moves are drawn, by default all; after them
        the search's choice is played. With the schedule `GumbelHalving`, which draws itself, the
        search's choice is always played.
    :param engine: `inplace`, `compiled`, or `auto`: `compiled` if it supports the search.
    :raises EngineError: the engine does not support the search.
    :raises TypeError: `noise` is not a `Noise`, `rng` not a generator, or `start` is a class or
        module.
    :raises ValueError: the search has no network, a stop, or a schedule other than `GumbelHalving`;
        or a number is out of range.
    """
    check_search(search)
    check_generator(rng)
    check_start(start)
    _check_options(noise, temperature, drawn_plies)
    whole_number('games', games)
    count = games if together is None else whole_number('together', together)
    if search.network is None:
        raise ValueError('self-play needs a search with a network')
    drawing = isinstance(search.schedule, GumbelHalving)
    if (search.schedule is not None and not drawing) or search.stop is not None:
        raise ValueError('self-play supports no stop, and no schedule other than GumbelHalving')
    if drawing and drawn_plies is not None:
        raise ValueError('drawn_plies and GumbelHalving exclude each other: it draws the moves')
    begin = _begin(start, rng, search, engine)
    settings = _Settings(search, noise, temperature, drawn_plies, *begin)
    played: list[Played[Any]] = []
    for first in range(0, games, count):
        numbers = range(first, min(games, first + count))
        played += _played_together([_Game(start, rng.child(i)) for i in numbers], settings)
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
    begin: Any
    collect: Any
    credit: Any


def _begin(start: Any, rng: Rng, search: Search, engine: str) -> tuple[Any, Any, Any]:
    """Return what an engine does for games: `begin(root, rng)`, a session from a new root.

    Then `collect(sessions, goals)`, the positions of a batch of each, up to a number of visits and
    through a move of the root if one is forced; and `credit(sessions, answers)`.
    """
    if engine not in ENGINES:
        raise EngineError(f'self-play has the engines {", ".join(ENGINES)}, not {shown(engine)}')
    look_at(start, engine)
    missing = linked.unsupported(fitted(plant(start), search), rng, search)
    if engine == 'compiled' and missing is not None:
        raise EngineError(f'the engine compiled does not support {missing}; use one of: inplace')
    if engine == 'inplace' or missing is not None:
        return lambda root, rng: batched.begin('inplace', root, rng, search), _collect, _credit
    batches = linked.loaded('batches')
    return (
        lambda root, rng: linked.begin(root, rng, search),
        batches.collect_all,
        batches.credit_all,
    )


def _collect(sessions: Sequence[Any], goals: Sequence[tuple[int, Any]]) -> list[Any]:
    pairs = zip(sessions, goals, strict=True)
    return [session.collect(*goal) for session, goal in pairs]


def _credit(sessions: Sequence[Any], answers: Sequence[Any]) -> None:
    for session, answer in zip(sessions, answers, strict=True):
        session.credit(answer)


def _played_together(games: list[_Game], settings: _Settings) -> list[Played[Any]]:
    search = settings.search
    under_way = [game for game in games if not game.state.over]
    while under_way:
        roots = _roots_and_values([game.state for game in under_way], search)
        turns = [
            _Turn.of(game, root, value, settings)
            for game, (root, value) in zip(under_way, roots, strict=True)
        ]
        searching = [turn for turn in turns if turn.goes_on()]
        while searching:
            sessions = [turn.session for turn in searching]
            asked = settings.collect(sessions, [(turn.goal, turn.forced) for turn in searching])
            settings.credit(sessions, sessions[0].answered(search.network, asked))
            searching = [turn for turn in searching if turn.goes_on()]
        for turn in turns:
            _move(turn, settings)
        under_way = [game for game in under_way if not game.state.over]
    return [game.finished() for game in games]


@define
class _Turn:
    """The search for one move of a game: its current step ends at `goal` visits."""

    game: _Game
    search: Search
    session: Any
    steps: Iterator[Step]
    goal: int = 0
    forced: Any = None

    @classmethod
    def of(cls, game: _Game, root: Node, value: float, settings: _Settings) -> Self:
        """Return the turn before its first iteration."""
        if settings.noise is not None:
            root = _noisy(root, game, settings.noise)
        search, game.rng = with_draws(settings.search, root, game.rng, value)
        session = settings.begin(root, game.rng)
        return cls(game, search, session, steps_of(search, session.stats))

    def goes_on(self) -> bool:
        """Return whether the search is unfinished, and start its next step if one is due."""
        if self.session.ended:
            return False
        while self.session.visits >= self.goal:
            step = next(self.steps, None)
            if step is None:
                return False
            self.forced, self.goal = step.forced, self.session.visits + step.iterations
        return True


def _noisy(root: Node, game: _Game, noise: Noise) -> Node:
    """Return the root with noise from the game's generator in its priors."""
    mixed, game.rng = with_noise(root, game.rng, alpha=noise.alpha, share=noise.share)
    return mixed


def _move(turn: _Turn, settings: _Settings) -> None:
    """Play the move found by the search."""
    game, search, session = turn.game, turn.search, turn.session
    state, ply = game.state, len(game.moves)
    if ply >= search.max_plies:
        raise endless(state, search.max_plies)
    stats = session.stats()
    tree, _ = session.finish()
    if isinstance(search.schedule, DrawnHalving):
        move = choose(tree, search)
        game.policies.append(tuple(search.schedule.policy(stats)))
    elif settings.drawn_plies is None or ply < settings.drawn_plies:
        move, game.rng = by_visits(stats, game.rng, settings.temperature)
    else:
        move = choose(tree, search)
    value = tree.value if tree.mover is state.player else 1.0 - tree.value
    game.states.append(state)
    game.moves.append(move)
    game.visits.append(tuple(row.visits for row in stats))
    game.values.append(value)
    game.state = state.play(move)


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
    rows = (row for game in games for row in game.policies or game.visits)
    for policy, state, visits in zip(policies, states, rows, strict=True):
        total = sum(visits)
        for move, count in zip(state.moves, visits, strict=True):
            policy[key_of(state, move)] = count / total
    outcomes = [reward(game.winner, state.player) for game in games for state in game.states]
    values = [value for game in games for value in game.values]
    return Arrays(positions, policies, numpy.array(values), numpy.array(outcomes))
