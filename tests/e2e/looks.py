"""Looks at a page as it is: free of barriers in both themes, and fitting every screen.

With `POZZETTO_PICTURES` set to a folder, each look leaves its pictures there, for people to see.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SIZES = {
    "phone": {"width": 360, "height": 740},
    "tablet": {"width": 820, "height": 1180},
    "desk": {"width": 1440, "height": 900},
}
PICTURES = os.environ.get("POZZETTO_PICTURES", "")


def look_at(page: Page, name: str, *, sizes: tuple[str, ...] = tuple(SIZES)) -> None:
    """Fails on a barrier that axe finds, or where the page is wider than the screen."""
    assert not [*faults_of(page, name, sizes=sizes)]


def faults_of(
    page: Page, name: str, *, sizes: tuple[str, ...] = tuple(SIZES), but: tuple[str, ...] = ()
) -> Iterator[str]:
    """What `look_at` fails on; `but`: what axe leaves out, as selectors.

    What axe looks for differs by theme and hardly by size: it is asked at the first size.
    """
    before = page.viewport_size
    for size in sizes:
        page.set_viewport_size(SIZES[size])
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            yield f"{name} is wider than a {size}"
        for theme in ("light", "dark"):
            if size != sizes[0] and not PICTURES:
                continue
            page.emulate_media(color_scheme=theme)
            # Colours change softly: what is looked at is what they come to.
            page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
            if size == sizes[0]:
                found = Axe().run(page, context={"exclude": [[each] for each in but]})
                if found.violations_count:
                    yield f"{name} {theme}\n{found.generate_report()}"
            if PICTURES:
                page.screenshot(path=Path(PICTURES) / f"{name}-{size}-{theme}.png")
    page.emulate_media(color_scheme="light")
    if before:
        page.set_viewport_size(before)
