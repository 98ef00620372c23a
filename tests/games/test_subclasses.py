"""A subclass of a library game keeps its class and its overrides when it plays."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import IllegalMoveError
from fmcts.games import GAMES
from fmcts.notices import listening
from fmcts.search._tree import walk
from fmcts.testing import positions

CLASSES = {name: type(game.start) for name, game in GAMES.items()}


@pytest.mark.parametrize('name', CLASSES)
@given(data=st.data())
def test_every_position_is_of_the_subclass(name, data):
    """With a field of its own, which must be given by name; the game itself stays what it is."""

    @frozen(kw_only=True)
    class Mine(CLASSES[name]):
        note: str

    start = Mine(note='kept')
    state = data.draw(positions(start, running=True))
    assert (type(state), state.note) == (Mine, 'kept')
    assert {type(state.play(move)) for move in state.moves} == {Mine}
    with pytest.raises(IllegalMoveError):
        state.play(-1)


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
