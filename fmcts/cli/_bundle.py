"""Bundles: one file with the records of matches and what is needed to play them again.

A bundle is a ZIP archive with `records/1.jsonl`, `records/2.jsonl` and so on, as `--out` writes
them; `modules`, the source of the user's modules that the games and bots are made of; and
`bundle.json`, the versions with which it was made and the SHA-256 of every other file. Files that
modules read are not included.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from modulefinder import ModuleFinder
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from fmcts import __version__
from fmcts._arguments import cut
from fmcts._content import NOT_OWN, is_user_code
from fmcts._saving import write_whole
from fmcts.cli._named import look_here, modules_named

FORMAT: Final = 1
CONTENTS: Final = 'bundle.json'
PACKAGES: Final = ('numba', 'numpy')
DATE: Final = (1980, 1, 1, 0, 0, 0)  # so that equal contents are equal files
DAMAGED: Final = (
    *(OSError, zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError),
    *(EOFError, zlib.error, RecursionError, KeyError),
)
"""The errors that Python raises for a file that is not a ZIP archive, or a damaged one."""


def write_bundle(path: Path, records: Sequence[bytes], modules: Mapping[str, bytes]) -> None:
    """Write a bundle with the files of some matches, and the user's modules.

    :raises OSError: it cannot be written.
    """
    files = {f'records/{number}.jsonl': text for number, text in enumerate(records, 1)}
    files |= {f'modules/{name}': text for name, text in modules.items()}
    contents = {
        'format': FORMAT,
        'versions': _versions(),
        'files': {name: _hash(files[name]) for name in sorted(files)},
    }
    files[CONTENTS] = f'{json.dumps(contents, indent=2)}\n'.encode()
    whole = BytesIO()
    with zipfile.ZipFile(whole, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name], zipfile.ZIP_DEFLATED)
    write_whole(path, whole.getvalue())


def check_ours(path: Path) -> None:
    """Raise OSError if there is a file that is not a bundle, which is not written over."""
    try:
        with zipfile.ZipFile(path) as archive:
            ours = CONTENTS in archive.namelist()
    except FileNotFoundError:
        return
    except DAMAGED:
        ours = False
    if not ours:
        raise OSError(f'{path}: is not a bundle; nothing was written')


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _versions() -> dict[str, str]:
    found = {'python': platform.python_version(), 'fmcts': __version__}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def sources_of(specs: Iterable[str]) -> dict[str, bytes]:
    """Return the user's modules that specs need, by their paths from the folder of imports.

    These are the modules that the specs name, and what they import anywhere in their code.
    """
    look_here()
    # The standard library and installed packages need not be looked through.
    folders = [it for it in sys.path if not any(Path(it).is_relative_to(own) for own in NOT_OWN)]
    finder = ModuleFinder(folders)
    for name in {name for spec in specs for name in modules_named(spec)}:
        finder.import_hook(name)
    found = {}
    for name, module in sorted(finder.modules.items()):
        file: str | None = getattr(module, '__file__', None)
        if file is not None and file.endswith('.py') and is_user_code(file):
            whole = name.replace('.', '/')
            inside = Path(file).name == '__init__.py'
            found[f'{whole}/__init__.py' if inside else f'{whole}.py'] = Path(file).read_bytes()
    return found


# ---- reading ----


def is_bundle(path: Path) -> bool:
    """Return whether a file is named as a bundle: code of no other file is run."""
    return path.is_file() and path.suffix.lower() == '.zip'


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[list[Path], str]]:
    """Yield the files of records of a bundle, and with which other versions it was made.

    In the block its modules are found, before others of their names.

    :raises ValueError: it is not a bundle, or was altered.
    """
    with TemporaryDirectory(prefix='fmcts-') as name:
        folder = Path(name)
        try:
            with zipfile.ZipFile(path) as archive:
                files = {name: archive.read(name) for name in archive.namelist()}
                contents = _contents(files)
                archive.extractall(folder)  # only inside that folder, whatever the names
        except DAMAGED as error:
            raise ValueError(f'{path}: is not a bundle: {cut(str(error), 120)}') from None
        modules = folder / 'modules'
        # Python would go on with the module it has, and verify with the wrong code.
        taken = [it.stem for it in modules.glob('*') if it.stem in sys.modules]
        if taken:
            raise ValueError(
                f'{path}: the module {taken[0]} is loaded already: verify it by itself'
            )
        made, here = contents['versions'], _versions()
        others = [f'{name} {made[name]}' for name in made if made[name] != here.get(name)]
        found = sorted((folder / 'records').iterdir(), key=lambda it: (len(it.name), it.name))
        look_here()  # so that the current folder does not come first
        sys.path.insert(0, str(modules))
        try:
            yield found, f' (made with {", ".join(others)})' if others else ''
        finally:
            sys.path.remove(str(modules))
            for loaded, module in [*sys.modules.items()]:
                file = getattr(module, '__file__', None)
                if file and Path(file).is_relative_to(modules):
                    # The next bundle may have a module of the same name.
                    del sys.modules[loaded]


def _contents(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what `bundle.json` says.

    :raises ValueError: it is not what fmcts writes there, or another file is not as it says.
    """
    try:
        found = json.loads(files[CONTENTS])
        layout, listed, _ = found['format'], {**found['files']}, {**found['versions']}
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(f'it has no {CONTENTS} as fmcts writes it') from None
    if layout != FORMAT:
        raise ValueError(f'its format is {layout}, and this version of fmcts reads {FORMAT}')
    for name in sorted(listed.keys() | files.keys() - {CONTENTS}):
        if name not in files:
            raise ValueError(f'{name} is missing')
        if listed.get(name) != _hash(files[name]):
            raise ValueError(f'{name} was altered or added')
    return found  # type: ignore[no-any-return]
