"""The laws of games, and the check of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import check_generator, shown, whole_number
from fmcts._declared import declared
from fmcts.game import Player
from fmcts.rng import Rng, SplitMix
from fmcts.rules import rules_of
from fmcts.search._watch import Watch, ignore
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.chances import CHANCE_LAWS, check_chance_game, is_general
from fmcts.testing._laws.declared import KEYS, PLAYOUT, RULES
from fmcts.testing._laws.described import COLOURS, KNOWN, SYMMETRY, TEXT, invariant
from fmcts.testing._laws.exploring import Plan, breadth_first, explore, gathered, random_lines
from fmcts.testing._laws.games_elsewhere import SECOND, NotLooked, compared, unable
from fmcts.testing._laws.law import Breach, Law, Passed, known_laws, raised
from fmcts.testing._laws.moves import BASIC_LAWS, LAWS_OF_MOVES
from fmcts.testing._laws.playing import LAWS_OF_PLAY, LAWS_OF_REFUSALS
from fmcts.testing._laws.reporting import note, reporting
from fmcts.testing._laws.states import (
    COPYING,
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

GAME_LAWS: Final[tuple[Law[Case], ...]] = (
    *BASIC_LAWS,
    PURE,
    NO_CHANCE,
    *LAWS_OF_MOVES,
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
"""All laws of games, in the order in which they are checked and reported."""

QUICK: Final = (*BASIC_LAWS, *LAWS_OF_MOVES)
"""Laws of a state's members."""

BASIC: Final = frozenset(law.name for law in GAME_LAWS if law.basic)

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
    known: Iterable[tuple[Sequence[Any], Player | None]] = (),
    memos: Iterable[str] = (),
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Return whether the game that begins at `start` satisfies the laws; else how it breaks them.

    All lines of moves are checked, the shortest first, up to `positions` of them (and ten times as
    many different positions by the laws of a state's members), and then random `games`, most of
    them at their ends only. The breach is of the most important broken law, with the shortest line
    found; `others` has the breaches of the other laws. Games are played from copies of the start.

    A game with `chances`, `rewards` or other `players` has other laws,
    `fmcts.testing.CHANCE_LAWS`, and accepts neither `text`, `symmetry`, `colours`, `known` nor
    `memos`.

    A check of more than twenty seconds sends notices of what it is doing (see `fmcts.notices`).

    :param rng: the generator of everything that is drawn; by default, always the same.
    :param max_plies: the limit on the plies of a game.
    :param text: `(parse, format)`, if positions have a text; `parse` returns a state, or a `Result`
        of one.
    :param symmetry: `(on_state, on_move)`, the image of a state and of a move.
    :param colours: `(on_state, on_move)`, the image with the colours exchanged: the other player is
        to move, and wins.
    :param invariants: functions of a state by name; each must return True, or None as a function
        made of assertions does. A text that it returns says what is wrong.
    :param known: whole games, as moves, with the winner (`None`: a draw).
    :param memos: names of attributes in which a state caches what follows from the others, and
        which may change when the state is used.
    :param without: names of laws to skip.
    :param watch: receives the number of positions and games done.
    :raises ValueError: a number is not accepted, `start` is a class, or no law has that name.

    >>> from fmcts.games import tictactoe
    >>> check_game(tictactoe.start, games=1).map(lambda passed: passed.total > 1000)
    <Success: True>
    """
    if not isinstance(start, type) and is_general(start):
        others = {'text': text, 'symmetry': symmetry, 'colours': colours}
        _refuse({**others, 'known': tuple(known), 'memos': tuple(memos)})
        return check_chance_game(
            start,
            positions=positions,
            games=games,
            rng=rng,
            max_plies=max_plies,
            invariants=invariants,
            without=without,
            watch=watch,
        )
    told = description_of(
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
    return check_description(told, positions=positions, games=games, without=without, watch=watch)


def _refuse(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if value:
            raise ValueError(
                f'{name} is not supported in a game with chance, rewards or other players'
            )


def description_of(
    start: Any,
    *,
    rng: Rng | None = None,
    max_plies: int = 10_000,
    invariants: Mapping[str, Callable[[Any], object]] = NOTHING,
    known: Iterable[tuple[Sequence[Any], Player | None]] = (),
    memos: Iterable[str] = (),
    **told: Any,
) -> Description:
    """Return the description of a game as one value; the arguments are those of `check_game`."""
    if isinstance(start, type):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'start must be a state, not the class {start.__name__}: make an instance'
        )
    for name in ('text', 'symmetry', 'colours'):
        pair = told.get(name)
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
        **told,
    )


def _whole_games(known: object) -> tuple[tuple[tuple[Any, ...], Player | None], ...]:
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


def laws_of(told: Description) -> tuple[Law[Case], ...]:
    """Return all laws of a game, the user's own invariants among them."""
    own = tuple(invariant(name, holds) for name, holds in told.invariants)
    place = GAME_LAWS.index(COLOURS) + 1
    return (*GAME_LAWS[:place], *own, *GAME_LAWS[place:])


def chosen(told: Description, without: Iterable[str] = ()) -> Chosen:
    """Return the laws that apply to this game.

    :raises ValueError: there is no law of that name.
    """
    laws = laws_of(told)
    names = tuple(law.name for law in laws)
    unwanted = dict.fromkeys(known_laws(without, names), 'it was not asked for')
    reasons = dict(_reasons(told)) | unwanted
    return Chosen(
        tuple(law for law in laws if law.name not in reasons),
        tuple((name, reasons[name]) for name in names if name in reasons),
    )


def _reasons(told: Description) -> Iterator[tuple[str, str]]:
    """Yield the laws that cannot be checked, each with the reason."""
    kind, name = told.kind, told.kind.__name__
    given = {
        TEXT: told.text,
        SYMMETRY: told.symmetry,
        COLOURS: told.colours,
        KNOWN: told.known,
    }
    declaring = {
        KEYS: ('key', getattr(kind, 'key', None)),
        PLAYOUT: ('playout', declared(told.start, 'playout')),
        RULES: ('rules on integers', rules_of(told.start)),
    }
    if not importable(kind) and not pickles(told.start):
        yield PICKLING.name, f'{kind.__qualname__} is not a name in a module, which pickles need'
    yield from ((SUBCLASS.name, why) for why in _no_subclass(told))
    for law, (what, stated) in declaring.items():
        if stated is None:
            yield law.name, f'{name} declares no {what}'
    for law, value in given.items():
        if not value:
            yield law.name, 'none was given'
    why = unable(told)
    if why:
        yield SECOND.name, why


def _no_subclass(told: Description) -> Iterator[str]:
    """Yield the reasons why no subclass can be checked, if any."""
    if not has_subclasses(told.kind):
        yield f'{told.kind.__name__} has no subclass'
    elif told.memos:
        yield 'what states remember would be taken over'
    try:
        subclassed(told.fresh())
    except Exception as error:  # noqa: BLE001 - a class may refuse in any way
        yield f'no subclass of {told.kind.__name__} can be made: that {raised(error)}'


def check_description(
    told: Description,
    *,
    positions: int = POSITIONS,
    games: int = GAMES,
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Check a game like `check_game`, with the description of the game as one value."""
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    choice = chosen(told, without)
    lines = tuple(moves for moves, _ in told.known)
    plan = Plan(positions, games, told.max_plies, told.rng, WHOLE, MORE * positions, lines)
    here = [law for law in choice.laws if law is not SECOND]
    quick = [law for law in here if law in QUICK]
    with reporting(f'laws of {told.kind.__name__}'):
        explored = explore(lambda: first_of(told), here, plan, watch, quick=quick)
        passed = Passed(explored.cases, choice.left_out, explored.extent)
        breaches = explored.breaches
        if SECOND in choice.laws and not any(breach.law in BASIC for breach in breaches):
            note(SECOND.name)
            passed, second = second_passed(told, plan, passed)
            breaches = (*breaches, *second)
    return Failure(gathered(breaches, choice.laws)) if breaches else Success(passed)


def first_of(told: Description) -> Callable[[], Case]:
    """Return a function that makes the first case; the cases made from it share `met`."""
    met: dict[Any, Case] = {}
    return lambda: Case(told, told.fresh(), met=met)


def second_passed(
    told: Description, plan: Plan, passed: Passed
) -> tuple[Passed, tuple[Breach, ...]]:
    """Return the laws that passed here and in another process, and the breaches there."""
    fresh = first_of(told)
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
    start: Any, *, without: Iterable[str] = (), every: bool = False, **told: Any
) -> tuple[str, ...]:
    """Return the names of the laws that `check_game` checks; or of `every` law of the game."""
    for name in ('positions', 'games', 'watch'):
        told.pop(name, None)
    if not isinstance(start, type) and is_general(start):
        names = (*(law.name for law in CHANCE_LAWS), *told.get('invariants', ()))
        return names if every else tuple(name for name in names if name not in {*without})
    known = description_of(start, **told)
    return tuple(law.name for law in (laws_of(known) if every else chosen(known, without).laws))
