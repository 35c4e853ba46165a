"""Play one game, and end politely before the next begins."""

from stream import Stream

Stream().play_on("game_over")
