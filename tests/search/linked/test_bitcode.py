"""The bitcode is what the documented command makes of the C beside it, in any folder."""

import re
import shutil
import subprocess

import pytest

from fmcts._linked import build

if shutil.which(build.COMPILER) is None:
    pytest.skip(f'{build.COMPILER} makes the bitcode', allow_module_level=True)

VERSION = re.search(
    rb'version (\d+\.\d+\.\d+)', subprocess.check_output([build.COMPILER, '--version'])
)[1]


def test_each_file_of_c_gives_the_bitcode_beside_it(tmp_path):
    for file in build.HERE.glob('*.[ch]'):
        shutil.copy(file, tmp_path)
    made = build.build(tmp_path)
    kept = {file.name: file.read_bytes() for file in build.HERE.glob('*.bc')}
    assert {file.name for file in made} == {*kept}
    for file in made:
        if VERSION not in kept[file.name]:
            pytest.skip(f'{file.name} was made by another version than {VERSION.decode()}')
        assert file.read_bytes() == kept[file.name], 'run python fmcts/_linked/build.py'
