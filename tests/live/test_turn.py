"""The lock of an agent: threads, and signals that interrupt it."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

import pytest

import driftbandit as db
from driftbandit.live import turn
from driftbandit.policies.index.live.memory import Memory


def test_threads_share_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock the window is overrun, and decisions are lost."""
    change = Memory._change

    def interrupted(memory: Memory, arm: int, weight: float, reward: float) -> None:
        time.sleep(0.0)  # another thread's turn, in the middle of learning
        change(memory, arm, weight, reward)

    monkeypatch.setattr(Memory, "_change", interrupted)
    agent = db.SlidingWindowUCB(50).agent(arms=3)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for t in range(400):
                agent.learn(agent.choose(), float(t % 2))
                agent.reward(agent.decide(at=0.0).id, float(t % 2), at=0.0)
        except BaseException as error:  # whatever a race brings
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    counts = [row["count"] or 0.0 for row in agent.explain().values()]
    assert (agent.rounds, agent.pending, sum(counts)) == (6_400, 0, 50.0)


class SignalError(Exception):
    """What the handler of a signal raises, as that of Ctrl-C raises KeyboardInterrupt."""


@pytest.fixture
def alarms() -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise SignalError

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("alarms")
def test_a_signal_never_leaves_the_agent_taken() -> None:
    """A lock that is taken by a call is left taken by one signal in ten."""
    agent, luck = db.UCB1().agent(arms=3), random.Random(1)

    def play_until_the_signal() -> None:
        signal.setitimer(signal.ITIMER_REAL, luck.uniform(1e-5, 2e-4))
        while True:
            agent.learn(agent.choose(), 1.0)
            agent.forsake(agent.decide(at=0.0).id)

    for _ in range(300):
        with pytest.raises(SignalError):
            play_until_the_signal()
        assert hasattr(agent._turn, "free")  # else whoever asks for it now waits for ever


@pytest.mark.parametrize("patience", [0.2, 0.0])
def test_a_process_that_forks_leaves_no_agent_taken(
    monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """The thread that has the turn does not go on in the child."""
    monkeypatch.setattr(turn, "LONGEST", patience)
    agent, over = db.UCB1().agent(arms=3), threading.Event()

    def work() -> None:
        while not over.is_set():
            agent.state()

    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            signal.alarm(5)  # ends the child that waits for ever
            agent.choose()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    over.set()
    thread.join()
    assert agent.choose() == 0
