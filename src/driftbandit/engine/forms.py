"""In which form a policy plays: the one that runs quickest, or one that is sooner compiled.

Both play the same bits. The lean form is one loop for all numbers of arms, without shortcuts. It
plays up to middling jobs, unless the quickest loop is there.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from driftbandit.core.lanes import FEW, VECTOR, Flag, shape_of
from driftbandit.engine.loop import loop_of
from driftbandit.engine.small import Loop
from driftbandit.policies.setup import Setup


class Form(NamedTuple):
    """A setup with its loop."""

    setup: Setup
    few: Flag
    """The number of arms, where it is compiled in."""
    loop: Loop


def form_of(setup: Setup, arms: int) -> Form:
    """Return a setup with its loop, whose machine code depends on the types in the state."""
    few = (0,) * arms if setup.for_few and arms <= FEW else ()
    state = setup.make_state(VECTOR, shape_of(arms, VECTOR, setup.stride))
    types = f"{len(few)} {' '.join(dtypes(state))}"
    return Form(setup, few, loop_of(setup, bool(few), types))


def lean_form(setup: Setup, arms: int) -> Form:
    """Return the form that is sooner compiled, which may be the quickest."""
    return form_of(dataclasses.replace(setup.lean or setup, for_few=False), arms)


def dtypes(state: Any) -> list[str]:
    """Return the types of all arrays in a state, which machine code depends on."""
    if isinstance(state, tuple):
        return [name for part in state for name in dtypes(part)]
    return [str(state.dtype.descr)] if isinstance(state, np.ndarray) else []
