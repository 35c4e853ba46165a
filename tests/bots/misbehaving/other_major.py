"""Speak another major version of the protocol."""

from stream import Stream

Stream(version="2.0.0").play_on()
