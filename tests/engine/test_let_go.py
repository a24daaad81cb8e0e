"""What the compiler has worked with is let go of: passes, statements, types and modules."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding.newpassmanagers import NewPassManager
from numba.core.codegen import CPUCodegen
from numba.core.typed_passes import NativeLowering

from driftbandit.core.lanes import LANES, ON
from driftbandit.engine import compiler, steps


def loop_of_parts() -> Any:
    """Return a loop that is not compiled yet, with parts that call parts."""
    draw = steps.draw
    compiler.register([draw])

    def fill(words: Any, rows: Any) -> int:
        draw(8, words, rows, 0, ON)
        return 1

    return fill


def arrays(kind: type = np.float64) -> tuple[Any, Any]:
    """Return arguments for the loop; parts are compiled again for rows of another kind."""
    return np.ones(4 * LANES, dtype=np.uint64), np.zeros(2 * LANES, dtype=kind)


@pytest.fixture
def disposed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the addresses of passes that were freed."""
    addresses: list[int] = []
    dispose = NewPassManager._dispose

    def noting(manager: Any) -> None:
        addresses.append(id(manager))
        dispose(manager)

    monkeypatch.setattr(NewPassManager, "_dispose", noting)
    return addresses


@pytest.mark.parametrize("allocates", [True, False])
def test_all_passes_are_freed(
    disposed: list[int], allocates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler.compiled(loop_of_parts(), 0, allocates)(*arrays())  # with what Numba itself needs
    disposed.clear()
    managers: list[Any] = []
    for name in ("_module_pass_manager", "_function_pass_manager"):
        make = getattr(CPUCodegen, name)

        def noting(codegen: Any, make: Callable[..., Any] = make, **options: Any) -> Any:
            manager, builder = make(codegen, **options)
            managers.append(manager)
            return manager, builder

        monkeypatch.setattr(CPUCodegen, name, noting)
    code = compiler.compiled(loop_of_parts(), 0, allocates)
    assert code(*arrays(np.float32 if allocates else np.int64)) == 1
    assert len(managers) > 4
    assert sorted(disposed) == sorted(map(id, managers))
    assert all(manager.closed for manager in managers)


def test_statements_types_and_modules_of_functions_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dropped: list[tuple[str, weakref.ref[Any]]] = []
    run: Callable[..., Any] = NativeLowering.run_pass

    def noting(lowering: NativeLowering, state: Any) -> Any:
        name = state.func_id.func_name
        dropped.append((name, weakref.ref(state.func_ir)))
        dropped.append((name, weakref.ref(state.type_annotation)))
        if name != "fill_0":  # the module of a loop belongs to LLVM's engine
            dropped.append((name, weakref.ref(state.library._final_module)))
        return run(lowering, state)

    monkeypatch.setattr(NativeLowering, "run_pass", noting)
    code = compiler.compiled(loop_of_parts(), 0, allocates=False)
    assert code(*arrays(np.complex128)) == 1
    gc.collect()
    assert {name for name, _ in dropped} >= {"fill_0", "draw"}
    assert [name for name, reference in dropped if reference() is not None] == []


def test_code_that_is_saved_or_loaded_keeps_no_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    for hits in (0, 1):
        code = compiler.compiled(loop_of_parts(), 1, allocates=False)
        assert code(*arrays()) == 1
        assert sum(code.stats.cache_hits.values()) == hits
        (machine_code,) = code.overloads.values()
        assert machine_code.library._shared_module is None
        assert machine_code.library._compiled_object is None
