"""What requests and answers hold: the types that the OpenAPI document is made from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from driftbandit.service.events import Bounds, By, Combine, Mode, Scope, Status

MOST_ARMS, MOST_AT_ONCE = 1_000, 1_000

Name = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$(?!\n)")]
ArmName = Annotated[str, Meta(min_length=1, max_length=100)]
Id = Annotated[str, Meta(min_length=1, max_length=100)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Part = Annotated[float, Meta(ge=0.0, lt=1.0)]
Seconds = Annotated[float, Meta(gt=0.0, le=31_536_000.0)]
NonNegative = Annotated[float, Meta(ge=0.0)]
Shares = Annotated[dict[ArmName, Bounds], Meta(max_length=MOST_ARMS)]
Arms = Annotated[list[ArmName], Meta(min_length=1, max_length=MOST_ARMS)]


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request: a field that it does not know is an error."""


class NewExperiment(Ask, frozen=True):
    """An experiment to be; `reward_within` in seconds, and then `default_reward` if not null.

    Guardrails: `floor` is drawn uniformly within the policy, `holdout` apart from it. `shares` bind
    arms. In the mode `shadow`, all but the holdout falls on `default_arm`, and in the mode `killed`
    everything does. After `pause_without_rewards` seconds without any reward, it pauses.
    """

    name: Name
    arms: Arms
    policy: dict[str, Any] = msgspec.field(default_factory=lambda: {"name": "auto"})
    floor: Share = 0.0
    reward_within: Seconds = 86_400.0
    default_reward: NonNegative | None = None
    combine: Combine = "first"
    shares: Shares = {}  # msgspec copies it
    holdout: Part = 0.0
    mode: Mode = "live"
    default_arm: ArmName | None = None
    pause_without_rewards: Seconds | None = None


class Change(Ask, frozen=True):
    """What shall be otherwise; another policy begins with nothing."""

    policy: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    floor: Share | msgspec.UnsetType = msgspec.UNSET
    reward_within: Seconds | msgspec.UnsetType = msgspec.UNSET
    default_reward: NonNegative | msgspec.UnsetType | None = msgspec.UNSET
    shares: Shares | msgspec.UnsetType = msgspec.UNSET
    holdout: Part | msgspec.UnsetType = msgspec.UNSET
    mode: Mode | msgspec.UnsetType = msgspec.UNSET
    default_arm: ArmName | msgspec.UnsetType | None = msgspec.UNSET
    pause_without_rewards: Seconds | msgspec.UnsetType | None = msgspec.UNSET


class Kill(Ask, frozen=True):
    """The arm that every decision falls on from now on, by default the default arm."""

    arm: ArmName | None = None


class Experiment(msgspec.Struct, frozen=True):
    """An experiment as it is; `version` is the position of its last change.

    `reason` is why it has paused, if nobody asked for it.
    """

    name: str
    status: Status
    version: int
    position: int
    created_at: float
    arms: list[str]
    retired: list[str]
    policy: dict[str, Any]
    label: str
    floor: float
    reward_within: float
    default_reward: float | None
    combine: Combine
    decisions: int
    rewards: int
    pending: int
    shares: dict[str, Bounds]
    holdout: float
    mode: Mode
    default_arm: str | None
    pause_without_rewards: float | None
    reason: str


class Experiments(msgspec.Struct, frozen=True):
    """All experiments."""

    experiments: list[Experiment]


class NewArm(Ask, frozen=True):
    """An arm that comes into play; `fresh`: what was known of a retired one is forgotten."""

    arm: ArmName
    fresh: bool = False


class Past(msgspec.Struct, frozen=True):
    """A change: where it is in the log, when it came, and what it was."""

    position: int
    at: float
    event: dict[str, Any]


class History(msgspec.Struct, frozen=True):
    """Changes of an experiment, in order."""

    events: list[Past]


class Decide(Ask, frozen=True):
    """A choice among `eligible`, by default all arms; a deferred one counts when activated."""

    eligible: Arms | None = None
    defer: bool = False


class DecideMany(Ask, frozen=True):
    """Several choices."""

    decisions: Annotated[list[Decide], Meta(min_length=1, max_length=MOST_AT_ONCE)]


class Decision(msgspec.Struct, frozen=True):
    """A choice: drawn from the state at `drawn_at`, in the log at `position`."""

    id: str
    arm: str
    probability: float
    drawn_at: int
    position: int
    at: float


class Decisions(msgspec.Struct, frozen=True):
    """Several choices, in the order in which they were asked for."""

    decisions: list[Decision]


class Reward(Ask, frozen=True):
    """The reward of a decision."""

    id: Id
    reward: NonNegative


class RewardMany(Ask, frozen=True):
    """Rewards of several decisions."""

    rewards: Annotated[list[Reward], Meta(min_length=1, max_length=MOST_AT_ONCE)]


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a reward: the one that counts, which may be an earlier one.

    `late`: stored, never learned. `unknown` and `inactive` (deferred, not activated): no trace.
    """

    id: str
    status: Literal["counted", "late", "unknown", "inactive"]
    reward: float | None = None
    position: int | None = None
    at: float | None = None


class Receipts(msgspec.Struct, frozen=True):
    """What became of several rewards."""

    rewards: list[Receipt]


class Activate(Ask, frozen=True):
    """A deferred decision that was shown."""

    id: Id


class Activation(msgspec.Struct, frozen=True):
    """A decision that counts since a position."""

    id: str
    position: int
    at: float


class Explanation(msgspec.Struct, frozen=True):
    """Why an arm: what was known where the decision was drawn, and what came of it.

    `u` is the uniform number; `redrawn` is the arm that it draws from that state when the log is
    folded up to `drawn_at` again: the same. `by` is who chose it, and `features` are those that
    came with the request. In `knowledge`, the `probability` of an arm is the one that it was served
    with, and `policy_probability` that of the policy and its floor alone.
    """

    decision: Decision
    by: By
    eligible: list[str]
    u: float
    redrawn: str
    knowledge: dict[str, dict[str, float | None]]
    settled: bool
    reward: float | None
    late: float | None
    features: Any = None


class NewKey(Ask, frozen=True):
    """A key to be; `rate` is how many items it may ask for a second: an item of a batch is one."""

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1)]
    rate: Annotated[float, Meta(ge=1e-4, le=1e9)] | None = None


class KeyShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key; `key` itself is in the answer to its making, and never again."""

    id: str
    name: str
    scopes: list[Scope]
    rate: float | None = None
    key: str | None = None


class Keys(msgspec.Struct, frozen=True):
    """All keys that open something."""

    keys: list[KeyShown]


class Health(msgspec.Struct, frozen=True):
    """How the process is, and up to where it has folded."""

    status: Literal["ok", "failing"]
    position: int
