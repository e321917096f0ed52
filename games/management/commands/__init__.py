"""What `manage.py` does for the games."""
