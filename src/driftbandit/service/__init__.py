"""Live decisions over HTTP: a service that is a fold of its log."""
