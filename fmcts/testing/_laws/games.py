"""The laws of games, and the check of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown, whole_number
from fmcts.game import equal
from fmcts.rng import Rng
from fmcts.search import Watch, ignore
from fmcts.testing._laws.cases import (
    Case,
    Description,
    Met,
    Seen,
    differences,
    hash_of,
    look,
    moves_of,
    play,
)
from fmcts.testing._laws.coverage import covering
from fmcts.testing._laws.declared import keys_are_unique, the_playout_agrees
from fmcts.testing._laws.described import (
    invariant,
    known_games_end_so,
    text_is_read_back,
    the_colours_are_alike,
    the_symmetry_holds,
)
from fmcts.testing._laws.elsewhere import answers_elsewhere, pickled
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import Answer, Breach, Law, OtherwiseError, Passed, Raised, law
from fmcts.testing._laws.members import (
    BASIC_CHANCE_LAWS,
    BASIC_LAWS,
    LAWS_OF_MOVES,
    LAWS_OF_OPTIONS,
)
from fmcts.testing._laws.playing import LAWS_OF_PLAY, LAWS_OF_REFUSALS
from fmcts.testing._laws.rules import the_rules_on_integers_agree
from fmcts.testing._laws.states import (
    LAWS_OF_STATES,
    NOTHING_DRAWN,
    a_subclass_stays_itself,
    importable,
    no_chance,
    no_generator_in_the_state,
    play_is_pure,
    states_copy,
    states_pickle,
)


@law(
    'the same in another process',
    'Another process, whose hashes of text differ, sees the same moves in the same order, players '
    'and ends; and its states are equal to ours, with the same hashes.',
    scope='process',
)
def the_same_in_another_process(pair: Any) -> Answer:
    """Return what another process found, where it followed the same line."""
    answer: Answer = pair[1]
    return answer


MORE_LAWS: Final[tuple[Law[Case], ...]] = (
    *LAWS_OF_PLAY,
    known_games_end_so,
    the_symmetry_holds,
    the_colours_are_alike,
    the_rules_on_integers_agree,
    the_playout_agrees,
    keys_are_unique,
    *LAWS_OF_STATES,
    *LAWS_OF_REFUSALS,
    text_is_read_back,
    the_same_in_another_process,
    states_copy,
    states_pickle,
    a_subclass_stays_itself,
)
"""The laws that games of all kinds have."""

GAME_LAWS: Final[tuple[Law[Case], ...]] = (
    *BASIC_LAWS,
    play_is_pure,
    no_chance,
    no_generator_in_the_state,
    *LAWS_OF_MOVES,
    *MORE_LAWS,
)
"""All laws of games, in the order in which they are checked and reported."""

CHANCE_LAWS: Final[tuple[Law[Case], ...]] = (
    *BASIC_CHANCE_LAWS,
    play_is_pure,
    NOTHING_DRAWN,
    no_generator_in_the_state,
    *LAWS_OF_OPTIONS,
    *MORE_LAWS,
)
"""All laws of games with chance, rewards or other players."""

QUICK: Final = (*BASIC_LAWS, *LAWS_OF_MOVES, *BASIC_CHANCE_LAWS, *LAWS_OF_OPTIONS)
"""Laws of a state's members."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

POSITIONS: Final = 150
GAMES: Final = 40
LONGEST: Final = 1_000
"""The most plies of a random game; a game without an end is a matter of a law of its own."""

WHOLE: Final = 10
"""One random game in 10 is checked at every ply; of the others only the ends."""

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
    coverage: bool = False,
    proposals: Callable[[Any, Any], tuple[Any, Any]] | None = None,
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
    :param coverage: also say which lines of the functions in the states' module never ran, and
        which conditions went one way only (by coverage.py, which makes the check slower).
    :param proposals: the function of `Search(proposals=...)`, if the states do not list their
        moves: a few proposals are played at each.
    :param watch: receives the number of positions and games done.
    :raises MissingLibraryError: Hypothesis or, for `coverage`, coverage.py is not installed.
    :raises ValueError: a number is not accepted, `start` is a class, or no law has that name.

    >>> from fmcts.games import tictactoe
    >>> check_game(tictactoe.start, games=1).map(lambda passed: passed.total > 1000)
    <Success: True>
    """
    game = Description(
        start, rng, text, symmetry, colours, invariants, known, memos, max_plies, proposals
    )
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    met, laws = Met(), laws_of(game)
    name = f'laws of {game.kind.__name__}'
    with (
        covering(game.kind, wanted=coverage) as covered,
        exploring(name, lambda: Case(game, game.fresh(), met=met), laws, watch, without) as run,
    ):
        run.look_near(positions, quick=[law for law in laws if law in QUICK])
        run.look_along(moves for moves, _ in game.known)
        run.look_far(games, game.rng, whole=WHOLE, most=min(game.max_plies, LONGEST))
        if the_same_in_another_process.name not in run.without:
            run.doing = the_same_in_another_process.name
            near = (*run.seen[:SECONDED], *run.seen[-2:])
            cases = {id(case): case for last in near for case in last.path[:SECONDED]}
            in_order = sorted(cases.values(), key=lambda case: len(case.line))
            run.look_elsewhere(in_order, _compared(game, in_order))
    why = (('coverage', covered.why),) if covered.why else ()
    return run.result().map(
        lambda passed: evolve(passed, never_run=covered.lines, left_out=(*passed.left_out, *why))
    )


def _compared(game: Description, cases: Sequence[Case]) -> Result[Sequence[Any], str]:
    """Return how each case differs in another process, which plays the same moves."""
    numbers = {id(case): number for number, case in enumerate(cases)}

    def step(case: Case) -> tuple[int, Any]:
        """Return the number of the case before, and the place of the move in its list.

        A move that is not listed is given in a list.
        """
        if case.before is None:
            return -1, 0
        move, listed = case.line[-1], enumerate(case.before.listed)
        place = next((place for place, option in listed if equal(option, move)), [move])
        return numbers[id(case.before)], place

    try:
        steps = [(*step(case), tuple(look(case.state)), case.state) for case in cases]
    except OtherwiseError as error:
        return Failure(f'a state cannot be read again: {error}')
    function = pickled(differences_elsewhere)
    if not is_successful(pickled(game.start)) and not importable(game.kind):
        why = f'another process cannot import {game.kind.__qualname__}: put it in a module'
        return Failure(why)
    answers = answers_elsewhere(function, [(game.fresh(), steps)])
    return answers.bind(
        lambda each: Failure(each[0].text) if isinstance(each[0], Raised) else Success(each[0])
    )


def differences_elsewhere(start: Any, steps: Sequence[Any]) -> list[str | None]:
    """In another process, return how the state after each step differs from the one given."""
    states: list[Any] = []
    found: list[str | None] = []
    for before, place, seen, theirs in steps:
        state, other = None, None
        try:
            moves = (None,) if before < 0 else moves_of(states[before])
            given = place if isinstance(place, list) else moves[place : place + 1]
            if not given:
                raise OtherwiseError('is not reached')  # noqa: TRY301 - reported like other errors
            state = start if before < 0 else play(states[before], given[0])
            other = differences(Seen(*seen), look(state))
            if other is not None:
                other = (
                    f'here and in another process, whose hashes of text differ, states have {other}'
                )
            elif not equal(state, theirs):
                other = f'in another process it is {shown(state, 80)}, which is not equal'
            elif hash_of(state) != hash_of(theirs):
                other = f'in another process a state equal to {shown(state, 80)} has another hash'
        except OtherwiseError as error:
            other = f'in another process the state {error}'
        states.append(state)
        found.append(other)
    return found


def laws_of(game: Description) -> tuple[Law[Case], ...]:
    """Return all laws of a game, the user's own invariants among them."""
    laws = CHANCE_LAWS if game.general else GAME_LAWS
    own = tuple(invariant(name, holds) for name, holds in game.invariants.items())
    place = laws.index(the_colours_are_alike) + 1
    return (*laws[:place], *own, *laws[place:])


def game_tests(start: Any, **options: Any) -> Callable[[str], None]:
    """Return pytest tests of the game from `start`, one for each law; name them `test_...`.

    >>> from fmcts.games import tictactoe
    >>> test_tictactoe = game_tests(tictactoe.start)

    A law that does not apply to the game (such as that of text, if none is given), or that cannot
    be checked where the tests run, is skipped with the reason.

    :param options: other arguments of `check_game`, such as `text`, `symmetry` or `without`.
    :raises ValueError: as `check_game`.
    """
    import pytest  # noqa: PLC0415 - whoever has no tests need not have it

    for name in ('known', 'memos', 'without'):
        options[name] = tuple(options.get(name, ()))  # each test reads it anew
    described = {
        name: value
        for name, value in options.items()
        if name not in ('positions', 'games', 'watch', 'without')
    }
    without = options.pop('without')
    names = [law.name for law in laws_of(Description(start, **described))]

    @pytest.mark.parametrize('law', [name for name in names if name not in without])
    def test(law: str) -> None:
        result = check_game(start, without=[name for name in names if name != law], **options)
        if not is_successful(result):
            pytest.fail(str(result.failure()), pytrace=False)
        for name, why in result.unwrap().left_out:
            if name == law:
                pytest.skip(why)

    return test
