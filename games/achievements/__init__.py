"""Achievements: rare things that players did in rated matches, with the matches as proof."""
