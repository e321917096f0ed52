"""WebSockets: live updates of open pages, and moves played over them."""
