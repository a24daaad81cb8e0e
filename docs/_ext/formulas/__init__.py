"""Set the formulas of pages and docstrings, which are written in plain text, as MathML.

Sources stay readable where nothing is built: in an editor, in `help()`, in a repository browser.
Browsers of today set MathML by themselves, so that the site needs no script and no network for it.
A formula that is not recognised stays as it is written.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from _ext.formulas import mathml
from _ext.formulas.finder import Formula, formulas
from _ext.formulas.syntax import Row, Symbol

VERBATIM = (nodes.literal, nodes.literal_block, nodes.FixedTextElement, nodes.title, nodes.raw)
"""Where text is left alone."""


class formula(nodes.Inline, nodes.TextElement):  # type: ignore[misc]  # noqa: N801  # as docutils
    """A formula; its text is the source, which search finds, `markup` its MathML."""


class SetFormulas(SphinxPostTransform):
    """Put formulas in the place of their text."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Set the formulas of one page."""
        for paragraph in list(self.document.findall(nodes.paragraph)):
            _set_on_a_line_of_its_own(paragraph)
        for text in list(self.document.findall(nodes.Text)):
            if not _is_verbatim(text):
                _set_inline(text)


def _is_verbatim(text: nodes.Text) -> bool:
    parent = text.parent
    while parent is not None:
        if isinstance(parent, (*VERBATIM, formula)) or "desc_signature" in parent.tagname:
            return True
        parent = parent.parent
    return False


def _set_on_a_line_of_its_own(paragraph: nodes.paragraph) -> None:
    """Set a paragraph that is nothing but formulas and punctuation in display style."""
    source = paragraph.astext()
    plain = all(isinstance(child, nodes.Text) for child in paragraph.children)
    in_table = isinstance(paragraph.parent, nodes.entry)
    matches = formulas(source) if plain and not in_table else []
    if not matches or re.search(r"[^\s,;.]", _between(source, matches)) or _is_short(matches):
        return
    pieces: list[Any] = []
    for part, after in zip(matches, [*matches[1:], None], strict=True):
        gap = source[part.end : after.start if after else None].strip()
        pieces += [part.node, *([Symbol("punctuation", gap)] if gap else [])]
        pieces += [Symbol("wide", "")] if after else []
    markup = mathml.block(Row(tuple(pieces)), source)
    node = formula("", source, markup=markup)
    paragraph.children = []
    paragraph += node
    paragraph["classes"].append("formula-line")


def _is_short(matches: list[Formula]) -> bool:
    """Say whether there is but one letter or word."""
    return len(matches) == 1 and isinstance(matches[0].node, Symbol)


def _between(source: str, matches: list[Formula]) -> str:
    ends = [0, *(part.end for part in matches)]
    starts = [*(part.start for part in matches), len(source)]
    return "".join(source[end:start] for end, start in zip(ends, starts, strict=True))


def _set_inline(text: nodes.Text) -> None:
    source = text.astext()
    matches = formulas(source)
    if not matches:
        return
    pieces: list[nodes.Node] = []
    end = 0
    for part in matches:
        span = source[part.start : part.end]
        pieces += [nodes.Text(source[end : part.start])] if part.start > end else []
        pieces.append(formula("", span, markup=mathml.inline(part.node, span)))
        end = part.end
    pieces += [nodes.Text(source[end:])] if end < len(source) else []
    text.parent.replace(text, pieces)


def visit_formula(writer: Any, node: formula) -> None:
    """Write the MathML in place of the text."""
    writer.body.append(node["markup"])
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the node and the transform to Sphinx."""
    app.add_node(formula, html=(visit_formula, None))
    app.add_post_transform(SetFormulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
