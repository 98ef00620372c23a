"""Searches, and chains of them that continue a tree, on which engines must agree."""

import contextlib
import pickle

from attrs import frozen
from hypothesis import strategies as st

from drawn_games import WIDEST, Maze, start_of
from drawn_searches import drawn_family, drawn_search, narrowings_of, networks_of
from fmcts import STOP, analyse, reroot
from fmcts._running.registry import ENGINES
from fmcts.errors import GameError, MethodError
from fmcts.game import has_rewards, options_of
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import plant
from fmcts.search._watch import chunks_by_count
from fmcts.testing import positions

PYTHON = ('persistent', 'monadic', 'inplace')


def agree(state, rng, search, *others, engine='persistent', **more):
    """Return what `engine` finds and the generator after it; fail if another differs at all.

    The others are all in Python where none is named.
    """
    one, after = analyse(state, rng, search, engine=engine, **more)
    for other in others or PYTHON[1:]:
        two, other_after = analyse(state, rng, search, engine=other, **more)
        told, also = ((it.digest, it.move, it.stats) for it in (one, two))
        assert (*told, after) == (*also, other_after)
        assert one == two
    return one, after


@frozen
class Step:
    """A search: of a new tree, or of the last one, after a move, pickled, or ended from outside."""

    search: object
    new: bool = True
    move: int | None = None
    pickled: bool = False
    stop_at: int | None = None


def mazes():
    """Mazes small and large, narrow and wide."""
    narrow = st.builds(Maze, st.integers(0, 99_999), st.integers(1, 30), st.integers(1, 6))
    return narrow | st.builds(Maze, st.integers(0, 99_999), st.integers(1, 12), st.just(WIDEST))


def processes():
    """Decision processes with chance and rewards on the way, for one player to three."""
    found = st.builds(start_of, st.integers(0, 99), st.just(2), ends=st.just(value=True))
    found |= st.builds(start_of, st.integers(0, 99), st.sampled_from([1, 3]))
    return found.filter(lambda start: not start.over)


def starts():
    """Positions of three games, and decision processes."""
    boards = st.sampled_from([tictactoe.start, tictactoe.start, connect4.start])
    boards = boards.flatmap(lambda start: positions(start, running=True))
    return mazes() | boards | processes()


@st.composite
def chains(draw, state, searches=None):
    """Steps from a state by what `searches(new)` draws; left out, everything that there is."""

    if searches is None:
        taken = iter(draw(st.binary(min_size=600, max_size=600)))

        def choose(among):
            """Take a byte or two: a draw for each choice would take longer than the searches."""
            number = next(taken, 0) if len(among) <= 256 else 256 * next(taken, 0) + next(taken, 0)
            return among[number % len(among)]

        rewards = has_rewards(state)
        networks = () if rewards else networks_of(state)
        family = drawn_family(choose, networks, rewards=rewards)
        narrowings = narrowings_of(state)
    steps = []
    for number in range(draw(st.sampled_from([3, 2, 4, 1]))):
        new = not number or not draw(st.integers(0, 5))
        if searches is None:
            # A tree without a memory may be continued by searches that have one.
            kept = family if number else choose((family, {**family, 'remembering': ()}))
            search = drawn_search(choose, kept, new=new, narrowings=narrowings, max_iterations=60)
        else:
            search = draw(searches(new))
        moves = st.none() if new else st.integers(0, 20) | st.none() | st.integers(0, 20)
        stops = st.none() if search.schedule else st.sampled_from([None, None, 0, 5])
        steps.append(Step(search, new, draw(moves), not new and draw(st.booleans()), draw(stops)))
    return steps


def outcome(state, rng, step, tree, engine):
    """What an engine finds, or in which words it refuses."""

    def watch(done):
        return STOP if step.stop_at is not None and done >= step.stop_at else None

    try:
        with chunks_by_count():  # else it would end by the clock
            return analyse(state, rng, step.search, engine=engine, tree=tree, watch=watch)
    except ValueError as error:
        return f'{type(error).__name__}: {error}'


def compare(state, rng, steps, engine):
    """Run the steps by the reference and by another engine; how many searches both made."""
    mine = theirs = None
    made = 0
    for step in steps:
        if step.new:
            mine = theirs = None
        here = mine.state if mine else state
        if step.move is not None and mine:
            options = options_of(here)
            move = options[step.move % len(options)]
            if here.play(move).over:
                continue
            mine, theirs = reroot(mine, move), reroot(theirs, move)
            here = mine.state
        if step.pickled and mine:
            mine, theirs = pickle.loads(pickle.dumps((mine, theirs)))  # noqa: S301 - our own bytes
        with contextlib.suppress(GameError, MethodError):  # then all refuse it
            if not here.over and ENGINES[engine].unsupported(mine or plant(here), rng, step.search):
                continue
        expected = outcome(here, rng, step, mine, 'persistent')
        found = outcome(here, rng, step, theirs, engine)
        assert found == expected
        if isinstance(found, str):
            continue
        (one, rng), (two, _) = expected, found
        assert (one.stats, one.nodes, one.tree) == (two.stats, two.nodes, two.tree)
        mine, theirs = one.tree, two.tree
        made += 1
    return made
