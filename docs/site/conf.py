"""What Sphinx is told: `make site` gathers the pages and calls it (build.py)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

project, author, copyright = "Tabularium", "The Tabularium contributors", "The Tabularium contributors, MIT licence"  # noqa: A001
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist", "attrs_block", "colon_fence"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
root_doc = "index"
html_theme = "furo"
html_title = "Tabularium"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
autodoc_member_order, autodoc_typehints = "bysource", "description"
autodoc_type_aliases: dict[str, str] = {}
exclude_patterns = ["companion/**", "tests/**", "benchmarks/**"]
suppress_warnings = ["myst.header"]
highlight_language = "text"
HERE = Path(__file__).parent


def links(app: Any, name: str, source: list[str]) -> None:
    """Rewrite the links of a page for the site.

    A link to a folder leads to its README.md. A link to a file of the code, or to a folder without one, becomes plain
    text. A link that leads nowhere is noted for `outside`.
    """
    folder = (HERE / name).parent

    anchors = set(re.findall(r'<a (?:id|name)="([^"]+)">', source[0]))

    def kept(found: re.Match[str]) -> str:
        text, target = found[1], found[2]
        if target.removeprefix("#") in anchors:
            return f'<a class="reference internal" href="{target}">{text}</a>'
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        file = target.partition("#")[0]
        there = (folder / file).resolve()
        if there.is_dir() and (there / "README.md").exists():
            return f"[{text}]({file.rstrip('/')}/README.md)"
        if there.suffix in (".md", ".png", ".svg") and there.exists():
            return found[0]
        if there.exists():
            return text if text.startswith("`") else f"{text} (`{there.relative_to(HERE)}`)"
        app.builder.env.tabularium_lost.append(f"{name}: {target}")
        return found[0]

    source[0] = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)", kept, source[0])


def begin(app: Any) -> None:
    app.builder.env.tabularium_lost = []


def outside(app: Any, wrong: Exception | None) -> None:
    """List the external links beside the site, without following them. Raises SystemExit if a link leads nowhere."""
    if wrong:
        return
    if lost := app.builder.env.tabularium_lost:
        raise SystemExit("These links lead nowhere:\n" + "\n".join(lost))
    found: set[str] = set()
    leading = re.compile(r'<a class="reference external" href="(https?://[^"]+)"')
    for page in Path(app.outdir).rglob("*.html"):
        found.update(leading.findall(page.read_text(encoding="utf-8")))
    (Path(app.outdir) / "leads-out.txt").write_text("\n".join([*sorted(found), ""]), encoding="utf-8")


def setup(app: Any) -> None:
    from pygments.lexers.special import TextLexer  # type: ignore[import-untyped, unused-ignore]

    app.add_lexer("jsonl", TextLexer)  # with comments, which JSON has not
    app.connect("builder-inited", begin)
    app.connect("source-read", links)
    app.connect("build-finished", outside)
