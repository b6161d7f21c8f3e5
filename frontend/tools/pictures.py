"""Takes the pictures of docs/img from a running demo: wall, table, replay and practice.

`python frontend/tools/pictures.py http://localhost:8000` waits for a table late in its deal, then
looks at each page as a phone, a tablet and a desk see it. Needs Playwright and a Chromium; writes
PNG files and nothing else.
"""

import os
import shutil
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "img"
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desk": (1440, 900)}
LATE = 60
"""Cards on the table that make a deal a late one."""
PATIENCE = 300.0


def melded(row: dict[str, Any]) -> int:
    """How many cards lie in the melds of a table on the wall; none between two deals."""
    if row["turn"] is None:
        return 0
    return sum(size for side in row["melds"] for _, size, _ in side)


def live_tables(page: Page, site: str) -> list[dict[str, Any]]:
    """The tables as the wall knows them."""
    rows: list[dict[str, Any]] = page.request.get(f"{site}/tables/wall.json").json()["tables"]
    return rows


def late_table(page: Page, site: str) -> str:
    """A table with `LATE` cards on it, or the fullest there was while we were patient."""
    until = time.monotonic() + PATIENCE
    while True:
        fullest = max(live_tables(page, site), key=melded)
        if melded(fullest) >= LATE or time.monotonic() > until:
            return str(fullest["id"])
        time.sleep(1)


def replayable(page: Page, site: str) -> str:
    """A table of which a deal has ended."""
    return next(str(row["id"]) for row in live_tables(page, site) if row["deal"] > 1)


def path_of(name: str, page: Page, site: str) -> str:
    """Where a picture is taken."""
    match name:
        case "table":
            return f"/tables/{late_table(page, site)}/"
        case "replay":
            return f"/tables/{replayable(page, site)}/replay/"
        case "practice":
            return "/"
        case _:
            return "/tables/"


def to_a_late_step(page: Page) -> None:
    page.wait_for_selector(".scrub")
    page.eval_on_selector(
        ".scrub",
        "s => { s.value = Math.round(0.85 * s.max); s.dispatchEvent(new Event('input')); }",
    )


def into_practice(page: Page) -> None:
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/tables/**")
    page.wait_for_selector(".game.is-own")


def take(browser: Browser, site: str, folder: Path) -> None:
    """All pictures in all sizes."""
    for size, (width, height) in SIZES.items():
        for name in ("wall", "table", "replay", "practice"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale="en", reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(site + path_of(name, page, site))
            if name == "replay":
                to_a_late_step(page)
            if name == "practice":
                into_practice(page)
            page.wait_for_timeout(1200)
            page.screenshot(path=folder / f"{name}-{size}.png")
            context.close()


def main() -> None:
    """Take the pictures from the demo at the address given."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("site", help="address of the demo, without a slash at its end")
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder for the pictures")
    options = parser.parse_args()
    chromium = os.environ.get("POZZETTO_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("There is no chromium: install one, or set POZZETTO_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        take(browser, options.site, options.to)
        browser.close()


if __name__ == "__main__":
    main()
