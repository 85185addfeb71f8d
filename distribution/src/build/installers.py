#!/usr/bin/env python3
"""installers.py PACKAGE ARCHITECTURE VERSION SECONDS OUT: makes in the directory OUT a wheel and a Debian package of PACKAGE.

PACKAGE is the unpacked package for ARCHITECTURE, x86_64 or aarch64. All times are SECONDS since 1970: the same package gives the same bytes.
Needs nothing but Python 3.8.
"""
import base64
import functools
import gzip
import hashlib
import io
import lzma
import os
import stat
import sys
import tarfile
import time
import zipfile

DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
SUMMARY = "launcher for distributed training jobs"
HERE = os.path.dirname(os.path.abspath(__file__))


def files(package):
    """Yields (name, bytes, is executable) of every file but the class data of Java builds of this machine, in order."""
    for directory, below, names in os.walk(package):
        below[:] = sorted(name for name in below if name != "cds")
        for name in sorted(names):
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, package), file.read(), bool(os.stat(path).st_mode & stat.S_IXUSR)


def wheel(package, architecture, version, seconds, out):
    """pip writes what is below data/ into the directory that has bin: so bin/muster finds the package beside bin.

    Not below data/lib, which is lost with --target, nor below a directory of more than Muster, which would stay.
    """
    version = version.replace("-SNAPSHOT", ".dev0")
    base = "muster-" + version
    tag = "py3-none-manylinux2014_" + architecture
    record = []
    path = os.path.join(out, "%s-%s.whl" % (base, tag))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name, content, executable=False):
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            # pip takes from the mode whether a file may be executed, and nothing else.
            entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
            archive.writestr(entry, content, compresslevel=6)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append("%s,sha256=%s,%d" % (name, digest, len(content)))

        for name, content, executable in files(package):
            add("%s.data/data/muster/%s" % (base, name), content, executable)
            if name == "bin/muster":
                add("%s.data/scripts/muster" % base, content, True)
        add(base + ".dist-info/METADATA", metadata(version))
        add(base + ".dist-info/WHEEL", ("Wheel-Version: 1.0\nGenerator: muster\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode())
        record.append(base + ".dist-info/RECORD,,")
        entry = zipfile.ZipInfo(base + ".dist-info/RECORD", time.gmtime(seconds)[:6])
        entry.external_attr = (stat.S_IFREG | 0o644) << 16
        archive.writestr(entry, "\n".join(record) + "\n")


def metadata(version):
    return (
        "Metadata-Version: 2.1\nName: muster\nVersion: %s\nSummary: %s\nHome-page: https://muster.dev\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.7\nClassifier: Operating System :: POSIX :: Linux\n" % (version, SUMMARY)
    ).encode()


def tar(entries, seconds, compress):
    """Packs (name, bytes, mode); a link has the name of its target as text; a directory has None."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content, mode in entries:
            entry = tarfile.TarInfo("./" + name)
            entry.mtime, entry.mode, entry.uname, entry.gname = seconds, mode, "root", "root"
            if content is None:
                entry.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
            else:
                entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content) if isinstance(content, bytes) else None)
    return compress(packed.getvalue())


def xz(version):
    """What is released is small; what is built to be tried is there in a fifth of the time."""
    return functools.partial(lzma.compress, preset=0 if "SNAPSHOT" in version else 9)


def with_directories(entries):
    """Adds the directories of all entries, each before what is in it."""
    known = set()
    for name, content, mode in entries:
        parts = name.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            directory = "/".join(parts[:depth])
            if directory not in known:
                known.add(directory)
                yield directory, None, 0o755
        yield name, content, mode


def placed(name, content):
    """Where Debian has a file of the package: manual pages and completions are where shells and man look."""
    if name.startswith("docs/"):
        return "usr/share/doc/muster/" + name[len("docs/"):], content
    if not name.startswith("share/"):
        return "usr/lib/muster/" + name, content
    if name.startswith("share/man/"):
        return "usr/%s.gz" % name, gzip.compress(content, mtime=0)
    return "usr/" + name.replace("zsh/site-functions", "zsh/vendor-completions"), content


def debian(package, architecture, version, seconds, out):
    version = version.replace("-", "~")
    contents = [("usr/bin/muster", "../lib/muster/bin/muster", 0o777)]
    for name, content, executable in files(package):
        contents.append((*placed(name, content), 0o755 if executable else 0o644))
    for name, place in (("copyright", "doc/muster/copyright"), ("lintian-overrides", "lintian/overrides/muster")):
        with open(os.path.join(HERE, "debian", name), "rb") as file:
            contents.append(("usr/share/" + place, file.read(), 0o644))
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(seconds))
    changes = "muster (%s) unstable; urgency=medium\n\n  * See https://muster.dev.\n\n -- %s  %s\n" % (version, MAINTAINER, date)
    contents.append(("usr/share/doc/muster/changelog.gz", gzip.compress(changes.encode(), mtime=0), 0o644))
    contents.sort(key=lambda entry: entry[0])
    size = sum(len(content) for _, content, _ in contents) // 1024 + 1
    sums = "".join(
        "%s  %s\n" % (hashlib.md5(content).hexdigest(), name) for name, content, _ in contents if isinstance(content, bytes)
    )
    has_own_java = any(name.startswith("usr/lib/muster/jre/") for name, _, _ in contents)
    control = CONTROL % {
        "version": version,
        "architecture": DEBIAN[architecture],
        "maintainer": MAINTAINER,
        "size": size,
        "depends": "libc6 (>= 2.17)" if has_own_java else "default-jre-headless (>= 2:1.17) | java17-runtime-headless",
    }
    members = (
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", tar([("control", control.encode(), 0o644), ("md5sums", sums.encode(), 0o644)], seconds, xz(version))),
        ("data.tar.xz", tar(with_directories(contents), seconds, xz(version))),
    )
    with open(os.path.join(out, "muster_%s_%s.deb" % (version, DEBIAN[architecture])), "wb") as archive:
        archive.write(b"!<arch>\n")
        for name, content in members:
            archive.write(("%-16s%-12d0     0     100644  %-10d`\n" % (name, seconds, len(content))).encode())
            archive.write(content + b"\n" * (len(content) % 2))


MAINTAINER = "The Muster developers <developers@muster.dev>"
CONTROL = """\
Package: muster
Version: %(version)s
Architecture: %(architecture)s
Maintainer: %(maintainer)s
Installed-Size: %(size)d
Depends: %(depends)s
Section: science
Priority: optional
Homepage: https://muster.dev
Description: launcher for distributed training jobs
 Muster starts the ranks of a training job on each of its nodes, watches
 them and stops them together. It has engines for PyTorch, TensorFlow, MPI
 and Ascend, and knows Slurm, Kubernetes and other platforms.
"""

if __name__ == "__main__":
    if len(sys.argv) != 6 or sys.argv[2] not in DEBIAN:
        sys.exit(__doc__)
    os.makedirs(sys.argv[5], exist_ok=True)
    arguments = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
    wheel(*arguments)
    debian(*arguments)
