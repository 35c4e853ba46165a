"""Do nothing wrong."""

from stream import Stream

Stream().play_on()
