"""Policies × memories: what is compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from driftbandit.core.duration import seconds_of
from driftbandit.core.errors import InputError, require, shown
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.result import duration
from driftbandit.policies import Auto, Policy
from driftbandit.policies.strategy import Strategy
from driftbandit.rules.explore import Thompson
from driftbandit.rules.forget import Discount, Forget, Full, HalfLife, TimeWindow, Window

LEAST_ROUNDS = 10
"""The shortest memory by default, in rounds per arm."""

MOST_SPANS = 16


class Candidate(NamedTuple):
    """A policy as it would be live, and as replay in rounds plays it."""

    policy: Strategy
    """With its memory in time."""
    in_rounds: Strategy
    """With its memory in rounds, as many as pass live."""
    family: str
    span: float
    """The window or half-life in seconds; NaN for a policy whose memory is its own."""


def candidates_of(policies: Any, spans: Any, evidence: Evidence) -> list[Candidate]:
    """Return every policy with every memory that it may have.

    A policy with a window, of rounds or of time, gets windows of all spans; one with a discount or
    a half-life gets half-lives; one with the full history is played as it is and with windows.
    Others, such as `Auto`, are played as they are.
    """
    seconds = max((evidence.end - evidence.start) / evidence.size, 1e-9)
    lengths = _default_spans(evidence, seconds) if spans is None else _spans(spans)
    candidates = [
        each for policy in _listed(policies, evidence) for each in _with(policy, lengths, seconds)
    ]
    labels = [each.policy.label for each in candidates]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    require(
        twice is None, "labels of policies with memories", twice, "be different from each other"
    )
    return candidates


def _listed(policies: Any, evidence: Evidence) -> Sequence[Any]:
    """Return the policies; by default Thompson sampling with either kind of memory, and Auto."""
    if policies is None:
        explore = Thompson(bound=evidence.bound)
        return [
            Policy(explore=explore, label="Thompson"),
            Policy(forget=HalfLife(1.0), explore=explore, label="Thompson"),
            Auto(bound=evidence.bound),
        ]
    listed = [policies] if isinstance(policies, Strategy) else policies
    fits = isinstance(listed, Sequence) and not isinstance(listed, str) and len(listed) > 0
    require(fits, "policies", policies, "be a policy, or a list of them")
    for policy in listed:
        require(isinstance(policy, Strategy), "policies", policy, "be policies that learn")
    return list(listed)


def _with(policy: Strategy, spans: Sequence[float], seconds: float) -> list[Candidate]:
    """Return a policy with every span that suits its memory."""
    forget = policy.forget if isinstance(policy, Policy) else None
    alone = Candidate(policy, policy, policy.label, math.nan)
    if isinstance(forget, Full):
        return [alone, *(_remembering(policy, TimeWindow(span), seconds) for span in spans)]
    if isinstance(forget, Window | TimeWindow):
        return [_remembering(policy, TimeWindow(span), seconds) for span in spans]
    if isinstance(forget, Discount | HalfLife):
        return [_remembering(policy, HalfLife(span), seconds) for span in spans]
    return [alone]


def _remembering(policy: Strategy, memory: HalfLife | TimeWindow, seconds: float) -> Candidate:
    span, kind = memory.numbers()[0], "window" if isinstance(memory, TimeWindow) else "half-life"
    family = f"{policy.label}, {kind}"
    label = f"{family} {duration(span)}"
    rounds: Forget = memory.in_rounds(seconds)
    return Candidate(
        policy.replace(forget=memory, label=label), policy.replace(forget=rounds, label=label),
        family, span,
    )  # fmt: skip


def _default_spans(evidence: Evidence, seconds: float) -> list[float]:
    """Return the length of the log, half of it, a quarter, …"""
    length, least = evidence.end - evidence.start, LEAST_ROUNDS * evidence.arms * seconds
    spans = [length / 2.0**place for place in range(MOST_SPANS)]
    return [span for span in spans if span >= least and span > 0.0] or [max(length, 1.0)]


def _spans(spans: Any) -> list[float]:
    listed = spans if isinstance(spans, Sequence) and not isinstance(spans, str) else [spans]
    if not listed:
        raise InputError(f"spans must be stretches of time, at least one, got {shown(spans)}")
    return list(dict.fromkeys(seconds_of("spans", span) for span in listed))
