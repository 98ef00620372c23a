"""The laws of games, and the check of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import check_generator, shown, whole_number
from fmcts._declared import declared
from fmcts.rng import Rng, SplitMix
from fmcts.rules import rules_of
from fmcts.search._watch import Watch, ignore
from fmcts.testing._laws.cases import Case, Description, Met
from fmcts.testing._laws.chances import BASIC_CHANCE_LAWS, LAWS_OF_OPTIONS, NOTHING_DRAWN
from fmcts.testing._laws.declared import KEYS, PLAYOUT, RULES
from fmcts.testing._laws.described import COLOURS, KNOWN, SYMMETRY, TEXT, invariant
from fmcts.testing._laws.exploring import Plan, breadth_first, explore, gathered, random_lines
from fmcts.testing._laws.games_elsewhere import SECOND, NotLooked, compared, unable
from fmcts.testing._laws.law import Breach, Law, Passed, known_laws, raised
from fmcts.testing._laws.moves import BASIC_LAWS, LAWS_OF_MOVES
from fmcts.testing._laws.playing import LAWS_OF_PLAY, LAWS_OF_REFUSALS
from fmcts.testing._laws.reporting import note, reporting
from fmcts.testing._laws.states import (
    ALIKE,
    COPYING,
    GENERATOR,
    LAWS_OF_STATES,
    NO_CHANCE,
    PICKLING,
    PURE,
    SUBCLASS,
    has_subclasses,
    importable,
    pickles,
    subclassed,
)

MORE_LAWS: Final[tuple[Law[Case], ...]] = (
    *LAWS_OF_PLAY,
    KNOWN,
    SYMMETRY,
    COLOURS,
    RULES,
    PLAYOUT,
    KEYS,
    *LAWS_OF_STATES,
    *LAWS_OF_REFUSALS,
    TEXT,
    SECOND,
    COPYING,
    PICKLING,
    SUBCLASS,
)
"""The laws that games of all kinds have."""

GAME_LAWS: Final[tuple[Law[Case], ...]] = (
    *BASIC_LAWS,
    PURE,
    NO_CHANCE,
    GENERATOR,
    *LAWS_OF_MOVES,
    *MORE_LAWS,
)
"""All laws of games, in the order in which they are checked and reported."""

CHANCE_LAWS: Final[tuple[Law[Case], ...]] = (
    *BASIC_CHANCE_LAWS,
    PURE,
    NOTHING_DRAWN,
    GENERATOR,
    *LAWS_OF_OPTIONS,
    *MORE_LAWS,
)
"""All laws of games with chance, rewards or other players."""

QUICK: Final = (*BASIC_LAWS, *LAWS_OF_MOVES, *BASIC_CHANCE_LAWS, *LAWS_OF_OPTIONS)
"""Laws of a state's members."""

BASIC: Final = frozenset(law.name for law in (*GAME_LAWS, *CHANCE_LAWS) if law.basic)

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

POSITIONS: Final = 150
GAMES: Final = 40
WHOLE: Final = 3
"""The number of random games checked at every ply; of the others only the ends are checked."""

MORE: Final = 10
"""The laws of a state's members, which are quick, check this many times as many positions."""

SECONDED: Final = 60
"""The number of shortest lines, and of plies of a game, that another process checks."""


def check_game(  # noqa: PLR0913 - options of one check
    start: Any,
    *,
    positions: int = POSITIONS,
    games: int = GAMES,
    rng: Rng | None = None,
    max_plies: int = 10_000,
    text: tuple[Callable[[str], Any], Callable[[Any], str]] | None = None,
    symmetry: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None,
    colours: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None,
    invariants: Mapping[str, Callable[[Any], object]] = NOTHING,
    known: Iterable[tuple[Sequence[Any], Any]] = (),
    memos: Iterable[str] = (),
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Return whether the game that begins at `start` satisfies the laws; else how it breaks them.

    All lines of moves are checked, the shortest first, up to `positions` of them (and ten times as
    many different positions by the laws of a state's members), and then random `games`, most of
    them at their ends only. The breach is of the most important broken law; `others` has the
    breaches of the other laws. Its line is the shortest of all if it is among those to the 20,000
    positions nearest to the start; one of a random game is shortened. Games are played from copies
    of the start.

    A game with `chances`, `rewards` or other `players` has some other laws,
    `fmcts.testing.CHANCE_LAWS`; a line then has the outcomes too.

    A check of more than two seconds sends notices of what it is doing (see `fmcts.notices`).

    :param rng: the generator of everything that is drawn; by default, always the same.
    :param max_plies: the limit on the plies of a game.
    :param text: `(parse, format)`, if positions have a text; `parse` returns a state, or a `Result`
        of one.
    :param symmetry: `(on_state, on_move)`, the image of a state and of a move or outcome.
    :param colours: `(on_state, on_move)`, the image with the colours exchanged: the other player is
        to move, and wins.
    :param invariants: functions of a state by name; each must return True, or None as a function
        made of assertions does. A text that it returns says what is wrong.
    :param known: whole games, as moves, with the winner (`None`: a draw), or with the tuple of
        rewards.
    :param memos: names of attributes in which a state caches what follows from the others, and
        which may change when the state is used.
    :param without: names of laws to skip.
    :param watch: receives the number of positions and games done.
    :raises ValueError: a number is not accepted, `start` is a class, or no law has that name.

    >>> from fmcts.games import tictactoe
    >>> check_game(tictactoe.start, games=1).map(lambda passed: passed.total > 1000)
    <Success: True>
    """
    game = description_of(
        start,
        rng=rng,
        max_plies=max_plies,
        text=text,
        symmetry=symmetry,
        colours=colours,
        invariants=invariants,
        known=known,
        memos=memos,
    )
    return check_description(game, positions=positions, games=games, without=without, watch=watch)


def description_of(
    start: Any,
    *,
    rng: Rng | None = None,
    max_plies: int = 10_000,
    invariants: Mapping[str, Callable[[Any], object]] = NOTHING,
    known: Iterable[tuple[Sequence[Any], Any]] = (),
    memos: Iterable[str] = (),
    **options: Any,
) -> Description:
    """Return the description of a game as one value; arguments as of `check_game`."""
    if isinstance(start, type):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'start must be a state, not the class {start.__name__}: make an instance'
        )
    for name in ('text', 'symmetry', 'colours'):
        pair = options.get(name)
        if pair is not None and not (
            isinstance(pair, tuple) and len(pair) == 2 and all(map(callable, pair))
        ):
            raise ValueError(f'{name} must be two functions, not {shown(pair)}')
    if rng is not None:
        check_generator(rng)
    named: object = invariants
    if not isinstance(named, Mapping) or not all(map(callable, invariants.values())):
        raise ValueError(
            'invariants must be a mapping from names to functions of a state, not '
            f'{shown(invariants)}'
        )
    return Description(
        start,
        SplitMix.from_seed(1) if rng is None else rng,
        max_plies=whole_number('max_plies', max_plies),
        invariants=tuple((str(name), holds) for name, holds in invariants.items()),
        known=_whole_games(known),
        memos=frozenset(memos),
        **options,
    )


def _whole_games(known: object) -> tuple[tuple[tuple[Any, ...], Any], ...]:
    try:
        return tuple((tuple(moves), winner) for moves, winner in known)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise ValueError(
            f'known must be a list of pairs, each of the moves of a game and its winner, not '
            f'{shown(known)}'
        ) from None


@frozen
class Chosen:
    """The laws to check, and why others are left out."""

    laws: tuple[Law[Case], ...]
    left_out: tuple[tuple[str, str], ...]


def laws_of(game: Description) -> tuple[Law[Case], ...]:
    """Return all laws of a game, the user's own invariants among them."""
    laws = CHANCE_LAWS if game.general else GAME_LAWS
    own = tuple(invariant(name, holds) for name, holds in game.invariants)
    place = laws.index(COLOURS) + 1
    return (*laws[:place], *own, *laws[place:])


def chosen(game: Description, without: Iterable[str] = ()) -> Chosen:
    """Return the laws that apply to this game.

    :raises ValueError: there is no law of that name.
    """
    laws = laws_of(game)
    names = tuple(law.name for law in laws)
    unwanted = dict.fromkeys(known_laws(without, names), 'it was not asked for')
    reasons = dict(_reasons(game)) | unwanted
    return Chosen(
        tuple(law for law in laws if law.name not in reasons),
        tuple((name, reasons[name]) for name in names if name in reasons),
    )


def _reasons(game: Description) -> Iterator[tuple[str, str]]:
    """Yield the laws that cannot be checked, each with the reason."""
    kind, name = game.kind, game.kind.__name__
    given = {TEXT: game.text, SYMMETRY: game.symmetry, COLOURS: game.colours, KNOWN: game.known}
    declaring = {
        KEYS: ('key', getattr(kind, 'key', None)),
        PLAYOUT: ('playout', declared(game.start, 'playout')),
        RULES: ('rules on integers', rules_of(game.start)),
    }
    if not importable(kind) and not pickles(game.start):
        yield PICKLING.name, f'{kind.__qualname__} is not a name in a module, which pickles need'
    yield from ((SUBCLASS.name, why) for why in _no_subclass(game))
    for law, (what, member) in declaring.items():
        if member is None:
            yield law.name, f'{name} declares no {what}'
    for law, value in given.items():
        if not value:
            yield law.name, 'none was given'
    why = unable(game)
    if why:
        yield SECOND.name, why
    if game.general:
        yield PLAYOUT.name, 'it is for games of two players without chance'


def _no_subclass(game: Description) -> Iterator[str]:
    """Yield the reasons why no subclass can be checked, if any."""
    if not has_subclasses(game.kind):
        yield f'{game.kind.__name__} has no subclass'
    elif game.memos:
        yield 'what states remember would be taken over'
    try:
        subclassed(game.fresh())
    except Exception as error:  # noqa: BLE001 - a class may refuse in any way
        yield f'no subclass of {game.kind.__name__} can be made: that {raised(error)}'


def check_description(
    game: Description,
    *,
    positions: int = POSITIONS,
    games: int = GAMES,
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Check a game like `check_game`, with the description of the game as one value."""
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    choice = chosen(game, without)
    lines = tuple(moves for moves, _ in game.known)
    plan = Plan(positions, games, game.max_plies, game.rng, WHOLE, MORE * positions, lines)
    here = [law for law in choice.laws if law is not SECOND]
    quick = [law for law in here if law in QUICK]
    with reporting(f'laws of {game.kind.__name__}'):
        met: list[Met] = []  # of the exploration, and of those for shorter lines
        explored = explore(lambda: first_of(game, met), here, plan, watch, quick=quick)
        passed = _with_pairs(Passed(explored.cases, choice.left_out, explored.extent), met)
        breaches = explored.breaches
        if SECOND in choice.laws and not any(breach.law in BASIC for breach in breaches):
            note(SECOND.name)
            passed, second = second_passed(game, plan, passed)
            breaches = (*breaches, *second)
    return Failure(gathered(breaches, choice.laws)) if breaches else Success(passed)


def _with_pairs(passed: Passed, met: Sequence[Met]) -> Passed:
    """Return the report with the number of pairs of equal states; without any, it is left out."""
    counts = dict(passed.cases)
    if not counts.get(ALIKE.name):
        return passed
    if met[0].pairs:
        return evolve(passed, cases=tuple((counts | {ALIKE.name: met[0].pairs}).items()))
    del counts[ALIKE.name]
    why = 'no two lines led to equal states'
    return evolve(passed, cases=(*counts.items(),), left_out=(*passed.left_out, (ALIKE.name, why)))


def first_of(game: Description, known: list[Met] | None = None) -> Callable[[], Case]:
    """Return a function that makes the first case; the cases made from it share `met`.

    :param known: receives what they share.
    """
    met = Met()
    if known is not None:
        known.append(met)
    return lambda: Case(game, game.fresh(), met=met)


def second_passed(
    game: Description, plan: Plan, passed: Passed
) -> tuple[Passed, tuple[Breach, ...]]:
    """Return the laws that passed here and in another process, and the breaches there."""
    fresh = first_of(game)
    cases: dict[int, Case] = {}
    ends = [items[-1] for items in random_lines(fresh, evolve(plan, games=min(plan.games, 2)))]
    for case in (*breadth_first(fresh, min(plan.positions, SECONDED)), *ends):
        for earlier in case.path[:SECONDED]:
            cases[id(earlier)] = earlier
    in_order = sorted(cases.values(), key=lambda case: case.plies)
    answered = compared(in_order)
    if isinstance(answered, NotLooked):
        return evolve(passed, left_out=(*passed.left_out, (SECOND.name, answered.why))), ()
    if answered.breach is not None:
        return passed, (answered.breach,)
    return evolve(passed, cases=(*passed.cases, (SECOND.name, answered.count))), ()


def law_names(
    start: Any, *, without: Iterable[str] = (), every: bool = False, **options: Any
) -> tuple[str, ...]:
    """Return the names of the laws that `check_game` checks; or of `every` law of the game."""
    for name in ('positions', 'games', 'watch'):
        options.pop(name, None)
    known = description_of(start, **options)
    return tuple(law.name for law in (laws_of(known) if every else chosen(known, without).laws))


def game_tests(start: Any, **options: Any) -> Callable[[str], None]:
    """Return pytest tests of the game from `start`, one for each law; name them `test_...`.

    >>> from fmcts.games import tictactoe
    >>> test_tictactoe = game_tests(tictactoe.start)

    Laws that do not apply to the game (such as those of text, if none is given) have no test. A law
    that cannot be checked where the tests run is skipped, with the reason.

    :param options: other arguments of `check_game`, such as `text`, `symmetry` or `without`.
    :raises ValueError: as `check_game`.
    """
    import pytest  # noqa: PLC0415 - whoever has no tests need not have it

    for name in ('known', 'memos'):
        if name in options:
            options[name] = tuple(options[name])  # each test reads it anew
    names = law_names(start, **options)
    options.pop('without', None)
    every = law_names(start, every=True, **options)

    @pytest.mark.parametrize('law', names)
    def test(law: str) -> None:
        others = [name for name in every if name != law]
        result = check_game(start, without=others, **options)
        if not is_successful(result):
            pytest.fail(str(result.failure()), pytrace=False)
        for name, why in result.unwrap().left_out:
            if name == law:
                pytest.skip(why)

    return test
