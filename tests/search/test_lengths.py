"""Long games: no engine depends on the recursion limit; `max_plies` is exact to the ply."""

import pickle
from typing import ClassVar

import pytest
from attrs import frozen

from fmcts import (
    EndlessGameError,
    GameError,
    Player,
    Search,
    SplitMix,
    StdGen,
    analyse,
    monte_carlo,
    play_game,
    playout,
    random_bot,
    trees,
)
from fmcts._running import playouts
from fmcts._running.registry import ENGINES
from fmcts.games import GAMES
from fmcts.search._digest import digest
from fmcts.search._tree import MutableNode, freeze_in_place, principal_variation
from fmcts.simulation import simulator_of
from tiers import is_interpreted, usually
from toy_games import Long

PLIES = 50_000
START = Long(PLIES, ways=1)


def ladder(nodes):
    """The tree that `nodes` iterations would make: one path, every playout won by O."""
    children = ()
    for steps in range(nodes, -1, -1):
        state = Long(PLIES - steps, ways=1)
        visits = nodes - max(steps - 1, 0)
        mover = state.player.other
        reward = float(visits) if mover is Player.O else 0.0
        draft = MutableNode(
            0 if steps else None, mover, state, state.moves, visits, reward, reward / visits,
            children,
        )  # fmt: skip
        children = (freeze_in_place(draft),)
    return children[0]


@pytest.fixture(scope='module')
def deep():
    """A path one node short of the end of the game."""
    return ladder(PLIES - 1)


def test_a_playout_of_50_000_plies(engine):
    assert playout(START, SplitMix.from_seed(1))[0] is Player.O
    analysis, _ = analyse(START, SplitMix.from_seed(1), Search(3), engine=engine)
    assert analysis.tree == ladder(3)


@pytest.mark.parametrize('engine', usually(['inplace', 'compiled'], ENGINES))
def test_a_tree_50_000_nodes_deep(engine, deep):
    """From a path one short of the end: the last node is made, then visited again."""
    analysis, _ = analyse(START, SplitMix.from_seed(1), Search(3), engine=engine, tree=deep)
    assert analysis.tree.visits == PLIES + 2
    line = principal_variation(analysis.tree)
    assert len(line) == PLIES
    again = pickle.loads(pickle.dumps(analysis.tree))  # noqa: S301 - our own bytes
    assert again == analysis.tree
    assert digest(again) == analysis.digest
    assert 'children=1/1' in repr(again)


RNG = SplitMix.from_seed(1)
EXPANSIONS = ['in-order', 'random', 'full']


@frozen
class LongByItself(Long):
    """The same with a playout of its own, which draws once a ply."""

    compiled: ClassVar = Long.compiled

    def playout(self, draw):
        for _ in range(self.left):
            draw(2)
        return Player.O


@frozen
class Promising(LongByItself):
    """The same, which says how long its games are."""

    compiled: ClassVar = Long.compiled
    longest_game: ClassVar[int] = 50

    def playout(self, draw):
        return super().playout(draw)


KINDS = [Long, LongByItself, Promising]


def message(kind, plies):
    count = '1 ply' if plies == 1 else f'{plies:,} plies'
    return (
        f'a game of {kind.__name__} is not over after {count}: every game must end; '
        'if games can be that long, increase max_plies'
    )


# Each expansion by each generator is machine code of its own: one by both.
@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
@pytest.mark.parametrize(
    ('expansion', 'rng'),
    [*((expansion, RNG) for expansion in EXPANSIONS), (EXPANSIONS[0], StdGen(1, 1))],
    ids=[*EXPANSIONS, f'{EXPANSIONS[0]}, stdgen'],
)
@pytest.mark.parametrize('kind', KINDS)
def test_search_is_exact_at_the_limit(engine, kind, expansion, rng):
    """The child of the root has 20 plies before it."""
    allowed = Search(1, expansion=expansion, max_plies=20)
    found, after = analyse(kind(21), rng, allowed, engine=engine)
    assert found.iterations == 1
    with pytest.raises(EndlessGameError) as told:
        analyse(kind(22), rng, allowed, engine=engine)
    assert str(told.value) == message(kind, 20)
    unbounded = Search(1, expansion=expansion)
    assert (found, after) == analyse(kind(21), rng, unbounded, engine='persistent')


@pytest.mark.parametrize('kind', KINDS)
def test_playouts_are_exact_at_the_limit(engine, kind):
    allowed = playouts(kind(20), RNG, 5, engine=engine, max_plies=20)
    assert allowed == playouts(kind(20), RNG, 5, engine='persistent')
    bot = monte_carlo(4, max_plies=20, engine=engine)
    assert bot.analyse(kind(21), RNG)[0].iterations == 4
    for act in (
        lambda: playouts(kind(21), RNG, 5, engine=engine, max_plies=20),
        lambda: bot(kind(22), RNG),
    ):
        with pytest.raises(EndlessGameError) as told:
            act()
        assert str(told.value) == message(kind, 20)


def test_play_game_is_exact_at_the_limit():
    assert len(play_game(Long(20), random_bot, random_bot, RNG, max_plies=20)[0].moves) == 20
    for act in (
        lambda: play_game(Long(21), random_bot, random_bot, RNG, max_plies=20),
        lambda: next(trees(Long(22), RNG, Search(max_plies=20))),
    ):
        with pytest.raises(EndlessGameError) as told:
            act()
        assert str(told.value) == message(Long, 20)


@pytest.mark.parametrize('engine', usually(['compiled'], ENGINES))  # Python takes seconds
def test_an_endless_game_is_reported_by_default(engine):
    for act in (
        lambda: analyse(Long(-1), RNG, Search(10), engine=engine),
        lambda: playouts(Long(-1), RNG, 10, engine=engine),
    ):
        with pytest.raises(GameError) as told:
            act()
        assert str(told.value) == message(Long, 1_000_000)


@pytest.mark.parametrize('name', GAMES)
def test_library_games_state_their_longest_game(name):
    """So that their playouts cost nothing more; a smaller bound is kept to by counting."""
    start = GAMES[name].start
    longest = type(start).longest_game
    assert simulator_of(start, longest) is type(start).playout
    assert simulator_of(start, longest - 1) is not type(start).playout
    with pytest.raises(EndlessGameError, match=f'a game of {type(start).__name__} is not over'):
        playout(start, RNG, max_plies=4)


def test_longest_game_is_not_inherited():
    @frozen
    class Longer(Promising):
        def playout(self, draw):
            for _ in range(self.left):
                draw(2)

    assert simulator_of(Promising(1)) is Promising.playout
    assert simulator_of(Longer(1)) is not Longer.playout
    with pytest.raises(EndlessGameError):
        playout(Longer(1001), RNG, max_plies=1000)


@pytest.mark.parametrize('plies', [0, -1, 1.5, None, True, '7'])
def test_the_limit_must_be_a_whole_number(plies):
    for act in (
        lambda: Search(max_plies=plies),
        lambda: monte_carlo(5, max_plies=plies),
        lambda: playout(Long(1), RNG, max_plies=plies),
        lambda: playouts(Long(1), RNG, 1, max_plies=plies),
        lambda: play_game(Long(1), random_bot, random_bot, RNG, max_plies=plies),
    ):
        with pytest.raises(ValueError, match='max_plies must be a whole number of at least 1, not'):
            act()
