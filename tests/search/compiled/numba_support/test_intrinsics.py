"""The instructions that machine code may use."""

import llvmlite.binding as llvm
import pytest
from numba.core import config

from fmcts._numba.intrinsics import spreads_bits


@pytest.fixture
def processor(monkeypatch):
    """`processor(name, features, triple)`: as if this were such a processor."""

    def have(name, features, triple='x86_64-unknown-linux-gnu'):
        monkeypatch.setattr(config, 'CPU_NAME', None)
        monkeypatch.setattr(config, 'CPU_FEATURES', None)
        monkeypatch.setattr(llvm, 'get_host_cpu_name', lambda: name)
        monkeypatch.setattr(llvm, 'get_host_cpu_features', lambda: features)
        monkeypatch.setattr(llvm, 'get_process_triple', lambda: triple)

    return have


@pytest.mark.parametrize(
    ('name', 'features', 'triple', 'fast'),
    [
        ('haswell', {'bmi2': True}, 'x86_64-unknown-linux-gnu', True),
        ('haswell', {'bmi2': False}, 'x86_64-unknown-linux-gnu', False),
        ('sandybridge', {}, 'x86_64-unknown-linux-gnu', False),
        ('znver1', {'bmi2': True}, 'x86_64-unknown-linux-gnu', False),
        ('znver2', {'bmi2': True}, 'x86_64-unknown-linux-gnu', False),
        ('znver3', {'bmi2': True}, 'x86_64-unknown-linux-gnu', True),
        ('haswell', {'bmi2': True}, 'i686-unknown-linux-gnu', False),
        ('apple-m1', {'neon': True}, 'arm64-apple-darwin', False),
    ],
)
def test_fast_bit_instructions_of_this_processor(processor, name, features, triple, fast):
    processor(name, features, triple)
    assert spreads_bits() is fast


@pytest.mark.parametrize(
    ('features', 'fast'),
    [
        *(('+bmi2', True), ('+avx,+bmi2,+sse2', True), ('-bmi2,+bmi2', True)),
        *(('-bmi2', False), ('+avx,-bmi2', False), ('+bmi2,-bmi2', False), ('+bmi', False)),
        *(('+bmi2x', False), ('', False), (None, False)),
    ],
)
def test_fast_bit_instructions_of_the_target_processor(processor, monkeypatch, features, fast):
    """What is said last of a feature counts; of a name alone nothing is concluded."""
    processor('haswell', {'bmi2': True})
    monkeypatch.setattr(config, 'CPU_NAME', 'generic')
    monkeypatch.setattr(config, 'CPU_FEATURES', features)
    assert spreads_bits() is fast
    if features:
        monkeypatch.setattr(config, 'CPU_NAME', None)
        assert spreads_bits() is fast
