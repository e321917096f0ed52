"""People: users, sign-in, preferences, notifications. Knows nothing of games."""
