"""The check under a Python of Debian, of any release and architecture: one line of JSON.

    python benchmarks/platforms/debian.py RELEASE ARCHITECTURE PYTHON
    python benchmarks/platforms/debian.py trixie s390x python3.13
    python benchmarks/platforms/debian.py sid amd64 pypy3

It takes Debian or a relative of it, with the keys of Debian's archive; nothing is installed: the
packages are fetched by an apt that has a folder of its own, and unpacked there. A foreign processor
is emulated (package qemu-user-static); for others the folder becomes the root of the file system,
which takes the rights of an administrator or user namespaces.
"""

from __future__ import annotations

import os
import pathlib
import platform
import shutil
import sys
import tempfile

from dependencies import CHECK, Unprepared, copy_to, must, report, report_missing

KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
EMULATED = {'arm64': 'aarch64', 'armhf': 'arm', 's390x': 's390x', 'ppc64el': 'ppc64le',
            'riscv64': 'riscv64'}  # fmt: skip
EMULATED_AS = {'arm64': 'cortex-a72'}  # thirty times faster than the newest that qemu knows
NATIVE = {'x86_64': {'amd64', 'i386'}, 'aarch64': {'arm64'}}
SETTINGS = """
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "{apt}";
Dir::State::status "{apt}/status";
Dir::Cache "{apt}/cache";
Dir::Etc::sourcelist "{apt}/sources.list";
Dir::Etc::sourceparts "/nonexistent";
"""


def mirror() -> str:
    """Where this machine's own packages of Debian come from; Debian's own mirrors without such."""
    form = '$(REPO_URI) $(LABEL)'
    for line in must('apt-get', 'indextargets', '--format', form).splitlines():
        place, _, label = line.partition(' ')
        if label == 'Debian':
            return place
    return 'https://deb.debian.org/debian'


def unpack(folder: pathlib.Path, release: str, architecture: str, python: str) -> pathlib.Path:
    """A folder with that Python and all that it depends on."""
    apt, root = folder / 'apt', folder / 'root'
    for part in ('lists/partial', 'cache/archives/partial'):
        (apt / part).mkdir(parents=True)
    (apt / 'status').touch()
    (apt / 'sources.list').write_text(f'deb [signed-by={KEYS}] {mirror()} {release} main\n')
    settings = apt / 'apt.conf'
    settings.write_text(SETTINGS.format(architecture=architecture, apt=apt))
    environment = os.environ | {'APT_CONFIG': str(settings)}
    must('apt-get', 'update', env=environment)
    must('apt-get', 'install', '--yes', '--download-only', '--no-install-recommends', python,
         env=environment)  # fmt: skip
    for package in sorted(apt.glob('cache/archives/*.deb')):
        must('dpkg-deb', '--extract', str(package), str(root))
    for name in ('bin', 'lib', 'lib64', 'sbin'):  # as the packages that are left out would do
        if (root / 'usr' / name).is_dir() and not (root / name).exists():
            (root / name).symlink_to(f'usr/{name}')
    return root


def command(root: pathlib.Path, architecture: str, python: str) -> list[str]:
    """What runs the check, which lies in the folder /check of that root."""
    if architecture in NATIVE.get(platform.machine(), ()):
        change = ['chroot'] if os.geteuid() == 0 else ['unshare', '--map-root-user', 'chroot']
        return [*change, str(root), f'/usr/bin/{python}', f'/check/{CHECK}']
    emulator = f'qemu-{EMULATED.get(architecture, architecture)}-static'
    if shutil.which(emulator) is None:
        raise Unprepared(f'{emulator} is not installed here (package qemu-user-static)')
    inside = (root / 'usr/bin' / python).resolve()
    return [emulator, '-L', str(root), str(inside), str(root / 'check' / CHECK)]


def main() -> None:
    """Check one."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    release, architecture, python = sys.argv[1:]
    name = f'Debian {release} {architecture} {python}'
    with tempfile.TemporaryDirectory() as place:
        try:
            root = unpack(pathlib.Path(place), release, architecture, python)
            copy_to(root / 'check')
            words = command(root, architecture, python)
            check = '/check' if 'chroot' in words else f'{root}/check'
            environment = {'PATH': os.environ['PATH'], 'LC_ALL': 'C',
                           'PYTHONPATH': f'{check}/dependencies'}  # fmt: skip
            if architecture in EMULATED_AS:
                environment['QEMU_CPU'] = EMULATED_AS[architecture]
            emulated = '' if 'chroot' in words else ', emulated'
            report(name + emulated, words, env=environment)
        except Unprepared as why:
            report_missing(name, why)


if __name__ == '__main__':
    main()
