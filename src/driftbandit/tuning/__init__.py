"""Setting a policy's parameters by simulation."""

__all__: list[str] = []
