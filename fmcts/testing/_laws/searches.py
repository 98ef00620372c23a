"""Check a search, or a selection method: a pure function whose trees are values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, shown, whole_number
from fmcts._running.entry_points import analyse
from fmcts._running.registry import ENGINES, check_engine
from fmcts.bots import check_unfinished
from fmcts.errors import EngineError
from fmcts.game import has_rewards, is_plain
from fmcts.rng import Rng, SplitMix
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.search._digest import digest
from fmcts.search._tree import Node, walk
from fmcts.testing._laws.bots import GAME
from fmcts.testing._laws.law import Breach, Law, Passed, Raised, asked, first_breach, found_by
from fmcts.testing._laws.positions import Reached, positions_of, shortened
from fmcts.testing._laws.process import answers_elsewhere, pickled
from fmcts.testing._laws.recording import moved_on, state_of_generators
from fmcts.testing._laws.reporting import reporting
from fmcts.testing._laws.strength import SMALL, is_small, puzzles, weaker
from fmcts.testing._laws.symmetry import favoured, swaps

NOT_SEARCHED: Final = Raised('it was not searched')


class Found(NamedTuple):
    """The result of a search to compare: the digest names the whole tree."""

    move: Any
    digest: str
    stats: Any
    rng: Any


class Continued(NamedTuple):
    """A search in two parts: its result, and the first tree before and after."""

    found: Any
    before: Any
    after: Any


def outcome(search: Search, engine: str, state: Any, rng: Any) -> Found:
    """Return the result of a search by that engine."""
    return _found_in(analyse(state, rng, search, engine=engine))


def _found_in(found: tuple[Analysis[Any], Any]) -> Found:
    analysis, rng = found
    return Found(analysis.move, digest(analysis.tree), analysis.stats, rng)


def _picture(tree: Node) -> tuple[str, list[Any]]:
    return digest(tree), [(node.facts(), node.value, len(node.children)) for node in walk(tree)]


def found_by_engine(search: Search, engine: str, state: Any, rng: Any) -> Any:
    """Return the analysis and the next generator; `Raised`, or the engine's `EngineError`."""

    def searched() -> Any:
        try:
            return analyse(state, rng, search, engine=engine)
        except EngineError as error:
            return error

    return asked(searched)


@frozen(eq=False)
class SearchCase:
    """A search, a position, a generator and engines, the first of which supports the search.

    `elsewhere` is the result in a second process, if there is one.
    """

    search: Search
    state: Any
    rng: Any
    engines: tuple[str, ...]
    elsewhere: Any = NOT_SEARCHED

    @cached_property
    def _whole(self) -> tuple[Any, str | None]:
        generators = state_of_generators()
        found = found_by_engine(self.search, self.engines[0], self.state, self.rng)
        return found, moved_on(generators)

    @property
    def whole(self) -> Any:
        """The first engine's result: analysis and generator, or `Raised`."""
        return self._whole[0]

    @property
    def drawn(self) -> str | None:
        """The global generators that it drew from, in words."""
        return self._whole[1]

    @property
    def analysis(self) -> Analysis[Any] | None:
        """The analysis, if there is one."""
        return self.whole[0] if isinstance(self.whole, tuple) else None

    @property
    def found(self) -> Any:
        """The part of the result that is compared."""
        return _found_in(self.whole) if self.analysis is not None else self.whole

    @cached_property
    def again(self) -> Any:
        """The result of the same search, run again."""
        return asked(outcome, self.search, self.engines[0], self.state, self.rng)

    @cached_property
    def by_engine(self) -> tuple[tuple[str, Any], ...]:
        """The other engines' results, or their `EngineError`."""
        return tuple((name, self._by(name)) for name in self.engines[1:])

    def _by(self, engine: str) -> Any:
        found = found_by_engine(self.search, engine, self.state, self.rng)
        return _found_in(found) if isinstance(found, tuple) else found

    @cached_property
    def continued(self) -> Any:
        """The search in two parts, the second of which continues the tree of the first."""
        return asked(self._in_two)

    @property
    def parts(self) -> tuple[int, int]:
        """The iterations of a search in two parts; it has at least 2."""
        first = self.search.iterations // 2
        return first, self.search.iterations - first

    def _in_two(self) -> Continued:
        engine = self.engines[0]
        first, rest = (evolve(self.search, iterations=part) for part in self.parts)
        one, middle = analyse(self.state, self.rng, first, engine=engine)
        before = _picture(one.tree)
        found = analyse(self.state, middle, rest, engine=engine, tree=one)
        return Continued(_found_in(found), before, _picture(one.tree))

    @property
    def asking(self) -> Any:
        """The function that a second process calls."""
        return partial(outcome, self.search, self.engines[0])


def _ends_with_a_move(case: SearchCase) -> str | None:
    if isinstance(case.whole, Raised):
        return case.whole.text
    analysis = case.analysis
    if analysis is None:
        return str(case.whole)
    if analysis.move not in case.state.moves:
        return f'the move found is {shown(analysis.move)}, which is not legal'
    child = analysis.tree.child(analysis.move)
    if child is None or not child.visits:
        return f'the move found is {shown(analysis.move)}, which was never tried'
    return None


def _draws_from_no_other(case: SearchCase) -> str | None:
    return case.drawn


def _may_end_sooner(case: SearchCase) -> bool:
    """Return whether the search may end before all iterations are made."""
    search = case.search
    return search.resolution is not None or bool(search.max_nodes or search.stop)


def _conserves(case: SearchCase) -> str | None:
    analysis, search = case.analysis, case.search
    if analysis is None or search.transpositions == 'naive':
        return None
    made, wanted = analysis.iterations, search.iterations
    if made > wanted or (made < wanted and not _may_end_sooner(case)):
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


def _within_bounds(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    halves = case.search.transpositions is None and (
        case.search.reward is None
        and case.search.evaluate is None
        and not has_rewards(case.analysis.tree.state)
    )
    for node in walk(case.analysis.tree):
        wrong = _wrong_statistics(node, halves=halves)
        if wrong is not None:
            return f'a node has {wrong}'
    return None


def _wrong_statistics(node: Node, *, halves: bool) -> str | None:
    visits, reward, value = node.visits, node.reward, node.value
    if not 0 <= reward <= visits:
        return f'{amount(visits, "visit")} and the reward {reward}'
    if halves and (2 * reward) % 1:
        return f'the reward {reward}, which is not a sum of wins and draws'
    if halves and value != (reward / visits if visits else 0.0):
        return f'{amount(visits, "visit")}, the reward {reward} and the value {value}'
    if not 0 <= value <= 1:
        return f'the value {value}'
    return None


def _names_every_move(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    moves = tuple(row.move for row in case.analysis.stats)
    if moves != tuple(case.state.moves):
        return f'the statistics are of {shown(moves)}, the moves {shown(case.state.moves)}'
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
    if not isinstance(one, Found) or not isinstance(two, Found):
        return f'found {shown(one)}, and {when} {shown(two)}'
    for name, first, second in zip(Found._fields, one, two, strict=True):
        if first != second:
            return f'the {name} found is {shown(first)}, and {when} {shown(second)}'
    return None


def _finds_the_same_again(case: SearchCase) -> str | None:
    return _differ(case.found, case.again, 'searched again')


def _is_the_sum_of_its_parts(case: SearchCase) -> str | None:
    if case.search.schedule is not None:
        return None
    first, rest = case.parts
    when = f'in parts of {first} and {amount(rest, "iteration")}'
    if isinstance(case.continued, Raised):
        return f'{when} it {case.continued.text}'
    return _differ(case.found, case.continued.found, when)


def _leaves_older_trees(case: SearchCase) -> str | None:
    if case.search.schedule is not None or isinstance(case.continued, Raised):
        return None
    before, after = case.continued.before, case.continued.after
    if before[1] != after[1]:
        changed = [new for old, new in zip(before[1], after[1], strict=False) if old != new]
        nodes = amount(max(1, len(changed)), 'node')
        return f'{nodes} of the first tree changed in the second search'
    if before[0] != after[0]:
        return 'the first tree has another digest after the second search'
    return None


def _same_by_all(case: SearchCase) -> str | None:
    differ = (
        _differ(case.found, found, f'by the engine {name}, where {case.engines[0]} was first,')
        for name, found in case.by_engine
        if not isinstance(found, EngineError)
    )
    return next((how for how in differ if how), None)


def _same_elsewhere(case: SearchCase) -> str | None:
    if case.elsewhere is NOT_SEARCHED:
        return None
    return _differ(case.found, case.elsewhere, 'in a second process')


CONSERVED: Final = Law(
    'visits are conserved',
    'The root has a visit for each iteration, and its children have all of them; any other node '
    'has as many as its children, or one more: that by which it was made.',
    _conserves,
)
PREFIX: Final = Law(
    'n iterations and m more are n + m',
    'A search continued from its own tree equals one search of as many iterations, bit for bit.',
    _is_the_sum_of_its_parts,
)
OLDER: Final = Law(
    'older trees stay as they are', 'Continuing a tree does not change it.', _leaves_older_trees
)
ENGINES_AGREE: Final = Law(
    'every engine finds the same',
    'Every engine that is able finds the same move, tree, statistics and generator.',
    _same_by_all,
)
ELSEWHERE: Final = Law(
    'another process finds the same',
    'A second Python, with other hashes, finds the same.',
    _same_elsewhere,
)
AT_ONCE: Final[tuple[Law[SearchCase], ...]] = (
    Law(
        'a search ends with a move',
        'A search of a position that is not over finds a move that is legal and was tried.',
        _ends_with_a_move,
    ),
    Law(
        'a search draws from its generator alone',
        "A search leaves random's and NumPy's global generators alone.",
        _draws_from_no_other,
    ),
    Law(
        'a search can be made again',
        'The same search of the same state with the same generator finds the same.',
        _finds_the_same_again,
    ),
    CONSERVED,
    Law(
        'statistics lie within bounds',
        'Rewards lie between 0 and the visits, values are their means; without an evaluation '
        'rewards are sums of halves.',
        _within_bounds,
    ),
    Law(
        'statistics name every move',
        'The statistics of the root are those of its moves, in their order; those with visits have '
        'a value.',
        _names_every_move,
    ),
    PREFIX,
    OLDER,
    ENGINES_AGREE,
)
"""The laws that are checked in one position."""


REFERENCES: Final = ('inplace', 'persistent', 'monadic', 'compiled')
"""The engines in the order in which they become the reference."""

TRIES: Final = 50
"""The number of positions tried for a shorter line to a breach."""


@frozen(eq=False)
class Whole:
    """The case of laws about a search as a whole."""

    search: Search
    start: Any
    rng: Any
    engine: str
    symmetries: tuple[Callable[[Any], Any], ...]
    judged: int


def _is_symmetric(whole: Whole) -> str | None:
    return favoured(whole.search, whole.engine, whole.start, whole.rng, whole.symmetries)


def _is_not_weaker(whole: Whole) -> str | None:
    given = puzzles(whole.start, whole.rng.child(0), whole.judged)
    return weaker(whole.search, whole.engine, given, whole.rng.child(1))


SYMMETRIC: Final = Law(
    'moves that are alike are searched alike',
    'Two moves that a symmetry takes to each other have as many visits on average, where ties do '
    'not go to the first (the order of the moves is shuffled).',
    _is_symmetric,
)
STRENGTH: Final = Law(
    'more iterations play no worse',
    'With 16 times the iterations no more positions are misplayed than with fewer, or by lot, as '
    'far as chance allows to say.',
    _is_not_weaker,
)
SEARCH_LAWS: Final[tuple[Law[Any], ...]] = (GAME, *AT_ONCE, ELSEWHERE, SYMMETRIC, STRENGTH)
"""All laws in the order in which they are checked."""


@reporting('laws of a search')
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
    to `start`, and positions of random games. `engines` are compared with each other (by default
    all); `Passed.left_out` lists those that do not support the search and everything that cannot be
    checked, with the reasons. `symmetries` are functions of a move to its counterpart at `start`
    (where chance moves there, after the first outcome), each its own inverse: a mirror, a half
    turn. In a game of at most 20,000 positions `judged` of them are played with few and with more
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
    >>> passed.left_out
    (('moves that are alike are searched alike', 'no symmetry was given'),)
    >>> check_search(lambda edge, parent: edge.value / 0.0, late).failure().law
    'a search ends with a move'
    """
    described = search if isinstance(search, Search) else Search(selection=search)
    described = evolve(described, iterations=whole_number('iterations', iterations, least=2))
    number = whole_number('positions', positions)
    judged = whole_number('judged', judged, least=0)
    check_unfinished(start)
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    reached = asked(lambda: [*positions_of(start, given.child(0), number)])
    if isinstance(reached, Raised):
        return Failure(Breach(GAME.name, GAME.sentence, reached.text))
    first = reached[0].state  # the start, unless the game begins with chance
    alike = tuple(symmetries)
    for symmetry in alike:
        swaps(first, symmetry)
    names = _able_first(described, first, given, ENGINES if engines is None else engines)
    cases = [
        (one, SearchCase(described, one.state, given.child(1 + index), names))
        for index, one in enumerate(reached)
    ]
    whole = Whole(described, first, given.child(0), names[0], alike, judged)
    breach = _first_breach(start, cases)
    return Failure(breach) if breach is not None else _looked_at_together(whole, cases)


def _able_first(search: Search, start: Any, rng: Any, engines: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the engines, one that supports the search first.

    :raises EngineError: none does.
    """
    asked_for = {check_engine(name) for name in engines}
    names = [name for name in REFERENCES if name in asked_for]
    refused: Any = EngineError('no engine is named: give at least one')
    for name in names:
        refused = found_by_engine(evolve(search, iterations=1), name, start, rng)
        if not isinstance(refused, EngineError):
            return (name, *(other for other in names if other != name))
    raise refused


def _first_breach(start: Any, cases: list[tuple[Reached, SearchCase]]) -> Breach | None:
    """Return the first breach of a law about one position, by the shortest line found."""
    for law in AT_ONCE:
        for one, case in cases:
            found = found_by(law, case)
            if found is not None:
                return _shortest(law, start, one, case, found)
    return None


def _shortest(
    law: Law[SearchCase], start: Any, one: Reached, case: SearchCase, found: str
) -> Breach:
    """Return the breach with the shortest line, and there with the fewest iterations."""

    def finds(nearer: Reached) -> str | None:
        return found_by(law, SearchCase(case.search, nearer.state, case.rng, case.engines))

    shorter = asked(shortened, start, one, found, finds, TRIES)
    one, found = (one, found) if isinstance(shorter, Raised) else shorter
    iterations, most = 2, case.search.iterations
    while iterations < most:
        small = SearchCase(
            evolve(case.search, iterations=iterations), one.state, case.rng, case.engines
        )
        less = found_by(law, small)
        if less is not None:
            most, found = iterations, less
        iterations *= 2
    return Breach(law.name, law.sentence, f'with {most} iterations: {found}', one.line)


def _looked_at_together(
    whole: Whole, cases: Sequence[tuple[Reached, SearchCase]]
) -> Result[Passed, Breach]:
    """Check the laws about a search as a whole."""
    answers = answers_elsewhere(
        pickled(cases[0][1].asking), [(case.state, case.rng) for _, case in cases]
    )
    for (one, case), answer in zip(cases, answers.value_or(()), strict=False):
        breach = first_breach([ELSEWHERE], evolve(case, elsewhere=answer), one.line)
        if breach is not None:
            return Failure(breach)
    left_out: dict[tuple[str, str], None] = {}
    if isinstance(answers, Failure):
        left_out[ELSEWHERE.name, answers.failure()] = None
    no_symmetry = None if whole.symmetries else 'no symmetry was given'
    for law, why in ((SYMMETRIC, no_symmetry), (STRENGTH, _not_judged(whole))):
        if why is not None:
            left_out[law.name, why] = None
            continue
        breach = first_breach([law], whole, cases[0][0].line)
        if breach is not None:
            return Failure(breach)
    return Success(_passed(whole, [case for _, case in cases], answers, left_out))


def _not_judged(whole: Whole) -> str | None:
    if not whole.judged:
        return 'no position was to be judged'
    if not is_plain(whole.start):
        return 'the game has chance, rewards or other players'
    if not is_small(whole.start):
        return f'the game has more than {SMALL:,} positions'
    return None


def _left_out(case: SearchCase) -> Iterable[tuple[str, str]]:
    """Yield the laws that could not be checked in this case, with the reason."""
    if case.search.schedule is not None:
        why = 'a schedule needs a fixed number of iterations, and cannot be continued'
        yield from ((PREFIX.name, why), (OLDER.name, why))
    if case.search.transpositions == 'naive':
        yield CONSERVED.name, 'the rule naive credits every parent'
    if not case.by_engine:
        yield ENGINES_AGREE.name, 'there is but one engine to ask'
    for name, found in case.by_engine:
        if isinstance(found, EngineError):
            yield ENGINES_AGREE.name, f'{name}: {found}'


def _passed(
    whole: Whole,
    cases: Sequence[SearchCase],
    answers: Result[tuple[Any, ...], str],
    left_out: dict[tuple[str, str], None],
) -> Passed:
    """Return each law with the number of cases checked, and the laws left out."""
    reasons = dict.fromkeys(each for case in cases for each in _left_out(case)) | left_out
    looked_at = {law.name: len(cases) for law in SEARCH_LAWS}
    looked_at[ENGINES_AGREE.name] = sum(
        any(not isinstance(found, EngineError) for _, found in case.by_engine) for case in cases
    )
    looked_at[ELSEWHERE.name] = len(answers.value_or(()))
    looked_at[SYMMETRIC.name] = len(whole.symmetries)
    looked_at[STRENGTH.name] = whole.judged
    for name, _ in reasons:
        if name in {PREFIX.name, OLDER.name, CONSERVED.name, STRENGTH.name}:
            looked_at[name] = 0
    return Passed(tuple(looked_at.items()), tuple(reasons))
