"""Reward laws as machine code: compiled once each, and called by the loops of all policies.

A loop is given the address of a law's code. So a policy is compiled once for all laws (a window
twice, since it keeps coins as bytes), and a law once for all policies. The call costs some
nanoseconds per round, shared by all lanes of a block.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]  # set at import
from numba.extending import intrinsic

from driftbandit.core.errors import require
from driftbandit.core.lanes import LUCK, MEAN, REWARD, Array, bounded
from driftbandit.core.marking import compilable
from driftbandit.engine import compiler
from driftbandit.environments.laws import Law


class Rewards(NamedTuple):
    """A compiled law: what turns luck into rewards."""

    code: Any
    """The address of the law's machine code; without the compiler, its function."""
    parameters: Array


def rewards_of(law: Law) -> Rewards:
    """Return the compiled form of a law."""
    compiler.check_globals(law.quantile)
    parameters = np.ascontiguousarray(law.parameters(), dtype=np.float64)
    flat = parameters.ndim == 1  # as machine code relies on
    require(
        flat, f"parameters of {type(law).__name__}", parameters.tolist(), "be a list of numbers"
    )
    return Rewards(_code(law.quantile), parameters)


@functools.cache
def _code(quantile: compiler.Function) -> Any:
    """Compile the quantile function of a law, or load it, and return the address."""
    seal = compiler.seal((quantile, pay_lanes))

    def pay(rows: Array, parameters: Array, lanes: int, bound: float) -> int:
        """Turn the luck of every lane into a reward."""
        pay_lanes(quantile, rows, parameters, lanes, bound)
        return seal

    code = compiler.compiled(pay, seal, allocates=bool(compiler.foreign((quantile,))))
    compiler.check(code(np.zeros(0), np.zeros(0), 0, 1.0), seal)
    if DISABLE_JIT:
        return code
    _compiled.append(code)
    (machine_code,) = code.overloads.values()
    return machine_code.library.get_pointer_to_function(machine_code.fndesc.llvm_func_name)


_compiled: list[Any] = []
"""Code lives as long as its dispatcher."""


@compilable
def pay_lanes(quantile: Any, rows: Any, parameters: Any, lanes: int, bound: float) -> None:
    """Turn the luck of every lane into a reward."""
    for lane in range(bounded(lanes)):
        rows[REWARD + lane] = bound * quantile(rows[LUCK + lane], rows[MEAN + lane], parameters)


def _call(context: Any, code: Any, rows: Any, parameters: Any, lanes: Any, bound: Any) -> Any:
    """Type and lower a call of `pay` by its address."""
    arguments = (rows, parameters, types.int64, types.float64)

    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        conventions = context.call_conv
        kind = conventions.get_function_type(types.int64, arguments)
        address = builder.inttoptr(values[0], kind.as_pointer())
        status, seal = conventions.call_function(
            builder, address, types.int64, arguments, values[1:]
        )
        with builder.if_then(status.is_error, likely=False):
            conventions.return_status_propagate(builder, status)
        return seal

    return types.int64(types.int64, *arguments), lower


def _call_plainly(code: Any, *arguments: Any) -> Any:
    """Call `pay` where nothing is compiled."""
    return code(*arguments)


call: Any = _call_plainly if DISABLE_JIT else intrinsic(_call)
"""Call the code of a law: `call(code, rows, parameters, lanes, bound)`."""
