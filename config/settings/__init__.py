"""Settings: `base` holds what is the same everywhere, the others what differs, in few lines."""
