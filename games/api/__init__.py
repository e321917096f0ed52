"""The REST API: JSON for programs."""
