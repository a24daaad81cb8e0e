"""Results on disk: tables for people, and what is needed to read the result back."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from driftbandit.core.errors import InputError
from driftbandit.core.files import filling, path_of
from driftbandit.engine.result import Outcome, Result
from driftbandit.environments.environment import Environment
from driftbandit.policies import Strategy

if TYPE_CHECKING:
    import polars

ARRAYS = ("regret", "plays", "suboptimal_plays", "play_share", "share_error")
"""The arrays of an outcome, by their names in `arrays.npz`, after the policy's place."""


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
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot read the result in {home}: {error}") from None


def _result(facts: dict[str, Any], arrays: dict[str, Any]) -> Result:
    policies = [Strategy.from_json(json.dumps(each)) for each in facts["policies"]]
    outcomes = {
        policy.label: Outcome(policy, **{name: arrays[f"{place} {name}"] for name in ARRAYS})
        for place, policy in enumerate(policies)
    }
    world: Any = Environment.from_json(json.dumps(facts["world"]))
    return Result(
        world=world,
        horizon=facts["horizon"],
        runs=facts["runs"],
        seed=facts["seed"],
        times=arrays["times"],
        outcomes=outcomes,
    )


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
