"""Settings: `base` has what is the same everywhere, the other modules what differs."""
