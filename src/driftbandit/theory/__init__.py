"""The paper's results as functions: bounds, lower bounds, deviation inequalities, tuning rules."""

__all__: list[str] = []
