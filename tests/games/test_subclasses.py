"""A subclass of a library game keeps its class and its overrides when it plays."""

import pytest
from attrs import fields, frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import IllegalMoveError
from fmcts.games import GAMES
from fmcts.notices import listening
from fmcts.search._tree import walk
from fmcts.testing import positions

CLASSES = {name: type(game.start) for name, game in GAMES.items()}


def plain(kind):
    """A subclass that says nothing more."""
    return type('Mine', (kind,), {})()


def with_a_field(kind):
    """A subclass with a field of its own, which is not its default."""

    @frozen
    class Mine(kind):
        note: str = ''

    return Mine(note='kept')


def without_a_default(kind):
    """A subclass with a field that must be given, by name."""

    @frozen(kw_only=True)
    class Mine(kind):
        note: str

    return Mine(note='kept')


@pytest.mark.parametrize('subclass', [plain, with_a_field, without_a_default])
@pytest.mark.parametrize('name', CLASSES)
@given(data=st.data())
def test_every_position_is_of_the_subclass(name, subclass, data):
    start = subclass(CLASSES[name])
    state = data.draw(positions(start))
    assert type(state) is type(start)
    assert getattr(state, 'note', None) == getattr(start, 'note', None)
    assert isinstance(state, CLASSES[name])


@pytest.mark.parametrize('name', CLASSES)
@given(data=st.data())
def test_positions_equal_the_base_class_s(name, data):
    state = data.draw(positions(CLASSES[name](), running=True))
    names = [field.name for field in fields(type(state))]
    mine = type('Mine', (type(state),), {})(*(getattr(state, name) for name in names))
    for move in state.moves:
        one, other = mine.play(move), state.play(move)
        assert all(getattr(one, name) == getattr(other, name) for name in names)
        assert type(other) is CLASSES[name]  # the game itself stays what it is
        assert one.moves == other.moves
    with pytest.raises(IllegalMoveError):
        mine.play(-1)


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'auto'])
@pytest.mark.parametrize('name', CLASSES)
def test_overrides_hold_after_the_first_move(name, engine):
    """Whoever would have won loses: the tree below the root must know it too."""
    kind = CLASSES[name]

    class Misere(kind):
        @property
        def winner(self):
            won = super().winner
            return won and won.other

    line = [Misere()]
    while moves := line[-1].moves:
        line.append(line[-1].play(moves[len(line) % len(moves)]))
    with listening([].append):
        analysis, _ = analyse(line[-3], SplitMix.from_seed(1), Search(60), engine=engine)
    ends = [node for node in walk(analysis.tree) if node.state.over]
    assert all(type(node.state) is Misere for node in walk(analysis.tree))
    for node in ends:
        won = kind.winner.fget(node.state)
        worth = 0.5 if won is None else float(won is not node.mover)
        assert node.reward == worth * node.visits
    assert ends
