"""Libraries of machine code that let go of what made them.

A process that compiles many policies would otherwise keep all that the compiler has worked with:
its passes, which llvmlite never frees, types and statements of every function, and LLVM's modules.
Decision 1 has the figures.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import parse_bitcode
from llvmlite.binding.ffi import ObjectRef
from llvmlite.binding.newpassmanagers import NewPassManager
from numba.core.codegen import JITCodeLibrary


class FreedPasses:
    """Numba's code generator, but with passes that can be freed."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen
        self._managers: list[Any] = []
        self._for_functions: Any = None

    def __getattr__(self, name: str) -> Any:
        """Return what the code generator has."""
        return getattr(self._codegen, name)

    def _module_pass_manager(self, **options: Any) -> Any:
        manager, builder = self._codegen._module_pass_manager(**options)
        self._managers.append(manager)
        return manager, builder

    def _function_pass_manager(self) -> Any:
        """Return the same passes for all functions, where Numba makes them anew for each."""
        if self._for_functions is None:
            self._for_functions = self._codegen._function_pass_manager()
            self._managers.append(self._for_functions[0])
        return self._for_functions

    def free(self) -> None:
        """Free all passes made so far."""
        self._for_functions = None
        while self._managers:  # forgotten before it is freed: Ctrl-C in between must not free twice
            free(self._managers.pop())


def free(manager: Any) -> None:
    """Free passes; `close` alone finds a `_dispose` that does nothing, of another base class."""
    if type(manager)._dispose is ObjectRef._dispose:
        NewPassManager._dispose(manager)
    manager.close()


class FrugalLibrary(JITCodeLibrary):
    """A library that frees the passes which have optimised it."""

    _codegen: Any

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(FreedPasses(codegen), name)

    def _optimize_functions(self, module: Any) -> None:
        super()._optimize_functions(module)
        self._codegen.free()

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        self._codegen.free()


class PartLibrary(FrugalLibrary):
    """The code of a part and of all parts that it calls, for the compiler to inline.

    It is kept as bitcode, a sixth of what a module takes, for the next loop that needs the part.
    """

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
            shared = not isinstance(library, PartLibrary)
            self._final_module.link_in(library._get_module_for_linking(), preserve=shared)
        if self.loops:
            self._optimize_final_module()
        self._finalized = True
        self._bitcode = super()._get_module_for_linking().as_bitcode()
        self._final_module = self._shared_module = None

    def _get_module_for_linking(self) -> Any:
        """Return a module that belongs to the caller."""
        return parse_bitcode(self._bitcode)

    def _optimize_final_module(self) -> None:
        """Optimise once; Numba does so twice, which is of use only where references are counted."""
        if self.counts_references:
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)
        self._codegen.free()


def let_go_of_types(state: Any) -> None:
    """Drop the types and statements of a function that is lowered: they are for inspection."""
    state.type_annotation = None
    state["cr"].fndesc.typemap = state["cr"].fndesc.calltypes = None


def let_go_of_copies(library: Any) -> None:
    """Drop what a library keeps to be linked or saved, once it is loaded or saved."""
    library._shared_module = library._compiled_object = None
