"""The system of record: bots, games, logs and ratings, and the pages that show them."""
