"""Parts of a loop are inlined into it: they have no machine code of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from driftbandit.core.lanes import LANES
from driftbandit.core.random import streams
from driftbandit.engine import compiler, steps


def test_a_loop_of_parts_is_the_only_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    libraries: list[str] = []
    finish: Callable[[JITCodeLibrary], None] = JITCodeLibrary._finalize_specific

    def noting(library: JITCodeLibrary) -> None:
        libraries.append(library.name)
        finish(library)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", noting)
    draw = steps.draw
    assert compiler.register([draw]) > {draw}

    def twice(words: object, rows: object) -> int:
        draw(8, words, rows, 0)
        draw(8, words, rows, LANES)
        return 1

    words, rows = np.zeros((4, LANES), dtype=np.uint64), np.zeros(2 * LANES)
    words[:, :8] = streams(0, 0, 0, 8)
    assert compiler.compiled(twice, 0, allocates=False)(words.ravel(), rows) == 1
    assert (rows[:8] > 0.0).all()
    assert not np.array_equal(rows[:8], rows[LANES : LANES + 8])
    assert set(libraries) - {"nrt"} == {"twice_0"}  # nrt: what Numba itself needs, once per process
