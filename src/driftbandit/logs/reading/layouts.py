"""Logs as other programs write them: agents of this package, Open Bandit, Vowpal Wabbit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import one_of, require

if TYPE_CHECKING:
    import polars as pl

Shape = Callable[["pl.LazyFrame"], "pl.LazyFrame"]


@dataclasses.dataclass(frozen=True)
class Layout:
    """How a program lays out its log.

    `shape` turns its rows into rows of a log, `columns` are their names, and `schema` are the
    fields that are read from JSON lines.
    """

    shape: Shape
    columns: dict[str, str]
    schema: dict[str, Any] | None = None


def layout_of(name: str) -> Layout:
    """Return the layout of this name, or raise."""
    return MAKERS[one_of("layout", name, MAKERS)]()


def agent() -> Layout:
    """Return the layout of lines that `Decision.to_json` and `Reward.to_json` wrote.

    The first reward of a decision is its reward, and one that never came is missing.
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    names = {"arm": "arm", "time": "at", "propensity": "probability", "id": "id"}
    others = {"eligible": "eligible", "reward": "reward", "reward_time": "reward_time"}

    def shape(rows: pl.LazyFrame) -> pl.LazyFrame:
        is_decision = pl.col("event") == "decision"
        known = rows.collect_schema().names()
        missing = [name for name in ("event", *names.values()) if name not in known]
        require(not missing, "layout", "agent", f"fit the log, which has no column {missing}")
        paid = ("reward",) if "reward" in known else ()
        decisions = rows.filter(is_decision).drop(paid)
        if not paid:
            nothing = pl.lit(None, pl.Float64)
            return decisions.with_columns(reward=nothing, reward_time=nothing)
        rewards = (
            rows.filter(~is_decision)
            .group_by("id", maintain_order=True)
            .agg(pl.col("reward").first(), pl.col("at").first().alias("reward_time"))
        )
        return decisions.join(rewards, on="id", how="left", maintain_order="left")

    return Layout(shape, {**names, **others})


def open_bandit() -> Layout:
    """Return the layout of the Open Bandit Dataset (Saito, Aihara, Matsutani & Narita 2021).

    Its propensities are those of an item at its position.
    """
    names = {"time": "timestamp", "arm": "item_id", "reward": "click"}
    return Layout(lambda rows: rows, {**names, "propensity": "propensity_score"})


def vowpal_wabbit() -> Layout:
    """Return the layout of Vowpal Wabbit's decision service, dsjson.

    Arms are the numbers of actions, from 1; the reward is minus the cost; `a` are the actions that
    were eligible.
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    schema = {
        "_label_cost": pl.Float64,
        "_label_probability": pl.Float64,
        "_label_Action": pl.Int64,
        "Timestamp": pl.String,
        "EventId": pl.String,
        "a": pl.List(pl.Int64),
    }

    def shape(rows: pl.LazyFrame) -> pl.LazyFrame:
        return rows.select(
            id=pl.col("EventId"),
            time=pl.col("Timestamp"),
            arm=pl.col("_label_Action"),
            reward=0.0 - pl.col("_label_cost"),
            propensity=pl.col("_label_probability"),
            eligible=pl.col("a"),
        )

    roles = ("id", "time", "arm", "reward", "propensity", "eligible")
    return Layout(shape, {role: role for role in roles}, schema)


MAKERS: dict[str, Callable[[], Layout]] = {
    "agent": agent,
    "open-bandit": open_bandit,
    "vowpal-wabbit": vowpal_wabbit,
}
"""The layouts by name."""
