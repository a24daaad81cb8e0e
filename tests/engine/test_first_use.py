"""What happens around a compilation."""

from __future__ import annotations

import gc
import importlib.util
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from driftbandit.engine import cache, compiler, first_use

SOURCE = """
def inner(x):
    return 2 * x + {number}
"""


def module(folder: Path, number: int) -> ModuleType:
    path = folder / f"first_use_{number}.py"
    path.write_text(SOURCE.format(number=number), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    return source


class Collector(event.Listener):
    """Notes whether garbage is collected while a function is compiled."""

    def __init__(self) -> None:
        self.seen: list[bool] = []

    def on_start(self, event: object) -> None:
        """Look: earlier listeners have heard of it."""
        self.seen.append(gc.isenabled())

    def on_end(self, event: object) -> None:
        """Look no more."""


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_left_alone_while_code_is_compiled(tmp_path: Path, enabled: bool) -> None:
    function = compiler.compiled(module(tmp_path, int(enabled)).inner, 0)
    collector = Collector()
    try:
        if not enabled:
            gc.disable()
        with event.install_listener("numba:compile", collector), first_use.explained():
            assert function(3) == 6 + enabled
        assert collector.seen == [False]
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("name", "text"),
    [("__main__", "compiling, as in every process"), ("first_use_9", "later runs start at once")],
)
def test_only_code_that_is_kept_starts_at_once_later(
    name: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = module(tmp_path, 9)
    monkeypatch.setitem(sys.modules, name, source)
    source.inner.__module__ = name
    monkeypatch.setattr(cache, "_written", set())
    seal = compiler.seal([source.inner])
    with first_use.explained():
        assert compiler.compiled(source.inner, seal)(3) == 15
    assert text in capsys.readouterr().err


def test_compilations_of_several_threads_may_overlap(tmp_path: Path) -> None:
    """A simulation ends while another one compiles: garbage is collected again after both."""
    function = compiler.compiled(module(tmp_path, 5).inner, 0)
    collector = Collector()
    with event.install_listener("numba:compile", collector):
        with first_use.explained():
            thread = threading.Thread(target=lambda: function(3))
            with global_compiler_lock:
                thread.start()
        thread.join()
    assert collector.seen == [False]
    assert gc.isenabled()


def test_garbage_is_collected_again_after_code_that_cannot_be_compiled(tmp_path: Path) -> None:
    function = compiler.compiled(module(tmp_path, 7).inner, 0)
    with pytest.raises(Exception, match="cannot be compiled"), first_use.explained():
        function({"a": 1})
    assert gc.isenabled()
