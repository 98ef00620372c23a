"""The list of planted faults: each can be planted, and the tests it names exist."""

import pathlib
import tomllib
from collections import Counter

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
    compile(text.replace(fault['old'], fault['new']), fault['file'], 'exec')
    assert fault['new'] != fault['old']
    for test in fault['tests']:
        file, _, name = test.partition('[')[0].partition('::')
        assert (ROOT / file).exists(), file
        assert f'def {name}(' in (ROOT / file).read_text(encoding='utf-8') if name else True


def test_faults_are_in_compiled_and_in_interpreted_code():
    compiled = [
        fault for fault in FAULTS if '_compiled/' in fault['file'] or '_numba/' in fault['file']
    ]
    assert 20 <= len(compiled) <= len(FAULTS) - 20
