"""Run Python in processes."""

import subprocess
import sys


def run_python(*words, check=False, **options):
    """Run Python with these arguments; return the finished process, which printed text."""
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)
