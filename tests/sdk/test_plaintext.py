"""Text from elsewhere, made fit to be shown."""

import doctest

from hypothesis import given
from hypothesis import strategies as st

from roundhouse import plaintext
from roundhouse.plaintext import one_line, printable


@given(st.text(max_size=400), st.integers(4, 100))
def test_it_is_always_one_printable_line_of_the_allowed_length(text: str, most: int) -> None:
    line = one_line(text, most)

    assert not line or line.isprintable()
    assert len(line) <= most


def test_plain_text_stays_as_it_is() -> None:
    assert one_line("It was too slow.") == "It was too slow."


def test_line_breaks_and_tabs_stay_where_lines_are_shown() -> None:
    assert printable("Traceback:\n\tboom\r\x1b[2J\0") == "Traceback:\n\tboom??[2J?"


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(plaintext).failed == 0
