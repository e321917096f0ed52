"""Computer players. They play through the same services as everybody."""
