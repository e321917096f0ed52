"""The desk: pages of moderators."""
