"""The lobby: challenges, and what players do with them."""
