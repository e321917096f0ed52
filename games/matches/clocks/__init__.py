"""Clocks: how time runs and stands still, vacations and outages, and players whose time is up."""
