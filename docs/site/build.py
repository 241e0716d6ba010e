"""`make site`: gathers every page there is, draws the pictures anew, and has Sphinx make a site of it.

    python docs/site/build.py dist/site --sphinx .venv/site/bin/python

The pages stay where they are, and their links lead to the same pages here, on the site, and where the code lies.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGS = ("en", "de", "ja")
PICTURES = {"bought": "table"}
"""Scenes of Prokonsul that the host's pages show, in each language, and the name of each picture."""


def gathered(into: Path) -> None:
    """Copy every file that git does not ignore, as the pages link to it, and the site's own pages to the top.

    Of the tests, only `tests/recipe` is copied.
    """
    words = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for name in listed:
        if (ROOT / name).exists() and not name.startswith(("tests/", ".github/")):
            copy = into / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "tests/recipe", into / "tests/recipe", ignore=shutil.ignore_patterns("__pycache__"))
    for path in HERE.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy)(path, into / path.name)
        if path.suffix == ".md":
            (into / path.name).write_text(moved(path), encoding="utf-8")
    shutil.rmtree(into / "docs/site")


def moved(path: Path) -> str:
    """Return the text of a page of the site, with its links as seen from the top and its picture in its language."""
    lang = next((lang for lang in LANGS if path.stem.endswith(f".{lang}")), "en")
    text = path.read_text(encoding="utf-8").replace("](../table.png)", f"](pictures/{lang}/table.png)")
    return text.replace("](../../", "](").replace("](../", "](docs/")


def drawn(into: Path) -> None:
    """Draw the pictures of all pages with the program as it is, those of the host's pages in each language."""
    env = dict(os.environ) | {"SDL_VIDEODRIVER": os.environ.get("SDL_VIDEODRIVER", "offscreen")}
    subprocess.run([sys.executable, "-m", "tools.pictures", into / "docs", "--docs"], cwd=ROOT, env=env, check=True)
    for lang in LANGS:
        with TemporaryDirectory() as name:
            words = [sys.executable, "-m", "tools.pictures", name, "--game", "prokonsul", "--only", *PICTURES]
            subprocess.run([*words, "--size", "800x480", "--lang", lang], cwd=ROOT, env=env, check=True)
            (into / "pictures" / lang).mkdir(parents=True)
            for path in Path(name).rglob("*.png"):
                picture = PICTURES[path.stem.removesuffix("-800x480")]
                shutil.copy(path, into / "pictures" / lang / f"{picture}.png")


def main() -> int:
    top = argparse.ArgumentParser(prog="make site")
    top.add_argument("folder", type=Path, help="where to; what was there goes")
    top.add_argument("--sphinx", type=Path, default=Path(sys.executable), help="a Python that has Sphinx")
    top.add_argument("--no-pictures", action="store_true", help="without drawing pictures anew")
    args = top.parse_args()
    with TemporaryDirectory() as name:
        source = Path(name) / "source"
        source.mkdir()
        gathered(source)
        if args.no_pictures:
            for lang in LANGS:
                (source / "pictures" / lang).mkdir(parents=True)
                for picture in PICTURES.values():
                    shutil.copy(ROOT / "docs/table.png", source / "pictures" / lang / f"{picture}.png")
        else:
            drawn(source)
        shutil.rmtree(args.folder, ignore_errors=True)
        words = [args.sphinx.absolute(), "-m", "sphinx", "-q", "-W", "--keep-going", "-d", Path(name) / "trees"]
        env = dict(os.environ) | {"PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "0", "TZ": "UTC"}
        done = subprocess.run([*words, source, args.folder], check=False, env=env)
        (args.folder / ".buildinfo").unlink(missing_ok=True)
    if not done.returncode:
        print(f"The site is in {args.folder}: open {args.folder / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
