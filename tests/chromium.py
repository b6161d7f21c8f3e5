"""Where the browser for the tests of pages is."""

import os
import shutil


def find_chromium() -> str | None:
    """A Chromium for Playwright's `executable_path`, or None; `POZZETTO_CHROMIUM` goes first."""
    given = os.environ.get("POZZETTO_CHROMIUM")
    names = [given] if given else ["chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if (found := shutil.which(name))), None)
