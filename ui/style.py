"""Keeps Kivy from reading the looks of its own widgets, none of which we use. Import this before `kivy.lang`.

Reading them takes a quarter of a bare window's start. Kivy lets its style.kv be replaced (`kivy.resources`), but asks
for it by its whole path; a path that has been found is remembered for a minute. Should Kivy ask in another way one
day, it reads its own as ever.
"""

from pathlib import Path

from kivy import kivy_data_dir, resources
from kivy.cache import Cache

assert resources  # it registers the cache
Cache.append("kv.resourcefind", str(Path(kivy_data_dir, "style.kv")), str(Path(__file__).with_suffix(".kv")))
