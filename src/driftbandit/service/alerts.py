"""What somebody should know: changes found, arms starved, rewards stopped."""

from __future__ import annotations

import logging

from driftbandit.service.experiment import Experiment
from driftbandit.service.fold import Fold
from driftbandit.service.metrics import Metrics

LOG = logging.getLogger("driftbandit")


def alerts_of(experiment: Experiment, at: float) -> list[str]:
    """Return what is wrong with an experiment at a time of the log, a line each."""
    watch, config = experiment.watch, experiment.config
    lines = [f"paused: {experiment.reason}"] if experiment.reason else []
    if experiment.status != "running":
        return lines
    silence = watch.silence(at)
    if silence > (config.pause_without_rewards or config.reward_within):
        lines.append(f"no reward came for {silence:.0f} s")
    if config.mode == "live":
        wanted = [arm for arm in experiment.agent.arms if _may_be_served(experiment, arm)]
        lines += [f"the arm {arm!r} starves" for arm in watch.starving(wanted)]
    return lines


def _may_be_served(experiment: Experiment, arm: str) -> bool:
    bounds = experiment.config.shares.get(arm)
    return bounds is None or bounds.most > 0.0


class Alerts:
    """Lines of the log when something begins or ends, and metrics of how it is."""

    def __init__(self, metrics: Metrics, position: int) -> None:
        self.metrics = metrics
        self._position = position  # what was found before was reported before
        self._known: dict[str, list[str]] = {}

    def look(self, fold: Fold) -> None:
        """Report what is new."""
        for name, experiment in fold.experiments.items():
            lines, before = alerts_of(experiment, fold.at), self._known.get(name, [])
            for line in lines:
                if _kind(line) not in map(_kind, before):
                    LOG.warning("experiment %s: %s", name, line)
            for line in before:
                if _kind(line) not in map(_kind, lines):
                    LOG.warning("experiment %s: no longer so: %s", name, line)
            self._known[name] = lines
            self._report_changes(name, experiment)
        self._position = fold.position

    def _report_changes(self, name: str, experiment: Experiment) -> None:
        for found in reversed(experiment.watch.found):
            if found.position <= self._position:
                return
            LOG.warning("experiment %s: a change found at a reward of %r", name, found.arm)
            self.metrics.changes.labels(name).inc()

    def measure(self, fold: Fold) -> None:
        """Set the metrics to what is now."""
        for name, experiment in fold.experiments.items():
            watch, lines = experiment.watch, alerts_of(experiment, fold.at)
            self.metrics.pending.labels(name).set(len(experiment.ledger.pending))
            self.metrics.silence.labels(name).set(watch.silence(fold.at))
            self.metrics.stopped.labels(name).set(any("no reward" in line for line in lines))
            self.metrics.starved.labels(name).set(sum("starves" in line for line in lines))


def _kind(line: str) -> str:
    """Return a line without the seconds, which pass."""
    return "no reward" if line.startswith("no reward") else line
