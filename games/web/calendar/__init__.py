"""The feed of one's own deadlines."""
