"""The pins of constraints.txt install wherever the package does: from Python 3.11.0 on."""

from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
PINS = [Requirement(line) for line in CONSTRAINTS.read_text().splitlines()]


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.name)
def test_a_pin_is_what_is_installed_and_needs_no_newer_python(pin: Requirement) -> None:
    installed = metadata.distribution(pin.name)
    assert pin.specifier.contains(installed.version)
    pythons = str(installed.metadata.json.get("requires_python", ""))
    assert SpecifierSet(pythons).contains("3.11.0")
