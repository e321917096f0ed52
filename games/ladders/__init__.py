"""Ladders: in each game, players challenge those above them for their place."""
