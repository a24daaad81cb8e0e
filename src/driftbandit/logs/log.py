"""A log of past choices: what it can tell, and what another policy would have earned."""

from __future__ import annotations

import os
from typing import Any

from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import InputError, flag, one_of, real, require, shown, whole
from driftbandit.core.text import apart
from driftbandit.logs.check import Check
from driftbandit.logs.columns import columns_of
from driftbandit.logs.contents import Contents
from driftbandit.logs.drift.drift import drift_of
from driftbandit.logs.drift.result import LogDrift
from driftbandit.logs.estimates.sums import Progress, gathered
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.overlap import Overlap, overlap_of
from driftbandit.logs.players import on_arms, players_of
from driftbandit.logs.reading.layouts import layout_of
from driftbandit.logs.reading.source import source_of
from driftbandit.logs.report.making import Stages, report_of
from driftbandit.logs.report.result import Report, ending_checked
from driftbandit.logs.rows import Terms
from driftbandit.logs.tuning.candidates import candidates_of
from driftbandit.logs.tuning.result import Tuning
from driftbandit.logs.tuning.tune import tuned
from driftbandit.logs.values import Values
from driftbandit.logs.valuing import Question, valued
from driftbandit.logs.world import FittedWorld, fitted_world

SET_ASIDE, REFUSE = "set aside", "refuse"
DONE = "done, total"


class Log:
    """Past choices: when, which arm, which reward, and how likely the choice was.

    `Log.read` opens a log; nothing but the names of its columns is looked at before a question is
    asked. `check` lists bad rows, `overlap` says how much the log can tell, `value` what policies
    are worth, and `world` how the arms' mean rewards moved.

    >>> import polars as pl
    >>> frame = pl.DataFrame({
    ...     "time": range(1_000), "arm": ["red", "blue"] * 500, "reward": [1, 0, 0, 0] * 250,
    ... }).with_columns(propensity=pl.lit(0.5))
    >>> log = Log.read(frame)
    >>> value = log.value({"red": 1.0})["always red"]
    >>> round(value.value, 3), value.of
    (0.5, "the log's period")
    """

    def __init__(self, contents: Contents, group: Any = None, group_word: str = "") -> None:
        if not isinstance(contents, Contents):
            raise InputError(f"a log is opened by Log.read(source), got Log({shown(contents)})")
        self._contents, self.columns = contents, contents.columns
        self.group = group
        """The value of the group that this log is of; None for a whole log."""
        self.group_word = group_word
        """A word for file names that no other group has; empty for a whole log."""

    @staticmethod
    def read(
        source: Any,
        *,
        time: str | None = None,
        arm: str | None = None,
        reward: str | None = None,
        propensity: str | None = None,
        id: str | None = None,
        eligible: str | None = None,
        reward_time: str | None = None,
        group: str | None = None,
        layout: str | None = None,
        bound: float = 1.0,
        unit: str = "s",
        zone: str | None = None,
        default_reward: float | None = None,
        sort: bool = False,
        bad: str = REFUSE,
    ) -> Log:
        """Open a log: files, or a data frame.

        `source` is a CSV file, a Parquet file, JSON lines (.jsonl, .ndjson, .dsjson), a folder of
        them, a pattern such as `logs/*.parquet`, or a frame of Polars, pandas, PyArrow, DuckDB,
        Ibis, Dask or PySpark. Files are never loaded whole; databases and clusters sort, count and
        select where the data are.

        - `time`, `arm`, `reward`, `propensity`, `id`, `eligible`, `reward_time`, `group` name
          columns; by default those of the same names. Without propensities they are estimated.
          `eligible` holds a list of arms, or a text such as "a|b"; `reward_time` is looked at by
          `check` alone; `groups` makes a log for each value of `group`.
        - `layout`: "agent" for lines that `Decision.to_json` and `Reward.to_json` wrote,
          "open-bandit" for the Open Bandit Dataset, "vowpal-wabbit" for dsjson.
        - `bound`: rewards lie in [0, bound].
        - `unit` of times that are numbers: "s", "ms", "us" or "ns" since 1970. Datetimes and texts
          need a time zone, their own or `zone`.
        - `default_reward`: what a reward counts as that is missing, where no reward means that
          nothing happened.
        - `sort`: sort the rows by time and id. Sources without an order are always sorted.
        - `bad`: "refuse" bad rows, or "set aside": leave them out, and say so.
        """
        chosen = {
            "time": time, "arm": arm, "reward": reward, "propensity": propensity, "id": id,
            "eligible": eligible, "reward_time": reward_time, "group": group,
        }  # fmt: skip
        aside = one_of("bad", bad, (REFUSE, SET_ASIDE)) == SET_ASIDE
        terms = Terms.checked(bound, unit, zone, default_reward)
        kind = None if layout is None else layout_of(layout)
        rows = source_of(source, kind)
        columns = columns_of(rows.names, chosen, None if kind is None else kind.columns)
        by_time = flag("sort", sort) or not rows.ordered
        return Log(Contents(rows, columns, terms, by_time, aside))

    def __repr__(self) -> str:
        """Return which columns there are."""
        columns = ", ".join(f"{role}={name!r}" for role, name in self.columns.present().items())
        return f"<Log: {columns}>"

    def check(self) -> Check:
        """Return what the log holds, and which rows are bad and why."""
        return self._contents.check()

    @property
    def usable(self) -> bool:
        """Whether there are good rows, and no bad ones that are not set aside."""
        return self._contents.usable

    def overlap(self, policies: Any = None) -> Overlap:
        """Return how much the log can tell, about each arm and about policies.

        `policies` are as for `value`.
        """
        evidence = self._evidence
        results = gathered(players_of(policies, evidence, 0), [], evidence, None, 0)
        return overlap_of(evidence, results, on_arms(policies, evidence))

    def value(
        self,
        policies: Any = None,
        method: Any = "dr",
        at: str = "mean",
        *,
        memory: Any = None,
        interval: str = "blocks",
        level: float = 0.95,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Values:
        """Return what policies are worth: the mean reward per decision.

        - `policies`: policies of this package, which learn from the rows that replay accepts, at
          the times of those rows; fixed policies, as mappings from arms to shares such as
          {"red": 1.0}; or a list of them. By default each arm alone (of very many, the 100 played
          most), and uniform shares. What wrote the log is always among them.
        - `method`: "dr", "radr", "snips", "ips", "dm", "replay" or "world", or a list to see them
          side by side. What each assumes is in its notes.
        - `at`: "mean" over the log's period; "now", its end; "next 7d", the time that follows.
        - `memory`: a `TimeWindow` or `HalfLife` for at="now", in place of a level that walks with
          seasons.
        - `interval`: "blocks" (about `level`), or, for dr and ips, "bernstein" (at least `level`,
          for any number of rows) or "sequence" (at all times at once).
        - `progress(done, total)` is called on the way.
        """
        require_function("progress", progress, DONE)
        evidence = self._evidence
        question = Question.checked(method, at, memory, interval, level, seed, evidence.end)
        values = valued(policies, question, evidence, progress)
        values.notes.extend([*on_arms(policies, evidence), *self._contents.notes])
        return values

    def drift(self, *, level: float = 0.95, progress: Progress | None = None) -> LogDrift:
        """Return whether mean rewards move, and how: changes, seasons, and the memory that follows.

        - `level` is that of intervals and bands; a log that stands still shows a change, or a
          season, with probability 1 − `level` at most.
        - `progress(done, total)` is called on the way.
        """
        require_function("progress", progress, DONE)
        result = drift_of(self._evidence, real("level", level, "(0, 1)"), progress)
        result.notes.extend(self._contents.notes)
        return result

    def tune(
        self,
        policies: Any = None,
        spans: Any = None,
        *,
        level: float = 0.95,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Tuning:
        """Return which policy, with which memory, would have served this log best.

        - `policies`: policies that learn, each played with every memory of its kind: windows for
          one with a window or the full history, half-lives for one with a discount or a half-life.
          By default Thompson sampling with both, and `Auto`.
        - `spans`: windows and half-lives, such as ["6h", "1d", "4d"]; by default the length of the
          log, half of it, a quarter, …
        - `progress(done, total)` is called on the way.

        Replay learns from fewer rows than a live policy, so that its best memory is another one.
        The answer has both ways of replay, and ranks by what policies earn at full traffic in the
        world that the log shows (`world`).
        """
        require_function("progress", progress, DONE)
        share = real("level", level, "(0, 1)")
        candidates = candidates_of(policies, spans, self._evidence)
        result = tuned(candidates, self._evidence, share, whole("seed", seed, least=0), progress)
        result.notes.extend(self._contents.notes)
        return result

    def world(self, seed: int = 0) -> FittedWorld:
        """Return the mean rewards that the log shows, per window of time and arm, with bands."""
        return fitted_world(self._evidence, whole("seed", seed, least=0))

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        policies: Any = None,
        tune: bool = True,
        title: str | None = None,
        level: float = 0.95,
        seed: int = 0,
        progress: Stages | None = None,
    ) -> Report:
        """Ask everything, and say first what to do; write it to a file, if a path is given.

        - `path` ends in .html for one page that needs no network and can be read on a phone, .md
          for Markdown, or .json.
        - `policies` are as for `value`; by default each arm, equal shares, `Auto`, and the policy
          that `tune` recommends.
        - `tune`: whether to look for the best policy and memory, which takes longest.
        - `title`: by default it has the name of the file, and of the group.
        - `progress(what, done, total)` is called on the way.
        """
        if path is not None:
            ending_checked(path)
        require_function("progress", progress, f"what, {DONE}")
        require(title is None or isinstance(title, str), "title", title, "be a text")
        share, name = real("level", level, "(0, 1)"), title or f"What {self._name} tells"
        result = report_of(
            self, self._evidence, name, policies, flag("tune", tune), share, seed, progress
        )
        if path is not None:
            result.save(path)
        return result

    def groups(self) -> dict[Any, Log]:
        """Return a log for each value of the column `group`, such as a country or a device.

        Each has the rows of its group alone, numbers them from 1, and answers every question for
        itself. Rows without a group are those of None.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"time": range(4), "arm": ["a", "b"] * 2, "reward": [1, 0, 0, 1]})
        >>> log = Log.read(frame.with_columns(country=pl.Series(["fr", "fr", "it", "it"])),
        ...                group="country")
        >>> {country: each.check().good for country, each in log.groups().items()}
        {'fr': 2, 'it': 2}
        """
        name = self.columns.group
        if name is None:
            raise InputError("group must name a column when the log is read, got none")
        groups = self._contents.groups(name)
        words = apart(map(_word, groups))
        return {
            label: Log(groups[label], label, word)
            for label, word in zip(groups, words, strict=True)
        }

    @property
    def _name(self) -> str:
        name = self._contents.name or "a log of past choices"
        return name if self.group is None else f"{name} of {self.group}"

    @property
    def _evidence(self) -> Evidence:
        return self._contents.evidence


def _word(label: Any) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in str(label))
