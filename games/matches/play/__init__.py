"""Playing: move entry, offers, substitutes, and unreadable matches."""
