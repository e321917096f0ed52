"""Clocks: time, pauses, vacations, outages, reminders and timeouts."""
