"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from driftbandit import __version__

project = "driftbandit"
author = "the authors of driftbandit"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "_ext.contents",
    "_ext.docstrings",
    "_ext.domains",
    "_ext.formulas",
    "_ext.reference",
]
root_doc = "index"
exclude_patterns = ["_ext"]
smartquotes = False  # a quote in a command is a quote
nitpicky = True
nitpick_ignore_regex = [
    # other packages: the site is built offline
    (r"py:.*", r"(collections|concurrent|matplotlib|np|numpy|os|pathlib|polars|typing)\..*"),
    (r"py:.*", r"ArrayLike|Axes|Figure|Path|SubFigure"),
    # types inside the package that are not public; a test looks after the public ones
    (r"py:class", r"driftbandit\.\w+\..*|Arm|AgentTerms"),
]

myst_heading_anchors = 3
myst_fence_as_directive: list[str] = []

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 140
toc_object_entries = False
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = f"driftbandit {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # a page that is opened as a file may not read others
pygments_style = "friendly"
pygments_dark_style = "github-dark"
