"""What recorded games say beyond the ratings: pure functions, no database."""
