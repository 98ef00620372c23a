"""The tiers of the tests: what `pytest`, `--fast`, `--wide` and `--all` run (CONTRIBUTING.md).

The slowest tests and cases are listed in `tests/wide.txt`; `--wide` and `.ci/run` include them. One
with the mark `exhaustive` completes a product, a campaign or a size of which others are
representatives; only `--all` includes it. Of the examples of hypothesis the default run draws a
quarter, `--wide` half and `--all` all.

    python -m pytest --wide -n auto --dist worksteal --junitxml=times.xml
    python tests/tiers.py times.xml > tests/wide.txt
"""

import pathlib
import sys
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from hypothesis import settings

EXHAUSTIVE = pytest.mark.exhaustive
SHARE = 0.17  # of the time of all tests of `--wide`: what the default run may take
ROOT = pathlib.Path(__file__).parent.parent

# What `pytest --fast` runs: files, folders, and single tests (`FILE::TEST`, all its cases, or one).
FAST = (ROOT / 'tests/fast.txt').read_text('utf-8').splitlines()

# What the default run leaves out: documents, tests, and single cases.
WIDE = frozenset((ROOT / 'tests/wide.txt').read_text('utf-8').splitlines())


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


def draw_fewer(tests, parts):
    """Let each of the functions with `@given` draw one part of its examples, at least one.

    Hypothesis has no public way to scale the numbers that tests set: it keeps a test's settings in
    this attribute, as does its own plugin for pytest.
    """
    for test in tests:
        stated = test._hypothesis_internal_use_settings
        fewer = settings(stated, max_examples=-(-stated.max_examples // parts))
        test._hypothesis_internal_use_settings = fewer


def listed(item, lines):
    """Return whether the lines have a test, all its cases, or the document it is."""
    names = {item.nodeid, item.nodeid.partition('[')[0], item.nodeid.partition('::')[0]}
    return not lines.isdisjoint(names)


class Marked:
    """Give the tests in `tests/wide.txt` the mark `wide`; as a plugin, also documents."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items):
        """Mark them before `-m` selects."""
        for item in items:
            if listed(item, WIDE):
                item.add_marker('wide')


class Tiers:
    """Deselect the tests with the given marks, and say so at the end; draw fewer examples.

    With a profile other than the usual one hypothesis draws as many as that says.
    """

    def __init__(self, *marks, parts):
        """Leave out tests with one of `marks`; draw one of so many `parts` of the examples."""
        self.marks = marks
        self.parts = parts
        self.left_out = 0

    def leaves_out(self, item):
        """Return whether a test has one of the marks."""
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
            given = [it for it in tests if hasattr(it, '_hypothesis_internal_use_settings')]
            draw_fewer(given, self.parts)

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
            more = '--wide runs more, --all' if 'wide' in self.marks else '--all runs'
            line = f'{self.left_out} long tests left out: {more} everything'
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


def slowest(path):
    """Return the lines of `tests/wide.txt`, from the times of a run with `--wide`.

    The slowest are listed until the rest takes `SHARE` of the time. Of each file at least one test
    stays, with the README and what `tests/fast.txt` lists.
    """
    kept = {*FAST, 'README.md'}
    times, left = {}, Counter()
    for case in ET.parse(path).iter('testcase'):
        *folders, last = case.get('classname').split('.')
        whole = last == 'md'
        file = '/'.join(folders) + '.md' if whole else '/'.join([*folders, last]) + '.py'
        if (ROOT / file).exists():  # else a doctest in the package
            times[file if whole else f'{file}::{case.get("name")}'] = float(case.get('time'))
    cases = Counter(name.partition('[')[0] for name in times)
    left.update(name.partition('::')[0] for name in times)
    over, found = (1 - SHARE) * sum(times.values()), []
    for name in sorted(times, key=times.__getitem__, reverse=True):
        test, file = name.partition('[')[0], name.partition('::')[0]
        if over <= 0 or (left[file] == 1 and file != name) or {name, test, file} & kept:
            continue
        found.append(name)
        left[file] -= 1
        over -= times[name]
    whole = Counter(name.partition('[')[0] for name in found)
    return sorted(
        {
            test if whole[test] == cases[test] else name
            for name in found
            for test in [name.partition('[')[0]]
        }
    )


if __name__ == '__main__':
    sys.stdout.write('\n'.join(slowest(sys.argv[1])) + '\n')
