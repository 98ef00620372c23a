"""Set up all tests: signals, skips for missing libraries, and the profiles of hypothesis."""

import gc
import importlib.util
import math
import pathlib
import signal
import subprocess
import sys

import pytest
from hypothesis import Phase, settings
from hypothesis.internal.conjecture import engine as conjecture

from fmcts import _linked as linked
from fmcts._running import automatic
from tiers import Fast, Marked, Tiers

# No test judges by the clock: machines differ, and one that is busy would fail it. Examples are
# drawn anew in every run; `--hypothesis-profile=thorough` draws ten times as many.
settings.register_profile('fmcts', deadline=None)
settings.register_profile('thorough', deadline=None, max_examples=1000)
settings.load_profile('fmcts')

# For the mutation check (docs/mutation.md), which runs the tests a thousand times: few examples,
# always the same ones, and no shrinking, since it is enough to know that a test fails.
settings.register_profile(
    'mutation',
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
)

# For faults.py, which plants faults that a test is known to find: as many examples as usual.
settings.register_profile(
    'faults',
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
)

# A failing test is made smaller for so many seconds (usually 300, also where each try is slow).
conjecture.MAX_SHRINKING_SECONDS = 30


NUMBA = linked.compiles()
NO_NUMBA = 'numba is missing here: it comes with the extra fmcts[fast], where there is one'
ROOT = pathlib.Path(__file__).parent.parent
OF_THE_ENGINE = (
    ROOT / 'fmcts/_linked',
    ROOT / 'tests/search/linked',
)
MARK_IN_TEXT = '<!-- needs numba -->'  # at the head of a document whose examples compile

# What else needs a library, by file: which, and the extra that brings it.
NEEDED = {
    'fmcts/interop/openspiel.py': (['pyspiel'], 'interop'),
    'fmcts/interop/pythonchess.py': (['chess'], 'interop'),
    'fmcts/interop/pettingzoo.py': (['pettingzoo'], 'interop'),
    'fmcts/interop/pgx.py': (['pgx'], 'pgx'),
    'tests/interop/test_pgx.py': (['pgx'], 'pgx'),
    'tests/interop/test_other_laws.py': (['pyspiel', 'chess', 'pettingzoo'], 'interop'),
    'docs/interop.md': (['pyspiel', 'chess', 'pettingzoo'], 'interop'),
    'tests/interop/test_openspiel.py': (['pyspiel'], 'interop'),
    'tests/interop/test_pythonchess.py': (['chess'], 'interop'),
    'tests/interop/test_pettingzoo.py': (['pettingzoo'], 'interop'),
    'tests/benchmarks/test_pages_of_studies.py': (['matplotlib', 'scipy', 'jinja2'], 'bench'),
    'tests/benchmarks/test_studies_of_texts.py': (['pyrsistent', 'matplotlib', 'jinja2'], 'bench'),
    'tests/cli/test_keeping.py': (['portalocker', 'scipy'], 'matches'),
    'tests/cli/test_papers.py': (['tabulate'], 'matches'),
    'tests/matches/test_ratings.py': (['scipy'], 'matches'),
    'docs/matches.md': (['scipy', 'tabulate'], 'matches'),
    'docs/pictures.md': (['matplotlib'], 'plot'),
    'fmcts/view/_charts.py': (['matplotlib'], 'plot'),
    'tests/view/test_charts.py': (['matplotlib'], 'plot'),
    'tests/view/test_pictures.py': (['matplotlib'], 'plot'),
    'tests/matches/test_plots.py': (['matplotlib'], 'plot'),
    'tests/matches/test_executors.py': (['distributed'], 'all'),
    'tests/matches/test_tournaments.py': (['scipy', 'matplotlib'], 'all'),
}
MISSING = {
    ROOT / file: f'{", ".join(names)} missing here: in the extra fmcts[{extra}]'
    for file, (libraries, extra) in NEEDED.items()
    if (names := [name for name in libraries if not importlib.util.find_spec(name)])
}


def pytest_addoption(parser):
    """Add the options `--fast`, `--wide` and `--all`."""
    parser.addoption('--fast', action='store_true', help='only the tests in tests/fast.txt')
    parser.addoption('--wide', action='store_true', help='also the tests in tests/wide.txt')
    parser.addoption('--all', action='store_true', help='all tests')


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Disable garbage collection while tests are collected.

    Nearly all objects made then stay alive, and scanning them again and again took a fifth of the
    time to collect eight thousand tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(scope='module', autouse=True)
def _what_is_there_stays():
    """Freeze the objects that exist when a module starts, so that the collector skips them.

    Otherwise each collection that a test requests would scan all of numba's objects, which takes
    seconds. (PyPy has neither numba nor `gc.freeze`.)
    """
    if hasattr(gc, 'freeze'):
        gc.freeze()


@pytest.fixture(scope='module', autouse=True)
def linking():
    """Stop `auto` from linking in tests; yield the seconds after which it usually does.

    Otherwise the cost and the coverage of a test would depend on the tests that ran before in the
    same process. Tests of machine code name the engine; tests of this number restore it.
    """
    with pytest.MonkeyPatch.context() as patch:
        usual = automatic.PAYS
        patch.setattr(automatic, 'PAYS', math.inf)
        yield usual


@pytest.fixture(scope='session')
def run_python():
    """`run_python(*words, check=False, **options)`: run Python; return the process, ended."""

    def run(*words, check=False, **options):
        command = [sys.executable, *words]
        return subprocess.run(command, capture_output=True, text=True, check=check, **options)

    return run


class WithoutNumba:
    """Skip tests that need numba, with the reason; as a plugin, it also covers documents."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        """Skip the modules of the compiled engine and its tests, which cannot be imported."""
        path = collector.path
        if isinstance(collector, pytest.Module) and any(
            each in (path, *path.parents) for each in OF_THE_ENGINE
        ):
            collector.collect = lambda: pytest.skip(NO_NUMBA, allow_module_level=True)
        return (yield)

    def pytest_collection_modifyitems(self, items):
        """Skip marked tests, those of the engine `compiled`, and documents with the mark."""
        for item in items:
            given = getattr(getattr(item, 'callspec', None), 'params', {})
            if (
                item.get_closest_marker('needs_numba')
                or 'compiled' in (given.get('engine'), given.get('other'))
                or (item.path.suffix == '.md' and MARK_IN_TEXT in item.path.read_text('utf-8'))
            ):
                item.add_marker(pytest.mark.skip(reason=NO_NUMBA))


class WithoutOtherLibraries:
    """Skip files that need a missing library, with its name."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        """Modules that cannot even be imported among them."""
        why = MISSING.get(collector.path)
        if why and isinstance(collector, pytest.File):
            collector.collect = lambda: pytest.skip(why, allow_module_level=True)
        return (yield)


class OnlyExamples:
    """Look for doctests only where there is a prompt; as a plugin, it also covers the package.

    Searching a module for doctests imports it and reads all its docstrings. Modules next to the
    tests would be imported once more, under another name.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        """Leave out modules without a prompt."""
        found = yield
        if file_path.suffix == '.py' and '>>> ' not in file_path.read_text('utf-8'):
            return [it for it in found if type(it) is pytest.Module]
        return found


def pytest_configure(config):
    """Register the plugins; and let child processes be interrupted (below)."""
    config.pluginmanager.register(OnlyExamples())
    if not NUMBA:
        config.pluginmanager.register(WithoutNumba())
    if MISSING:
        config.pluginmanager.register(WithoutOtherLibraries())
    if config.getoption('--fast'):
        config.pluginmanager.register(Fast())
    if not config.getoption('--all'):
        if config.getoption('--wide') or config.getoption('--fast'):
            config.pluginmanager.register(Tiers('exhaustive', parts=2))
        else:
            config.pluginmanager.register(Tiers('exhaustive', 'wide', parts=4))
    config.pluginmanager.register(Marked())
    _heed_interrupts()


def _heed_interrupts():
    """Let child processes be interrupted, also when the tests themselves run in the background.

    A shell starts background jobs with SIGINT ignored, and that is inherited; a handler is not.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ('SIGHUP', 'SIGQUIT'):  # what `nohup` and shells have ignored as well
        number = getattr(signal, name, None)  # Windows has neither
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)
