"""The linear policies as their papers write them, on matrices, one run at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LinUCB:
    """Abbasi-Yadkori, Pál & Szepesvári 2011: the whole past, with equal weights."""

    def __init__(
        self,
        dimension: int,
        ridge: float = 0.1,
        norm: float = 1.0,
        noise: float = 1.0,
        length: float = 1.0,
        delta: float = 0.01,
    ) -> None:
        self.d, self.ridge, self.norm, self.noise = dimension, ridge, norm, noise
        self.length, self.delta = length, delta
        self.actions: list[Array] = []
        self.rewards: list[float] = []
        self.start()

    def start(self) -> None:
        """Set up what a subclass keeps."""

    def remembered(self) -> tuple[Array, Array]:
        """Return the plays that count, and their rewards."""
        return np.array(self.actions).reshape(-1, self.d), np.array(self.rewards)

    def matrices(self) -> tuple[Array, Array, Array]:
        """Return V, Ṽ and b."""
        A, x = self.remembered()
        V = A.T @ A + self.ridge * np.eye(self.d)
        return V, V, A.T @ x

    def beta(self) -> float:
        t, d = len(self.actions), self.d
        volume = d * math.log(1.0 + t * self.length**2 / (self.ridge * d))
        return math.sqrt(self.ridge) * self.norm + self.noise * math.sqrt(
            2.0 * math.log(1.0 / self.delta) + volume
        )

    def theta(self) -> Array:
        V, _, b = self.matrices()
        return np.asarray(np.linalg.solve(V, b), dtype=np.float64)

    def indices(self, features: Array) -> Array:
        V, V2, b = self.matrices()
        inverse = np.linalg.inv(V)
        M, beta = inverse @ V2 @ inverse, self.beta()
        return np.array([a @ (inverse @ b) + beta * math.sqrt(a @ M @ a) for a in features])

    def choose(self, features: Array) -> int:
        return int(np.argmax(self.indices(features)))

    def learn(self, action: Array, reward: float) -> None:
        self.actions.append(action)
        self.rewards.append(reward)


class SlidingWindowLinUCB(LinUCB):
    """Cheung, Simchi-Levi & Zhu 2019: the last `window` rounds."""

    def __init__(self, window: int, dimension: int, **others: float) -> None:
        self.window = window
        super().__init__(dimension, **others)

    def remembered(self) -> tuple[Array, Array]:
        actions, rewards = super().remembered()
        return actions[-self.window :], rewards[-self.window :]

    def beta(self) -> float:
        inner = (1.0 + self.window * self.length**2 / self.ridge) / self.delta
        return math.sqrt(self.ridge) * self.norm + self.noise * math.sqrt(self.d * math.log(inner))


class DiscountedLinUCB(LinUCB):
    """Russac, Vernade & Cappé 2019, Algorithm 1, by its recursions."""

    def __init__(self, discount: float, dimension: int, **others: float) -> None:
        self.discount = discount
        super().__init__(dimension, **others)

    def start(self) -> None:
        identity = np.eye(self.d)
        self.V, self.V2, self.b = self.ridge * identity, self.ridge * identity, np.zeros(self.d)

    def matrices(self) -> tuple[Array, Array, Array]:
        return self.V, self.V2, self.b

    def learn(self, action: Array, reward: float) -> None:
        super().learn(action, reward)
        g, ridge = self.discount, self.ridge * np.eye(self.d)
        outer = np.outer(action, action)
        self.V = g * self.V + outer + (1.0 - g) * ridge
        self.V2 = g**2 * self.before() + outer + (1.0 - g**2) * ridge
        self.b = g * self.b + reward * action

    def before(self) -> Array:
        """Return the Ṽ that the recursion goes on from."""
        return self.V2

    def beta(self) -> float:
        g, d, t = self.discount, self.d, len(self.actions)
        squares = float(t) if g == 1.0 else (1.0 - g ** (2 * t)) / (1.0 - g**2)
        volume = d * math.log(1.0 + self.length**2 * squares / (self.ridge * d))
        return math.sqrt(self.ridge) * self.norm + self.noise * math.sqrt(
            2.0 * math.log(1.0 / self.delta) + volume
        )


class PublishedProgram(DiscountedLinUCB):
    """The program published with the paper: Ṽ goes on from V, which has just been renewed."""

    def before(self) -> Array:
        return self.V
