"""Kinds of searches that between them have all that machine code is made for.

Each is machine code of its own, so that there are few, of one small game, and every test that looks
at all kinds takes these: what one has compiled, the others load.
"""

from attrs import evolve
from hypothesis import strategies as st

from drawn_searches import liking, payoff, worth
from fmcts import Search
from fmcts.rules import OnPositions
from fmcts.search.methods import GRAVE, PUCT, RAVE, ImplicitMinimax, UCB1Tuned, Widening
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
from maze import fewer_ways

FEWER = Narrowing(OnPositions(fewer_ways))
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
    'puct': Search(selection=PUCT(prior=OnPositions(liking)), solver=True, playout=NESTED),
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
    'solver': Search(solver=True, expansion='jump'),
    'evaluated': Search(evaluate=OnPositions(worth)),
    'rewarded': Search(reward=OnPositions(payoff)),
    'rave by ends': Search(selection=RAVE(), expansion='full'),
}

FORMS = 'ucb1', 'tuned', 'rave', 'grave', 'puct', 'minimax', 'widening'
"""Kinds whose arrays differ in form."""

NODES = st.none() | st.none() | st.integers(1, 60)
PLIES = st.just(1000) | st.just(1000) | st.integers(1, 9)

PLAIN = 'ucb1', 'evaluated', 'rewarded'
"""Kinds that continue each other's trees: wins and draws, or any rewards."""


@st.composite
def of_kinds(draw, kinds, *, new=True):
    """A search of one of the kinds, with numbers of its own."""
    shape = SHAPES[draw(st.sampled_from([kind for kind in kinds if new or kind != 'halving']))]
    drawn = {'iterations': draw(st.integers(1, 80)), 'max_nodes': draw(NODES)}
    drawn['max_plies'] = draw(PLIES)
    if shape.evaluate_after:
        drawn['evaluate_after'] = draw(st.integers(1, 6))
    return evolve(shape, **drawn)
