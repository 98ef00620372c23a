"""Check a search, or a selection method: a pure function whose trees are values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import islice
from math import isfinite
from typing import Any, Final, NamedTuple

from attrs import evolve, field, frozen
from returns.result import Result

from fmcts._arguments import amount, shown, whole_number
from fmcts._engines import valued
from fmcts._running import ENGINES, analyse, check_engine
from fmcts.bots import check_unfinished
from fmcts.errors import EngineError
from fmcts.game import gains, has_rewards, is_plain
from fmcts.rng import Rng, SplitMix
from fmcts.search import Analysis, Node, Search, digest, walk
from fmcts.search.networks import answers_of
from fmcts.testing._laws.bots import LONGEST_GAME, PositionCase, is_move, the_game_can_be_played
from fmcts.testing._laws.elsewhere import pickled
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import (
    Answer,
    Breach,
    Law,
    Passed,
    Raised,
    Unchecked,
    asked,
    found_by,
    law,
    nearest,
)
from fmcts.testing._laws.networks import wrong_sign
from fmcts.testing._laws.statistics import favoured, puzzles, swaps, weaker
from fmcts.testing._laws.watching import global_generators

REFERENCES: Final = ('inplace', 'persistent', 'monadic', 'compiled')
"""The engines in the order in which they become the reference."""

TRIES: Final = 50
"""The number of positions tried for a shorter line to a breach."""

SMALL: Final = 20_000
"""The most positions, not counting ends, of a game in which a search's strength is judged."""


UNLISTED: Final = Unchecked('the game does not list its moves')


class SearchResult(NamedTuple):
    """The result of a search to compare: the digest names the whole tree."""

    move: Any
    digest: str
    stats: Any
    rng: Any


def outcome(search: Search, engine: str, state: Any, rng: Any) -> SearchResult:
    """Return the result of a search by that engine."""
    return found_in(*analyse(state, rng, search, engine=engine))


def found_in(analysis: Analysis[Any], rng: Any) -> SearchResult:
    """Return the part of a result that is compared."""
    return SearchResult(analysis.move, digest(analysis.tree), analysis.stats, rng)


def searched(search: Search, engine: str, state: Any, rng: Any) -> Any:
    """Return the analysis and the next generator; `Raised`, or the engine's `EngineError`."""

    def run() -> Any:
        try:
            return analyse(state, rng, search, engine=engine)
        except EngineError as error:
            return error

    return asked(run)


@frozen(eq=False)
class SearchCase(PositionCase):
    """A search at a position, and its engines, the first of which supports the search."""

    search: Search = field(kw_only=True)
    engines: tuple[str, ...] = field(kw_only=True)
    symmetries: tuple[Callable[[Any], Any], ...] = field(kw_only=True, default=())
    judged: int = field(kw_only=True, default=0)

    @property
    def proposes(self) -> Callable[[Any, Any], Any] | None:
        """The proposals of the search."""
        proposing = self.search.proposing
        return proposing.propose if proposing else None

    @cached_property
    def first(self) -> tuple[Any, str | None]:
        """The first engine's result, and the global generators that it drew from, in words."""
        with global_generators() as moved:
            return searched(self.search, self.engines[0], self.state, self.rng), moved()

    @property
    def whole(self) -> Any:
        """The first engine's result: analysis and generator, or `Raised`."""
        return self.first[0]

    @property
    def analysis(self) -> Analysis[Any] | None:
        """The analysis, if there is one."""
        return self.whole[0] if isinstance(self.whole, tuple) else None

    @property
    def found(self) -> Any:
        """The part of the result that is compared."""
        return found_in(*self.whole) if self.analysis is not None else self.whole

    @cached_property
    def continued(self) -> Any:
        """The result of the search in two parts, and the first tree before and after the second."""
        return asked(self._in_two)

    @property
    def parts(self) -> tuple[int, int]:
        """The iterations of a search in two parts; it has at least 2."""
        first = self.search.iterations // 2
        return first, self.search.iterations - first

    def _in_two(self) -> tuple[SearchResult, Any, Any]:
        engine = self.engines[0]
        first, rest = (evolve(self.search, iterations=part) for part in self.parts)
        one, middle = analyse(self.state, self.rng, first, engine=engine)
        before = _numbers(one.tree)
        found = analyse(self.state, middle, rest, engine=engine, tree=one)
        return found_in(*found), before, _numbers(one.tree)


def _numbers(tree: Node) -> tuple[str, list[Any]]:
    return digest(tree), [(node.facts(), node.value, len(node.children)) for node in walk(tree)]


@law(
    'a search ends with a move',
    'A search of a position that is not over finds a move that is legal and was tried.',
)
def _ends_with_a_move(case: SearchCase) -> str | None:
    if isinstance(case.whole, Raised):
        return case.whole.text
    analysis = case.analysis
    if analysis is None:
        return str(case.whole)
    if not is_move(case.state, analysis.move):
        return f'the move found is {shown(analysis.move)}, which is not legal'
    child = analysis.tree.child(analysis.move)
    if child is None or not child.visits:
        return f'the move found is {shown(analysis.move)}, which was never tried'
    return None


@law(
    'visits are conserved',
    'The root has a visit for each iteration, and its children have all of them; any other node '
    'has as many as its children, or one more: the visit that made it.',
)
def _conserves(case: SearchCase) -> Answer:
    analysis, search = case.analysis, case.search
    if search.transpositions == 'naive':
        return Unchecked('the rule naive credits every parent')
    if analysis is None:
        return None
    made, wanted = analysis.iterations, search.iterations
    may_end_sooner = search.resolution is not None or search.max_nodes or search.stop
    if made > wanted or (made < wanted and not may_end_sooner):
        return f'{amount(made, "iteration")} made, not {wanted}'
    return _sums(analysis.tree, made, inside=search.transpositions is None)


def _sums(root: Node, made: int, *, inside: bool) -> str | None:
    """Return where visits do not add up; `inside`: also below the root."""
    if root.visits != made:
        return f'after {amount(made, "iteration")} the root has {amount(root.visits, "visit")}'
    below = sum(child.visits for child in root.children)
    if below != made:
        return f'the root has {amount(made, "visit")}, and its children {below}'
    for node in walk(root) if inside else ():
        below = sum(child.visits for child in node.children)
        if node.children and not below <= node.visits <= below + 1:
            return f'a node has {amount(node.visits, "visit")}, and its children {below}'
    return None


@law(
    'statistics lie within bounds',
    'Rewards lie between 0 and the visits, values are their means; without an evaluation rewards '
    'are sums of halves. In a game with `gained` both are finite.',
)
def _within_bounds(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    tree, search = case.analysis.tree, case.search
    own = search.reward is not None or search.evaluate is not None or has_rewards(tree.state)
    any_number = gains(tree.state)
    # Halves add up exactly; a graph multiplies means, and evaluations may be any numbers.
    halves = search.transpositions is None and not own
    for node in walk(tree):
        visits, reward, value = amount(node.visits, 'visit'), node.reward, node.value
        if not (isfinite(reward) if any_number else 0 <= reward <= node.visits):
            return f'a node has {visits} and the reward {reward}'
        if halves and (2 * reward) % 1:
            return f'a node has the reward {reward}, which is not a sum of wins and draws'
        if halves and value != (reward / node.visits if node.visits else 0.0):
            return f'a node has {visits}, the reward {reward} and the value {value}'
        if not (isfinite(value) if any_number else 0 <= value <= 1):
            return f'a node has the value {value}'
    return None


@law(
    'statistics name every move',
    'The statistics of the root have a row for each of its moves, in order; rows with visits have '
    'a value.',
)
def _names_every_move(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    moves = tuple(row.move for row in case.analysis.stats)
    wanted = tuple((case.analysis.tree if case.search.proposals else case.state).moves)
    if moves != wanted:
        return f'the statistics are of {shown(moves)}, the moves {shown(wanted)}'
    for row in case.analysis.stats:
        if (row.value is None) != (row.visits == 0):
            visits = amount(row.visits, 'visit')
            return f'the move {shown(row.move)} has {visits} and the value {row.value}'
    return None


def _differ(one: Any, two: Any, when: str) -> str | None:
    """Return how the result of a second search differs from the first, in words."""
    if one == two:
        return None
    if isinstance(two, Raised):
        return f'{when} it {two.text}'
    if not isinstance(one, SearchResult) or not isinstance(two, SearchResult):
        return f'found {shown(one)}, and {when} {shown(two)}'
    for name, first, second in zip(SearchResult._fields, one, two, strict=True):
        if first != second:
            return f'the {name} found is {shown(first)}, and {when} {shown(second)}'
    return None


@law(
    'a search can be made again',
    'The same search of the same state with the same generator finds the same.',
)
def _repeats(case: SearchCase) -> str | None:
    again = asked(outcome, case.search, case.engines[0], case.state, case.rng)
    return _differ(case.found, again, 'searched again')


SCHEDULED: Final = Unchecked(
    'a schedule needs a fixed number of iterations, and cannot be continued'
)


@law(
    'n iterations and m more are n + m',
    'A search continued from its own tree equals one search of as many iterations, bit for bit.',
)
def _is_the_sum_of_its_parts(case: SearchCase) -> Answer:
    if case.search.schedule is not None:
        return SCHEDULED
    first, rest = case.parts
    found = case.continued if isinstance(case.continued, Raised) else case.continued[0]
    return _differ(case.found, found, f'in parts of {first} and {amount(rest, "iteration")}')


@law('older trees stay as they are', 'Continuing a search does not modify its tree.')
def _leaves_older_trees(case: SearchCase) -> Answer:
    if case.search.schedule is not None:
        return SCHEDULED
    if isinstance(case.continued, Raised):
        return None
    _, before, after = case.continued
    if before[1] != after[1]:
        changed = [new for old, new in zip(before[1], after[1], strict=False) if old != new]
        nodes = amount(max(1, len(changed)), 'node')
        return f'{nodes} of the first tree changed in the second search'
    if before[0] != after[0]:
        return 'the first tree has another digest after the second search'
    return None


@law(
    'every engine finds the same',
    'Every engine that is able finds the same move, tree, statistics and generator.',
)
def _same_by_all(case: SearchCase) -> Answer:
    first, *others = case.engines
    answer = None if others else Unchecked('only one engine was given')
    for name in others:
        found = searched(case.search, name, case.state, case.rng)
        if isinstance(found, EngineError):
            answer = Unchecked(f'{name}: {found}', partly=len(others) > 1)
            continue
        compared = found_in(*found) if isinstance(found, tuple) else found
        how = _differ(case.found, compared, f'by the engine {name}, where {first} was first,')
        if how is not None:
            return how
    return answer


@law(
    'symmetric moves receive equal visits',
    'Two moves that a symmetry maps to each other receive equal visits on average, where ties do '
    'not go to the first (the order of the moves is shuffled).',
    scope='start',
)
def _is_symmetric(case: SearchCase) -> Answer:
    if not case.symmetries:
        return Unchecked('no symmetry was given')
    if not case.state.moves:
        return UNLISTED
    return favoured(case.search, case.engines[0], case.state, case.rng, case.symmetries)


@law(
    'more iterations play no worse',
    'With 16 times the iterations mistakes do not increase significantly, and random play makes '
    'more.',
    scope='start',
)
def _is_not_weaker(case: SearchCase) -> Answer:
    if not case.judged:
        return Unchecked('no position was to be judged')
    if not is_plain(case.state):
        return Unchecked('the game has chance, rewards or other players')
    if not case.state.moves:
        return UNLISTED
    near = nearest(PositionCase(case.state, case.rng), merged=True)
    states = [*islice((here.state for here in near if here.checked), SMALL + 1)]
    if len(states) > SMALL:
        return Unchecked(f'the game has more than {SMALL:,} positions')
    given = [*islice(puzzles(states, case.rng.child(0)), case.judged)]
    return weaker(case.search, case.engines[0], given, case.rng.child(1))


@law(
    'values near ends have the right sign',
    'In positions near ends whose value is known, a network or an evaluator does not prefer the '
    'side that loses.',
    scope='start',
)
def _values_have_the_right_sign(case: SearchCase) -> Answer:
    search = case.search
    network, evaluate = search.network, search.evaluate
    if network is None and evaluate is None:
        return Unchecked('the search has neither a network nor an evaluator')
    if not is_plain(case.state):
        return Unchecked('the game has chance, rewards or other players')

    def values(states: Any) -> list[float]:
        if network is not None:
            return [each.for_x for each in answers_of(network, states)]
        return [*map(valued('the evaluator', evaluate), states)]

    return wrong_sign(case.state, case.rng.child(2), values)


SEARCH_LAWS: Final[tuple[Law[Any], ...]] = (
    the_game_can_be_played,
    _ends_with_a_move,
    Law(
        'a search draws from its generator alone',
        "A search leaves random's and NumPy's global generators alone.",
        lambda case: case.first[1],
    ),
    _repeats,
    _conserves,
    _within_bounds,
    _names_every_move,
    _is_the_sum_of_its_parts,
    _leaves_older_trees,
    _same_by_all,
    Law(
        'another process finds the same',
        'A second Python, with other hashes, finds the same.',
        lambda pair: _differ(pair[0].found, pair[1], 'in a second process'),
        scope='process',
    ),
    _is_symmetric,
    _is_not_weaker,
    _values_have_the_right_sign,
)
"""All laws in the order in which they are checked."""


def check_search(  # noqa: PLR0913 - each is something that one may choose by name
    search: Any,
    start: Any,
    *,
    iterations: int = 200,
    positions: int = 6,
    engines: Iterable[str] | None = None,
    symmetries: Iterable[Callable[[Any], Any]] = (),
    judged: int = 150,
    rng: Rng | None = None,
) -> Result[Passed, Breach]:
    """Return whether a search satisfies the laws of searches, or the first breach.

    `search` is a `Search`, or a value of its `selection`: a name, a method, a rule of your own. It
    is run with `iterations` iterations, whatever its own, at `positions` positions: those nearest
    to `start`, and positions of drawn games. `engines` are compared with each other (by default
    all); `Passed.left_out` lists those that do not support the search and everything that cannot be
    checked, with the reasons. `symmetries` are functions of a move to its counterpart at `start`
    (where chance moves there, after the first outcome), each its own inverse: a mirror, a half
    turn. The values of a network or an evaluator are compared with known ones near ends of games.
    In a game of at most 20,000 positions `judged` of them are played with few and with more
    iterations, and compared with perfect play; 0 leaves that out. `rng` draws everything, so the
    result depends on it.

    :raises EngineError: no engine has that name, or none supports the search.
    :raises FinishedGameError: the game is over at `start`.
    :raises ValueError: `search` is not a value of selection; a number is too small; or a symmetry
        does not map the moves of `start` to each other, and back.

    >>> from fmcts import Search
    >>> from fmcts.games import tictactoe
    >>> late = tictactoe.parse('XO.OX....').unwrap()
    >>> passed = check_search('ucb1', late, engines=['inplace', 'monadic'], judged=20).unwrap()
    >>> [law for law, why in passed.left_out]
    ['symmetric moves receive equal visits', 'values near ends have the right sign']
    >>> check_search(lambda edge, parent: edge.value / 0.0, late).failure().law
    'a search ends with a move'
    """
    described = search if isinstance(search, Search) else Search(selection=search)
    described = evolve(described, iterations=whole_number('iterations', iterations, least=2))
    whole_number('positions', positions)
    whole_number('judged', judged, least=0)
    check_unfinished(start)
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    chance = PositionCase(start, given.child(0))
    first = next((here for here in nearest(chance) if here.checked), chance)
    alike = tuple(symmetries)
    for symmetry in alike:
        swaps(first.state, symmetry)
    case = SearchCase(
        first.state,
        first.rng,
        first.line,
        search=described,
        engines=_able_first(described, first.state, given, ENGINES if engines is None else engines),
        symmetries=alike,
        judged=judged,
    )
    # Before any search, as a method or an evaluator may remember something.
    function = pickled(partial(outcome, described, case.engines[0]))
    with exploring(lambda: case, SEARCH_LAWS, to_the_first=True) as run:
        run.look_near((positions + 1) // 2, merged=True)
        run.look_far(positions // 2, given.child(1), whole=0, most=LONGEST_GAME, tries=TRIES)
        run.look_elsewhere(function, run.seen, lambda case: (case.state, case.rng))
    return run.result().alt(lambda breach: _with_fewest_iterations(breach, run.items[breach.law]))


def _able_first(search: Search, start: Any, rng: Any, engines: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the engines, one that supports the search first.

    :raises EngineError: none does.
    """
    asked_for = {check_engine(name) for name in engines}
    names = [name for name in REFERENCES if name in asked_for]
    refused: Any = EngineError('no engine is named: give at least one')
    for name in names:
        refused = searched(evolve(search, iterations=1), name, start, rng)
        if not isinstance(refused, EngineError):
            return (name, *(other for other in names if other != name))
    raise refused


def _with_fewest_iterations(breach: Breach, case: SearchCase) -> Breach:
    """Return the breach of a law about one position with a power of 2 of iterations, if it can."""
    law = next(law for law in SEARCH_LAWS if law.name == breach.law)
    if law.scope != 'position' or law is the_game_can_be_played:
        return breach
    iterations = 2
    while iterations < case.search.iterations:
        small = evolve(case, search=evolve(case.search, iterations=iterations))
        found = found_by(law, small)
        if isinstance(found, str):
            return evolve(breach, found=f'with {iterations} iterations: {found}')
        iterations *= 2
    return evolve(breach, found=f'with {case.search.iterations} iterations: {breach.found}')
