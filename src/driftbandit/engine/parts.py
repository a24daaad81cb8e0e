"""How the parts of a loop are compiled: to code that is inlined, and to nothing else.

Numba makes machine code of every function that another one calls, and optimises it as often as it
is linked into a caller. A part is never called from outside: it is lowered and linked, and only if
it loops is it optimised by itself, since loops turn into vectors best before they are inlined. The
rest is left to the loop that it becomes a part of. The seals of `compiler` cover all parts.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]  # written in C
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from driftbandit.engine.libraries import FrugalLibrary, PartLibrary, let_go_of_types


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerPart(NativeLowering):
    """Lowers a part as Numba would, into a library of parts."""

    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        """Lower the part, and let other code call it."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.loops = bool(compute_cfg_from_blocks(state.func_ir.blocks).loops())
        state.library.counts_references = state.flags.nrt
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, library = state["cr"], state.library
        library.finalize()
        name, module = lowered.fndesc.qualname, lowered.fndesc.lookup_module()
        entry = _dynfunc.make_function(module, name, "", 0, lowered.env, (library,))
        state.targetctx.insert_user_function(entry, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, entry, lowered.env)
        let_go_of_types(state)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerLoop(NativeLowering):
    """Lowers and links a loop as Numba would, into a frugal library."""

    _name = "lower_loop"

    def run_pass(self, state: Any) -> bool:
        """Lower the loop, and make machine code of it."""
        state.library = FrugalLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        let_go_of_types(state)
        return True


class PartCompiler(CompilerBase):
    """Numba's own passes, but for the lowering of a part."""

    def define_pipelines(self) -> Any:
        """Return the passes."""
        self.state.flags.noalias = "arrays_apart" in vars(self.state.func_id.func)
        return _pipelines(self.state, LowerPart)


class LoopCompiler(CompilerBase):
    """Numba's own passes, but for the lowering of a loop."""

    def define_pipelines(self) -> Any:
        """Return the passes."""
        return _pipelines(self.state, LowerLoop)


def _pipelines(state: Any, lowering: type[NativeLowering]) -> Any:
    """Return Numba's own passes with another lowering."""
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes = [
        (lowering if step is NativeLowering else step, reason) for step, reason in manager.passes
    ]
    manager.finalize()
    return [manager]
