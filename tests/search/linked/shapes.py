"""Kinds of searches that between them have all that machine code is made for.

Each is machine code of its own, so that there are few, of one small game, and every test that looks
at all kinds takes these: what one has compiled, the others load.
"""

from attrs import evolve
from hypothesis import strategies as st

from chained import agree
from drawn_games import PASSING, Maze, fewer_ways
from drawn_searches import liking, payoff, worth
from fmcts import Search
from fmcts.bits import popcount
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.games.tictactoe import TicTacToe
from fmcts.rules import OnPositions
from fmcts.search._digest import name_of, serialise
from fmcts.search.methods import GRAVE, RAVE, ImplicitMinimax, ReducedPUCT, UCB1Tuned, Widening
from fmcts.search.policies import (
    MAST,
    NST,
    AntiDecisive,
    LastGoodReply,
    Mixture,
    Narrowing,
    Uniform,
    epsilon,
)

# Seeds of mazes, none of them drawn, in which the functions below are wrong: so this is the machine
# code that there is anyway.
ILLEGAL, ABOVE, BELOW, HASHED, RAISING, DIVIDING, BEYOND = range(1_000_000, 1_000_007)
WORTHS = 1, 2, 3


def hashed(place):
    """What exceeds 64 bits."""
    return (place.room + 1) * 2654435761 * 2654435761 * 97 % 1000 / 1000


def narrowed(place, menu):
    if place.seed == ILLEGAL:  # a move more behind all that are legal; a pass stays alone
        return menu if menu == PASSING else menu + 1
    if place.seed == HASHED and hashed(place) > 1.0:
        return 0
    return fewer_ways(place, menu)


def valued(place):
    if place.seed == HASHED:
        return hashed(place)
    if place.seed == RAISING:
        raise KeyError(place.room)
    if place.seed == DIVIDING:
        return 0.5 / (place.seed - DIVIDING)
    if place.seed == BEYOND:
        return WORTHS[place.room] / 9
    return 1.5 if place.seed == ABOVE else worth(place)


def paid(place):
    if place.seed == HASHED:
        return hashed(place)
    return -0.5 if place.seed == BELOW else payoff(place)


FEWER = Narrowing(OnPositions(narrowed))
AMONG = Mixture((AntiDecisive(), FEWER, Uniform()), (0.25, 0.25, 0.5))
NESTED = Mixture((Uniform(), AMONG, epsilon(FEWER, 0.5)), (0.25, 0.5, 0.25))
REMEMBERING = Mixture(
    (MAST(0.25), NST(0.0, least=2), LastGoodReply(forgetting=True), FEWER), (0.25, 0.25, 0.25, 0.25)
)

SHAPES = {
    'ucb1': Search(),
    'tuned': Search(selection=UCB1Tuned(), expansion='random', solver=True, playout=MAST(0.25)),
    'rave': Search(selection=RAVE(), expansion='full', reward=OnPositions(payoff)),
    'grave': Search(selection=GRAVE(ref=3), playout=REMEMBERING, solver=True, bounds=True),
    'puct': Search(selection=ReducedPUCT(prior=OnPositions(liking)), solver=True, playout=NESTED),
    'minimax': Search(
        selection=ImplicitMinimax(heuristic=OnPositions(worth)),
        expansion='random',
        closing=True,
        evaluate=OnPositions(worth),
        evaluate_after=3,
        playout=LastGoodReply(),
    ),
    'widening': Search(selection=Widening(prior=OnPositions(liking)), evaluate=OnPositions(worth)),
    'halving': Search(schedule='halving'),
    'solver': Search(selection='bayes-uct1', solver=True, expansion='jump'),
    'evaluated': Search(evaluate=OnPositions(valued)),
    'rewarded': Search(selection='uct', reward=OnPositions(paid)),
    'rave by ends': Search(selection=RAVE(), expansion='full'),
    'joined': Search(rollout_expand=True),
    'joined by moves': Search(
        selection=RAVE(), expansion='jump', closing=True, playout=MAST(0.25), rollout_expand=True
    ),
    'graph': Search(transpositions='sound'),
    'graph in full': Search(transpositions='sound', expansion='full', reward=OnPositions(payoff)),
    'graph by priors': Search(
        transpositions='sound', selection=ReducedPUCT(prior=OnPositions(liking)), playout=FEWER
    ),
}


def heavy(position, menu):
    """Some moves of a set; wrong ones where the other side has fewer stones, as in no game."""
    more = popcount(position.mine) - popcount(position.theirs)
    if more > 0:
        return menu | menu << 9 if more == 1 else 0
    return menu & 0x0F0F_0F0F_0F0F_0F0F or menu


def steps(position):
    return 0.125 + (position.mine % 3) * 0.25


OF_SETS = Search(
    300, selection='rave-silver', playout=OnPositions(heavy), reward=OnPositions(steps)
)
"""Functions of positions of boards, whose menus are sets of bits."""

BESIDE, NONE = TicTacToe(o=0b11), TicTacToe(o=0b101011)
"""Where the policy then allows a move beside the set, and where none."""

FORMS = 'ucb1', 'tuned', 'rave', 'grave', 'puct', 'minimax', 'widening'
"""Kinds whose arrays differ in form."""

NODES = st.none() | st.none() | st.integers(1, 60)
PLIES = st.just(1000) | st.just(1000) | st.integers(1, 9)

PLAIN = 'ucb1', 'evaluated', 'rewarded'
"""Kinds that continue each other's trees: wins and draws, or any rewards."""


def equal(state, rng, search, other='inplace', **more):
    """Return what machine code finds, and the generator after it; another engine finds the same."""
    one, after = agree(state, rng, search, other, engine='compiled', **more)
    assert one.digest == name_of(serialise(one.tree))  # from the numbers, and from the nodes
    return one, after


def rule_with(number):
    """A rule that takes a number from a function; it is a parameter of its machine code."""

    def rule(edge, parent):
        bonus = where((edge.visits > 3) & (edge.value < 0.25), -0.25, parent.value)
        spread = sqrt(parent.log_visits / edge.visits)
        return minimum(edge.value, 0.75) - -bonus + maximum(spread, 0.01) * number()

    return rule


def in_order_if_wide(search, state):
    """The search, of mazes in order: by other expansions it would be other machine code."""
    return evolve(search, expansion=None) if type(state) is Maze else search


@st.composite
def of_kinds(draw, kinds, *, new=True):
    """A search of one of the kinds, with numbers of its own."""
    shape = SHAPES[draw(st.sampled_from([kind for kind in kinds if new or kind != 'halving']))]
    drawn = {'iterations': draw(st.integers(1, 80)), 'max_nodes': draw(NODES)}
    drawn['max_plies'] = draw(PLIES)
    if shape.evaluate_after:
        drawn['evaluate_after'] = draw(st.integers(1, 6))
    return evolve(shape, **drawn)
