"""Selection by a score: what a score is told, what is chosen, and that generated choosers agree."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from fmcts import Player
from fmcts._engines import choosers, selection
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.search._columns import Columns
from fmcts.search.memory import Remembered
from fmcts.search.methods import METHODS, Rule
from fmcts.search.resolution import CLOSING, SOLVER


def divides(edge, parent):
    return edge.reward / (edge.visits - 2.0) + sqrt(parent.visits - 9.0)


def excludes_some(edge, _parent):
    return where(edge.visits == 3.0, -math.inf, edge.value)


def is_not_a_number(edge, parent):
    return (edge.value - edge.value) * parent.value / 0.0


def integers(edge, parent):
    return 2 * edge.visits * edge.visits - 3 * parent.visits


def adds_the_total(edge, parent):
    return edge.value + parent.total  # 0, as a rule has no `summed`


RULES = [divides, excludes_some, integers, is_not_a_number, adds_the_total]
METHODS_OF_ALL_KINDS = [*(kind() for kind in METHODS.values()), *map(Rule, RULES)]

NUMBERS = (0.0, 0.25, 0.5, 1.0, 3.0)
MANY = 2**60 + 1  # more visits than a float can count
BYTES = st.binary(min_size=200, max_size=200)  # more than any node takes


def node_of(drawn, names, resolution, complete):
    """Return a node as choosers see it: some children have no visits, some moves may lack a child.

    Each choice takes one of the bytes `drawn`, as draws of hypothesis take far longer.
    """
    drawn = iter(drawn)

    def choose(among):
        return among[next(drawn) % len(among)]

    moves = range(choose(range(1, 10)))
    own_names = (*names.own, *([resolution.column] if resolution else ()))
    kept = names._replace(own=own_names)

    def child(move):
        visits = choose((*range(6), *(MANY,) * 6))
        reward = choose(range(1 + 2 * min(visits, 10))) / 2.0
        own = tuple(choose((*NUMBERS, *(-1.0,) * 5)) for _ in own_names)
        value = reward / visits if visits else 0.0
        columns = Columns(kept, own, ())
        return SimpleNamespace(
            move=move, visits=visits, reward=reward, value=value, columns=columns
        )

    places = [child(move) if complete or choose(range(4)) else None for move in moves]
    rows = tuple(tuple(choose(NUMBERS) for _ in moves) for _ in names.moves)
    entries = {
        (player, move): tuple(choose(NUMBERS) for _ in names.table)
        for player in Player
        for move in moves
        if names.table and choose((False, True))
    }
    table = Remembered('table', entries) if names.table else None
    visits = choose(range(51))
    return SimpleNamespace(
        moves=moves,
        places=places,
        visits=visits,
        reward=visits / 4.0,
        losses=0,
        mover=choose([*Player]),
        state=SimpleNamespace(player=choose([*Player])),
        columns=Columns(names, None, rows, (), table),
    )


def outcome_of(choose, node, reference):
    try:
        return choose(node, node.places, 1.5, reference)
    except MethodError as error:
        return str(error)


def choosers_of(method):
    """Return the two choosers of each variant: the loop over the scores, and the generated one."""
    for resolution in (None, SOLVER, CLOSING):
        assert choosers.scoring_of(method, resolution) is not None
        for kind in ('skipped', 'scored' if method.scores_unvisited else 'absent'):
            generated = selection.chooser_of(method, resolution, untried=kind != 'skipped')
            yield resolution, kind, selection._by_score(method, resolution, kind), generated


@pytest.mark.parametrize(
    'method', METHODS_OF_ALL_KINDS, ids=lambda method: selection.name_of(method).split()[-1]
)
def test_a_generated_chooser_equals_scoring_each_move(method):
    variants = [*choosers_of(method)]

    @given(BYTES, st.booleans())
    def each_variant_agrees(drawn, refers):
        for resolution, kind, expected, generated in variants:
            node = node_of(drawn, method.names, resolution, kind == 'absent')
            reference = node if method.names.table and refers else None
            assert outcome_of(generated, node, reference) == outcome_of(expected, node, reference)

    each_variant_agrees()


def test_a_score_with_branches_is_not_generated():
    rule = Rule(lambda edge, _parent: edge.value if edge.visits > 2.0 else 0.5)
    assert choosers.scoring_of(rule, None) is None


def test_constants_share_the_generated_source():
    before = choosers._maker.cache_info().misses
    for constant in (0.25, 0.5, 0.75):
        rule = Rule(lambda edge, parent, c=constant: edge.value * c + parent.log_visits - c)
        selection.chooser_of(rule)
    assert choosers._maker.cache_info().misses - before <= 1
