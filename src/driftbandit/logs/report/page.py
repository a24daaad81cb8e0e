"""The report as one page of HTML that needs nothing else, neither files nor a network."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Sequence
from importlib import resources
from typing import Any

from driftbandit.core.frames import strict
from driftbandit.core.table import html_table
from driftbandit.core.text import percent
from driftbandit.logs.players import LOGGED
from driftbandit.logs.report.ladder import Rung, ladder_of
from driftbandit.logs.report.lines import MOST_LINES, data_of, rates_of
from driftbandit.logs.report.result import Report
from driftbandit.logs.result import Answer, duration, moment
from driftbandit.logs.values import REPLAYED, Value

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""What the page may load: nothing."""

GLOSSARY = {
    "Option": "What can be chosen: a button, a price, a route. Elsewhere it is called an arm.",
    "Decision": "One choice of one option, a row of the log.",
    "Reward": "What came of a decision, such as a click (1) or none (0).",
    "Policy": "A rule that chooses an option for each decision. Some learn from rewards as they "
    "come; “always red” does not.",
    "Auto": "A policy of driftbandit without settings: it plays what pays best, and looks again at "
    "what it left as the world moves.",
    "Thompson": "A policy that plays an option as often as it is likely to be the best one.",
    "Window, half-life": "How long a policy remembers: a window forgets what is older, and a "
    "half-life lets a reward count half as much after that time.",
    "Uniform": "Every option equally often, by chance.",
    "Interval": "Where the true value is likely to be. Of many 95 % intervals, 95 in 100 hold it.",
    "Tie": "The log cannot tell the policy apart from the best one: their difference may be "
    "chance.",
    "Propensity": "How likely the option was to be chosen when it was. Values of policies rest on "
    "it.",
    "dr": "Doubly robust: a value is estimated from what each option earned at that time, and "
    "corrected by the decisions that agree with the policy, weighted by how likely they were.",
    "Effective decisions": "How many decisions would be as good if all had the same weight.",
}


def page_of(report: Report) -> str:
    """Return the page."""
    sections = [
        _to_do(report), _tiles(report), _options(report), _leaderboard(report), _over_time(report),
        _tuning(report), _overlap(report), _small_print(report),
    ]  # fmt: skip
    script = _script("charts.js", "figures/browser") + _script("report.js", "logs/report/static")
    data = json.dumps(strict(data_of(report)), allow_nan=False).replace("<", "\\u003c")
    style = _text("charts.css", "figures/browser") + _text("report.css", "logs/report/static")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{_safe(report.title)}</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            f"<header><h1>{_safe(report.title)}</h1></header>",
            "<main>",
            *filter(None, sections),
            "</main>",
            "<footer>Made by driftbandit. Times are UTC.</footer>",
            f'<script type="application/json" id="data">{data}</script>',
            f'<script type="module">\n{script}</script>',
            "</body>",
            "</html>",
            "",
        ]
    )


def _text(name: str, folder: str) -> str:
    return (resources.files("driftbandit") / folder / name).read_text("utf-8")


def _script(name: str, folder: str) -> str:
    """Return a module without its imports and exports: the page has one script of all."""
    lines = _text(name, folder).splitlines()
    lines = [line.removeprefix("export ") for line in lines if not line.startswith("import ")]
    return "\n".join(lines) + "\n"


def _safe(text: Any) -> str:
    return html.escape(str(text))


def _list(texts: Sequence[str], kind: str = "") -> str:
    items = "".join(f"<li>{_safe(text)}</li>" for text in texts)
    return f'<ul class="{kind}">{items}</ul>' if items else ""


def _section(name: str, title: str, lead: str, *parts: str) -> str:
    """Return a section: what it shows, in a sentence, and then that."""
    inner = "\n".join(filter(None, parts))
    head = f'<h2>{_safe(title)}</h2>\n<p class="lead">{_safe(lead)}</p>'
    return f'<section id="{name}">\n{head}\n{inner}\n</section>'


def _tables(answer: Answer) -> str:
    """Return all tables of an answer, each in a box that scrolls by itself."""
    return "\n".join(
        '<div class="scroll">'
        + "".join(html_table(each.title, each.head, each.rows, each.right))
        + "</div>"
        for each in answer.tables()
    )


def _details(summary: str, inner: str) -> str:
    return f"<details><summary>{_safe(summary)}</summary>{inner}</details>" if inner else ""


def _to_do(report: Report) -> str:
    advice = report.advice
    mind = "".join(f"<p>{_safe(text)}</p>" for text in advice.warnings)
    return (
        f'<section id="do"><h2>What to do</h2>\n<p class="action">{_safe(advice.action)}</p>\n'
        f"{_list(advice.reasons)}"
        + (f'\n<div class="mind" id="mind">{mind}</div>' if mind else "")
        + "</section>"
    )


def _tiles(report: Report) -> str:
    check, values = report.check, report.findings.values
    first, last = (
        moment(at)[:10].replace("-", "\N{NON-BREAKING HYPHEN}") for at in (check.start, check.end)
    )
    tiles = {
        "decisions": f"{check.good:,}",
        "options": f"{len(check.arms):,}",
        f"from {first} to {last}": duration(check.end - check.start),
        "reward per decision": report.units.say(values[LOGGED].value),
    }
    boxes = "".join(
        f'<div class="tile"><b>{_safe(value)}</b><span>{_safe(label)}</span></div>'
        for label, value in tiles.items()
    )
    return f'<div class="tiles">{boxes}</div>'


def _options(report: Report) -> str:
    drift = report.findings.drift
    names = ", ".join(f"{arm.arm}: {arm.verdict}" for arm in drift.arms[:MOST_LINES])
    lead = (
        f"{names}{', …' if len(drift.arms) > MOST_LINES else ''}. A line is the mean reward of an "
        "option in a stretch of time, its shadow is where the true mean lies; flags are changes."
    )
    chart = '<div id="rates"></div>' if rates_of(report)["lines"] else ""
    notes = _list(drift.notes, "notes")
    return _section(
        "options", "What options earned over time", lead, chart,
        _details("Changes, seasons, and the pace of change", _tables(drift) + notes),
    )  # fmt: skip


def _leaderboard(report: Report) -> str:
    values, units = report.findings.values, report.units
    known = [row for row in values if not math.isnan(row.value)]
    if not known:
        return ""
    ties = {row.policy for row in values.differences if row.tie and row.against == known[0].policy}
    rungs = [_rung(row, row.policy in ties) for row in known]
    unknown = [f"{row.policy}: {row.why}." for row in values if row.why]
    lead = (
        "Mean reward per decision, had the policy decided instead. A dot is the estimate, the bar "
        f"its {percent(values.level)} interval, the dashed line what your decisions earned."
    )
    if any(row.of == REPLAYED for row in known):
        lead += " Policies that learn use only a part of these decisions; live they learn from all."
    return _section(
        "leaderboard", "What policies would have earned", lead,
        ladder_of(rungs, values[LOGGED].value, units), _list(unknown, "notes"),
        _details("The numbers, and differences", _tables(values)),
    )  # fmt: skip


def _rung(row: Value, tie: bool) -> Rung:
    notes = ["what wrote the log"] if row.policy == LOGGED else []
    notes += ["learns"] if row.of == REPLAYED else []
    notes += ["tie"] if tie else []
    kind = "logged" if row.policy == LOGGED else "tie" if tie else ""
    return Rung(row.policy, ", ".join(notes), kind, row.value, row.low, row.high)


def _over_time(report: Report) -> str:
    if not report.findings.values.course:
        return ""
    lead = (
        "The same policies, stretch by stretch. Where lines cross, another policy is better. Touch "
        "a name to hide or show its line."
    )
    now = report.findings.now
    return _section(
        "time", "How values moved", lead, '<div id="courses"></div>',
        _details("What options are worth at the end of the log", _tables(now)
                 + _list(now.notes, "notes")),
    )  # fmt: skip


def _tuning(report: Report) -> str:
    tuning = report.findings.tuning
    if tuning is None or not len(tuning):
        return ""
    lead = (
        "A policy that forgets follows a world that moves; one that forgets too fast learns little."
        " These are estimates of what policies earn live, in a world with the rewards of this log; "
        "the dashed line is what your decisions earned."
    )
    rungs = [
        Rung(each.label, "tie" if each.tie else "", "tie" if each.tie else "",
             *each.live)
        for each in tuning
    ]  # fmt: skip
    ready = ""
    if tuning.policy is not None:
        text = json.dumps(json.loads(tuning.policy.to_json()), indent=1)
        code = (
            "import driftbandit as db\n\n"
            "policy = db.Strategy.from_json(text)  # the text below\n"
            f"agent = policy.agent(arms={report.check.arms!r})\n"
            "decision = agent.decide()\nagent.reward(decision.id, 1.0)"
        )
        ready = _details(
            "The recommended policy, ready to use",
            f"<pre>{_safe(code)}</pre><pre id='policy'>{_safe(text)}</pre>",
        )
    return _section(
        "memory", "Which policy, and how long to remember", lead,
        ladder_of(rungs, report.findings.values[LOGGED].value, report.units),
        f"<p>{_safe(tuning.advice)}</p>",
        _details("The numbers, and the best memories", _tables(tuning)
                 + _list(tuning.notes, "notes")), ready,
    )  # fmt: skip


def _overlap(report: Report) -> str:
    overlap = report.findings.overlap
    told = sum(each.verdict == "can tell" for each in overlap.policies)
    lead = (
        f"The log can judge {told} of {len(overlap.policies)} policies. It knows only options that "
        "were tried, and knows best those that were tried often. Areas are shares of decisions."
    )
    return _section(
        "overlap", "How much this log can tell", lead, '<div id="plays"></div>',
        _details("Options and policies one by one", _tables(overlap)
                 + _list(overlap.remarks(), "notes")),
    )  # fmt: skip


def _small_print(report: Report) -> str:
    words = "".join(
        f"<dt>{_safe(word)}</dt><dd>{_safe(text)}</dd>" for word, text in GLOSSARY.items()
    )
    bad = _tables(report.check) if report.check.reasons else ""
    notes = [*report.findings.values.notes, *report.check.remarks()]
    return _section(
        "print", "What was assumed, and what words mean",
        "An estimate is as good as what it assumes.",
        _list(list(dict.fromkeys(notes)), "notes"), bad,
        f"<h3>Words</h3><dl>{words}</dl>",
    )  # fmt: skip
