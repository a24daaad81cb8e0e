"""Guardrails: the law that arms are served by, and who chose an arm.

Each holds for what those before it leave: kill switch, holdout, shares, floor, policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from driftbandit.core.errors import InputError, require, shown
from driftbandit.live.agent import Agent
from driftbandit.policies.learner import place_of, total_of
from driftbandit.service.events import Bounds, By, Config, Mode

LAST = 1.0 - 2.0**-53
"""The largest uniform number: to a policy that draws by it, a draw that was not its own."""


_BY: dict[Mode, By] = {"live": "policy", "shadow": "shadow", "killed": "kill switch"}


class Choice(NamedTuple):
    """An arm, the probability with which it is served, and who chose it."""

    arm: str
    probability: float
    by: By
    eligible: tuple[str, ...]


def check(config: Config, playing: Sequence[str], known: Sequence[str]) -> None:
    """Raise unless guardrails fit the arms in play, and those that are known."""
    check_default(config, playing)
    uniform = config.holdout / len(playing)
    for arm, (least, most) in _pairs(config.shares).items():
        name = f"shares of {shown(arm)}"
        require(arm in known, "shares", arm, f"be of {shown(list(known))}")
        require(least <= most, f"{name}: least", least, f"be at most {most:g}")
        require(most >= uniform, f"{name}: most", most, f"be at least {uniform:g}, by the holdout")
    least = total_of(bounds.least for bounds in config.shares.values())
    require(least <= 1.0, "shares: the sum of least", least, "be at most 1")
    most = total_of(_bounds(config.shares, arm)[1] for arm in playing)
    require(most >= 1.0, "shares: the sum of most over the arms in play", most, "be at least 1")


def check_default(config: Config, playing: Sequence[str]) -> None:
    """Raise unless the default arm is in play, if there must be one."""
    default = config.default_arm
    if default is not None:
        require(default in playing, "default_arm", default, f"be one of {shown(list(playing))}")
    elif config.mode != "live":
        raise InputError(f"default_arm must be given for the mode {config.mode!r}")


def law(
    agent: Agent[str], config: Config, eligible: Sequence[str] | None = None
) -> dict[str, float]:
    """Return the probability of each eligible arm: exactly what `draw` draws from."""
    if config.mode == "live":
        policy = agent.probabilities(eligible)
        return _held(_within(policy, config), config.holdout)
    names = agent.eligible(eligible)
    default = _default(config, names)
    chances = {arm: float(arm == default) for arm in names}
    return chances if config.mode == "killed" else _held(chances, config.holdout)


def draw(
    agent: Agent[str],
    config: Config,
    eligible: Sequence[str] | None,
    u: float,
    again: Callable[[], float],
) -> Choice:
    """Return the arm that a uniform number draws; `again` is another one, for arms at a bound.

    The policy's own draw stands as often as the bounds allow.
    """
    holdout = config.holdout
    if not holdout and not config.shares and config.mode == "live":  # what `law` says, at once
        arm, probability, names = agent.draw(u, eligible)
        return Choice(arm, probability, "policy", names)
    chances = law(agent, config, eligible)
    by, names = _BY[config.mode], tuple(chances)
    if u < holdout and config.mode != "killed":
        arm, by = names[min(int(u / holdout * len(names)), len(names) - 1)], "holdout"
    elif config.mode != "live":
        arm = _default(config, names)
    else:
        arm = agent.draw(left(u, holdout), names)[0]
        if config.shares:
            before = agent.probabilities(names)
            moved = _moved(arm, before, _within(before, config), again)
            arm, by = moved, "policy" if moved == arm else "shares"
    return Choice(arm, chances[arm], by, names)


def left(u: float, holdout: float) -> float:
    """Return what is left of a uniform number that did not fall into the holdout.

    >>> left(0.75, 0.5)
    0.5
    """
    return min((u - holdout) / (1.0 - holdout), LAST) if holdout else u


def nearest(chances: Sequence[float], bounds: Sequence[tuple[float, float]]) -> list[float]:
    """Return the probabilities within bounds that are nearest to these: clip(p + μ), with one μ.

    >>> nearest([1.0, 0.0, 0.0], [(0.0, 0.6), (0.0, 1.0), (0.1, 1.0)])
    [0.6, 0.2, 0.2]
    """
    rows = [(p, least, most) for p, (least, most) in zip(chances, bounds, strict=True)]
    if all(least <= p <= most for p, least, most in rows):
        return list(chances)
    edges = sorted({edge for p, least, most in rows for edge in (least - p, most - p)})
    low, high = 0, len(edges) - 1
    while high - low > 1:  # between the last edge where the sum is too small and the next one
        middle = (low + high) // 2
        low, high = (middle, high) if _sum(rows, edges[middle]) < 1.0 else (low, middle)
    before, after = _sum(rows, edges[low]), _sum(rows, edges[high])
    part = (1.0 - before) / (after - before) if after > before else 0.0
    shift = edges[low] + min(max(part, 0.0), 1.0) * (edges[high] - edges[low])
    return [min(max(p + shift, least), most) for p, least, most in rows]


def _sum(rows: Sequence[tuple[float, float, float]], shift: float) -> float:
    return total_of(min(max(p + shift, least), most) for p, least, most in rows)


def _within(policy: Mapping[str, float], config: Config) -> dict[str, float]:
    """Return the law that acts outside the holdout: the policy's, within the shares.

    Together with the holdout, arms have their shares. Where the eligible arms cannot have them, the
    bounds give way in proportion. What the bounds leave keeps the floor.
    """
    if not config.shares:
        return dict(policy)
    uniform, rest = config.holdout / len(policy), 1.0 - config.holdout
    bounds = [_bounds(config.shares, arm) for arm in policy]
    least = _scaled([max((low - uniform) / rest, 0.0) for low, _ in bounds], most=1.0)
    most = [min(max((high - uniform) / rest, 0.0), 1.0) for _, high in bounds]
    if total_of(most) < 1.0:
        most = _scaled(most, most=0.0) if any(most) else [1.0 / len(most)] * len(most)
    least = [min(low, high) for low, high in zip(least, most, strict=True)]
    floored = _floored(least, most, config.floor / len(policy))
    pairs = list(zip(floored, most, strict=True))
    return dict(zip(policy, nearest(list(policy.values()), pairs), strict=True))


def _floored(least: list[float], most: list[float], floor: float) -> list[float]:
    """Return the least of each arm with the floor, as far as the bounds leave room for it.

    >>> _floored([0.0, 0.75, 0.0], [1.0, 1.0, 1.0], 0.25)
    [0.125, 0.75, 0.125]
    """
    wanted = [max(low, min(floor, high)) for low, high in zip(least, most, strict=True)]
    needed = total_of(wanted)
    if needed <= 1.0:
        return wanted
    before = total_of(least)
    part = (1.0 - before) / (needed - before) if needed > before else 0.0
    pairs = zip(least, wanted, strict=True)
    return [low + max(part, 0.0) * (want - low) for low, want in pairs]


def _scaled(values: list[float], most: float) -> list[float]:
    """Return values in proportion, with the sum 1 if theirs is above `most`."""
    total = total_of(values)
    return [value / total for value in values] if total > most else values


def _held(chances: dict[str, float], holdout: float) -> dict[str, float]:
    """Return the law that is uniform with the probability `holdout`."""
    if not holdout:
        return chances
    uniform = holdout / len(chances)
    return {arm: min(uniform + (1.0 - holdout) * chance, 1.0) for arm, chance in chances.items()}


def _moved(
    arm: str, before: Mapping[str, float], after: Mapping[str, float], again: Callable[[], float]
) -> str:
    """Return an arm of the law `after`, given one of the law `before`: the same if it may be."""
    if after[arm] >= before[arm]:
        return arm
    keep, v = after[arm] / before[arm], again()
    if v < keep:
        return arm
    gains = [max(after[each] - before[each], 0.0) for each in before]
    place = place_of((v - keep) / (1.0 - keep) * total_of(gains), gains)
    return list(before)[place]


def _default(config: Config, eligible: Sequence[str]) -> str:
    """Return the default arm, or raise if it may not be served."""
    default = config.default_arm
    if default is None or default not in eligible:
        raise InputError(
            f"eligible must hold {shown(default)}, the default arm, while the mode is "
            f"{config.mode}, got {shown(list(eligible))}"
        )
    return default


def _bounds(shares: Mapping[str, Bounds], arm: str) -> tuple[float, float]:
    bounds = shares.get(arm)
    return (0.0, 1.0) if bounds is None else (bounds.least, bounds.most)


def _pairs(shares: Mapping[str, Bounds]) -> dict[str, tuple[float, float]]:
    return {arm: _bounds(shares, arm) for arm in shares}
