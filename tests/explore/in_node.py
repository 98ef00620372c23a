"""Run scripts of the page in node."""

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

from fmcts import SplitMix
from fmcts.history import history

needs_node = pytest.mark.skipif(shutil.which('node') is None, reason='node is not installed')
RNG = SplitMix.from_seed(5)
SCRIPTS = ('replay.js', 'backup.js', 'digest.js', 'served.js')
SOURCE = '\n'.join(files('fmcts.explore').joinpath(name).read_text() for name in SCRIPTS)


def node(source, told):
    """What a script prints, as JSON; it knows what it is told as `told`."""
    read = "const told = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    found = subprocess.run(
        [shutil.which('node'), '-e', SOURCE + read + source],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert not found.returncode, found.stderr
    return json.loads(found.stdout)


def searched(state, search):
    return history(state, RNG, search, engine='persistent')
