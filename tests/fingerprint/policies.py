"""The policies, with parameters that make them forget, start over and explore in 2,000 rounds."""

from __future__ import annotations

import driftbandit as db
from fingerprint.worlds import CHANGES, ROUNDS

PRESETS: dict[str, db.Strategy] = {
    "auto": db.Auto(),
    "ucb-1": db.UCB1(),
    "d-ucb": db.DiscountedUCB(0.99),
    "sw-ucb": db.SlidingWindowUCB(150),
    "exp3": db.EXP3(0.1),
    "exp3.s": db.EXP3S(0.15, sharing=0.001),
    "exp3.p": db.EXP3P(0.1, confidence=1.0, horizon=ROUNDS),
    "glr-ucb": db.GLRUCB(delta=0.05, rate=0.1),
    "glr-kl-ucb": db.GLRklUCB(delta=0.05, rate=0.1, growing=False, scope="arm"),
    "cusum-ucb": db.CUSUMUCB(warmup=30, drift=0.05, threshold=5.0, rate=0.1),
    "pht-ucb": db.PHTUCB(drift=0.05, threshold=5.0, rate=0.1),
    "m-ucb": db.MUCB(window=40, threshold=10.0, rate=0.2, xi=0.5),
    "adwin-ucb": db.ADWINUCB(delta=0.05, every=8),
    "periodic-ucb": db.PeriodicUCB(300),
    "oracle-restart": db.OracleRestart(CHANGES),
    "exp3-ix": db.EXP3IX(rate=0.05, implicit=0.025),
    "exp3-ix-anytime": db.AnytimeEXP3IX(),
    "exp3.six": db.EXP3SIX(rate=0.05, implicit=0.025, sharing=0.001),
    "exp3++": db.EXP3PP(alpha=1.0, beta=1.0),
    "rexp3": db.REXP3(0.15, batch=300),
    "exp3.r": db.EXP3R(0.3, interval=150, delta=0.7),
    "ucb-v": db.UCBV(zeta=0.5, c=0.2),
    "ucb-tuned": db.UCBTuned(),
    "sw-ucb-sharp": db.SWUCBSharp(power=0.6, scale=2.0),
    "moss": db.MOSS(ROUNDS),
    "moss-anytime": db.AnytimeMOSS(),
    "kl-ucb": db.StationaryKLUCB(),
    "d-kl-ucb": db.DiscountedKLUCB(0.99),
    "sw-kl-ucb": db.SlidingWindowKLUCB(150),
    "thompson": db.Thompson(),
    "d-ts": db.DiscountedThompson(0.99),
    "sw-ts": db.SlidingWindowThompson(150),
    "gaussian-thompson": db.GaussianThompson(0.5),
    "epsilon-greedy": db.EpsilonGreedy(0.1),
    "softmax": db.Softmax(0.1),
    "adswitch": db.AdSwitch(ROUNDS, c=0.5, rate=0.1),
    "meta": db.META(ROUNDS, c=0.15),
    "master": db.MASTER(ROUNDS, scale=0.001),
    "raw-ucb": db.RAWUCB(),
    "fewa": db.FEWA(),
    "bandit-over-bandit": db.BanditOverBandit(200),
    "meta-bandit": db.MetaBandit(threshold=10.0, trial=200),
    "doubling": db.Doubling("sw-ucb", {"breakpoints": 2}, first=100),
    "uniform": db.Uniform(),
    "oracle": db.Oracle(),
}
"""One policy for every name of the catalogue."""

WITH_200_ARMS: dict[str, db.Strategy] = {
    "ucb-1": db.UCB1(xi=0.05),
    "d-ucb": db.DiscountedUCB(0.998, xi=0.02),
    "sw-ucb": db.SlidingWindowUCB(700, xi=0.05),
    "glr-ucb": db.GLRUCB(delta=0.5, rate=0.3, xi=0.05, every=2),
    "glr-kl-ucb": db.GLRklUCB(delta=0.5, rate=0.3, growing=False, every=2, scope="arm"),
    "cusum-ucb": db.CUSUMUCB(warmup=10, drift=0.05, threshold=2.0, rate=0.3, xi=0.05),
    "pht-ucb": db.PHTUCB(drift=0.05, threshold=2.0, rate=0.3, xi=0.05),
    "m-ucb": db.MUCB(window=10, threshold=3.0, rate=0.3, xi=0.05),
    "adwin-ucb": db.ADWINUCB(delta=0.5, every=2, xi=0.05),
    "periodic-ucb": db.PeriodicUCB(500, xi=0.05),
    "oracle-restart": db.OracleRestart(CHANGES, xi=0.05),
    "exp3.r": db.EXP3R(0.9, interval=200, delta=0.9),
    "sw-ucb-sharp": db.SWUCBSharp(power=0.6, scale=8.0),
    "d-kl-ucb": db.DiscountedKLUCB(0.998),
    "sw-kl-ucb": db.SlidingWindowKLUCB(700),
    "adswitch": db.AdSwitch(ROUNDS, c=0.05),
    "meta": db.META(ROUNDS, c=0.05),
    "master": db.MASTER(ROUNDS, scale=0.00025),
    "meta-bandit": db.MetaBandit(threshold=3.0, trial=400),
    "bandit-over-bandit": db.BanditOverBandit(400),
}
"""Those that need other parameters among 200 arms, so as not to try arms all the time."""

COMPOSED: dict[str, db.Strategy] = {
    "arm-window-ucb": db.Policy(forget=db.ArmWindow(40)),
    "arm-window-thompson": db.Policy(forget=db.ArmWindow(40), explore=db.BetaPosterior()),
    "arm-window-periodic-greedy": db.Policy(
        forget=db.ArmWindow(40), detect=db.PeriodicRestart(300), explore=db.Greedy(0.1)
    ),
    "growing-window-kl-ucb": db.Policy(forget=db.GrowingWindow(0.6, 2.0), explore=db.KLUCB(c=3.0)),
    "doubling-window-ucb-tuned": db.Policy(forget=db.DoublingWindow(0.2), explore=db.TunedUCB()),
    "doubling-discount-ucb-v": db.Policy(
        forget=db.DoublingDiscount(0.2), explore=db.UCBVariance(0.5, 0.2)
    ),
    "window-ucb-v": db.Policy(forget=db.Window(150), explore=db.UCBVariance(0.5, 0.2)),
    "window-moss": db.Policy(forget=db.Window(150), explore=db.Minimax(150)),
    "window-softmax": db.Policy(forget=db.Window(150), explore=db.Gibbs(0.1)),
    "window-known-restarts": db.Policy(forget=db.Window(150), detect=db.KnownRestart(CHANGES)),
    "discount-moss-anytime": db.Policy(forget=db.Discount(0.99), explore=db.AnytimeMinimax()),
    "discount-gaussian-thompson": db.Policy(
        forget=db.Discount(0.99), explore=db.GaussianPosterior(0.5, widest=0.2)
    ),
    "decaying-greedy": db.Policy(explore=db.DecayingGreedy(5.0)),
    "gaussian-glr-diminishing-sweeps": db.Policy(
        detect=db.GaussianGLR(0.2, every=5, scope="arm"),
        explore=db.UCB(xi=0.1),
        force=db.DiminishingSweeps(5.0),
    ),
    "window-cusum-sweeps": db.Policy(
        forget=db.Window(300),
        detect=db.CUSUM(warmup=10, drift=0.05, threshold=3.0, scope="all"),
        explore=db.UCB(xi=0.1),
        force=db.Sweeps(0.1),
    ),
    "discount-page-hinkley-kl-ucb": db.Policy(
        forget=db.Discount(0.995),
        detect=db.PageHinkley(drift=0.05, threshold=3.0),
        explore=db.KLUCB(),
        force=db.RandomForce(0.1),
    ),
    "two-halves-by-arm-thompson": db.Policy(
        detect=db.TwoHalves(20, threshold=5.0, scope="arm"),
        explore=db.BetaPosterior(),
        force=db.GrowingSweeps(0.1),
    ),
    "arm-window-adwin-on-all": db.Policy(
        forget=db.ArmWindow(60),
        detect=db.ADWIN(delta=0.5, every=2, scope="all"),
        explore=db.UCB(xi=0.1),
    ),
    "doubling-exp3.s": db.Doubling(db.EXP3S, {"breakpoints": 2, "arms": 3}, first=200),
    "doubling-glr-kl-ucb": db.Doubling(db.GLRklUCB, {"arms": 3}, first=300, factor=3.0),
    "doubling-moss": db.Doubling(db.MOSS, first=300),
}
"""Policies that reach code which no policy of the catalogue does."""

WITH_BOUND_2: dict[str, db.Strategy] = {
    "sw-ucb-bound-2": db.SlidingWindowUCB(150, bound=2.0),
    "glr-kl-ucb-bound-2": db.GLRklUCB(delta=0.05, rate=0.1, bound=2.0),
    "ucb-v-bound-2": db.UCBV(zeta=0.5, c=0.2, bound=2.0),
    "thompson-bound-2": db.Thompson(bound=2.0),
    "exp3.s-bound-2": db.EXP3S(0.15, sharing=0.001, bound=2.0),
    "auto-bound-2": db.Auto(bound=2.0),
}
"""Policies for rewards up to 2."""
