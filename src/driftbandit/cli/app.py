"""The commands and their options; what they do is loaded when one of them runs."""

# ruff: noqa: PLC0415  # `--help` must answer at once, so nothing heavy may load up here

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from driftbandit import __version__
from driftbandit.cli.ending import Interrupted
from driftbandit.errors import InputError, LostWorkersError

NAME = "driftbandit"
BAD_USAGE = 2
INTERRUPTED = 130
ENDINGS = {InputError: BAD_USAGE, LostWorkersError: 1, Interrupted: INTERRUPTED}
"""Exit codes of what ends a command with one line."""

app = typer.Typer(
    name=NAME,
    add_completion=False,
    rich_markup_mode=None,  # loading rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Runs = Annotated[str, typer.Option("--runs", metavar="NUMBER", help="How many runs.")]
Seed = Annotated[
    str, typer.Option("--seed", metavar="NUMBER", help="Same seed, same numbers, to the last bit.")
]
Workers = Annotated[
    str | None, typer.Option("--workers", metavar="NUMBER", help="Threads; default: all cores.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="A Dask scheduler whose workers play, such as tcp://10.0.0.5:8786, "
        "in place of threads.",
    ),
]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Where finished blocks of runs are kept; start again to play only the rest.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")
]


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Choose well while the world changes: non-stationary multi-armed bandits."""
    if version:
        typer.echo(f"{NAME} {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def reproduce(
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where figure and report go.")
    ] = "results",
    runs: Runs = "2000",
    seed: Seed = "0",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Run the paper's experiments and judge its claims.

    Writes the figure, a report and all numbers to a folder, whole or not at all.
    """
    from driftbandit.cli import reproducing

    reproducing.run(out, runs, seed, workers, json)


@app.command()
def simulate(
    world: Annotated[
        str, typer.Argument(metavar="WORLD", help='A world, such as "periodic(cycles=5)".')
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help='A policy, such as "d-ucb(discount=0.99,padding=1)" or '
            '"sw-ucb.tuned(horizon=1e4,breakpoints=2)"; may be repeated. '
            "Default: the paper's four, tuned for the world.",
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option(
            "--horizon", metavar="NUMBER", help="Rounds; default: the world's own, or 10000."
        ),
    ] = None,
    runs: Runs = "1000",
    seed: Seed = "0",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/simulate",
    workers: Workers = None,
    dask: Dask = None,
    checkpoint: Checkpoint = None,
    json: Json = False,
) -> None:
    """Compare policies in a world.

    Prints a table of regrets and writes a figure and all numbers to a folder.
    """
    from driftbandit.cli import simulating

    place = simulating.Place(workers, dask, checkpoint)
    simulating.run(world, policy or [], horizon, runs, seed, out, place, json)


@app.command()
def arena(
    problem: Annotated[
        list[str] | None,
        typer.Option(
            "--problem",
            metavar="WORLD",
            help='A published problem or another world that ends, such as "besson-1"; '
            "may be repeated. Default: all published problems.",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help='One of the line-up, such as "sw-ucb", tuned for each problem, or a call, '
            'such as "sw-ucb(window=500)"; may be repeated. Default: the whole line-up.',
        ),
    ] = None,
    wild: Annotated[
        str | None,
        typer.Option(
            "--wild",
            metavar="NUMBER",
            help="Play so many worlds drawn from seeds, beside those given by --problem.",
        ),
    ] = None,
    wild_seed: Annotated[
        str, typer.Option("--wild-seed", metavar="NUMBER", help="The first of these seeds.")
    ] = "0",
    runs: Runs = "1000",
    seed: Seed = "0",
    repeats: Annotated[
        str,
        typer.Option(
            "--repeats",
            metavar="NUMBER",
            help="How often each policy is timed on each problem; 0: never.",
        ),
    ] = "3",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/arena",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Rank policies on the published problems, or on worlds that nobody chose.

    Prints regrets and a leaderboard, and writes both and a heat map to a folder.
    """
    from driftbandit.cli import contending

    numbers = {"runs": runs, "seed": seed, "repeats": repeats, "wild-seed": wild_seed}
    contending.run(problem or [], policy or [], wild, numbers, workers, out, json)


@app.command()
def bounds(
    horizon: Annotated[str, typer.Option("--horizon", metavar="NUMBER", help="Rounds T.")],
    breakpoints: Annotated[
        str, typer.Option("--breakpoints", metavar="NUMBER", help="Changes Υ up to T.")
    ],
    gap: Annotated[
        str,
        typer.Option(
            "--gap",
            metavar="NUMBER",
            help="How far an arm that is not the best lies below it, at least.",
        ),
    ],
    largest_gap: Annotated[
        str | None,
        typer.Option(
            "--largest-gap", metavar="NUMBER", help="And at most; default: the same everywhere."
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="ucb-1, d-ucb, sw-ucb or exp3.s; may be repeated. Default: all.",
        ),
    ] = None,
    arms: Annotated[str, typer.Option("--arms", metavar="NUMBER", help="Arms K.")] = "2",
    xi: Annotated[
        str, typer.Option("--xi", metavar="NUMBER", help="Exploration ξ, more than 1/2.")
    ] = "0.6",
    bound: Annotated[
        str, typer.Option("--bound", metavar="NUMBER", help="The largest reward B.")
    ] = "1",
    window: Annotated[
        str | None, typer.Option("--window", metavar="NUMBER", help="A window τ of your own.")
    ] = None,
    discount: Annotated[
        str | None, typer.Option("--discount", metavar="NUMBER", help="A discount γ of your own.")
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            metavar="RUNS",
            help="Also play the paper's policies, tuned by its rules, so many runs at horizons up "
            "to T, and draw bounds and growth.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where figure and numbers go.")
    ] = "results/bounds",
    json: Json = False,
) -> None:
    """Tell how bad it can get: what the theorems promise.

    Prints each bound, what it assumes and whether it says anything.
    """
    from driftbandit.cli import bounding

    numbers = {
        "horizon": horizon,
        "breakpoints": breakpoints,
        "gap": gap,
        "largest_gap": largest_gap,
        "arms": arms,
        "xi": xi,
        "bound": bound,
        "window": window,
        "discount": discount,
    }
    bounding.run(policy or [], numbers, measure, out, json)


@app.command()
def tune(
    worlds: Annotated[
        list[str],
        typer.Argument(
            metavar="WORLD...", help="One world or several, whose mean regret is to be small."
        ),
    ],
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="A policy's name, such as sw-ucb.")
    ],
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--search",
            metavar="TEXT",
            help="What is tried: window=10:5000, xi=[0.1,0.5], padding=1, or a name for its "
            "default range; may be repeated. Default: all parameters with a default range.",
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option(
            "--horizon", metavar="NUMBER", help="Rounds; default: the worlds' own, or 10000."
        ),
    ] = None,
    breakpoints: Annotated[
        str | None,
        typer.Option(
            "--breakpoints",
            metavar="NUMBER",
            help="What the papers' rule is told; default: how often the best arm changes.",
        ),
    ] = None,
    runs: Runs = "1000",
    seed: Seed = "0",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/tune",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Search a policy's best parameters by simulation.

    Prints them beside the papers' rule, and what it costs to be wrong about the changes.
    """
    from driftbandit.cli import tuning

    tuning.run(worlds, policy, search or [], horizon, breakpoints, runs, seed, out, workers, json)


@app.command()
def policies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A policy or a rule to be told all about, such as GLRklUCB."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the grid: rules by axis, and the policies made of them.

    With parameters and references; or one policy or rule with its formula.
    """
    from driftbandit.cli import showing

    if name is None:
        showing.everything(json)
    else:
        showing.one(name, json)


@app.command()
def environments(json: Json = False) -> None:
    """List the worlds and reward laws with their parameters."""
    from driftbandit.cli import listing

    listing.environments(json)


@app.command()
def warmup(json: Json = False) -> None:
    """Compile the paper's policies ahead of their first use."""
    from driftbandit.cli import warming

    warming.run(json)


@app.command()
def bench(
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="A policy, written as for `simulate`; may be repeated. Default: the paper's four.",
        ),
    ] = None,
    arms: Annotated[
        str | None,
        typer.Option("--arms", metavar="NUMBERS", help="Numbers of arms; default: 3,10,100,1000."),
    ] = None,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="NUMBERS", help="Numbers of threads; default: 1,2."),
    ] = None,
    runs: Annotated[
        str | None,
        typer.Option(
            "--runs", metavar="NUMBER", help="Runs of a simulation with few arms; default: 1280."
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option("--horizon", metavar="NUMBER", help="Rounds of a run; default: 10000."),
    ] = None,
    repeats: Annotated[
        str | None,
        typer.Option(
            "--repeats", metavar="NUMBER", help="How often each is timed, in turn; default: 5."
        ),
    ] = None,
    yardsticks: Annotated[
        str | None,
        typer.Option(
            "--yardsticks",
            metavar="FOLDER",
            help="Other programs to compare with; default: ./benchmarks if it has any.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where numbers and figure go.")
    ] = "results/bench",
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: less of everything, no whole processes.")
    ] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="Also play 100,000 runs and tell the peak memory.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure the speed: nanoseconds a round, against other programs.

    Also the time to the first result, cold and warm, and its peak memory.
    """
    from driftbandit.cli import benching

    numbers = {
        "arms": arms,
        "threads": threads,
        "runs": runs,
        "horizon": horizon,
        "repeats": repeats,
    }
    benching.run(policy or [], numbers, yardsticks, out, quick, memory, json)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code; bad input is one line and code 2."""
    sys.exit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    _print_anywhere()
    try:
        code = app(args=arguments, prog_name=NAME, standalone_mode=False)
    except tuple(ENDINGS) as error:
        return _complain(str(error), ENDINGS[type(error)])
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except (MemoryError, ArithmeticError) as error:
        return _complain(f"too large to compute: {error}", 1)
    except Exception as error:
        # typer's usage errors share no public class over its versions, but all have this method
        if not hasattr(error, "format_message"):
            raise
        return _complain(error.format_message())
    if code == INTERRUPTED:
        return _complain("interrupted, nothing written", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _print_anywhere() -> None:
    """Print ? for a letter that the terminal or file does not know, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(message: str, code: int = BAD_USAGE) -> int:
    line = " ".join(message.split())
    print(f"{NAME}: {line}", file=sys.stderr)
    return code
