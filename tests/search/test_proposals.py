"""Searches whose moves are proposed: against a naive transcription, in every engine, continued.

A. Couëtoux, J.-B. Hoock, N. Sokolovska, O. Teytaud and N. Bonnard, "Continuous upper confidence
trees", 2011: progressive and double progressive widening; D. Auger, A. Couëtoux and O. Teytaud,
"Continuous upper confidence trees with polynomial exploration - consistency", 2013.
"""

import math
import pickle
from functools import partial

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

import transcription
from chained import PYTHON, agree
from fmcts import (
    Player,
    Search,
    SplitMix,
    StdGen,
    analyse,
    mcts,
    monte_carlo,
    play_game,
    random_bot,
    reroot,
)
from fmcts.bots import parallel
from fmcts.errors import EngineError, GameError, IllegalMoveError, MethodError
from fmcts.games import connect4
from fmcts.history import history, load_history, parting, save
from fmcts.record import play_seats
from fmcts.search import principal_variation, walk
from fmcts.search.proposals import Proposals, Width
from fmcts.testing import generators
from toy_games import Earning, Throw, propose
from transcription import ucb1, uniform


class Node(transcription.Node):
    """A node with a generator of its own, from which its moves are proposed."""

    moves = ()  # not the listed ones

    def __init__(self, state, move=None, parent=None, rng=None, propose=None):
        super().__init__(state, move, parent)
        self.propose = propose or parent.propose
        self.rng = rng or parent.rng.child(2 * parent.moves.index(move) + 1)
        self.moves, self.made = [], 0
        if not state.over:
            self.proposed()

    def proposed(self):
        """Make the next proposal; its place among the moves, where equal ones are one."""
        move, _ = self.propose(self.state, self.rng.child(2 * self.made))
        self.made += 1
        if move not in self.moves:
            self.moves.append(move)
        return self.moves.index(move)


def by_power(c, alpha):
    """The rule of 2011: at visit t a node may have c * t**alpha moves, the next integer above."""
    return lambda visits, made: made < math.ceil(c * (visits + 1) ** alpha)


def by_steps(alpha):
    """The rule of 2013: another move whenever the integer part of n**alpha grows."""
    return lambda visits, _made: math.floor(visits**alpha) > math.floor((visits - 1) ** alpha)


def naive_search(state, rng, iterations, c, propose, rules, discount=1.0, *, least=False):  # noqa: PLR0913
    """Return the root after so many iterations, and the generator to use next.

    `rules` are two functions, for nodes where a player moves and where chance does: whether a node
    with these visits, for which so many proposals were made, gets another. `least`: else chance
    goes to the outcome with the least visits (2013), and not to one drawn by visits (2011).
    """

    def step(node, rng, score, _expand):
        nonlocal stream
        rolls, visited = bool(node.state.chances), sorted(node.children)
        if node.visits and rules[rolls](node.visits, node.made):
            index = node.proposed()
        elif len(node.children) < len(node.moves):
            index = next(it for it in range(len(node.moves)) if it not in node.children)
            if rolls:
                _, rng = rng.uniform(0, 0)
        elif rolls and least:
            index = min(visited, key=lambda at: node.children[at].visits)
            _, rng = rng.uniform(0, 0)
        elif rolls:  # in proportion to the visits
            urn = [at for at in visited for _ in range(node.children[at].visits)]
            drawn, rng = rng.uniform(0, len(urn) - 1)
            index = urn[drawn]
        else:
            index = max(visited, key=lambda index: score(node, index))
        stream = node.rng.child(2 * index + 1)
        return index, index not in node.children, rng

    def pick(line, state, rng):
        """Moves and outcomes that are not listed come from the stream of the last node."""
        nonlocal stream
        if state.moves:
            return uniform(line, state, rng)
        move, stream = (state.chances or partial(propose, state))(stream)
        return move, rng

    own, rng = rng.split()
    root, stream = Node(state, rng=own, propose=propose), own
    return transcription.search(
        root, rng, iterations, partial(ucb1, c=c), step=step, pick=pick, discount=discount
    )


def naive_rows(root):
    return [(node.move, tuple(node.moves), node.visits, node.reward) for _, node in root.all()]


def proposed(state, rng):
    """What `propose` gives or, where chance moves, an outcome by its weight."""
    if not state.chances:
        return propose(state, rng)
    if state.drawn:
        return state.chances(rng)
    drawn, rng = rng.uniform(0, sum(weight for _, weight in state.chances) - 1)
    return [face for face, weight in state.chances for _ in range(weight)][drawn], rng


def rows(tree):
    return [(node.move, node.moves, node.visits, node.reward) for node in walk(tree)]


throws = st.builds(
    Throw,
    long=st.integers(1, 4),
    count=st.integers(1, 3),
    kinds=st.sampled_from([1, 2, 5, 1000]),
    listed=st.booleans(),
)
SIZES = st.sampled_from([(1.0, 0.5), (2.0, 0.5), (3.0, 0.25), (0.5, 1.0), (1.0, 1.0), (4.0, 0.0)])


@given(throws, generators(), st.integers(1, 60), SIZES, st.sampled_from([0.5, 1.5]))
def test_progressive_widening_is_that_of_2011(state, rng, iterations, size, c):
    search = Search(iterations, c=c, proposals=Proposals(propose, Width(*size)))
    naive, after = naive_search(state, rng, iterations, c, propose, [by_power(*size)])
    analysis, left = analyse(state, rng, search)
    assert rows(analysis.tree) == naive_rows(naive)
    assert left == after


@given(throws, generators(), st.integers(1, 60), st.sampled_from([1.0, 0.5, 0.25, 0.2]))
def test_the_schedule_of_moves_is_that_of_2013(state, rng, iterations, alpha):
    search = Search(iterations, c=1, proposals=Proposals(propose, Width(1, alpha)))
    naive, _ = naive_search(state, rng, iterations, 1, propose, [by_steps(alpha)])
    analysis, _ = analyse(state, rng, search)
    assert rows(analysis.tree) == naive_rows(naive)


dice = st.builds(
    Throw, long=st.integers(2, 5), kinds=st.sampled_from([2, 1000]), dice=st.sampled_from([2, 50])
)
drawn = dice.map(lambda state: evolve(state, drawn=True))


@given(dice | drawn, generators(), st.integers(1, 60), SIZES, SIZES)
def test_double_progressive_widening_is_that_of_2011(state, rng, iterations, size, other):
    search = Search(
        iterations, c=1, proposals=Proposals(propose, Width(*size), outcomes=Width(*other))
    )
    sizes = [*map(by_power, *zip(size, other, strict=True))]
    naive, after = naive_search(state, rng, iterations, 1, proposed, sizes)
    analysis, left = analyse(state, rng, search)
    assert rows(analysis.tree) == naive_rows(naive)
    assert left == after


@given(dice | drawn, generators(), st.integers(1, 60), st.sampled_from([1.0, 0.5, 0.25, 0.2]))
def test_double_progressive_widening_is_that_of_2013(state, rng, iterations, alpha):
    proposals = Proposals(propose, outcomes=Width(1, alpha), revisits='least-visited')
    search = Search(iterations, c=1, proposals=proposals)
    rules = [by_steps(0.5), by_steps(alpha)]
    naive, after = naive_search(state, rng, iterations, 1, proposed, rules, least=True)
    for engine in PYTHON:
        analysis, left = analyse(state, rng, search, engine=engine)
        assert rows(analysis.tree) == naive_rows(naive)
        assert left == after


@given(
    st.builds(Earning, long=st.integers(1, 5), kinds=st.just(1000), dice=st.sampled_from([0, 50])),
    generators(),
    st.integers(1, 60),
    st.sampled_from([1.0, 0.5, 0.25]),
)
def test_rewards_on_the_way_are_those_of_the_naive_search(state, rng, iterations, discount):
    proposals = Proposals(propose, outcomes=Width())
    rule = by_power(1, 0.5)
    naive, _ = naive_search(state, rng, iterations, 1, proposed, [rule, rule], discount)
    search = Search(iterations, c=1, proposals=proposals, discount=discount)
    analysis, _ = analyse(state, rng, search)
    assert rows(analysis.tree) == naive_rows(naive)
    for options in ({'horizon': 2, 'c': 1}, {'normalised': True}):
        search = Search(iterations, proposals=proposals, discount=discount, **options)
        agree(state, rng, search)


@st.composite
def searches(draw):
    moves, outcomes = Width(*draw(SIZES)), draw(st.none() | SIZES)
    return Search(
        draw(st.integers(1, 60)),
        max_nodes=draw(st.none() | st.integers(2, 30)),
        proposals=Proposals(propose, moves, outcomes and Width(*outcomes)),
    )


@given(throws | dice, generators(), searches())
def test_all_engines_agree_to_the_bit(state, rng, search):
    agree(state, rng, search)


@given(throws | dice, generators(), searches(), st.integers(1, 59))
def test_a_search_in_two_parts_is_one(state, rng, search, first):
    whole, end = analyse(state, rng, search)
    first = min(first, whole.iterations)
    part, after = analyse(state, rng, evolve(search, iterations=first))
    for engine in PYTHON:
        if first < whole.iterations:
            rest = evolve(search, iterations=whole.iterations - first)
            again = analyse(state, after, rest, tree=part, engine=engine)
            assert again == (whole, end)
    assert pickle.loads(pickle.dumps(whole.tree)) == whole.tree  # noqa: S301 - our own bytes


@given(throws | dice, generators(), searches())
def test_every_version_of_a_history_is_the_shorter_search(state, rng, search):
    found = history(state, rng, search)
    for version in {1, max(1, found.last // 2), found.last}:
        shorter, _ = analyse(state, rng, evolve(search, iterations=version))
        assert found.at(version).tree == shorter.tree
        assert found.log.at(version)[0][0] == found.why(version).iteration == version
    assert found.leaders()[-1].move == found.move
    assert found.timeline()[-1].stats == found.at(found.last).stats


def test_a_history_is_saved_and_a_tree_is_not(tmp_path):
    search = Search(50, proposals=propose)
    found = history(Throw(), SplitMix.from_seed(1), search)
    save(tmp_path / 'history', found)
    assert load_history(tmp_path / 'history', Throw(), search).digest == found.digest
    with pytest.raises(ValueError, match='a tree whose moves were proposed cannot be saved'):
        save(tmp_path / 'tree', found.at(50))


def test_the_tree_below_a_move_has_its_own_generator():
    search = Search(200, proposals=propose)
    analysis, rng = analyse(Throw(), SplitMix.from_seed(1), search)
    below = reroot(analysis, analysis.move)
    again = analyse(below.state, rng, search, tree=below)
    other = analyse(below.state, SplitMix.from_seed(9), search, tree=below)
    assert again[0].tree == other[0].tree  # its playouts and proposals need no other generator
    assert again[0].tree.moves[: len(below.moves)] == below.moves
    assert reroot(analysis, 12_345).state.line == (12_345,)  # a move that was not proposed


def test_digests_tell_proposals_apart():
    one = Search(1, proposals=lambda _state, rng: (1, rng))
    two = Search(1, proposals=lambda _state, rng: (2, rng))
    found = [analyse(Throw(long=1, kinds=1), SplitMix.from_seed(1), it)[0] for it in (one, two)]
    assert found[0].stats[0].visits == found[1].stats[0].visits
    assert found[0].digest != found[1].digest


@frozen
class Halves:
    """X, then O, names a number from 0 to 1; the one with the greater `x * (1 - x)` wins."""

    line: tuple[float, ...] = ()
    moves = ()

    @property
    def player(self):
        return Player.O if len(self.line) % 2 else Player.X

    @property
    def over(self):
        return len(self.line) == 2

    @property
    def winner(self):
        if not self.over:
            return None
        one, two = (x * (1 - x) for x in self.line)
        return None if one == two else Player.X if one > two else Player.O

    def play(self, move):
        if not 0 <= move <= 1:
            raise IllegalMoveError(f'illegal move {move}: numbers from 0 to 1 are legal')
        return Halves((*self.line, move))

    def key(self, move):
        return round(1000 * move)


def number(_state, rng):
    drawn, rng = rng.uniform(0, 1000)
    return drawn / 1000, rng


@pytest.mark.parametrize('selection', ['ucb1', 'ucb-v', 'ucb1-tuned', 'implicit-minimax'])
@pytest.mark.parametrize('playout', ['uniform', 'mast'])
def test_columns_and_memories_go_with_proposals(selection, playout):
    search = Search(150, selection=selection, playout=playout, proposals=number)
    agree(Halves(), StdGen(1, 1), search)


def test_bots_play_where_moves_cannot_be_listed():
    bot = mcts(Search(300, proposals=number))
    record, _ = play_game(Halves(), bot, bot, SplitMix.from_seed(1))
    assert record.winner is Player.O
    assert abs(record.moves[0] - 0.5) < 0.2
    alone, _ = play_seats(Throw(count=1), [mcts(Search(50, proposals=propose))], StdGen(1, 1))
    assert alone.final.over


def test_what_a_search_of_listed_moves_proposes_is_legal():
    found, _ = analyse(
        connect4.start,
        SplitMix.from_seed(1),
        Search(200, proposals=lambda _state, rng: rng.uniform(2, 4)),
    )
    assert {row.move for row in found.stats} == {2, 3, 4}
    assert set(principal_variation(found.tree)) <= {2, 3, 4}


@pytest.mark.parametrize(
    ('state', 'search', 'error', 'line'),
    [
        (Halves(), Search(5), GameError, 'has no moves but is not over'),
        (Halves(), Search(5, proposals=lambda _s, _r: 1), MethodError, 'must return a move that'),
        (
            Halves(),
            Search(5, proposals=lambda _s, rng: (float('nan'), rng)),
            MethodError,
            'a move that equals itself and a generator',
        ),
        (
            Halves(),
            Search(5, proposals=lambda _s, rng: (2, rng)),
            IllegalMoveError,
            'the proposals <lambda> gave illegal move 2: numbers from 0 to 1',
        ),
        (
            connect4.start,
            Search(5, proposals=lambda _s, rng: (9, rng)),
            IllegalMoveError,
            'the proposals <lambda> gave illegal move 9: the legal moves are',
        ),
    ],
)
def test_mistakes_are_named(state, search, error, line):
    with pytest.raises(error, match=line):
        analyse(state, SplitMix.from_seed(1), search)


def test_what_cannot_be_is_refused():
    rng, search = SplitMix.from_seed(1), Search(5, proposals=number)
    with pytest.raises(EngineError, match='the engine compiled does not support proposals'):
        analyse(Halves(), rng, search, engine='compiled')
    with pytest.raises(ValueError, match='root_moves needs a state that lists its moves'):
        analyse(connect4.start, rng, search, root_moves=[3])
    with pytest.raises(ValueError, match='keeps proposed moves, the search listed moves'):
        analyse(Halves(), rng, Search(5), tree=analyse(Halves(), rng, search)[0])
    with pytest.raises(
        ValueError, match=r'must be Proposals, a Width or a function \(state, rng\)'
    ):
        Search(5, proposals=3)
    for engine in ('inplace', 'compiled'):
        with pytest.raises(MethodError, match='give a search a function, or Proposals of one'):
            analyse(connect4.start, rng, Search(5, proposals=Width()), engine=engine)
    with pytest.raises(ValueError, match='a number from 0 to 1 with at most two decimals'):
        Width(1, 0.123)
    with pytest.raises(ValueError, match='cannot merge trees whose moves were proposed apart'):
        parallel(search)
    for bot in (random_bot, monte_carlo(10)):
        with pytest.raises(GameError, match='cannot be listed, a search needs proposals'):
            bot(Halves(), rng)


def test_outcomes_that_are_not_listed_need_a_width():
    state, rng = Throw(long=4, dice=1000, drawn=True), SplitMix.from_seed(1)
    with pytest.raises(MethodError, match='outcomes of Throw are not listed: say how many'):
        analyse(state, rng, Search(9, proposals=propose))
    with pytest.raises(GameError, match='outcomes that it draws and does not list: say how many'):
        analyse(evolve(state, listed=True), rng, Search(9))
    search = Search(60, proposals=Proposals(propose, outcomes=Width()))
    agree(state, rng, search)
    record, _ = play_seats(state, [mcts(search), mcts(search)], rng)
    assert len(record.moves) == 4
    alone = Proposals(outcomes=Width())
    listed = analyse(evolve(state, kinds=3, listed=True), rng, Search(60, proposals=alone))[0]
    assert [row.move for row in listed.stats] == [0, 1, 2]


def test_histories_with_proposals_are_compared():
    state, rng = Throw(count=1), SplitMix.from_seed(1)

    def made(rng=rng, c=1, propose=propose):
        return history(state, rng, Search(120, c=c, proposals=propose))

    found = made()
    assert parting(found, made()) is None
    assert '0 chooses' in str(parting(found, made(SplitMix.from_seed(3))))
    other = parting(found, made(c=0.1))
    assert (other.what, other.term) == ('path', 'c * sqrt(log_visits / visits)')
    grown = found.between(10, 120)
    assert [change.visits for change in grown.moves][-1] == found.at(120).stats[-1].visits
    assert found.what_if(1, (1.0,)).history.last == 120
    rest = found.fork(60)
    assert rest.at(120).tree == found.at(120).tree
