"""How Sphinx builds these pages."""

import spicymkl

project = "SpicyMKL"
author = "The SpicyMKL developers"
release = version = spicymkl.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "myst_parser",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
myst_enable_extensions = ["dollarmath"]  # formulas of mathematics.md
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"SpicyMKL {version}"
exclude_patterns = ["_build", "paper/*", "performance/*"]  # tables that paper.md and performance.md include
templates_path = ["_templates"]
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "examples",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
    "capture_repr": (),
}
