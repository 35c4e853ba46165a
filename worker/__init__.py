"""Plan tournaments into lanes and dispatch them to referees."""
