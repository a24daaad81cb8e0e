"""Settings for all tests."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    deadline=None,  # the first example compiles
    derandomize=True,  # the same examples on every machine
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")
