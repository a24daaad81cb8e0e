"""Parts of a loop are inlined into it: they have no machine code of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from driftbandit.core.lanes import LANES, ON
from driftbandit.core.random import streams
from driftbandit.engine import compiler, rewards, steps
from driftbandit.engine.parts import PartCompiler
from driftbandit.environments.laws import Exact, Lookup


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
        draw(8, words, rows, 0, ON)
        draw(8, words, rows, LANES, ON)
        return 1

    words, rows = np.zeros((4, LANES), dtype=np.uint64), np.zeros(2 * LANES)
    words[:, :8] = streams(0, 0, 0, 8)
    assert compiler.compiled(twice, 0, allocates=False)(words.ravel(), rows) == 1
    assert (rows[:8] > 0.0).all()
    assert not np.array_equal(rows[:8], rows[LANES : LANES + 8])
    assert set(libraries) - {"nrt"} == {"twice_0"}  # nrt: what Numba itself needs, once per process


def test_only_parts_that_say_so_have_arrays_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    apart: dict[str, bool] = {}
    passes: Callable[[PartCompiler], object] = PartCompiler.define_pipelines

    def noting(compiler_: PartCompiler) -> object:
        pipelines = passes(compiler_)
        apart[compiler_.state.func_id.func_name] = compiler_.state.flags.noalias
        return pipelines

    class Nothing(Lookup):  # a class in a function is never on disk, so it is compiled here
        @staticmethod
        def look_up(odds: float, mean_odds: float, mean: float, parameters: object) -> float:
            return mean

    monkeypatch.setattr(PartCompiler, "define_pipelines", noting)
    rewards._looking_code(Exact.quantile, Nothing.look_up, False).address()
    assert apart.pop("look_up_lanes")
    assert not any(apart.values())
