"""A subclass of a library game keeps its class and its overrides when it plays."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts.errors import IllegalMoveError
from fmcts.games import GAMES
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
