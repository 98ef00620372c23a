"""Check a search, or a selection method: a pure function whose trees are values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import whole_number
from fmcts._running.registry import ENGINES, check_engine
from fmcts.bots._bot import check_running
from fmcts.errors import EngineError
from fmcts.game import is_plain
from fmcts.rng import Rng, SplitMix
from fmcts.search._description import Search
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.bot_laws import GAME
from fmcts.testing._laws.functions_elsewhere import answers_elsewhere, pickled
from fmcts.testing._laws.law import Breach, Law, Passed, found_by
from fmcts.testing._laws.positions import Reached, positions_of, shortened
from fmcts.testing._laws.reporting import reporting
from fmcts.testing._laws.search_laws import (
    AT_ONCE,
    CONSERVED,
    ELSEWHERE,
    ENGINES_AGREE,
    OLDER,
    PREFIX,
)
from fmcts.testing._laws.searchcase import SearchCase, found_by_engine
from fmcts.testing._laws.strength import SMALL, is_small, puzzles, weaker
from fmcts.testing._laws.symmetry import favoured, swaps

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
    checked, with the reasons. `symmetries` are functions of a move to its counterpart at `start`,
    each its own inverse: a mirror, a half turn. In a game of at most 20,000 positions `judged` of
    them are played with few and with more iterations, and compared with perfect play; 0 leaves that
    out. `rng` draws everything, so the result depends on it.

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
    check_running(start)
    alike = tuple(symmetries)
    for symmetry in alike:
        swaps(start, symmetry)
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    reached = asked(lambda: [*positions_of(start, given.child(0), number)])
    if isinstance(reached, Raised):
        return Failure(Breach(GAME.name, GAME.sentence, reached.text))
    names = _able_first(described, start, given, ENGINES if engines is None else engines)
    cases = [
        (one, SearchCase(described, one.state, given.child(1 + index), names))
        for index, one in enumerate(reached)
    ]
    whole = Whole(described, start, given.child(0), names[0], alike, judged)
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
        found = found_by(ELSEWHERE, evolve(case, elsewhere=answer))
        if found is not None:
            return Failure(Breach(ELSEWHERE.name, ELSEWHERE.sentence, found, one.line))
    left_out: dict[tuple[str, str], None] = {}
    if isinstance(answers, Failure):
        left_out[ELSEWHERE.name, answers.failure()] = None
    for law, why in ((SYMMETRIC, _no_symmetry(whole)), (STRENGTH, _not_judged(whole))):
        if why is not None:
            left_out[law.name, why] = None
            continue
        found = found_by(law, whole)
        if found is not None:
            return Failure(Breach(law.name, law.sentence, found))
    return Success(_passed(whole, [case for _, case in cases], answers, left_out))


def _no_symmetry(whole: Whole) -> str | None:
    return None if whole.symmetries else 'no symmetry was given'


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
    told = dict.fromkeys(each for case in cases for each in _left_out(case)) | left_out
    looked_at = {law.name: len(cases) for law in SEARCH_LAWS}
    looked_at[ENGINES_AGREE.name] = sum(
        any(not isinstance(found, EngineError) for _, found in case.by_engine) for case in cases
    )
    looked_at[ELSEWHERE.name] = len(answers.value_or(()))
    looked_at[SYMMETRIC.name] = len(whole.symmetries)
    looked_at[STRENGTH.name] = whole.judged
    for name, _ in told:
        if name in {PREFIX.name, OLDER.name, CONSERVED.name, STRENGTH.name}:
            looked_at[name] = 0
    return Passed(tuple(looked_at.items()), tuple(told))
