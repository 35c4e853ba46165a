"""Packing a bot's folder: the same files, the same bytes."""

import os
import shutil
from pathlib import Path

import pytest

from roundhouse.errors import PackageError
from roundhouse.package import MAX_FILES, content_hash, pack, read_package

MANIFEST = 'name = "night-train"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "roundhouse.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "bot.py").write_text("print()", encoding="utf-8")
    (folder / "lib" / "net.bin").write_bytes(b"\0\1")
    return folder


def names(archive: bytes) -> list[str]:
    return [file.name for file in read_package(archive).files]


def test_packing_and_reading_give_the_files_back_in_order(bot: Path) -> None:
    package = read_package(pack(bot))

    assert [(file.name, file.data) for file in package.files] == [
        ("bot.py", b"print()"),
        ("lib/net.bin", b"\0\1"),
        ("roundhouse.toml", MANIFEST.encode()),
    ]


def test_the_same_files_give_the_same_archive(bot: Path, tmp_path: Path) -> None:
    copy = tmp_path / "another place"
    shutil.copytree(bot, copy)
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700 if path.is_dir() else 0o640)

    assert content_hash(pack(copy)) == content_hash(pack(bot))


def test_content_name_and_executable_bit_change_the_hash(bot: Path) -> None:
    hashes = {content_hash(pack(bot))}
    (bot / "bot.py").write_text("print(1)", encoding="utf-8")
    hashes.add(content_hash(pack(bot)))
    (bot / "bot.py").chmod(0o755)
    hashes.add(content_hash(pack(bot)))
    (bot / "bot.py").rename(bot / "main.py")
    hashes.add(content_hash(pack(bot)))

    assert len(hashes) == 4


def test_junk_is_left_out(bot: Path) -> None:
    before = pack(bot)
    for path in (
        ".git/config",
        ".env",
        "lib/__pycache__/net.cpython-311.pyc",
        "old.pyc",
        "bot.py~",
        "venv/pyvenv.cfg",
        "venv/bin/python",
        "node_modules/x.js",
    ):
        (bot / path).parent.mkdir(parents=True, exist_ok=True)
        (bot / path).touch()
    (bot / "venv" / "bin" / "python3").symlink_to("python")

    assert pack(bot) == before


def test_names_beyond_ascii_are_kept(bot: Path) -> None:
    (bot / "zürich.txt").touch()

    assert "zürich.txt" in names(pack(bot))


def test_a_link_is_refused(bot: Path) -> None:
    (bot / "secrets").symlink_to("/etc/passwd")

    with pytest.raises(PackageError, match=r"secrets is a symbolic link; put a copy"):
        pack(bot)


def test_a_linked_folder_is_refused(bot: Path) -> None:
    (bot / "data").symlink_to("/etc")

    with pytest.raises(PackageError, match=r"data is a symbolic link; put a copy"):
        pack(bot)


def test_a_pipe_is_refused(bot: Path) -> None:
    os.mkfifo(bot / "pipe")

    with pytest.raises(PackageError, match=r"pipe is neither a file nor a folder"):
        pack(bot)


def test_names_that_differ_in_case_only_are_refused(bot: Path) -> None:
    (bot / "Bot.py").touch()

    with pytest.raises(PackageError, match=r"holds both 'Bot\.py' and 'bot\.py'"):
        pack(bot)


def test_a_long_name_is_refused(bot: Path) -> None:
    (bot / ("n" * 150)).touch()

    with pytest.raises(PackageError, match=r"is too long; shorten it\."):
        pack(bot)


def test_too_many_files_are_refused(bot: Path) -> None:
    for number in range(MAX_FILES):
        (bot / str(number)).touch()

    with pytest.raises(PackageError, match=r"holds more than 2000 files or 64 MiB"):
        pack(bot)


def test_too_much_that_does_not_compress_is_refused(bot: Path) -> None:
    (bot / "noise").write_bytes(os.urandom(9 * 1024 * 1024))

    with pytest.raises(PackageError, match=r"an archive may have 8388608 at most"):
        pack(bot)


def test_a_file_that_cannot_be_read_is_named(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The tests may run as root, whom no mode keeps out: the error itself is what is acted here.
    def refuse(path: Path, mode: str = "r") -> None:
        raise PermissionError(13, "Permission denied", f"{path}:{mode}")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "read_bytes", lambda _: MANIFEST.encode())

    with pytest.raises(PackageError, match=r"bot\.py:rb cannot be read: Permission denied\."):
        pack(bot)


def test_a_folder_without_a_manifest_is_refused(bot: Path) -> None:
    (bot / "roundhouse.toml").unlink()

    with pytest.raises(PackageError, match=r"has no roundhouse\.toml"):
        pack(bot)


@pytest.mark.parametrize("entry", ["./bot", "./lib/../bot --fast", "lib/bot"])
def test_a_program_that_was_not_built_is_not_packed(bot: Path, entry: str) -> None:
    (bot / "roundhouse.toml").write_text(
        f'name = "rail"\nlanguage = "c++"\nentry = "{entry}"\n', encoding="utf-8"
    )
    program = bot / entry.split(maxsplit=1)[0]
    with pytest.raises(PackageError, match=r"is not in the folder; build the bot first\.$"):
        pack(bot)
    program.write_bytes(b"\x7fELF")
    with pytest.raises(PackageError, match=r"bot is not executable; allow it with chmod \+x\.$"):
        pack(bot)
    program.chmod(0o755)
    assert program.resolve().relative_to(bot.resolve()).as_posix() in names(pack(bot))
