"""Texts that identify bots and games by content: what changes them, and what has none."""

import enum
import functools
import importlib
import importlib.util
import json
import re
import sys
import types
from collections import namedtuple
from pathlib import Path

import pytest

from fmcts import Search, mcts, random_bot
from fmcts._content.described import content_of
from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import parse_bot
from fmcts.cli import main
from fmcts.games import GAMES, find_game, tictactoe
from fmcts.games._printing import Unwritten
from fmcts.games.families import FAMILIES
from fmcts.matches._description import contents_of
from played import small

# A bot of many parts. Each line below is replaced by another one, which changes what the bot does.
SOURCE = """
import enum, functools, math, operator
from dataclasses import dataclass
import attrs
from fmcts import Search, mcts, random_bot
import helping as helpers

C = 0.5
WEIGHTS = {'centre': 1.5, 'edge': [1, 2]}

class Kind(enum.Enum):
    LOW = 1
    def twice(self): return self.value * 2

class Base:
    power = 3
    def __init__(self, start): self.start = start
    def plus(self, x): return x + self.power
    @property
    def half(self): return self.start / 2
    @staticmethod
    def free(x): return x * 7
    @classmethod
    def made(cls): return cls(11)

class Other(Base):
    __slots__ = ('deep',)

@dataclass(frozen=True)
class Data:
    a: int = 13
    def value(self): return self.a

@attrs.frozen
class Field:
    b: int = 17
    def value(self): return self.b

OTHER = Other.made()
DATA, FIELD = Data(), Field()

def closing(c):
    def inner(x): return x * c
    return inner

CLOSED = closing(19)
PART = functools.partial(operator.add, 23)

@functools.lru_cache
def cached(x, y=29): return x + y

def recursive(n): return n and recursive(n - 31) + mutual(n)
def mutual(n): return recursive(n + 37)

def rule(edge, parent):
    total = rule.share
    total += sum(k for k in (41, 43)) + Kind.LOW.twice() + OTHER.plus(1) + OTHER.half
    try:
        total += Base.free(2) + Base.made().start + DATA.value() + FIELD.value() + CLOSED(3)
    except ValueError:
        total += 47
    total += PART(1) + cached(2) + recursive(0) + helpers.far(2) + WEIGHTS['centre']
    return edge.value + C * math.sqrt(total) if edge.visits in {53, 59} else (lambda: 61)()

rule.share = 79
bot = mcts(Search(iterations=67, selection=rule))
"""
HELPERS = """
DEEP = 71
def near(x): return x + DEEP
def far(x, *, y=73): return near(x) * y
"""
CHANGES = [
    *('C = 0.5', 'centre', '[1, 2]', 'LOW = 1', 'self.value * 2', 'power = 3', 'x + self.power'),
    *('self.start / 2', 'x * 7', 'cls(11)', 'int = 13', 'return self.a', 'int = 17'),
    *('return self.b', 'x * c', 'closing(19)', 'operator.add, 23', 'operator.add', 'y=29'),
    *('n - 31', 'n + 37', '(41, 43)', 'ValueError', '+= 47', '53', '(lambda: 61)', 'math.sqrt'),
    *(
        'iterations=67',
        'DEEP = 71',
        'share = 79',
        'x + DEEP',
        'y=73',
        "('deep',)",
        "WEIGHTS['centre']",
    ),
]
OTHERS = {
    'centre': 'center',
    'return self.a': 'return -self.a',
    'return self.b': 'return -self.b',
    'x * c': 'c * x',
    'operator.add': 'operator.sub',
    'ValueError': 'KeyError',
    'math.sqrt': 'math.exp',
    'x + DEEP': 'DEEP + x',
    'x + self.power': 'self.power + x',
    "('deep',)": "('deeper',)",
    "WEIGHTS['centre']": "WEIGHTS['edge'][0]",
}


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """Load the two modules with one piece of their text replaced; give the bot's text."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)  # files change faster than clocks tell

    def load(old='', new=''):
        for name, text in (('helping', HELPERS), ('mine', SOURCE)):
            (tmp_path / f'{name}.py').write_text(text.replace(old, new) if old else text)
            sys.modules.pop(name, None)
        assert old in SOURCE + HELPERS
        importlib.invalidate_caches()
        return content_of(importlib.import_module('mine').bot)

    yield load
    sys.modules.pop('helping', None)
    sys.modules.pop('mine', None)


def test_any_change_of_a_bot_changes_its_text(loaded):
    """Of constants, code, closures, defaults, classes, fields, helpers, modules and tables."""
    plain = loaded()
    assert plain.startswith('MctsBot(search=Search(iterations=67, selection=mine.rule@')
    assert loaded() == plain
    found = [plain]
    for old in CHANGES:
        new = OTHERS.get(old) or re.sub(r'\d+(?=\D*$)', lambda found: f'{int(found[0]) + 1}', old)
        text = loaded(old, new)
        assert isinstance(text, str)
        assert text not in found, (old, new)
        found.append(text)


def test_comments_positions_and_set_order_do_not_matter(loaded):
    plain = loaded()
    assert loaded('C = 0.5\n', '\n# a comment\n\nC = 0.5  # another\n') == plain
    assert loaded('{53, 59}', '{59, 53}') == plain


IN_A_PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
import mine
from fmcts._content.described import content_of
print(content_of(mine.bot))
"""


def test_texts_are_equal_in_every_process(run_python, tmp_path):
    """Whatever the seed of Python's hashes is."""
    (tmp_path / 'helping.py').write_text(HELPERS)
    (tmp_path / 'mine.py').write_text(SOURCE)
    texts = {
        run_python(
            '-c', IN_A_PROCESS, str(tmp_path), check=True, env={'PYTHONHASHSEED': seed}
        ).stdout
        for seed in ('0', '1', '2')
    }
    assert len(texts) == 1
    assert 'unknown' not in texts.pop()


@pytest.mark.parametrize('name', [*GAMES, *(family.example for family in FAMILIES.values())])
def test_library_games_are_known_by_name(name):
    game = find_game(name).unwrap()
    assert contents_of(small(), game)['game'] == name


@pytest.mark.parametrize('name', RECIPES)
def test_library_bots_are_written_as_values(name):
    """Without byte code, so that their texts are the same under every version of Python."""
    bot = parse_bot(name).unwrap()
    assert '@' not in content_of(bot)
    others = [content_of(parse_bot(other).unwrap()) for other in RECIPES if other != name]
    alike = {'mc', 'mehat-mc', 'perfect', 'alphabeta', 'rave', 'mehat-rave'}
    assert content_of(bot) not in others or name in alike


def test_values_are_written_as_their_repr():
    assert content_of(mcts(Search(50, c=0.25, solver=True))) == (
        'MctsBot(search=Search(iterations=50, c=0.25, solver=True))'
    )
    assert content_of(mcts(Search(50), engine='inplace')) == content_of(mcts(Search(50)))
    assert content_of(random_bot) == 'fmcts.bots._bot.random_bot'
    texts = [content_of(it) for it in (1, 1.0, True, '1', b'1', (1,), [1], {1}, {1: 1}, None, -0.0)]
    assert len(set(texts)) == len(texts)
    assert content_of([1, 2]) != content_of([2, 1])
    assert content_of({1, 2, 300}) == content_of({300, 2, 1})
    assert content_of(mcts(Search(c=0.0))) != content_of(mcts(Search(c=-0.0)))
    assert content_of(range(3)) != content_of(range(4))
    assert len(content_of('x' * 10_000)) < 100
    assert content_of('x' * 10_000) != content_of('x' * 10_001)


def test_recursive_values():
    one, two = [1], [1]
    one.append(one)
    two.append([two])
    assert content_of(one) == '[1, #0]'
    assert content_of(one) != content_of(two)


def locked():
    return LOCK


def empty():
    if not empty:
        later = 1
    return lambda: later


LOCK = open(__file__)  # noqa: PTH123, SIM115 - as an example of what cannot be written
LOCK.close()


@pytest.mark.parametrize(
    ('value', 'why'),
    [
        (locked, 'LOCK of locked is a value of type TextIOWrapper'),
        (empty(), 'later, which has no value yet'),
        (functools.partial(locked), 'LOCK of locked is'),
        (importlib, None),
        (sys.modules[__name__], 'a value of type module'),
        ((it for it in ()), 'a value of type generator'),
    ],
    ids=['file', 'empty', 'partial', 'module', 'own module', 'generator'],
)
def test_values_without_a_text_say_why(value, why):
    """It is not made up: an open file, a module of one's own, a generator."""
    found = content_of(value)
    if why is None:
        assert isinstance(found, str)
    else:
        assert why in found['unknown']


def function(source, **names):
    """The function that `source` defines, where `names` stand for globals."""
    exec(source, names)  # noqa: S102 - our own source
    return names['f']


def one(x):
    return x + 1


def two(x):
    return x + 2


def module(member):
    made = types.ModuleType('numpy.somewhere')  # which is what it says only where it is imported
    made.member = member
    return made


def kind(base):
    return base('Kind', {'A': 1, 'B': 2})


def fields(**defaults):
    return namedtuple('Point', 'x y', defaults=[*defaults.values()])  # noqa: PYI024


CAUGHT = """
def f(x):
    try: a = g(x)
    except ValueError: return 0
    else: b = g(x)
    return a + b
"""
CAUGHT_LATER = """
def f(x):
    try: a = g(x); b = g(x)
    except ValueError: return 0
    return a + b
"""

APART = {
    'where a text ends': (('a', 'bstr c'), ('astr b', 'c')),
    'a number and its text': (1, '0x1'),
    'nothing and its text': (None, 'None'),
    'what is true and its text': (True, 'True'),
    'a number and what is true': (1, True),
    'bytes and text': (b'ab', '6162'),
    'a constant and its text': (lambda: None, lambda: 'None'),
    'where a tuple ends': (((1, 2), 3), ((1,), 2, 3)),
    'where errors are caught': (function(CAUGHT, g=one), function(CAUGHT_LATER, g=one)),
    'arguments by name': (function('def f(*x): return x'), function('def f(**x): return x')),
    'names of arguments': (function('def f(a): return a'), function('def f(b): return b')),
    'arguments by place': (function('def f(a, /): return a'), function('def f(a): return a')),
    'what is an argument': (function('def f(a): return; b = 1'), function('def f(a, b): return')),
    'what is one by name': (function('def f(): return; b = 1'), function('def f(*, b): return')),
    'the function of a property': (functools.cached_property(one), functools.cached_property(two)),
    'a generator': (lambda: (yield), lambda: None),
    'which is called again': ((one, two, one), (one, two, two)),
    'which function is called again': (
        function('def f(x): return a(x) + b(x) + c(x)', a=one, b=two, c=one),
        function('def f(x): return a(x) + b(x) + c(x)', a=one, b=two, c=two),
    ),
    'what members of an enumeration are': (kind(enum.Enum).B, kind(enum.IntEnum).B),
    'what an enumeration is': (kind(enum.IntEnum), kind(enum.IntFlag)),
    'defaults of fields': (fields(), fields(y=1)),
    'values of defaults of fields': (fields(y=1), fields(y=2)),
    'the class of a named tuple': (fields(y=1)(1, 2), fields(y=2)(1, 2)),
    'constants within': (lambda: lambda: 1, lambda: lambda: 2),
    'a global within': (
        function('def f(): return lambda: a', a=1),
        function('def f(): return lambda: a', a=2),
    ),
    'a member of a module by its name': (
        function("def f(x): return getattr(a, 'member')(x)", a=module(one)),
        function("def f(x): return getattr(a, 'member')(x)", a=module(two)),
    ),
}  # fmt: skip


@pytest.mark.parametrize('pair', APART)
def test_functions_that_refer_to_other_things_have_other_texts(pair):
    def text(value):
        return content_of(lambda: value)

    first, second = APART[pair]
    assert text(first) == text(first) != text(second)
    assert isinstance(text(first), str)


def test_values_nested_too_deeply_have_no_text():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert 'too deep' in content_of(deep)['unknown']


def test_a_user_s_game_is_known_by_its_content():
    """Its moves and states belong to what a match is."""
    game = Unwritten('mine:start', tictactoe.start)
    one = contents_of(small(), game)['game']
    assert 'TicTacToe()' in one
    other = Unwritten('mine:start', tictactoe.start.play(4))
    assert contents_of(small(), other)['game'] != one


# ---- in files ----

RULES = """
import random_lock
from fmcts import Search, mcts
C = {c}
def bayes(edge, parent):
    return edge.value + C / edge.visits
bot = mcts(Search(20, selection=bayes))
def keen(state, rng):
    return state.moves[0], rng.child({c})
def locked(state, rng):
    return state.moves[random_lock.LOCK.locked()], rng
"""


@pytest.fixture
def rules(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / 'random_lock.py').write_text('import threading\nLOCK = threading.Lock()\n')

    def write(**values):
        (tmp_path / 'rules.py').write_text(RULES.format(**values))
        sys.modules.pop('rules', None)
        importlib.invalidate_caches()
        Path(importlib.util.cache_from_source('rules.py')).unlink(missing_ok=True)

    yield write
    sys.modules.pop('rules', None)
    sys.modules.pop('random_lock', None)


@pytest.mark.parametrize('bot', ['rules:bot', 'rules:keen'])
def test_a_changed_bot_prevents_resuming(bot, rules, tmp_path, capsys):
    words = ['match', 'tictactoe', bot, 'random', '--games', '6', '--out', 'games.jsonl']
    rules(c=1)
    assert main(words) == 0
    path = tmp_path / 'games.jsonl'
    whole = path.read_bytes()
    part = whole[: whole.index(b'\n', len(whole) // 2) + 1]
    path.write_bytes(part)
    capsys.readouterr()

    rules(c=2)
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith(f'fmcts: games.jsonl: the first bot {bot} has changed: it was ')
    assert told.endswith('; give another file; nothing was written\n')
    assert told.count('\n') == 1
    assert path.read_bytes() == part
    assert main([*words[:2], 'random', bot, *words[4:]]) == 2
    assert "another match, with first '" in capsys.readouterr().err
    if bot == 'rules:keen':  # of which every game differs
        path.write_bytes(whole)
        assert main(['verify', 'games.jsonl']) == 1
        assert capsys.readouterr().err.endswith(f' ({bot} or Python changed since)\n')
        path.write_bytes(part)

    rules(c=1)
    assert main([*words, '--engine', 'inplace']) == 0
    assert path.read_bytes() == whole
    assert main(['verify', 'games.jsonl']) == 0


def test_a_bot_without_a_text_prevents_resuming(rules, tmp_path, capsys):
    """That is said before the first game."""
    rules(c=1)
    words = ['match', 'tictactoe', 'rules:locked', 'random', '--games', '6', '--out', 'games.jsonl']
    assert main(words) == 0
    told = capsys.readouterr().err
    assert told.startswith('fmcts: games.jsonl: cannot be resumed if interrupted: rules:locked ')
    path = tmp_path / 'games.jsonl'
    content = path.read_bytes()
    head = json.loads(content.split(b'\n')[0])
    assert head['contents']['first'].keys() == {'unknown'}
    assert main(['verify', 'games.jsonl']) == 0
    capsys.readouterr()
    path.write_bytes(content[: content.index(b'\n', 4000) + 1] if len(content) > 4000 else content)
    before = path.read_bytes()
    assert main(words) == 2
    assert 'it is not known whether the first bot rules:locked has changed' in (
        capsys.readouterr().err
    )
    assert path.read_bytes() == before


WITHOUT_NUMBA = """
import sys
sys.modules['numba'] = sys.modules['numpy'] = None
from fmcts._content.described import content_of
from fmcts.bots._spec import parse_bot
print(content_of(parse_bot('mcts:30').unwrap()))
"""


def test_numba_is_not_needed(run_python):
    done = run_python('-c', WITHOUT_NUMBA, check=True)
    assert done.stdout == 'MctsBot(search=Search(iterations=30))\n'
