"""Powers of whole numbers in a user's own functions: right as in Python, or refused.

Compiled whole numbers have 64 bits: without a word, 2 ** -1 would be 0 and 10 ** 20 something else.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import mk_unique_var
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import register_jitable

LARGEST = 2.0**62


@register_jitable
def power(base: int, exponent: int) -> Any:
    """Return a power of whole numbers; raise if it is none of 64 bits."""
    if exponent < 0 or abs(float(base)) ** exponent > LARGEST:
        raise OverflowError
    return base**exponent


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckPowers(FunctionPass):
    """Calls `power` for every ** between whole numbers."""

    _name = "check_powers"

    def __init__(self) -> None:
        """Be a pass without settings."""
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Replace the powers, whose types are known by now; say whether there are any."""
        changed = False
        for block in state.func_ir.blocks.values():
            body = []
            for step in block.body:
                if isinstance(step, ir.Assign) and _whole_power(step.value, state.typemap):
                    body.append(_call(step, state))
                    changed = True
                body.append(step)
            block.body = body
        return changed


def _whole_power(value: Any, typemap: Any) -> bool:
    """Say whether an expression is a power of whole numbers."""
    if not (isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop")):
        return False
    powers = value.fn in (operator.pow, operator.ipow)
    sides = [typemap[side.name] for side in (value.lhs, value.rhs)]
    return powers and all(isinstance(side, types.Integer) for side in sides)


def _call(step: Any, state: Any) -> Any:
    """Let the step call `power`; return the step before it, which names the function."""
    old, scope = step.value, step.target.scope
    name = ir.Var(scope, mk_unique_var("$checked_power"), step.loc)
    kind = state.typingctx.resolve_value_type(power)
    state.typemap[name.name] = kind
    step.value = ir.Expr.call(name, [old.lhs, old.rhs], (), step.loc)
    sides = [state.typemap[side.name] for side in (old.lhs, old.rhs)]
    state.calltypes[step.value] = kind.get_call_type(state.typingctx, sides, {})
    del state.calltypes[old]
    return ir.Assign(ir.Global("power", power, step.loc), name, step.loc)


class OwnCompiler(CompilerBase):
    """Numba's own passes, with checked powers."""

    def define_pipelines(self) -> Any:
        """Return the passes."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(CheckPowers, NopythonTypeInference)
        manager.finalize()
        return [manager]
