"""How accounts are protected: second factors, sessions, and a log of what happened to each."""
