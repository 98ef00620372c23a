"""The list of planted faults: each can be planted, and the tests it names exist."""

import json
import pathlib
import tomllib
from collections import Counter
from itertools import chain

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LIST = ROOT / 'benchmarks/mutation/faults.toml'

if not LIST.is_file():
    pytest.skip('benchmarks/mutation is not part of this copy', allow_module_level=True)

FAULTS = tomllib.loads(LIST.read_text(encoding='utf-8'))['fault']


def test_at_least_sixty_faults_have_unique_names():
    assert len(FAULTS) >= 60
    assert max(Counter(fault['name'] for fault in FAULTS).values()) == 1
    assert all({*fault} == {'name', 'file', 'old', 'new', 'tests', 'why'} for fault in FAULTS)


@pytest.mark.parametrize('fault', FAULTS, ids=lambda fault: fault['name'])
def test_each_fault_can_be_planted(fault):
    text = (ROOT / fault['file']).read_text(encoding='utf-8')
    assert text.count(fault['old']) == 1
    if fault['file'].endswith('.py'):
        compile(text.replace(fault['old'], fault['new']), fault['file'], 'exec')
    assert fault['new'] != fault['old']
    for test in fault['tests']:
        file, _, name = test.partition('[')[0].partition('::')
        assert (ROOT / file).exists(), file
        assert f'def {name}(' in (ROOT / file).read_text(encoding='utf-8') if name else True


def test_the_mutated_modules_and_their_tests_exist():
    modules = tomllib.loads(LIST.with_name('cosmic-ray.toml').read_text(encoding='utf-8'))[
        'modules'
    ]
    named = {*modules, *chain.from_iterable(modules.values())}
    assert not [file for file in named if not (ROOT / file).exists()]
    assert all(modules.values())


def test_faults_are_in_compiled_and_in_interpreted_code():
    compiled = [fault for fault in FAULTS if '_linked' in fault['file']]
    assert 20 <= len(compiled) <= len(FAULTS) - 20


TIERS = """
import json, sys
import pytest
class Collected:
    def pytest_collection_finish(self, session):
        tiers = {it.nodeid: not it.get_closest_marker('exhaustive') for it in session.items}
        print(json.dumps(tiers))
options = ['--all', '--collect-only', '-qq', '--no-header', '-p', 'no:cacheprovider']
sys.exit(pytest.main([*options, *sys.argv[1:]], plugins=[Collected()]))
"""


@pytest.mark.needs_numba  # or the tests of the compiled engine are not collected
def test_the_default_run_finds_every_fault_and_has_the_fast_tests(run_python):
    """Of the tests of a fault some are not exhaustive; of those in `tests/fast.txt`, all."""
    fast = (ROOT / 'tests/fast.txt').read_text(encoding='utf-8').splitlines()
    of_faults = {test for fault in FAULTS for test in fault['tests']}
    files = sorted({test.partition('::')[0] for test in of_faults.union(fast)})
    done = run_python('-c', TIERS, *files, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    tiers = json.loads(next(line for line in done.stdout.splitlines() if line.startswith('{')))

    def cases(test):
        """Whether the default run has them, of each of its cases."""
        inside = test, f'{test}::', f'{test}[', f'{test}/'
        return [
            usual for name, usual in tiers.items() if name == test or name.startswith(inside[1:])
        ]

    unseen = [
        fault['name'] for fault in FAULTS if not any(any(cases(test)) for test in fault['tests'])
    ]
    assert unseen == []
    assert [test for test in fast if not cases(test) or not all(cases(test))] == []
