"""Results on disk: tables for people, and what is needed to read the result back."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from driftbandit.core.errors import InputError, require, shown, whole
from driftbandit.core.files import filling, path_of
from driftbandit.engine.result import Outcome, Result
from driftbandit.environments.environment import Environment
from driftbandit.policies import Strategy

if TYPE_CHECKING:
    import polars

ARRAYS = ("regret", "plays", "suboptimal_plays", "play_share", "share_error")
"""The arrays of an outcome, by their names in `arrays.npz`, after the policy's place."""

UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError,
    zipfile.BadZipFile,
)  # fmt: skip  # one look
"""What reading a damaged folder may raise."""


def save(result: Result, folder: str | Path) -> list[Path]:
    """Write the tables, the arrays and what was run into a folder, all or none."""
    with filling(folder) as partial:
        result.summary().policies.write_csv(partial / "summary.csv")
        _curves(result).write_parquet(partial / "curves.parquet")
        _runs(result).write_parquet(partial / "runs.parquet")
        np.savez(partial / "arrays.npz", times=result.times, **_arrays(result))
        text = json.dumps(result.to_dict(), indent=2)
        (partial / "result.json").write_text(text, encoding="utf-8")
        names = sorted(path.name for path in partial.iterdir())
    return [Path(folder) / name for name in names]


def load(folder: str | Path) -> Result:
    """Read what `save` wrote, or raise."""
    home = path_of("folder", folder, "be the name of a folder")
    try:
        facts = json.loads((home / "result.json").read_text(encoding="utf-8"))
        with (
            (home / "arrays.npz").open("rb") as file,
            np.load(file, allow_pickle=False) as arrays,
        ):
            return _result(facts, dict(arrays))
    except FileNotFoundError as error:
        raise InputError(f"no result in {home}: {Path(error.filename).name} is missing") from None
    except UNREADABLE as error:
        alien = isinstance(error, AttributeError | KeyError | TypeError)
        what = f"it is not what save wrote, {shown(str(error))}" if alien else error
        raise InputError(f"cannot read the result in {home}: {what}") from None


def _result(facts: dict[str, Any], arrays: dict[str, Any]) -> Result:
    policies = [Strategy.from_json(json.dumps(each)) for each in facts["policies"]]
    outcomes = {
        policy.label: Outcome(policy, **{name: arrays[f"{place} {name}"] for name in ARRAYS})
        for place, policy in enumerate(policies)
    }
    world: Any = Environment.from_json(json.dumps(facts["world"]))
    result = Result(
        world=world,
        horizon=whole("horizon", facts["horizon"]),
        runs=whole("runs", facts["runs"]),
        seed=whole("seed", facts["seed"], least=0, most=None),
        times=arrays["times"],
        outcomes=outcomes,
    )
    places = {name.partition(" ")[0] for name in arrays if name.endswith(" regret")}
    one_each = len(outcomes) == len(policies) == len(places)
    require(one_each, "policies", list(outcomes), f"be {len(places)}, one per regret array")
    _check_shapes(result)
    _check_numbers(result)
    return result


def _check_shapes(result: Result) -> None:
    """Raise if arrays and facts are of different simulations."""
    require(bool(result.outcomes), "policies", list(result.outcomes), "be at least one")
    last = result.times[-1:].tolist()
    require(last == [result.horizon], "the last of times", last, f"be {result.horizon}")
    runs, marks, arms = result.runs, result.times.size, result.world.arms
    sizes = [(runs, marks), (runs, arms), (runs, arms), (marks, arms), (marks, arms)]
    shapes = dict(zip(ARRAYS, sizes, strict=True))
    for outcome in result.outcomes.values():
        for name, shape in shapes.items():
            actual = getattr(outcome, name).shape
            require(actual == shape, f"the shape of {name}", actual, f"be {shape}")


def _check_numbers(result: Result) -> None:
    """Raise if an array holds what no simulation gives."""
    times = result.times
    rising = times.dtype.kind in "iu" and bool((np.diff(times, prepend=0) > 0).all())
    require(rising, "times", times, "be whole numbers that rise from 1")
    for outcome in result.outcomes.values():
        for name in ARRAYS:
            array = getattr(outcome, name)
            fits = array.dtype.kind == "f" and bool(np.isfinite(array).all())
            require(fits, f"{name} of {outcome.label}", array, "hold finite numbers")
        for name, sums in (("plays", result.horizon), ("play_share", 1.0)):
            array = getattr(outcome, name)
            fits = bool((array >= 0.0).all()) and np.allclose(array.sum(axis=1), sums)
            require(fits, f"{name} of {outcome.label}", array, f"add up to {sums:g} in each row")


def _arrays(result: Result) -> dict[str, Any]:
    return {
        f"{place} {name}": getattr(outcome, name)
        for place, outcome in enumerate(result.outcomes.values())
        for name in ARRAYS
    }


def _curves(result: Result) -> polars.DataFrame:
    """Return one row per policy, checkpoint and arm."""
    import polars  # noqa: PLC0415  # loads only where tables are made

    frames = []
    for label, outcome in result.outcomes.items():
        arms = outcome.plays.shape[1]
        frames.append(
            polars.DataFrame(
                {
                    "policy": [label] * len(result.times) * arms,
                    "round": result.times.repeat(arms),
                    "arm": np.tile(np.arange(arms), len(result.times)),
                    "regret": outcome.mean_regret.repeat(arms),
                    "regret_error": outcome.regret_error.repeat(arms),
                    "play_share": outcome.play_share.ravel(),
                    "share_error": outcome.share_error.ravel(),
                }
            )
        )
    return polars.concat(frames)


def _runs(result: Result) -> polars.DataFrame:
    """Return one row per policy and run."""
    import polars  # noqa: PLC0415  # loads only where tables are made

    frames = [
        polars.DataFrame(
            {
                "policy": [label] * result.runs,
                "run": np.arange(result.runs),
                "regret": outcome.final_regret,
                **{f"plays_{k}": plays for k, plays in enumerate(outcome.plays.T)},
                **{f"suboptimal_{k}": bad for k, bad in enumerate(outcome.suboptimal_plays.T)},
            }
        )
        for label, outcome in result.outcomes.items()
    ]
    return polars.concat(frames)
