"""Draws from the process's global generators: Python's, and NumPy's if loaded."""

import random
import sys

import pytest

from fmcts.testing._laws.recording import moved_on, state_of_generators

PYTHONS = "the global generator of Python's module random"
NUMPYS = "NumPy's global generator"


class Legacy:
    """As `numpy.random`, whose state is asked for as a dictionary."""

    def __init__(self):
        self.drawn = 0

    def get_state(self, *, legacy):
        assert legacy is False
        return {'drawn': self.drawn}


@pytest.fixture
def numpy(monkeypatch):
    loaded = Legacy()
    monkeypatch.setitem(sys.modules, 'numpy.random', loaded)
    return loaded


@pytest.fixture
def bare(monkeypatch):
    """Without NumPy."""
    monkeypatch.delitem(sys.modules, 'numpy.random', raising=False)


@pytest.fixture(autouse=True)
def put_back():
    state = random.getstate()
    yield
    random.setstate(state)


@pytest.mark.usefixtures('bare')
def test_without_numpy_only_python_s_generator_is_watched():
    before = state_of_generators()
    assert list(before) == [PYTHONS]
    assert moved_on(before) is None
    random.seed(7)
    assert moved_on(before) == f'{PYTHONS} was drawn from or seeded'


@pytest.mark.parametrize(
    ('python', 'numpys', 'words'),
    [
        (False, False, None),
        (True, False, PYTHONS),
        (False, True, NUMPYS),
        (True, True, f'{PYTHONS} and {NUMPYS}'),
    ],
)
def test_each_changed_generator_is_named(python, numpys, words, numpy):
    before = state_of_generators()
    assert list(before) == [PYTHONS, NUMPYS]
    if python:
        random.seed(7)
    numpy.drawn += numpys
    assert moved_on(before) == (words and f'{words} was drawn from or seeded')


@pytest.mark.usefixtures('bare')
@pytest.mark.parametrize('seed', range(6))
def test_a_draw_is_reported_in_any_state(seed):
    random.seed(99)
    before = state_of_generators()
    random.seed(seed)
    assert moved_on(before) == f'{PYTHONS} was drawn from or seeded'


@pytest.mark.usefixtures('bare')
def test_a_library_loaded_since_is_not_reported(monkeypatch):
    before = state_of_generators()
    monkeypatch.setitem(sys.modules, 'numpy.random', Legacy())
    assert moved_on(before) is None
