"""How accounts are protected: second factors, sessions, and a log of security events."""
