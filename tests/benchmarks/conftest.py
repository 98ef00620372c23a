"""Programs beside the library, which a copy may lack."""

import importlib
import pathlib

import pytest

BENCHMARKS = pathlib.Path(__file__).parents[2] / 'benchmarks'


def programs(folder, *names):
    """Import modules of a folder of `benchmarks`, or skip the tests of the module that asks."""
    if not (BENCHMARKS / folder).is_dir():
        pytest.skip('benchmarks is not part of this copy', allow_module_level=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS / folder)
        return [importlib.import_module(name) for name in names]
