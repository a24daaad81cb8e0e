"""How fast the package is, and what its pages show; for developers, not in the wheel.

`python -m benchmarks` lists the commands.
"""
