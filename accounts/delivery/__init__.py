"""How notifications reach people: what each wants on which channel, when, and how often."""
