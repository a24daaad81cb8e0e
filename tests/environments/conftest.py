"""Compiling rules the way the engine does: closures over plain functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
import pytest

from driftbandit.core.marking import MARKED
from driftbandit.engine import compiler


@pytest.fixture(scope="session")
def compiled() -> Callable[[Callable[..., Any]], Any]:
    @functools.cache
    def compile_(function: Callable[..., Any]) -> Any:
        compiler.register(MARKED)
        return numba.njit(error_model="numpy")(function)

    return compile_
