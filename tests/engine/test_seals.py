"""Compiled loops of the package's own policies and laws are kept on disk."""

from __future__ import annotations

import pytest

from driftbandit.engine import compiler
from driftbandit.engine.stages import stages
from fingerprint.rows import ROWS, Row, rows_by_policy

ONE_EACH = [rows[0] for rows in rows_by_policy(ROWS).values()]


@pytest.mark.parametrize("row", ONE_EACH, ids=lambda row: row.policy)
def test_every_policy_and_law_has_a_seal(row: Row) -> None:
    """Without one, machine code is not kept, and every process compiles it again."""
    for stage in stages(row.strategy, row.world, row.rounds):
        setup = stage.setup
        assert compiler.seal((setup.choose, setup.force, setup.learn, *setup.rules))
        assert compiler.seal((row.world.law.quantile,))
