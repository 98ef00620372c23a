"""The digest, parsed back by its description."""

import hashlib
import struct
from types import SimpleNamespace

import pytest
from hypothesis import given

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search._digest import digest, serialise
from fmcts.search._tree import MutableNode, children_by_move, freeze_in_place, plant
from fmcts.testing import generators, searches
from toy_games import small_positions


def read_back(data, state):
    """Rebuild the facts of every node by replaying moves: a reader made from the description."""
    assert data[:12] == b'fmcts-tree-1'
    offset = 12

    def node(state, mover):
        nonlocal offset
        index, by_o, moves, width, visits, reward = struct.unpack_from('<IBIIQd', data, offset)
        offset += 29
        if state is None:
            return None
        here = state if mover is None else state.play(state.moves[index])
        expected_mover = here.player.other if mover is None else state.player
        assert by_o == (expected_mover is Player.O)
        assert moves == len(here.moves)
        return here, visits, reward, [node(here, here.player) for _ in range(width)]

    tree = node(state, None)
    assert offset == len(data)
    return tree


@given(small_positions, generators(), searches())
def test_the_serialisation_can_be_parsed_back(state, rng, search):
    tree = analyse(state, rng, search)[0].tree

    def facts(node):
        return node.state, node.visits, node.reward, [facts(child) for child in node.children]

    assert read_back(serialise(tree), state) == facts(tree)
    expected = hashlib.blake2b(serialise(tree), digest_size=32).hexdigest()
    assert digest(tree) == expected


def base():
    return analyse(tictactoe.start, SplitMix.from_seed(1), Search(30))[0].tree


@pytest.mark.parametrize('field', ['mover', 'moves', 'visits', 'reward', 'places'])
def test_every_field_changes_the_digest(field):
    tree = base()
    other = {
        'mover': Player.X,
        'moves': (*tree.moves, 9),
        'visits': tree.visits + 1,
        'reward': tree.reward + 0.5,
        'places': (*tree.places[:-1], None),
    }
    draft = tree.mutable_copy(tree.places)
    setattr(draft, field, other[field])
    assert digest(freeze_in_place(draft)) != digest(base())


def test_indices_follow_the_order_of_the_moves():
    """A user's game may have its moves in any fixed order; the root's own index is 0."""
    moves = ('c', 'a', 'd', 'b')
    root = plant(tictactoe.start)

    def node(move, *children):
        state = SimpleNamespace(moves=moves)
        places = children_by_move(moves, children)
        return freeze_in_place(MutableNode(move, Player.X, state, moves, 1, 0.5, 0.5, places))

    for some in (('c',), ('a', 'b'), ('c', 'd', 'b'), moves):
        data = serialise(node(None, *(node(move) for move in some)))
        indices = [int.from_bytes(data[at : at + 4], 'little') for at in range(12, len(data), 29)]
        assert indices == [0, *map(moves.index, some)]
    assert serialise(root) == b'fmcts-tree-1' + struct.pack('<IBIIQd', 0, 1, 9, 0, 0, 0.0)
