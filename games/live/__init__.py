"""Interfaces over WebSocket: what a page hears while it is open."""
