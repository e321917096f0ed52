"""Moves by mail: an SMTP server that takes replies to mails about matches, from a relay."""
