"""The manifest: what is read, and the sentence for everything that is wrong."""

import doctest
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.errors import PackageError
from roundhouse.package import Manifest, manifest

GOOD = 'name = "night-train"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'


def test_a_manifest_is_read() -> None:
    text = GOOD + 'description = "Travels late."\n'

    assert Manifest.parse(text) == Manifest(
        "night-train", "python", ("python3", "bot.py"), "Travels late."
    )


def test_an_entry_of_one_string_is_split_like_a_shell_would() -> None:
    text = GOOD.replace('["python3", "bot.py"]', "'./run --name \"two words\"'")

    assert Manifest.parse(text).entry == ("./run", "--name", "two words")


def test_a_manifest_is_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "roundhouse.toml").write_text(GOOD, encoding="utf-8")

    assert Manifest.load(tmp_path).name == "night-train"


WRITE_NAME = (
    "write 2 to 32 lower-case letters, digits or hyphens, a letter first, such as 'night-train'."
)
WRITE_LANGUAGE = "write the language in lower case, such as 'python' or 'c++'."
WRITE_DESCRIPTION = "write one line of at most 200 characters, or leave it out."
WRITE_ENTRY = "write the command that starts the bot, such as ['python3', 'bot.py']."


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "night-train"\n', "", f"the field 'name' is missing; {WRITE_NAME}"),
        ('"night-train"', '"Night Train"', f"'name' is 'Night Train'; {WRITE_NAME}"),
        ('"night-train"', '"x"', f"'name' is 'x'; {WRITE_NAME}"),
        ('"night-train"', '"night\\n"', f"'name' is 'night\\n'; {WRITE_NAME}"),
        ('"night-train"', "7", f"'name' is 7; {WRITE_NAME}"),
        (
            '"night-train"',
            f'"{"a" * 99}"',
            f"'name' is '{'a' * 56}...; {WRITE_NAME}",
        ),
        (
            'language = "python"\n',
            "",
            f"the field 'language' is missing; {WRITE_LANGUAGE}",
        ),
        (
            '"python"',
            '"Python 3"',
            f"'language' is 'Python 3'; {WRITE_LANGUAGE}",
        ),
        (
            'entry = ["python3", "bot.py"]\n',
            "",
            f"the field 'entry' is missing; {WRITE_ENTRY}",
        ),
        ('["python3", "bot.py"]', "[]", f"'entry' is []; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', '""', f"'entry' is ''; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', '[""]', f"'entry' is ['']; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', '["a", 1]', f"'entry' is ['a', 1]; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', '["a\\u0000"]', f"'entry' is ['a\\x00']; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', "'say \"hi'", f"'entry' is 'say \"hi'; {WRITE_ENTRY}"),
        ('["python3", "bot.py"]', "true", f"'entry' is True; {WRITE_ENTRY}"),
        (
            "entry",
            'colour = "red"\nentry',
            "the field 'colour' is not known; the fields are name, language, entry, description.",
        ),
        (
            "entry",
            "description = 3\nentry",
            f"'description' is 3; {WRITE_DESCRIPTION}",
        ),
        (
            "entry",
            'description = "two\\nlines"\nentry',
            f"'description' is 'two\\nlines'; {WRITE_DESCRIPTION}",
        ),
    ],
)
def test_a_wrong_field_gets_one_sentence(old: str, new: str, sentence: str) -> None:
    assert old in GOOD

    with pytest.raises(PackageError) as caught:
        Manifest.parse(GOOD.replace(old, new, 1))

    assert str(caught.value) == f"roundhouse.toml: {sentence}"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"name = ", "roundhouse.toml is not valid TOML: Invalid value (at end of document)."),
        (b"\xff\xfe", "roundhouse.toml is not UTF-8 text (byte 0); save it as UTF-8."),
        (b"a = " + b"[" * 9000, "roundhouse.toml is not valid TOML: "),
        (b"a = " + b"1" * 9000, "roundhouse.toml is not valid TOML: "),
        (b"#" * 20_000, "roundhouse.toml has 20000 bytes; it may have 16384 at most."),
    ],
)
def test_an_unreadable_manifest_gets_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(PackageError) as caught:
        Manifest.parse(content)

    assert str(caught.value).startswith(sentence)


def test_a_folder_without_a_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"has no roundhouse\.toml; write one with name"):
        Manifest.load(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"gone is not a folder; name the folder"):
        Manifest.load(tmp_path / "gone")


def test_a_manifest_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "roundhouse.toml").mkdir()

    with pytest.raises(PackageError, match=r"cannot be read: Is a directory\."):
        Manifest.load(tmp_path)


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_no_bytes_give_anything_but_a_package_error(content: bytes | str) -> None:
    with pytest.raises(PackageError):
        Manifest.parse(content)


VALUES = st.recursive(
    st.sampled_from(['"a-bot"', '"python"', "1", "1.5", "true", "1979-05-27", '""', "'''x'''"]),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=4,
)


@given(
    st.dictionaries(st.sampled_from(["name", "language", "entry", "description", "extra"]), VALUES)
)
def test_fuzzed_fields_are_read_or_refused_with_a_sentence(table: dict[str, str]) -> None:
    text = "".join(f"{key} = {value}\n" for key, value in table.items())

    refusal = ""
    try:
        assert Manifest.parse(text).entry
    except PackageError as error:
        refusal = str(error)

    assert not refusal or re.fullmatch(r"roundhouse\.toml.*\.", refusal)


PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)


@given(
    st.builds(
        Manifest,
        name=st.text(string.ascii_lowercase, min_size=2, max_size=32),
        language=st.sampled_from(["python", "c++", "c#", "node.js"]),
        entry=st.lists(PRINTABLE, min_size=1, max_size=5).map(tuple),
        description=PRINTABLE | st.just(""),
    )
)
def test_the_toml_of_a_manifest_reads_back(value: Manifest) -> None:
    assert Manifest.parse(value.to_toml()) == value


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(manifest).failed == 0
