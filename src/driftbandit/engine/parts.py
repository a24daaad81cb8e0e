"""How the parts of a loop are compiled: to code that is inlined, and to nothing else.

Numba makes machine code of every function that another one calls, and optimises it as often as it
is linked into a caller. A part is never called from outside: it is lowered and linked, and only if
it loops is it optimised by itself, since loops turn into vectors best before they are inlined. The
rest is left to the loop that it becomes a part of. The seals of `compiler` cover all parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import _dynfunc  # type: ignore[attr-defined]  # written in C
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

Function = TypeVar("Function", bound=Callable[..., Any])


class PartLibrary(JITCodeLibrary):
    """The code of a part and of all parts that it calls, for the compiler to inline."""

    loops = True
    """Whether the part itself has a loop."""

    counts_references = True
    """Whether its arrays have their references counted."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        if self.loops:
            super()._optimize_functions(module)

    def finalize(self) -> None:
        """Link in the parts that this one calls; make no machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        if self.loops:
            self._optimize_final_module()
        self._finalized = True

    def _optimize_final_module(self) -> None:
        """Optimise once; Numba does so twice, which is of use only where references are counted."""
        if self.counts_references:
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


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
        return True


def arrays_apart(function: Function) -> Function:
    """Mark a part whose arguments are arrays that share no memory, and return it.

    The compiler cannot know, and makes no vector code of a loop that writes into one array and
    jumps about in another.
    """
    vars(function)["arrays_apart"] = True
    return function


class PartCompiler(CompilerBase):
    """Numba's own passes, but for the lowering of a part."""

    def define_pipelines(self) -> Any:
        """Return the passes."""
        self.state.flags.noalias = "arrays_apart" in vars(self.state.func_id.func)
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (LowerPart if step is NativeLowering else step, reason)
            for step, reason in manager.passes
        ]
        manager.finalize()
        return [manager]
