"""The laws of games, and the check of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Result

from fmcts._arguments import shown, whole_number
from fmcts.game import equal
from fmcts.rng import Rng
from fmcts.search import Watch, ignore
from fmcts.testing._laws import declared, members, rules, states
from fmcts.testing._laws.cases import (
    NOTHING,
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
from fmcts.testing._laws.elsewhere import pickled
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import Answer, Breach, Law, Passed, Raised, law


class Replay:
    """A game in another process: the states that lines lead to, which are given by their places."""

    def __init__(self, start: Any) -> None:
        self.states: dict[str, Any] = {'()': start}

    def __call__(self, *places: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state, and what its members say."""
        key = str(places)  # moves that are not listed need have no hash
        if key not in self.states:
            (before, _), last = self(*places[:-1]), places[-1]
            move = last[0] if isinstance(last, list) else moves_of(before)[last]
            self.states[key] = play(before, move)
        state = self.states[key]
        return state, tuple(look(state))


@law(
    'the same in another process',
    'Another process, whose hashes of text differ, sees the same moves in the same order, players '
    'and ends; and its states are equal to ours, with the same hashes.',
    scope='process',
)
def the_same_in_another_process(pair: Any) -> Answer:
    case, answer = pair
    if isinstance(answer, Raised):
        return f'in another process it {answer.text}'
    state, seen = answer
    other = differences(look(case.state), Seen(*seen))
    if other is not None:
        return f'here and in another process, whose hashes of text differ, states have {other}'
    if not equal(case.state, state):
        return f'in another process it is {shown(state, 80)}, which is not equal'
    if hash_of(case.state) != hash_of(state):
        return f'in another process a state equal to {shown(state, 80)} has another hash'
    return None


BASIC: Final = (
    members.a_state_has_all_members,
    members.a_chance_state_has_all_members,
    members.two_players,
    members.players_are_the_same_everywhere,
    members.moves_are_a_tuple,
    members.moves_equal_themselves,
    members.answers_are_stable,
    members.chances_are_outcomes_with_weights,
)
OF_MEMBERS: Final = (
    members.moves_are_unique,
    members.over_is_a_bool,
    members.no_moves_at_the_end,
    members.who_is_asked_has_a_move,
    members.no_winner_before_the_end,
    members.the_winner_is_a_player,
    members.ends_have_rewards,
)
ALL: Final[tuple[Law[Any], ...]] = (
    *BASIC,
    states.play_is_pure,
    states.no_chance,
    states.nothing_is_drawn_inside_play,
    states.no_generator_in_the_state,
    *OF_MEMBERS,
    members.every_move_can_be_played,
    members.games_end,
    declared.known_games_end_so,
    declared.the_symmetry_holds,
    declared.the_colours_are_alike,
    rules.the_rules_on_integers_agree,
    declared.the_playout_agrees,
    declared.keys_are_unique,
    states.equal_by_value,
    states.hashed_by_value,
    states.states_differ,
    states.equal_states_are_alike,
    members.illegal_moves_are_refused,
    members.nothing_is_played_after_the_end,
    declared.text_is_read_back,
    the_same_in_another_process,
    states.states_copy,
    states.states_pickle,
    states.a_subclass_stays_itself,
)
OF_PLAIN_GAMES: Final = (
    members.a_state_has_all_members,
    members.two_players,
    states.no_chance,
    members.no_moves_at_the_end,
    members.no_winner_before_the_end,
    members.the_winner_is_a_player,
)
OF_CHANCE: Final = (
    members.a_chance_state_has_all_members,
    members.players_are_the_same_everywhere,
    members.chances_are_outcomes_with_weights,
    states.nothing_is_drawn_inside_play,
    members.who_is_asked_has_a_move,
    members.ends_have_rewards,
)

GAME_LAWS: Final[tuple[Law[Case], ...]] = tuple(law for law in ALL if law not in OF_CHANCE)
"""All laws of games, in the order in which they are checked and reported."""

CHANCE_LAWS: Final[tuple[Law[Case], ...]] = tuple(law for law in ALL if law not in OF_PLAIN_GAMES)
"""All laws of games with chance, rewards or other players."""

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
    with (
        covering(game.kind, wanted=coverage) as covered,
        exploring(lambda: Case(game, game.fresh(), met=met), laws, watch, without) as run,
    ):
        run.look_near(positions, quick=[law for law in laws if law in (*BASIC, *OF_MEMBERS)])
        run.look_along(moves for moves, _ in game.known)
        run.look_far(games, game.rng, whole=WHOLE, most=min(game.max_plies, LONGEST))
        near = (*run.seen[:SECONDED], *run.seen[-2:])
        cases = {id(case): case for last in near for case in last.path[:SECONDED]}
        # Shortest first: each line is played on from one that is known already.
        in_order = sorted(cases.values(), key=lambda case: len(case.line))
        replay = pickled(Replay(game.fresh()))
        if not is_successful(replay) and not states.importable(game.kind):
            name = game.kind.__qualname__
            replay = Failure(f'another process cannot import {name}: put it in a module')
        run.look_elsewhere(replay, in_order, lambda case: case.places)
    why = (('coverage', covered.why),) if covered.why else ()
    return run.result().map(
        lambda passed: evolve(passed, never_run=covered.lines, left_out=(*passed.left_out, *why))
    )


def laws_of(game: Description) -> tuple[Law[Case], ...]:
    """Return all laws of a game, the user's own invariants among them."""
    laws = CHANCE_LAWS if game.general else GAME_LAWS
    own = tuple(declared.invariant(name, holds) for name, holds in game.invariants.items())
    place = laws.index(declared.the_colours_are_alike) + 1
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
