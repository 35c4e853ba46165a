"""The web site: leaderboards, bots, tournaments, games and replays, rendered on the server."""
