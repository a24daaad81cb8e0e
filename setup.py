"""Make the page that a package index shows; all else is declared in pyproject.toml.

An index shows the readme by itself: a path is a dead link there, and a picture needs an address
on the web, which this project does not have (a picture inside the page, as a data: URI, is
removed). So links and pictures become the names of files of the source distribution.
"""

import re
from pathlib import Path

from setuptools import setup

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:)([^)\s#]+)[^)]*\)")
NOTE = "Files that are named here come with the source distribution.\n"


def index_page(readme: str) -> str:
    """Return the readme with the names of files in place of links to them."""
    title, text = readme.split("\n", 1)
    return f"{title}\n\n{NOTE}{RELATIVE.sub(_named, text)}"


def _named(link: re.Match[str]) -> str:
    picture, text, path = link.groups()
    if picture:
        return f"*{text}: see `{path}`.*"
    return text if text.strip("`/") == path else f"{text} (`{path}`)"


setup(
    long_description=index_page((Path(__file__).parent / "README.md").read_text(encoding="utf-8")),
    long_description_content_type="text/markdown",
)
