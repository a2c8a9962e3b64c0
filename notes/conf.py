"""The book as a site, by Sphinx: `make docs`, then open site/index.html. snapref_harness/book.py does the rest."""

project = "snapref"
extensions = ["myst_parser", "snapref_harness.book"]
root_doc = "README"
exclude_patterns = ["sweeps"]
html_theme = "furo"  # light and dark, as the reader's system is
html_title = "snapref"
html_extra_path = ["claims.toml"]
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4  # links to headings, as GitHub has them
highlight_language = "none"  # blocks say what they are
smartquotes = False  # ε' is a name, not a quotation
