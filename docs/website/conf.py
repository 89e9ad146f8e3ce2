"""Settings of Sphinx: the pages are Markdown, and nothing is fetched from elsewhere.

`docs/website/build.py` puts the pages, the gallery and the reference into one folder first.
"""

from eigenlens.version import __version__

project = "eigenlens"
author = "the eigenlens developers"
copyright = author
version = release = __version__
extensions = ["myst_parser", "sphinx_copybutton", "sphinx_design"]
myst_enable_extensions = ["colon_fence", "attrs_block", "deflist"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
exclude_patterns = ["website", "**/*.py"]
suppress_warnings = ["myst.header"]  # pages may begin a part with a smaller heading
html_theme = "pydata_sphinx_theme"
html_title = "eigenlens"
html_static_path = ["static"]
html_css_files = ["eigenlens.css"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_sidebars = {"index": []}
pygments_style = "default"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
html_theme_options = {
    "show_prev_next": True,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}
