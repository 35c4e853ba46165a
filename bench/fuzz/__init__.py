"""Fuzzing of a bot's stream, through the real gate, door, life, game and log.

    python -m bench.fuzz [--messages N] [--seed S]

Only the bot's process is missing: its place has a client in this process, which can send what no
process would. What each message must come to is said beforehand by a model that reads the bytes by
itself.
"""
