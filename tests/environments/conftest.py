"""Compiling rules the way the engine does: closures over plain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import pytest
from numba.extending import register_jitable

from driftbandit.compilable import MARKED


@pytest.fixture(scope="session")
def compiled() -> Callable[[Callable[..., Any]], Any]:
    registered: set[Callable[..., Any]] = set()

    def compile_(function: Callable[..., Any]) -> Any:
        for helper in set(MARKED) - registered:
            register_jitable(helper)
            registered.add(helper)
        return numba.njit(error_model="numpy")(function)

    return compile_
