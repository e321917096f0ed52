"""The settings pages that join parts of several applications: preferences and people."""
