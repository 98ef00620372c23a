"""Helpers for the tests of `fmcts compare`."""

import json


def compared(here, *words):
    """The exit code, and what is printed as JSON."""
    code, out, err = here('compare', *words, '--json')
    if err:  # what had not been compiled on this machine is by now
        assert all(line.startswith('fmcts: compiling ') for line in err.splitlines())
        code, out, err = here('compare', *words, '--json')
    assert err == ''
    assert out.count('\n') == 1
    return code, json.loads(out)
