"""The structures and statuses of C for Python, read from the source that declares them."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

NUMBERS: Final = {'i64': ctypes.c_int64, 'u64': ctypes.c_uint64, 'double': ctypes.c_double}


@functools.cache
def declared(file: str, head: str, tail: str = '') -> list[str]:
    """Return what stands between braces after `head` in a file of C, without comments."""
    text = Path(__file__).with_name(file).read_text(encoding='utf-8')
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.DOTALL)
    inner: Any = re.search(rf'{head} {{([^{{}}]*)}}{tail};', text)
    return [*filter(None, map(str.strip, re.split('[;,]' if tail else ',', inner[1])))]


def fields(file: str, name: str, **known: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a structure as `ctypes` wants them; `known` are other structures in it.

    >>> [field for field, _ in fields('tree.c', 'Copy')][:4]
    ['words', 'out', 'block', 'rows']
    """
    kind = ''
    for each in declared(file, 'typedef struct', f' {name}'):
        *kinds, field = each.removeprefix('const ').split()
        kind = kinds[0] if kinds else kind  # or the kind of the field before, as in `i64 one, two`
        field, _, count = field.rstrip(']').partition('[')
        form: Any = ctypes.c_void_p if '*' in field else (NUMBERS | known)[kind]
        yield field.lstrip('*'), form * int(count) if count else form


def c_structure(file: str, name: str, kind: type = ctypes.Structure, **known: Any) -> Any:
    """Return the class of a structure, a subclass of `kind`; `known` as in `fields`."""
    return type(name, (kind,), {'_fields_': [*fields(file, name, **known)]})
