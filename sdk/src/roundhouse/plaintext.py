"""Make text that came from elsewhere fit to be shown to people."""


def one_line(text: str, most: int = 200) -> str:
    r"""Return the text as one printable line of at most so many characters.

    What a bot or a foreign file says may hold line breaks, and codes that a terminal would obey.

    >>> one_line("two\nlines \x1b[2J")
    'two lines ?[2J'
    """
    # Cut before the work as well, so that a text of many megabytes costs nothing.
    line = " ".join(text[: 4 * most].split())
    line = printable(line)
    return line if len(line) <= most else f"{line[: most - 3]}..."


def printable(text: str) -> str:
    r"""Return the text with its line breaks and tabs, and a `?` for whatever else is unprintable.

    >>> printable("Traceback:\n\tboom \x1b[2J")
    'Traceback:\n\tboom ?[2J'
    """
    return "".join(one if one.isprintable() or one in "\n\t" else "?" for one in text)
