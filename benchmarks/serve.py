"""How many durable decisions a second the service makes, next to a route that returns a constant.

`python -m benchmarks serve` pins the server to one core and the load, which wrk makes, to another.
Turns alternate, and the best of each counts. Processor time of the server per request is shown too:
on a busy machine it says more than requests per second.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import psutil
import typer

from driftbandit.core.errors import InputError

CONNECTIONS = 32
CONSTANT = """
import asyncio, sys, uvicorn
from driftbandit.service.server import listening
from driftbandit.service.settings import Settings

START = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
BODY = {"type": "http.response.body", "body": b"{}"}

async def app(scope, receive, send):
    await receive()
    await send(START)
    await send(BODY)

bound = listening(Settings(port=0))
print(bound.getsockname()[1], flush=True)
config = uvicorn.Config(app, loop="uvloop", http="httptools", ws="none", lifespan="off",
                        access_log=False, log_config=None, server_header=False, date_header=False)
with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
    runner.run(uvicorn.Server(config).serve(sockets=[bound]))
"""


class Turn(NamedTuple):
    """What one turn of the load gave."""

    rate: float
    p99: float
    microseconds: float


class Server:
    """A server on the first core."""

    def __init__(self, command: list[str]) -> None:
        pinned = ["taskset", "-c", "0", sys.executable, *command]
        self.process = subprocess.Popen(pinned, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()

    def seconds(self) -> float:
        """Return the processor time of the server and its workers."""
        process = psutil.Process(self.process.pid)
        times = [each.cpu_times() for each in [process, *process.children(recursive=True)]]
        return float(sum(each.user + each.system for each in times))

    @property
    def pid(self) -> int:
        """The process: taskset has become the server."""
        return self.process.pid

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Service(Server):
    """The service, with one experiment."""

    def __init__(self, store: str, workers: int) -> None:
        options = ["--store", store, "--port", "0", "--json", "--workers", str(workers)]
        super().__init__(["-m", "driftbandit", "serve", *options])
        start = json.loads(self.first_line)
        self.address, self.key = start["address"], start["key"]
        policy = {"name": "sw-ucb", "window": 1_000}
        self.post("", {"name": "x", "arms": ["a", "b", "c"], "policy": policy})

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.address}/v1/experiments{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


SCRIPT = """
function init(args)
  wrk.method, wrk.body, wrk.headers["Authorization"] = "POST", "{}", "Bearer " .. (args[1] or "")
end
"""


def wrk(address: str, key: str, seconds: int, connections: int = CONNECTIONS) -> list[str]:
    """Return the command that makes the load, on the second core."""
    script = Path(tempfile.gettempdir()) / "driftbandit-load.lua"
    script.write_text(SCRIPT)
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    return [*command, "--latency", "-s", str(script), address, "--", key]


def turn(server: Server, address: str, key: str, seconds: int) -> Turn:
    """Return what a server does under load for so long."""
    before = server.seconds()
    command = wrk(address, key, seconds)
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    spent = server.seconds() - before
    if "Non-2xx" in text:
        raise InputError(f"the service must answer every request, got {text}")
    requests = int(re.findall(r"(\d+) requests in", text)[0])
    amount, unit = re.findall(r"99%\s+([\d.]+)(us|ms|s)", text)[0]
    p99 = float(amount) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[unit]
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", text)[0])
    return Turn(rate, p99, 1e6 * spent / requests)


def rewards_per_second(service: Service, batches: int = 20) -> tuple[float, float]:
    """Return events per second, and per second of the server's processor, of batches of 1,000."""
    asked: dict[str, Any] = {"decisions": [{}] * 1_000}
    ids = [
        [each["id"] for each in service.post("/x/decide/batch", asked)["decisions"]]
        for _ in range(batches)
    ]
    bodies = [{"rewards": [{"id": id, "reward": 1.0} for id in some]} for some in ids]
    before, started = service.seconds(), time.perf_counter()
    for body in bodies:
        service.post("/x/reward/batch", body)
    spent, elapsed = service.seconds() - before, time.perf_counter() - started
    return 1_000 * batches / elapsed, 1_000 * batches / max(spent, 0.01)


def arrival(service: Service, rewards: int = 300) -> float:
    """Return after how many ms 99 % of rewards are in the weights of every worker, under load."""
    connections = [Connection(service) for _ in range(8)]  # the workers share them
    load = subprocess.Popen(
        wrk(f"{service.address}/v1/experiments/x/decide", service.key, 60, connections=8),
        stdout=subprocess.DEVNULL,
    )
    delays = []
    for _ in range(rewards):
        id = connections[0].ask("POST", "/v1/experiments/x/decide", {})["id"]
        started = time.perf_counter()
        receipt = connections[0].ask("POST", "/v1/experiments/x/reward", {"id": id, "reward": 1})
        for each in connections:
            while each.ask("GET", "/health")["position"] < receipt["position"]:
                time.sleep(0.001)
        delays.append(1e3 * (time.perf_counter() - started))
    load.terminate()
    load.wait()
    for each in connections:
        each.http.close()
    return sorted(delays)[int(0.99 * rewards)]


class Connection:
    """A connection that stays with one worker."""

    def __init__(self, service: Service) -> None:
        self.http = http.client.HTTPConnection(service.address.removeprefix("http://"), timeout=60)
        self.headers = {"Authorization": f"Bearer {service.key}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        payload = None if body is None else json.dumps(body).encode()
        self.http.request(method, path, payload, self.headers)
        return json.load(self.http.getresponse())


def serve(
    seconds: Annotated[int, typer.Option(help="How long a turn takes.")] = 5,
    turns: Annotated[int, typer.Option(help="How many turns there are.")] = 3,
    store: Annotated[str, typer.Option(help="postgresql://…; default: a new SQLite file.")] = "",
    workers: Annotated[int, typer.Option(help="Workers, with PostgreSQL.")] = 1,
) -> None:
    """Durable decisions per second, next to a constant answer."""
    for program in ("wrk", "taskset"):
        if shutil.which(program) is None:
            raise InputError(f"the load needs {program}: apt-get install wrk util-linux")
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        where = store or str(Path(folder) / "log.db")
        constant, service = Server(["-c", CONSTANT]), Service(where, workers)
        port, decide = int(constant.first_line), f"{service.address}/v1/experiments/x/decide"
        pairs = [
            (
                turn(constant, f"http://127.0.0.1:{port}/", "", seconds),
                turn(service, decide, service.key, seconds),
            )
            for _ in range(turns)
        ]
        for name, some in zip(("constant", "decide"), zip(*pairs, strict=True), strict=True):
            best = max(some, key=lambda each: each.rate)
            least = min(each.microseconds for each in some)
            print(
                f"{name:9}{best.rate:8,.0f} requests/s   p99 {best.p99:6.1f} ms   "
                f"{least:6.1f} µs of processor time each"
            )
        rates = [max(each.rate for each in some) for some in zip(*pairs, strict=True)]
        processor = statistics.median(
            yardstick.microseconds / own.microseconds for yardstick, own in pairs
        )
        print(
            f"decide is {100 * rates[1] / rates[0]:.0f} % of the constant by the best turns, "
            f"{100 * processor:.0f} % by processor time"
        )
        print(f"a reward is in the weights of all workers after {arrival(service):.0f} ms (p99)")
        wall, processor = rewards_per_second(service)
        print(f"rewards in batches: {wall:,.0f} events/s, {processor:,.0f} per processor second")
        service.stop()
        constant.stop()
