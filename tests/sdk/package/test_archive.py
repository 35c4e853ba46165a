"""Reading uploads: every attack in one table, each with the sentence that it gets."""

import contextlib
import gzip
import hashlib
import io
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundhouse.errors import PackageError
from roundhouse.package import (
    MAX_ARCHIVE_BYTES,
    MAX_FILES,
    MAX_UNPACKED_BYTES,
    content_hash,
    read_package,
)

MANIFEST = b'name = "night-train"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'
Member = tuple[tarfile.TarInfo, bytes]


def file(name: str, data: bytes = b"x", **fields: object) -> Member:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def tar(*members: Member, form: int = tarfile.USTAR_FORMAT, encoding: str = "utf-8") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form, encoding=encoding) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def packed(*members: Member, form: int = tarfile.USTAR_FORMAT, encoding: str = "utf-8") -> bytes:
    return gzip.compress(
        tar(file("roundhouse.toml", MANIFEST), *members, form=form, encoding=encoding)
    )


def with_negative_size() -> bytes:
    content = bytearray(tar(file("roundhouse.toml", MANIFEST)))
    content[124:136] = b"\xff" * 12  # base-256 form of -1
    content[148:156] = b" " * 8
    content[148:156] = b"%06o\0 " % sum(content[:512])
    return gzip.compress(bytes(content))


def bomb(mebibytes: int) -> bytes:
    return packed(file("zeros", bytes(mebibytes * 1024 * 1024)))


def test_a_plain_archive_is_read() -> None:
    archive = packed(file("bot.py", b"print()"), file("lib/run", b"#!", mode=0o755))

    package = read_package(archive)

    assert package.manifest.name == "night-train"
    assert package.hash == hashlib.sha256(archive).hexdigest() == content_hash(archive)
    assert [(f.name, f.data, f.is_executable) for f in package.files[1:]] == [
        ("bot.py", b"print()", False),
        ("lib/run", b"#!", True),
    ]


def test_an_archive_of_the_current_folder_is_read() -> None:
    members = (
        file("./", b"", type=tarfile.DIRTYPE, mode=0o755),
        file("./roundhouse.toml", MANIFEST),
        file("./lib/", b"", type=tarfile.DIRTYPE, mode=0o755),
        file("./lib/a.py"),
    )

    package = read_package(gzip.compress(tar(*members, form=tarfile.GNU_FORMAT)))

    assert [f.name for f in package.files] == ["roundhouse.toml", "lib/a.py"]


ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "parent folder": (lambda: packed(file("../evil")), "which leads out of its folder"),
    "parent folder within": (lambda: packed(file("a/../../evil")), "leads out of its folder"),
    "absolute path": (lambda: packed(file("/etc/passwd")), "must be plain and relative"),
    "backslash": (lambda: packed(file("..\\evil")), "must be plain and relative"),
    "line break in a name": (lambda: packed(file("a\nb")), "must be plain and relative"),
    "escape code in a name": (lambda: packed(file("a\x1b[2J")), "must be plain and relative"),
    "a name that is not UTF-8": (
        lambda: packed(file("caf\xe9"), encoding="latin-1"),
        "a name that is not UTF-8",
    ),
    "file without a name": (lambda: packed(file("./")), "a file without a name"),
    "long path": (lambda: packed(file("/".join(["abcdefgh"] * 24))), "longer than 200 bytes"),
    "symbolic link": (
        lambda: packed(file("link", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")),
        "a symbolic link, 'link'",
    ),
    "hard link": (
        lambda: packed(file("link", b"", type=tarfile.LNKTYPE, linkname="roundhouse.toml")),
        "a hard link, 'link'",
    ),
    "character device": (lambda: packed(file("d", b"", type=tarfile.CHRTYPE)), "a device, 'd'"),
    "block device": (lambda: packed(file("d", b"", type=tarfile.BLKTYPE)), "a device, 'd'"),
    "named pipe": (lambda: packed(file("p", b"", type=tarfile.FIFOTYPE)), "a named pipe, 'p'"),
    "sparse file": (
        lambda: packed(file("s", b"", type=tarfile.GNUTYPE_SPARSE)),
        "a sparse file, 's'",
    ),
    "unknown kind": (lambda: packed(file("u", b"", type=b"Z")), "a tar extension (type b'Z')"),
    "pax records": (
        lambda: packed(file("p", pax_headers={"size": "9"}), form=tarfile.PAX_FORMAT),
        "use `tar --format=ustar`",
    ),
    "long GNU name": (
        lambda: packed(file("n" * 150), form=tarfile.GNU_FORMAT),
        "use `tar --format=ustar`",
    ),
    "setuid": (lambda: packed(file("s", mode=0o4755)), "the mode 4755; setuid, setgid and sticky"),
    "setgid": (lambda: packed(file("s", mode=0o2755)), "the mode 2755"),
    "sticky": (lambda: packed(file("s", mode=0o1755)), "the mode 1755"),
    "negative size": (with_negative_size, "the size -1"),
    "folder with content": (
        lambda: gzip.compress(tar(file("d", bytes(512), type=tarfile.DIRTYPE))),
        "the size 512",
    ),
    "same name twice": (lambda: packed(file("a"), file("a")), "holds both 'a' and 'a'"),
    "same name by another way": (lambda: packed(file("a"), file("./a")), "both 'a' and 'a'"),
    "same but for case": (lambda: packed(file("Bot.py"), file("bot.py")), "'Bot.py' and 'bot.py'"),
    "same but for composition": (
        lambda: packed(file("caf\u00e9"), file("cafe\u0301")),
        "holds both",
    ),
    "two manifests": (
        lambda: packed(file("ROUNDHOUSE.toml")),
        "both 'roundhouse.toml' and 'ROUNDHOUSE.toml'",
    ),
    "file as folder": (
        lambda: packed(file("a/b"), file("A")),
        "'a' both as a file and as a folder",
    ),
    "too many files": (
        lambda: packed(*(file(str(number), b"") for number in range(MAX_FILES))),
        f"more than {MAX_FILES} files",
    ),
    "too many folders": (
        lambda: packed(*(file(str(n), b"", type=tarfile.DIRTYPE) for n in range(MAX_FILES + 1))),
        f"more than {MAX_FILES} files and folders",
    ),
    "bomb": (lambda: bomb(64), "unpacks to more than 64 MiB"),
    "large bomb": (lambda: bomb(70), "unpacks to more than 65 MiB"),
    "too large": (lambda: bytes(MAX_ARCHIVE_BYTES + 1), "it may have 8388608 at most"),
    "two gzip members": (lambda: packed() + packed(), "bytes after its end"),
    "cut short": (lambda: packed()[:-9], "is cut short"),
    "wrong checksum": (lambda: packed()[:-8] + bytes(8), "is corrupt"),
    "cut short inside": (
        lambda: gzip.compress(tar(file("roundhouse.toml", MANIFEST))[:530]),
        "is cut short within 'roundhouse.toml'",
    ),
    "cut header": (
        lambda: gzip.compress(tar(file("roundhouse.toml", MANIFEST))[:300]),
        "is not a tar file, or is damaged",
    ),
    "not gzip": (lambda: b"PK\x03\x04 a zip file", "is not a gzip file; upload a tar.gz file"),
    "not tar": (lambda: gzip.compress(b"x" * 2000), "is not a tar file, or is damaged"),
    "empty": (lambda: b"", "is not a gzip file"),
    "nothing packed": (lambda: gzip.compress(tar()), "has no roundhouse.toml at its top"),
    "manifest one folder down": (
        lambda: gzip.compress(tar(file("bot/roundhouse.toml", MANIFEST))),
        "has no roundhouse.toml at its top; pack the bot's folder itself",
    ),
    "wrong manifest": (
        lambda: gzip.compress(tar(file("roundhouse.toml", b"name = 1"))),
        "roundhouse.toml: 'name' is 1; write",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_refused_with_a_sentence(attack: str) -> None:
    make, sentence = ATTACKS[attack]

    with pytest.raises(PackageError) as caught:
        read_package(make())

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_bomb_of_a_terabyte_is_never_unpacked() -> None:
    # 8 MiB of gzip hold 8 GiB of zeros at most; reading it must stop at the limit, in no time.
    compressor = io.BytesIO()
    with gzip.GzipFile(fileobj=compressor, mode="wb", compresslevel=1) as stream:
        for _ in range(200):
            stream.write(bytes(1024 * 1024))

    with pytest.raises(PackageError, match="unpacks to more than"):
        read_package(compressor.getvalue())

    assert MAX_UNPACKED_BYTES == 64 * 1024 * 1024


@settings(max_examples=300)
@given(st.data())
def test_damaged_archives_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(tar(file("roundhouse.toml", MANIFEST), file("lib/a.py"), file("b")))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    start = data.draw(st.sampled_from([0, 512, 1024, 2048]))
    header = content[start : start + 512]  # half of the damage carries a right checksum
    if data.draw(st.booleans()):
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        content[start : start + 512] = header

    with contextlib.suppress(PackageError):
        package = read_package(gzip.compress(bytes(content), 1))
        assert all(".." not in f.name.split("/") for f in package.files)


@given(st.binary(max_size=2000))
def test_no_bytes_give_anything_but_a_package_error(content: bytes) -> None:
    for archive in (content, gzip.compress(content)):
        with pytest.raises(PackageError):
            read_package(archive)


def test_unpacking_writes_files_that_everybody_can_read(tmp_path: Path) -> None:
    package = read_package(packed(file("lib/run", b"#!", mode=0o700), file("data", mode=0o600)))

    package.unpack_into(tmp_path)

    modes = {
        path.relative_to(tmp_path).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert modes == {"roundhouse.toml": 0o644, "lib/run": 0o755, "data": 0o644}
    assert (tmp_path / "roundhouse.toml").read_bytes() == MANIFEST


def test_unpacking_needs_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "old").touch()

    with pytest.raises(PackageError, match=r"is not empty; unpack into an empty one\."):
        read_package(packed()).unpack_into(tmp_path)


def test_unpacking_into_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"Cannot unpack into .*: No such file or directory\."):
        read_package(packed()).unpack_into(tmp_path / "gone")
