"""Formulas in plain text are recognised, and prose is left alone."""

from __future__ import annotations

import re

import pytest

from _ext.formulas import mathml
from _ext.formulas.finder import formulas

TEXTS = [
    "⟦X̄(i) + padding · B √(ξ log t / N(i))⟧",
    "Rewards lie in [0, ⟦B⟧], and ⟦K⟧ arms are played ⟦T⟧ rounds.",
    "⟦p_i = (1 − γ) w_i / W + γ / K⟧; then ⟦w_i ← w_i exp(γ x̂_i / K) + (e α / K) W⟧ for arm ⟦i⟧.",
    "⟦N_t(γ, i) = Σ_{s≤t} γ^(t−s) 1{I_s = i}⟧,  ⟦n_t(γ) = (1 − γ^t) / (1 − γ)⟧.",
    "⟦max {q : N kl(X̄, q) ≤ log t + c log log t}⟧, ⟦c⟧ is 3 in the analysis.",
    "a discount ⟦γ⟧ in (0, 1]",
    "⟦V = Σ_s w_s a_s a_sᵀ + λI⟧, with the root ⟦√(aᵀ V⁻¹ a)⟧, or ⟦V ← γV + aaᵀ⟧",
    "⟦E[R_T] = Σ_i Σ_t (μ_t(*) − μ_t(i)) P(I_t = i)⟧ and ⟦N~_T(i)⟧",
    "⟦h = min(half_width, mean, 1 − mean)⟧, ⟦n_t = min(factor(t) · n_{t−1} + 1, span(t))⟧",
    "⟦δ = 1/√(C T)⟧ if ⟦Υ⟧ is known",
    "⟦H = ⌈(K log K)^(1/3) (T B / V)^(2/3)⌉⟧, at most ⟦T⟧",
    "⟦10⁻²⁰⁰⟧ of the largest",
    "regret is forget × detect × explore, D-UCB, C++, EXP3.S, i.e. e.g. A. Garivier",
    "in a log of 10,000 rounds, 95 % intervals, a paired t-test and/or more",
    "mean reward, count and clock of an arm; −1 or nothing",
]


@pytest.mark.parametrize("marked", TEXTS)
def test_formulas_are_recognised(marked: str) -> None:
    text = re.sub("[⟦⟧]", "", marked)
    spans = [text[part.start : part.end] for part in formulas(text)]
    assert spans == re.findall("⟦(.*?)⟧", marked)


def test_a_line_may_break_before_a_relation_or_a_sum() -> None:
    text = "X̄ + B √(ξ / N) ≥ 0"
    markup = mathml.inline(formulas(text)[0].node, text)
    assert markup.count("<math>") == 3
    assert "<msqrt>" in markup
    assert "<mfrac>" not in markup


def test_a_formula_on_its_own_line_has_stacked_quotients() -> None:
    text = "n = (1 − γ^t) / (1 − γ)"
    markup = mathml.block(formulas(text)[0].node, text)
    assert "<mfrac>" in markup
    assert "<msup><mi>γ</mi>" in markup
    assert "(" not in markup.partition(">")[2]
