"""Moves by mail: an SMTP server that takes answers to mails about matches, from a relay."""
