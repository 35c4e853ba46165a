"""Answer once more when the game is over."""

from stream import Stream

stream = Stream()
decision = stream.next_decision()
stream.answer(decision)
stream.play_on("game_over")
stream.answer(decision)
stream.play_on()
