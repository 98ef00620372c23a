"""Run Python in processes; scripts without the seconds that importing numba takes in each.

One process imports numba and compiles something; every script then runs in a fork of it, which has
no module of the library loaded. All forks share a hash seed, so tests of names on disk start some
scripts in a new Python (`fresh=True`).
"""

import atexit
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SERVER = """
import json, os, sys
import numba
numba.njit(lambda number: number + 1)(1)
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for number in (1, 2):
        os.dup2(os.open(asked['printed'][number - 1], os.O_WRONLY | os.O_CREAT), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(asked['folder'])
    os.environ.clear()
    os.environ.update(asked['environment'])
    sys.path[1:1] = asked['environment'].get('PYTHONPATH', '').split(os.pathsep)
    exec(compile(asked['script'], '<string>', 'exec'), {'__name__': '__main__'})
    break
"""


def run_python(*words, check=False, **options):
    """Run Python with these arguments; return the finished process, which printed text."""
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)


def run_script(script, folder, environment, *, fresh=False):
    """Run a script in a separate process; return its exit code, output and errors."""
    if fresh or not hasattr(os, 'fork'):
        done = run_python('-B', '-c', script, cwd=folder, env=environment)
        return done.returncode, done.stdout, done.stderr
    with tempfile.TemporaryDirectory() as place:
        printed = [pathlib.Path(place, name) for name in ('out', 'err')]
        asked = {
            'script': script,
            'folder': str(folder),
            'environment': dict(environment),
            'printed': [str(file) for file in printed],
        }
        server = _server()
        server.stdin.write(json.dumps(asked) + '\n')
        server.stdin.flush()
        code = int(server.stdout.readline())
        return code, *(file.read_text() for file in printed)


@functools.cache
def _server():
    pipes = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE, 'text': True}
    variables = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}
    server = subprocess.Popen([sys.executable, '-B', '-c', SERVER], env=variables, **pipes)
    atexit.register(server.communicate)
    return server
