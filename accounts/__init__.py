"""People: users, sign-in, preferences, notices. Knows nothing of games."""
