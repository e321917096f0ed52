"""What the site says about itself: help, contact, privacy, terms, and files browsers ask for."""
