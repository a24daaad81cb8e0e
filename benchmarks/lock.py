"""`python -m benchmarks lock`: what the lock of a live agent costs."""

from __future__ import annotations

import ast
import inspect
import statistics
import textwrap
import time
from collections.abc import Callable
from random import Random
from typing import Annotated, Any

import typer

import driftbandit as db
from driftbandit.cli import output
from driftbandit.live import agent as agent_module

POLICIES = {
    "UCB-1": db.UCB1(),
    "D-UCB": db.DiscountedUCB(0.9975),
    "SW-UCB": db.SlidingWindowUCB(1213),
    "EXP3.S": db.EXP3S.tuned(10_000, 2, 3),
    "Auto": db.Auto(),
}
MEANS = (0.5, 0.3, 0.4)


def lock(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds per turn.")] = 20_000,
    turns: Annotated[int, typer.Option(min=1, help="How often each is timed.")] = 15,
) -> None:
    """Time choose and learn with and without the lines that take the lock, by turns."""
    rows = []
    for name, policy in POLICIES.items():
        times: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(2 * turns):
            locked = turn % 4 in (1, 2)
            times[locked].append(seconds(policy, locked, rounds))
        ratios = [w / o for w, o in zip(times[True], times[False], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4) if turns > 1 else ratios * 3
        without, within = (f"{1e6 * min(times[kind]):.3f}" for kind in (False, True))
        rows.append([name, without, within, f"{middle:.3f}", f"{low:.3f}–{high:.3f}"])
    columns = ["", "without", "with", "median ratio", "middle half"]
    print(f"choose and learn, µs of processor time, 3 arms, smallest of {turns} turns")
    output.table(columns, rows, right=4)


def seconds(policy: db.Strategy, locked: bool, rounds: int) -> float:
    """Return the processor time of a round."""
    agent: db.Agent[int] = (db.Agent if locked else Unlocked)(policy, 3, seed=1)
    choose, learn, draw = agent.choose, agent.learn, Random(1).random
    start = time.process_time()
    for _ in range(rounds):
        arm = choose()
        learn(arm, 1.0 if draw() < MEANS[arm] else 0.0)
    return (time.process_time() - start) / rounds


class WithoutLock(ast.NodeTransformer):
    """Take out the lines that take the lock, and the `try` around what it guards."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Do so in the body of a method."""
        body: list[ast.stmt] = []
        for line in node.body:
            if isinstance(line, ast.Try) and line.finalbody:
                body += line.body
            elif not ast.unparse(line).startswith(("turn = ", "while True")):
                body.append(line)
        node.body = body
        return node


def unlocked(method: Callable[..., Any]) -> Any:
    """Return a method of an agent without its lock, from its source."""
    tree = WithoutLock().visit(ast.parse(textwrap.dedent(inspect.getsource(method))))
    methods: dict[str, Any] = {}
    exec(compile(tree, "<without lock>", "exec"), vars(agent_module), methods)
    return methods[method.__name__]


class Unlocked(db.Agent[int]):
    """An agent that is not safe for threads."""

    choose = unlocked(db.Agent.choose)
    learn = unlocked(db.Agent.learn)
