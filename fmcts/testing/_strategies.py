"""Hypothesis strategies for any game."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, Literal, get_args

from hypothesis import strategies as st

from fmcts._arguments import shown
from fmcts.errors import FinishedGameError
from fmcts.game import MAX_PLIES, GameState, M, S, options_of
from fmcts.rng import MODULUS1, MODULUS2, SplitMix, StdGen
from fmcts.search import Expansion, FinalChoice, Search, Selection, Transpositions
from fmcts.testing._drawn import Drawn, game_by
from fmcts.testing._grammar import Formula, drawn_formula
from fmcts.testing._reaching import Reached, reaching


def positions(
    start: S,
    *,
    max_plies: int = 500,
    running: bool = False,
    near: Literal['end'] | None = None,
    where: Callable[[S], object] | None = None,
    plies: int = 100_000,
) -> st.SearchStrategy[S]:
    """Draw positions of random games from `start`, from all stages of a game alike.

    About a quarter are ends of games. Where chance moves, each outcome is drawn as often as the
    others, whatever its weight, and a failing example is shrunk to the first outcomes in order.

    :param max_plies: the most plies of the game that are played.
    :param running: leave out finished positions.
    :param near: `end`: the last positions of games only, at most three plies before the last one.
    :param where: a predicate; positions that satisfy it are found by `fmcts.testing.reach`, however
        rare they are, once for the strategy; a failing example is shrunk to the first one found.
    :param plies: the most plies that are played to find them.
    :raises FinishedGameError: the game is over at `start`, and positions are to be `running`.
    :raises ValueError: `near` is something else; or (when drawing) no position is found `where` the
        predicate is true.
    """
    if running and start.over:
        raise FinishedGameError('start must be a state with moves to play, but its game is over')
    if near not in (None, 'end'):
        raise ValueError(f"near must be 'end' or None, not {near!r}")
    if where is not None:
        return _satisfying(start, where, max_plies, plies, running=running)
    return _positions(start, max_plies, running=running, near=near)


def _satisfying(
    start: S, where: Callable[[S], object], longest: int, plies: int, *, running: bool
) -> st.SearchStrategy[S]:
    def wanted(state: S) -> bool:
        return not (running and state.over) and bool(where(state))

    def found() -> st.SearchStrategy[S]:
        lines = [*islice(reaching(start, wanted, plies, longest), SATISFYING)]
        states = [each.state for each in lines if isinstance(each, Reached)]
        if not states:
            raise ValueError(f'positions where {shown(where)}: {lines[0]}')
        return st.sampled_from(states)

    return st.deferred(found)


@st.composite
def _positions(draw: st.DrawFn, start: S, max_plies: int, *, running: bool, near: str | None) -> S:
    # The game is drawn as a seed, because hypothesis prefers small numbers and repeats them, which
    # would make short games. The stage is drawn when the length is known: a number of plies drawn
    # before would usually be past the end.
    rng = draws = SplitMix.from_seed(draw(st.integers(0, 2**32 - 1)))
    passed = [start]
    while (options := options_of(passed[-1])) and len(passed) <= max_plies:
        index, draws = draws.uniform(0, len(options) - 1)
        passed.append(passed[-1].play(options[index]))
    if running and passed[-1].over:
        passed.pop()
    stage = len(passed) - 1
    before = draw(st.integers(0, min(stage, BEFORE_AN_END))) if near else 0
    stage -= before
    # Not `one_of`, which counts equal strategies as one.
    if not near and (running or draw(st.integers(0, 3)) < 3):
        stage = draw(st.integers(0, stage))
    if all(state.moves for state in passed[:stage]):
        return passed[stage]
    # Chance moves on the way, so the way is gone again with outcomes that can be shrunk one by one.
    # That is another game: it is played to its end if the first was, else to the stage at most.
    finish, again = near or passed[stage].over, [start]
    while (options := options_of(again[-1])) and len(again) <= (max_plies if finish else stage):
        if again[-1].moves:
            index, rng = rng.uniform(0, len(options) - 1)
        else:
            index = draw(st.integers(0, len(options) - 1))
        after = again[-1].play(options[index])
        if after.over and running:
            break
        again.append(after)
    if near and not again[-1].over and passed[-1].over:
        return passed[stage]  # the outcomes drawn lead to no end
    return again[-1 - min(before, len(again) - 1)]


BEFORE_AN_END: Final = 3  # plies
SATISFYING: Final = 64
"""The most positions that are found for a predicate."""

GOING_ON: Final = st.integers(0, 31)  # a line ends at 0

WORD: Final = 2**64 - 1
ENDS: Final = (0, 1, 2**63 - 1, 2**63, WORD)
EDGES: Final = tuple(
    turned ^ word for n in range(64) for word in (1 << n, (1 << n) - 1) for turned in (0, WORD)
)


def words() -> st.SearchStrategy[int]:
    """Draw words of 64 bits, 0 to 2**64 - 1, half of them edge cases.

    These are 0, 1, 2**63 - 1, 2**63 and 2**64 - 1, all other single bits, all the bits below one,
    and the complements of single bits.

    Hypothesis by itself prefers small numbers: of those up to 2**64 - 1, two in a hundred have the
    highest bit, in which signed and unsigned words differ.
    """
    spread = st.binary(min_size=8, max_size=8).map(int.from_bytes)
    return st.one_of(st.integers(0, WORD), st.sampled_from(ENDS), st.sampled_from(EDGES), spread)


def generators() -> st.SearchStrategy[SplitMix | StdGen]:
    """Draw generators of both kinds, many of them edge cases."""
    return st.one_of(splitmixes(), stdgens())


def splitmixes() -> st.SearchStrategy[SplitMix]:
    """Draw `SplitMix` generators: from a seed, and from any two words."""
    made = st.builds(SplitMix, words(), words().map(lambda word: word | 1))
    return st.one_of(words().map(SplitMix.from_seed), made)


def stdgens() -> st.SearchStrategy[StdGen]:
    """Draw `StdGen` generators."""
    return st.builds(StdGen, _states(MODULUS1), _states(MODULUS2))


def _states(modulus: int) -> st.SearchStrategy[int]:
    """Draw the states of one half of a `StdGen`: 1 to `modulus - 1`."""
    return st.one_of(st.integers(1, modulus - 1), st.sampled_from((1, 2, modulus - 2, modulus - 1)))


def searches(
    *,
    max_iterations: int = 120,
    selection: Selection = 'ucb1',
    solver: bool = False,
    closing: bool = False,
    rollout_expand: bool = False,
    transpositions: Transpositions | None = None,
) -> st.SearchStrategy[Search]:
    """Draw descriptions of searches by this `selection`.

    Drawn are `iterations`, `c`, `expansion`, `final`, `max_nodes` and `max_plies`, in every value.
    Fixed are the options that decide the columns of a tree, so that one search can continue the
    tree of another: the selection, `solver`, `closing` and `transpositions`; and `rollout_expand`.
    All other options keep their defaults.
    """
    named = isinstance(selection, str)
    able = Search(selection=selection).method.scores_unvisited
    # Expansion `selected` needs a score for moves without visits.
    unable: tuple[str, ...] = () if able else ('selected',)
    return st.builds(
        Search,
        iterations=st.integers(1, max_iterations),
        selection=st.just(selection),
        c=st.none() | st.floats(0, 4) if named else st.none(),
        expansion=st.none()
        | st.sampled_from([kind for kind in get_args(Expansion) if kind not in unable]),
        # With too few iterations `robust-of-all` raises an error.
        final=st.sampled_from([kind for kind in get_args(FinalChoice) if kind != 'robust-of-all']),
        # Room for the widest full expansion of this library's games.
        max_nodes=st.none() | st.integers(60, 500),
        solver=st.just(solver),
        closing=st.just(closing),
        rollout_expand=st.just(rollout_expand),
        transpositions=st.just(transpositions),
        max_plies=st.just(MAX_PLIES) | st.integers(130, WORD),  # no game of the library has more
    )


@st.composite
def formulas(draw: st.DrawFn, *, size: int = 8) -> Formula:
    """Draw selection rules in the language of `fmcts.formulas`, of at most `size` numbers.

    A failing example prints as code: `Formula('edge.value + 0.5')`. A rule may return NaN, or
    exclude all moves; a search by it then raises `MethodError`.

    :param size: the most numbers (`edge.visits`, `0.5`) that a rule names.
    """
    return drawn_formula(lambda among: draw(st.sampled_from(among)), size)


@st.composite
def lines(draw: st.DrawFn, start: GameState[M], *, max_plies: int = 200) -> tuple[M, ...]:
    """Draw lines of play: the first moves of random games from `start`.

    Where chance moves, a line has the outcome. A failing example is shrunk to few moves and
    outcomes, the first in order.

    :param max_plies: the most moves and outcomes of a line.
    """
    state = start
    moves: list[M] = []
    # Whether to continue is drawn with each move, so that a failing example can leave moves out.
    while len(moves) < max_plies and (options := options_of(state)) and draw(GOING_ON):
        moves.append(draw(st.sampled_from(options)))
        state = state.play(moves[-1])
    return tuple(moves)


@st.composite
def games(draw: st.DrawFn, *, max_positions: int = 16) -> Drawn:
    """Draw small games as data, at their start: correct, and never over at once.

    Either side may be to move anywhere, also twice in a row; positions are reached in many ways, of
    different lengths; the ends are wins of either side and draws.

    :param max_positions: the most positions of a game, at least 2.
    """
    return game_by(lambda count: draw(st.integers(0, count - 1)), max_positions)
