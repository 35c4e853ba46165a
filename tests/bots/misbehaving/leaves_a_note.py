"""Leave a note for the next game to find, crash in the third, and say what was found."""

import pathlib

from stream import Stream

PLACES = (pathlib.Path("/tmp/note"), pathlib.Path("/dev/shm/note"), pathlib.Path("note"))
stream = Stream()
games = 0
while not (message := stream.receive()).HasField("goodbye"):
    if message.HasField("game_started"):
        games += 1
        found = [str(place) for place in PLACES if place.exists()]
        print(f"game {games} of this process found {found}", flush=True)
        for place in PLACES:
            try:
                place.write_text("the cards of the deal")
            except OSError as error:
                print(f"{place}: {error.strerror}", flush=True)
        if games == 2:
            raise RuntimeError("so that its output is seen")
    if message.HasField("decision"):
        stream.answer(message.decision)
