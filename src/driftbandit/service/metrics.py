"""What Prometheus reads."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The numbers of one process, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        here = self.registry
        self.requests = Counter(
            "driftbandit_requests", "Requests answered.", ["route", "status"], registry=here
        )
        self.seconds = Histogram(
            "driftbandit_request_seconds", "Time to answer.", ["route"],
            buckets=SECONDS, registry=here,
        )  # fmt: skip
        self.decisions = Counter(
            "driftbandit_decisions", "Decisions answered.", ["experiment"], registry=here
        )
        self.rewards = Counter(
            "driftbandit_rewards", "Rewards answered.", ["experiment", "status"], registry=here
        )
        self.redrawn = Counter(
            "driftbandit_redrawn", "Decisions drawn again after a barrier.", registry=here
        )
        self.batches = Counter("driftbandit_batches", "Batches made durable.", registry=here)
        self.events = Counter("driftbandit_events", "Events folded.", registry=here)
        self.failures = Counter(
            "driftbandit_store_failures", "Batches that could not be stored.", registry=here
        )
        self.behind = Gauge(
            "driftbandit_clock_behind_seconds", "How far the clock is behind the log.",
            registry=here,
        )  # fmt: skip
        self.position = Gauge("driftbandit_position", "The last event folded.", registry=here)
        self.pending = Gauge(
            "driftbandit_pending", "Decisions not settled yet.", ["experiment"], registry=here
        )
        self.changes = Counter(
            "driftbandit_changes_found", "Changes that a policy found in the rewards.",
            ["experiment"], registry=here,
        )  # fmt: skip
        self.silence = Gauge(
            "driftbandit_seconds_without_reward", "How long decisions have had no reward.",
            ["experiment"], registry=here,
        )  # fmt: skip
        self.stopped = Gauge(
            "driftbandit_rewards_stopped", "1 while that is too long.", ["experiment"],
            registry=here,
        )  # fmt: skip
        self.starved = Gauge(
            "driftbandit_arms_starved", "Arms in play on which no decision falls.", ["experiment"],
            registry=here,
        )  # fmt: skip

        self._answered: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        pair = self._answered.get((route, status))
        if pair is None:  # looking labels up takes longer than counting
            pair = self.requests.labels(route, status), self.seconds.labels(route)
            self._answered[route, status] = pair
        pair[0].inc()
        pair[1].observe(seconds)

    def text(self) -> bytes:
        """Return all numbers in the format of Prometheus."""
        return generate_latest(self.registry)
