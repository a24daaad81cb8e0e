"""The replay that is timed; never how long it took."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main
from benchmarks.replay import Kind, frame, learners_of


@pytest.mark.parametrize("kind", list(Kind))
def test_policies_of_a_kind_have_names_and_memories_of_their_own(kind: Kind) -> None:
    policies = learners_of(kind, 4)
    assert len({policy.label for policy in policies}) == 4
    assert all(policy.learner(5) is not None for policy in policies)


def test_the_log_has_five_options_that_cross() -> None:
    rows = frame(1_000)
    assert sorted(rows["arm"].unique()) == ["a", "b", "c", "d", "e"]
    assert rows["time"].is_sorted()


def test_the_command_says_what_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["replay", "--rows", "2000", "--policies", "2", "--kind", "ucb"])
    assert ended.value.code == 0
    output = capsys.readouterr().out
    assert output.startswith("2,000 rows, 2 ucb policies: ")
    assert "MiB; best is ucb" in output
