"""Pages on which somebody is reported."""
