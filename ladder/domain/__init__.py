"""What the ladder knows, as plain frozen values: what the store returns and the edges show."""
