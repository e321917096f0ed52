"""How notifications reach people: channels, preferences, quiet hours and limits."""
