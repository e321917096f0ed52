"""Chat, private notes and greetings on pages."""
