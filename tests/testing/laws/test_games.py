"""`check_game`: its arguments, and which laws it checks."""

from itertools import count

import pytest

from fmcts import SplitMix
from fmcts.games import connect4
from fmcts.testing._laws import games
from fmcts.testing._laws.games import check_description, description_of, law_names
from games_told import (
    NAMES,
    NONE_GIVEN,
    RNG,
    SECOND,
    START,
    UNDECLARED,
    Plain,
    X,
    left_out,
    no_subclass,
)


def test_a_description_has_defaults():
    told = description_of(START)
    assert (told.start, told.rng, told.max_plies) == (START, RNG, 10_000)
    assert (told.text, told.symmetry, told.known, told.memos) == (None, None, (), frozenset())


def test_a_description_keeps_its_arguments():
    told = description_of(
        START,
        rng=SplitMix.from_seed(7),
        max_plies=9,
        text=(str, repr),
        symmetry=(len, abs),
        known=iter([([0, 1], X), ((2,), None)]),
        memos=iter(['one', 'two']),
    )
    assert (told.rng, told.max_plies, told.text) == (SplitMix.from_seed(7), 9, (str, repr))
    assert (told.symmetry, told.known) == ((len, abs), (((0, 1), X), ((2,), None)))
    assert told.memos == {'one', 'two'}


@pytest.mark.parametrize(
    ('given', 'words'),
    [
        (
            {'start': type(START)},
            'start must be a state, not the class TicTacToe: make an instance',
        ),
        ({'text': (str,)}, "text must be two functions, not (<class 'str'>,)"),
        (
            {'symmetry': (len, abs, max)},
            'symmetry must be two functions, not (<built-in function len>, <built-in func...',
        ),
        ({'text': (str, 7)}, "text must be two functions, not (<class 'str'>, 7)"),
        ({'symmetry': (1, 2, 3)}, 'symmetry must be two functions, not (1, 2, 3)'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
    ],
    ids=count(),
)
def test_wrong_arguments_are_refused(given, words):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared
        description_of(**{'start': START, **given})
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ('given', 'words'),
    [
        ({'positions': 0}, 'positions must be a whole number of at least 1, not 0'),
        ({'games': -1}, 'games must be a whole number of at least 0, not -1'),
        (
            {'without': ['none such']},
            f"there is no law 'none such': the laws are {', '.join(NAMES)}",
        ),
    ],
    ids=count(),
)
def test_wrong_numbers_and_names_are_refused(given, words):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared
        check_description(description_of(START), **given)
    assert str(raised.value) == words


# Which laws.


@pytest.fixture
def able(monkeypatch):
    """Another process can be asked."""
    monkeypatch.setattr(games, 'unable', lambda _told: None)


@pytest.mark.usefixtures('able')
def test_laws_that_do_not_apply_are_left_out():
    nothing = {**NONE_GIVEN, **no_subclass(type(connect4.start))}
    assert left_out(connect4.start) == nothing
    assert left_out(Plain()) == {**UNDECLARED, **NONE_GIVEN, **no_subclass(Plain)}
    pair = (str, str)
    given = {'text': pair, 'symmetry': pair, 'colours': pair, 'known': [((1,), None)]}
    for name, value in given.items():
        law = getattr(games, name.upper())
        others = {other: why for other, why in nothing.items() if other != law.name}
        assert left_out(connect4.start, **{name: value}) == others


@pytest.mark.usefixtures('able')
def test_excluded_laws_are_left_out():
    why = 'it was not asked for'
    unwanted = [games.PURE.name, games.TEXT.name]
    assert left_out(connect4.start, *unwanted) == {
        **NONE_GIVEN,
        **no_subclass(type(connect4.start)),
        **dict.fromkeys(unwanted, why),
    }


@pytest.mark.usefixtures('able')
def test_unpicklable_states_are_not_pickled():
    class Local(Plain):
        pass

    out = left_out(Local())
    assert out[games.PICKLING.name] == (
        f'{Local.__qualname__} is not a name in a module, which pickles need'
    )
    assert set(out) == {games.PICKLING.name, games.SUBCLASS.name, *UNDECLARED, *NONE_GIVEN}


class Parent(Plain):
    """It has a subclass."""


class Child(Parent):
    """It has none."""


class Final(Plain):
    """Classes below it are refused, but for the first."""

    count = 0

    def __init_subclass__(cls):
        Final.count += 1
        if Final.count > 1:
            raise TypeError('it is final')


class Last(Final):
    """The only one."""


def test_unimportable_subclasses_do_not_count():
    class Local(Child):
        pass

    assert left_out(Child()).items() >= {games.SUBCLASS.name: 'Child has no subclass'}.items()
    del Local


@pytest.mark.usefixtures('able')
def test_classes_without_subclasses_are_not_subclassed():
    assert left_out(Final())[games.SUBCLASS.name] == (
        'no subclass of Final can be made: that raised TypeError: it is final'
    )
    assert left_out(Parent(), memos=['seen'])[games.SUBCLASS.name] == (
        'what states remember would be taken over'
    )
    assert games.SUBCLASS.name not in left_out(Parent())


def test_the_reason_for_not_using_another_process_is_reported(monkeypatch):
    monkeypatch.setattr(games, 'unable', lambda told: f'not for {told.kind.__name__}')
    assert left_out(Plain())[SECOND] == 'not for Plain'


@pytest.mark.usefixtures('able')
def test_law_names_lists_the_checked_laws():
    out = left_out(connect4.start, games.PURE.name, text=(str, str))
    given = {'text': (str, str), 'positions': 3, 'games': 2, 'watch': print}
    names = law_names(connect4.start, without=[games.PURE.name], **given)
    assert names == tuple(name for name in NAMES if name not in out)
