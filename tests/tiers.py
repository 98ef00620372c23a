"""The tiers of the tests: what `pytest`, `--fast`, `--wide` and `--all` run (CONTRIBUTING.md).

A test or a single case with the mark `wide` takes long and covers little that quicker ones do not;
`--wide` includes it, and `.ci/run`. One with the mark `exhaustive` completes a product, a campaign
or a size of which others are representatives; only `--all` includes it. All but `--all` draw half
of the examples of hypothesis.
"""

import pathlib

import pytest
from hypothesis import settings

EXHAUSTIVE = pytest.mark.exhaustive
WIDE_TEXT = '<!-- wide -->'  # in a document whose examples take long
ROOT = pathlib.Path(__file__).parent.parent

# What `pytest --fast` runs: files, folders, and single tests (`FILE::TEST`, all its cases, or one).
FAST = (ROOT / 'tests/fast.txt').read_text('utf-8').splitlines()


def usually(kept, cases):
    """Return the cases as parameters; all but the `kept` ones have the mark `exhaustive`.

    `kept` are cases, or a function that says of a case whether it is kept.
    """
    keeps = kept if callable(kept) else list(kept).__contains__
    return [case if keeps(case) else exhaustive(case) for case in cases]


def exhaustive(case):
    """Return a case as a parameter with the mark; a tuple is a case of several parameters."""
    values = case if type(case) is tuple else (case,)
    return pytest.param(*values, marks=EXHAUSTIVE)


def in_turns(ones, others):
    """Return the product as parameters; of each of the ones a case is kept, the others in turn."""
    others = list(others)
    return [
        case if number % len(others) == index else exhaustive(case)
        for number, one in enumerate(ones)
        for index, case in enumerate((one, other) for other in others)
    ]


def is_interpreted(engine):
    """Return whether an engine needs no machine code, which takes time to link."""
    return engine != 'compiled'


def draw_half(tests):
    """Let each of the functions with `@given` draw half of its examples, at least one.

    Hypothesis has no public way to scale the numbers that tests set: it keeps a test's settings in
    this attribute, as does its own plugin for pytest.
    """
    for test in tests:
        stated = test._hypothesis_internal_use_settings
        half = settings(stated, max_examples=-(-stated.max_examples // 2))
        test._hypothesis_internal_use_settings = half


class Tiers:
    """Deselect the tests with the given marks, and say so at the end; draw half of the examples.

    With a profile other than the usual one hypothesis draws as many as that says.
    """

    def __init__(self, *marks):
        """Leave out tests with one of `marks`."""
        self.marks = marks
        self.left_out = 0

    def leaves_out(self, item):
        """Return whether a test has one of the marks; a document has `wide` as a comment."""
        if item.path.suffix == '.md' and WIDE_TEXT in item.path.read_text('utf-8'):
            item.add_marker('wide')
        return any(item.get_closest_marker(mark) for mark in self.marks)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        """Deselect what has the mark."""
        left_out = [item for item in items if self.leaves_out(item)]
        self.left_out = len(left_out)
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not self.leaves_out(item)]
        if settings.get_current_profile_name() == 'fmcts':
            tests = {getattr(item, 'function', None) for item in items}
            draw_half(it for it in tests if hasattr(it, '_hypothesis_internal_use_settings'))

    def pytest_sessionfinish(self, session):
        """Tell the number to the process that prints, if this is a worker."""
        if hasattr(session.config, 'workeroutput'):
            session.config.workeroutput['left_out'] = self.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """Take the number of a worker; all workers have the same."""
        self.left_out = getattr(node, 'workeroutput', {}).get('left_out', self.left_out)

    def pytest_terminal_summary(self, terminalreporter):
        """Print one line."""
        if self.left_out:
            line = f'{self.left_out} long tests left out: --wide runs more, --all everything'
            terminalreporter.write_line(line)


class Fast:
    """Ignore what `tests/fast.txt` does not list; as a plugin, it also covers documents."""

    places = frozenset(ROOT / line.split('::')[0] for line in FAST)
    whole = frozenset(ROOT / line for line in FAST if '::' not in line)
    tests = frozenset(line for line in FAST if '::' in line)

    def pytest_ignore_collect(self, collection_path):
        """Ignore a path that is neither listed nor around a listed path."""
        within = not self.places.isdisjoint((collection_path, *collection_path.parents))
        around = any(collection_path in place.parents for place in self.places)
        return None if within or around else True

    def pytest_collection_modifyitems(self, config, items):
        """Deselect the other tests of a file of which single tests are listed."""
        left_out = [item for item in items if not self.lists(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if self.lists(item)]

    @classmethod
    def lists(cls, item):
        """Return whether the list has a test, its file or a folder around it."""
        names = {item.nodeid, item.nodeid.partition('[')[0]}
        places = {item.path, *item.path.parents}
        return not (cls.tests.isdisjoint(names) and cls.whole.isdisjoint(places))
