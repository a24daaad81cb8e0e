"""What Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

import prometheus_client as prometheus
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
LIMITS = (*map(str, SECONDS), "+Inf")


class Answers(Collector):
    """What is counted with every answer: plain numbers, a tenth of the time of a counter's lock."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.decisions: Counter[str] = Counter()
        self.rewards: Counter[tuple[str, str]] = Counter()
        self.times: dict[str, list[int]] = {}
        self.seconds: Counter[str] = Counter()

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.requests[route, status] += 1
        times = self.times.get(route)
        if times is None:
            times = self.times[route] = [0] * len(LIMITS)
        times[bisect_left(SECONDS, seconds)] += 1
        self.seconds[route] += seconds  # type: ignore[assignment]  # a sum of floats

    def collect(self) -> Iterator[Metric]:
        """Yield the numbers of now."""
        requests = CounterMetricFamily(
            "driftbandit_requests", "Requests answered.", labels=["route", "status"]
        )
        for (route, status), count in self.requests.items():
            requests.add_metric([route, str(status)], count)
        decisions = CounterMetricFamily(
            "driftbandit_decisions", "Decisions answered.", labels=["experiment"]
        )
        for experiment, count in self.decisions.items():
            decisions.add_metric([experiment], count)
        rewards = CounterMetricFamily(
            "driftbandit_rewards", "Rewards answered.", labels=["experiment", "status"]
        )
        for (experiment, kind), count in self.rewards.items():
            rewards.add_metric([experiment, kind], count)
        yield from (requests, decisions, rewards, self._seconds())

    def _seconds(self) -> HistogramMetricFamily:
        seconds = HistogramMetricFamily(
            "driftbandit_request_seconds", "Time to answer.", labels=["route"]
        )
        for route, times in self.times.items():
            sums = [float(sum(times[: place + 1])) for place in range(len(times))]
            pairs = list(zip(LIMITS, sums, strict=True))
            seconds.add_metric([route], pairs, self.seconds[route])
        return seconds


class Metrics:
    """The numbers of one process, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = here = CollectorRegistry()
        self.answers = Answers()
        here.register(self.answers)

        def counter(name: str, text: str, *labels: str) -> prometheus.Counter:
            return prometheus.Counter(f"driftbandit_{name}", text, labels, registry=here)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"driftbandit_{name}", text, labels, registry=here)

        self.redrawn = counter("redrawn", "Decisions drawn again after a barrier.")
        self.batches = counter("batches", "Batches made durable.")
        self.events = counter("events", "Events folded.")
        self.failures = counter("store_failures", "Batches that could not be stored.")
        self.changes = counter(
            "changes_found", "Changes that a policy found in the rewards.", "experiment"
        )
        self.behind = gauge("clock_behind_seconds", "How far the clock is behind the log.")
        self.position = gauge("position", "The last event folded.")
        self.pending = gauge("pending", "Decisions not settled yet.", "experiment")
        self.silence = gauge(
            "seconds_without_reward", "How long decisions have had no reward.", "experiment"
        )
        self.stopped = gauge("rewards_stopped", "1 while that is too long.", "experiment")
        self.starved = gauge(
            "arms_starved", "Arms in play on which no decision falls.", "experiment"
        )

    def text(self) -> bytes:
        """Return all numbers in the format of Prometheus."""
        return generate_latest(self.registry)
