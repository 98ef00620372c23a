"""Hypothesis strategies for any game."""

from __future__ import annotations

from typing import Any, Final, TypeVar, get_args

from hypothesis import strategies as st

from fmcts.game import MAX_PLIES, GameState, Player
from fmcts.rng import SplitMix, StdGen
from fmcts.rng._stdgen import MODULUS1, MODULUS2
from fmcts.search._description import Expansion, FinalChoice, Search, Selection
from fmcts.search._transpositions import Transpositions
from fmcts.testing._drawn import Drawn, Graph
from fmcts.testing._grammar import Formula, drawn_formula

__all__ = ['formulas', 'games', 'generators', 'lines', 'positions', 'searches', 'words']

S = TypeVar('S', bound=GameState[Any])
M = TypeVar('M')


@st.composite
def positions(draw: st.DrawFn, start: S, *, max_plies: int = 200, running: bool = False) -> S:
    """Positions that a random game from `start` passes through, from all its stages alike.

    About a quarter are ends of games.

    :param max_plies: how many plies of the game are played at most.
    :param running: leave out finished positions.
    """
    # The game is drawn as a seed, as hypothesis prefers small numbers and repeats them, which makes
    # short games. The stage is drawn when its length is known: a number of plies drawn before would
    # mostly lie past the end.
    rng = SplitMix.from_seed(draw(st.integers(0, 2**32 - 1)))
    passed = [start]
    while (moves := passed[-1].moves) and len(passed) <= max_plies:
        index, rng = rng.uniform(0, len(moves) - 1)
        passed.append(passed[-1].play(moves[index]))
    if running and len(passed) > 1 and passed[-1].over:
        passed.pop()
    anywhere = st.integers(0, len(passed) - 1)
    end = anywhere if running else st.just(len(passed) - 1)
    return passed[draw(st.one_of(anywhere, anywhere, anywhere, end))]


GOING_ON: Final = st.integers(0, 31)  # a line ends at 0

WORD: Final = 2**64 - 1
ENDS: Final = (0, 1, 2**63 - 1, 2**63, WORD)
EDGES: Final = tuple(
    turned ^ word for n in range(64) for word in (1 << n, (1 << n) - 1) for turned in (0, WORD)
)


def words() -> st.SearchStrategy[int]:
    """Words of 64 bits, 0 to 2**64 - 1, half of them at the edges.

    These are 0, 1, 2**63 - 1, 2**63 and 2**64 - 1, all other single bits, all the bits below one,
    and what has all the other bits.

    Hypothesis by itself prefers small numbers: of those up to 2**64 - 1, two in a hundred have the
    highest bit, which is where signed and unsigned words part.
    """
    spread = st.binary(min_size=8, max_size=8).map(int.from_bytes)
    return st.one_of(st.integers(0, WORD), st.sampled_from(ENDS), st.sampled_from(EDGES), spread)


def generators() -> st.SearchStrategy[SplitMix | StdGen]:
    """Generators of both kinds, with much at the edges of what their numbers may be."""
    seeded, made = _splitmixes()
    return st.one_of(seeded, made, stdgens())


def splitmixes() -> st.SearchStrategy[SplitMix]:
    """Generators of the kind `SplitMix`."""
    return st.one_of(*_splitmixes())


def _splitmixes() -> tuple[st.SearchStrategy[SplitMix], st.SearchStrategy[SplitMix]]:
    """From a seed, and of any two words."""
    made = st.builds(SplitMix, words(), words().map(lambda word: word | 1))
    return words().map(SplitMix.from_seed), made


def stdgens() -> st.SearchStrategy[StdGen]:
    """Generators of the kind `StdGen`."""
    return st.builds(StdGen, _states(MODULUS1), _states(MODULUS2))


def _states(modulus: int) -> st.SearchStrategy[int]:
    """The states of one half of a `StdGen`: 1 to `modulus - 1`."""
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
    """Descriptions of searches by this `selection`, with every other option in every value.

    What decides the columns of a tree is the same in all, so that one goes on from the tree of
    another: the selection, `solver`, `closing` and `transpositions`. `rollout_expand` decides which
    engines are able.
    """
    named = isinstance(selection, str)
    able = Search(selection=selection).method.scores_unvisited
    unable: tuple[str, ...] = () if able else ('selected',)
    if transpositions is not None:
        unable += ('jump',)
    return st.builds(
        Search,
        iterations=st.integers(1, max_iterations),
        selection=st.just(selection),
        c=st.none() | st.floats(0, 4) if named else st.none(),
        expansion=st.none()
        | st.sampled_from([kind for kind in get_args(Expansion) if kind not in unable]),
        # With too few iterations `robust-of-all` is an error.
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
    """Selection rules in the language of `fmcts.formulas`, of at most so many numbers.

    A failing example prints as it is to be written: `Formula('edge.value + 0.5')`. A rule may give
    what is no number, or exclude all moves; a search by it raises `MethodError` then.

    :param size: how many numbers (`edge.visits`, `0.5`) a rule names at most.
    """
    return drawn_formula(lambda among: draw(st.sampled_from(among)), size)


@st.composite
def lines(draw: st.DrawFn, start: GameState[M], *, max_plies: int = 200) -> tuple[M, ...]:
    """Lines of play: the moves of random games from `start`, as far as they are drawn.

    A failing example has as few and as early moves as show it.

    :param max_plies: how many moves a line has at most.
    """
    state = start
    moves: list[M] = []
    # Whether to go on is drawn with each move, so that a failing example can leave moves out.
    while len(moves) < max_plies and (legal := state.moves) and draw(GOING_ON):
        moves.append(draw(st.sampled_from(legal)))
        state = state.play(moves[-1])
    return tuple(moves)


@st.composite
def games(draw: st.DrawFn, *, max_positions: int = 16) -> Drawn:
    """Small games drawn as data, at their start: right in all, and none is over at once.

    Either side may be to move anywhere, also twice in a row; positions are reached in many ways, of
    unequal lengths; ends are wins of both and draws.

    :param max_positions: how many positions a game has at most, 2 or more.
    """
    size = draw(st.integers(2, max_positions))
    ends = draw(st.integers(1, size - 1))
    after = tuple(
        tuple(draw(st.lists(st.integers(at + 1, size - 1), min_size=1, max_size=4)))
        if at < size - ends
        else ()
        for at in range(size)
    )
    players = draw(st.lists(st.sampled_from(Player), min_size=size, max_size=size))
    winners = draw(st.lists(st.sampled_from([*Player, None]), min_size=size, max_size=size))
    return Drawn(Graph(after, tuple(players), tuple(winners)))
