"""Reward laws as machine code: compiled once each, and called by the loops of all policies.

A loop is given the address of a law's code. So a policy is compiled once for all laws (a window
twice, since it keeps coins as bytes), and a law once for all policies. The call costs some
nanoseconds per round, shared by all lanes of a block.

A law whose quantiles are costly may look rewards up (`laws.lookup`). The same code computes the
quantiles that its table is made of: with no table, all lanes ask for them.
"""

from __future__ import annotations

import functools
import math
import threading
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]  # set at import
from numba.extending import intrinsic

from driftbandit.core.errors import require
from driftbandit.core.lanes import FAR, LANES, LUCK, MEAN, ODDS, REWARD, ROWS, Array, bounded
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import log_odds
from driftbandit.engine import compiler
from driftbandit.engine.parts import arrays_apart
from driftbandit.environments import AnyWorld, World
from driftbandit.environments.laws import Law, Lookup


class Rewards(NamedTuple):
    """A compiled law: what turns luck into rewards."""

    code: Any
    """The address of the law's machine code; without the compiler, its function."""
    parameters: Array


def levels_of(world: AnyWorld) -> tuple[float, ...] | None:
    """Return all means that occur in a world, in units of the bound, if it can name them."""
    levels = world.levels() if isinstance(world, World) else None
    return None if levels is None else tuple(np.unique(levels / world.bound).tolist())


def rewards_of(law: Law, means: tuple[float, ...] | None = None) -> Rewards:
    """Return the compiled form of a law, in a world with these means, or with any."""
    lookup = law.lookup(means)
    if lookup is not None:
        with _one_at_a_time:
            return _rewards_by(lookup)
    compiler.check_globals(law.quantile)
    return Rewards(_address(_code(law.quantile)), _checked(law, law.parameters()))


@functools.lru_cache(maxsize=4)
def _rewards_by(lookup: Lookup) -> Rewards:
    """Return the compiled form of a law that looks rewards up; the last few tables are kept."""
    compiler.check_globals(lookup.law.quantile, lookup.look_up)
    code = _looking_code(lookup.law.quantile, lookup.look_up, lookup.by_odds)
    nothing = _checked(lookup.law, lookup.nothing())

    def quantiles(luck: Array, means: Array) -> Array:
        """Return the quantiles of the law, a block of lanes at a time."""
        parts, rows = [], np.zeros(ROWS * LANES)
        for start in range(0, luck.size, LANES):
            part = luck[start : start + LANES]
            rows[LUCK : LUCK + LANES], rows[MEAN : MEAN + LANES] = 0.5, 0.5
            rows[LUCK : LUCK + part.size] = part
            rows[MEAN : MEAN + part.size] = means[start : start + LANES]
            code(rows, nothing, LANES, 1.0)
            parts.append(rows[REWARD : REWARD + part.size].copy())
        return np.concatenate(parts)

    return Rewards(_address(code), _checked(lookup.law, lookup.table(quantiles)))


_one_at_a_time = threading.Lock()
"""Threads that begin together would all make the same table."""


def _checked(law: Law, parameters: Array) -> Array:
    """Return parameters as machine code relies on them, or raise."""
    numbers = np.ascontiguousarray(parameters, dtype=np.float64)
    require(
        numbers.ndim == 1,
        f"parameters of {type(law).__name__}",
        numbers.tolist(),
        "be a list of numbers",
    )
    return numbers


@functools.cache
def _code(quantile: compiler.Function) -> Any:
    """Compile the quantile function of a law, or load it."""
    seal = compiler.seal((quantile, pay_lanes))

    def pay(rows: Array, parameters: Array, lanes: int, bound: float) -> int:
        """Turn the luck of every lane into a reward."""
        pay_lanes(quantile, rows, parameters, lanes, bound)
        return seal

    return _loaded(pay, seal, (quantile,))


@functools.cache
def _looking_code(quantile: compiler.Function, look_up: compiler.Function, by_odds: bool) -> Any:
    """Compile the quantile function of a law and how it is looked up, or load them."""
    parts = (set_odds, look_up_lanes)
    seal = compiler.seal((quantile, look_up, *parts), str(by_odds))

    def pay_by_table(rows: Array, parameters: Array, lanes: int, bound: float) -> int:
        """Turn the luck of every lane into a reward."""
        set_odds(rows, LUCK, REWARD, lanes)
        if by_odds:
            set_odds(rows, MEAN, ODDS, lanes)
        look_up_lanes(quantile, look_up, rows, parameters, lanes, bound)
        return seal

    return _loaded(pay_by_table, seal, (quantile, look_up))


def _loaded(pay: compiler.Function, seal: int, functions: tuple[compiler.Function, ...]) -> Any:
    """Compile code that pays, or load it, and keep it: it lives as long as its dispatcher."""
    code = compiler.compiled(pay, seal, allocates=bool(compiler.foreign(functions)))
    compiler.check(code(np.zeros(0), np.zeros(0), 0, 1.0), seal)
    _compiled.append(code)
    return code


_compiled: list[Any] = []
"""All code that pays."""


def _address(code: Any) -> Any:
    """Return the address of machine code; without the compiler, the function."""
    if DISABLE_JIT:
        return code
    (machine_code,) = code.overloads.values()
    return machine_code.library.get_pointer_to_function(machine_code.fndesc.llvm_func_name)


@compilable
def pay_lanes(quantile: Any, rows: Any, parameters: Any, lanes: int, bound: float) -> None:
    """Turn the luck of every lane into a reward."""
    for lane in range(bounded(lanes)):
        rows[REWARD + lane] = bound * quantile(rows[LUCK + lane], rows[MEAN + lane], parameters)


@compilable
def set_odds(rows: Any, source: int, target: int, lanes: int) -> None:
    """Fill a row with the log odds of the numbers of another: vector code."""
    source, target = source & FAR, target & FAR
    for lane in range(bounded(lanes)):
        rows[target + lane] = log_odds(rows[source + lane])


@arrays_apart
@compilable
def look_up_lanes(
    quantile: Any, look_up: Any, rows: Any, parameters: Any, lanes: int, bound: float
) -> None:
    """Turn the log odds of every lane's luck into a reward; the few that have none ask the law."""
    missing = 0
    for lane in range(bounded(lanes)):
        odds, mean_odds, mean = rows[REWARD + lane], rows[ODDS + lane], rows[MEAN + lane]
        reward = look_up(odds, mean_odds, mean, parameters)
        missing += int(math.isnan(reward))
        rows[REWARD + lane] = bound * reward
    if missing > 0:
        for lane in range(bounded(lanes)):
            if math.isnan(rows[REWARD + lane]):
                reward = quantile(rows[LUCK + lane], rows[MEAN + lane], parameters)
                rows[REWARD + lane] = bound * reward


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
