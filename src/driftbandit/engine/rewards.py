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
from driftbandit.core.marking import arrays_apart, compilable, compiled_as
from driftbandit.core.numerics import log_odds
from driftbandit.engine import compiler
from driftbandit.environments import AnyWorld, World
from driftbandit.environments.laws import Law, Lookup


class Rewards(NamedTuple):
    """What turns luck into rewards, as a loop is handed it."""

    code: Any
    """The address of a law's machine code, for compiled loops; for others, its function."""
    parameters: Array


class Code(NamedTuple):
    """A function that pays, as it is and compiled."""

    function: compiler.Function
    compiled: Any
    seal: int

    def address(self) -> Any:
        """Return where the machine code lies; without the compiler, the function."""
        if DISABLE_JIT:
            return self.function
        if not self.compiled.overloads:
            compiler.check(self.compiled(np.zeros(0), np.zeros(0), LUCK, 0, 1.0), self.seal)
        (machine_code,) = self.compiled.overloads.values()
        return machine_code.library.get_pointer_to_function(machine_code.fndesc.llvm_func_name)


class Payer(NamedTuple):
    """A law that pays the rewards of a job."""

    code: Code
    parameters: Array
    own: bool
    """Whether it is a law of the package, whose machine code and plain Python are alike."""

    def compiled(self) -> Rewards:
        """Return what compiled loops are handed."""
        return Rewards(self.code.address(), self.parameters)

    def as_it_is(self) -> Rewards:
        """Return what loops in plain Python are handed."""
        return Rewards(self.code.function, self.parameters)


def levels_of(world: AnyWorld) -> tuple[float, ...] | None:
    """Return all means that occur in a world, in units of the bound, if it can name them."""
    levels = world.levels() if isinstance(world, World) else None
    return None if levels is None else tuple(np.unique(levels / world.bound).tolist())


def payer_of(law: Law, means: tuple[float, ...] | None = None) -> Payer:
    """Return what pays the rewards of a law, in a world with these means, or with any."""
    lookup = law.lookup(means)
    if lookup is not None:
        with _one_at_a_time:
            return _payer_by(lookup)
    compiler.check_globals(law.quantile)
    own = not compiler.foreign((law.quantile,))
    return Payer(_code(law.quantile), _checked(law, law.parameters()), own)


@functools.lru_cache(maxsize=4)
def _payer_by(lookup: Lookup) -> Payer:
    """Return what pays the rewards of a law that looks them up; the last few tables are kept."""
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
            code.compiled(rows, nothing, LUCK, LANES, 1.0)
            parts.append(rows[REWARD : REWARD + part.size].copy())
        return np.concatenate(parts)

    own = not compiler.foreign((lookup.law.quantile, lookup.look_up))
    return Payer(code, _checked(lookup.law, lookup.table(quantiles)), own)


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
def _code(quantile: compiler.Function) -> Code:
    """Return the code of a law that pays its quantiles."""
    seal = compiler.seal((quantile, pay_lanes))

    def pay(rows: Array, parameters: Array, luck: int, lanes: int, bound: float) -> int:
        """Turn the luck of every lane into a reward."""
        pay_lanes(quantile, rows, parameters, luck, lanes, bound)
        return seal

    return _sealed(pay, seal, (quantile,))


@functools.cache
def _looking_code(quantile: compiler.Function, look_up: compiler.Function, by_odds: bool) -> Code:
    """Return the code of a law that pays what it looks up, and else its quantiles."""
    parts = (set_odds, look_up_lanes)
    seal = compiler.seal((quantile, look_up, *parts), str(by_odds))

    def pay_by_table(rows: Array, parameters: Array, luck: int, lanes: int, bound: float) -> int:
        """Turn the luck of every lane into a reward."""
        set_odds(rows, luck, REWARD, lanes)
        if by_odds:
            set_odds(rows, MEAN, ODDS, lanes)
        look_up_lanes(quantile, look_up, rows, parameters, luck, lanes, bound)
        return seal

    return _sealed(pay_by_table, seal, (quantile, look_up))


def _sealed(pay: compiler.Function, seal: int, functions: tuple[compiler.Function, ...]) -> Code:
    """Return code that pays; it is kept, since it lives as long as its dispatcher."""
    allocates = bool(compiler.foreign(functions))
    return Code(pay, compiler.compiled(pay, seal, allocates), seal)


@compilable
def pay_lanes(
    quantile: Any, rows: Any, parameters: Any, luck: int, lanes: int, bound: float
) -> None:
    """Turn the luck of every lane into a reward."""
    luck &= FAR
    for lane in range(bounded(lanes)):
        rows[REWARD + lane] = bound * quantile(rows[luck + lane], rows[MEAN + lane], parameters)


@compilable
def set_odds(rows: Any, source: int, target: int, lanes: int) -> None:
    """Fill a row with the log odds of the numbers of another: vector code."""
    source, target = source & FAR, target & FAR
    for lane in range(bounded(lanes)):
        rows[target + lane] = log_odds(rows[source + lane])


@arrays_apart
@compilable
def look_up_lanes(
    quantile: Any, look_up: Any, rows: Any, parameters: Any, luck: int, lanes: int, bound: float
) -> None:
    """Turn the log odds of every lane's luck into a reward; the few that have none ask the law."""
    luck &= FAR
    missing = 0
    for lane in range(bounded(lanes)):
        odds, mean_odds, mean = rows[REWARD + lane], rows[ODDS + lane], rows[MEAN + lane]
        reward = look_up(odds, mean_odds, mean, parameters)
        missing += int(math.isnan(reward))
        rows[REWARD + lane] = bound * reward
    if missing > 0:
        for lane in range(bounded(lanes)):
            if math.isnan(rows[REWARD + lane]):
                reward = quantile(rows[luck + lane], rows[MEAN + lane], parameters)
                rows[REWARD + lane] = bound * reward


def _call(
    context: Any, code: Any, rows: Any, parameters: Any, luck: Any, lanes: Any, bound: Any
) -> Any:
    """Type and lower a call of `pay` by its address."""
    arguments = (rows, parameters, types.int64, types.int64, types.float64)

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


_call_address: Any = intrinsic(_call)


@compilable
def _call_compiled(
    code: Any, rows: Any, parameters: Any, luck: int, lanes: int, bound: float
) -> Any:
    """Call the machine code of a law by its address."""
    return _call_address(code, rows, parameters, luck, lanes, bound)


@compiled_as(_call_compiled)
def call(code: Any, rows: Any, parameters: Any, luck: int, lanes: int, bound: float) -> Any:
    """Call the code of a law."""
    return code(rows, parameters, luck, lanes, bound)
