"""Copies the part of snabbdom that the table uses out of its npm package, and writes the manifest.

Run it by hand when the version changes, with the file that `npm pack snabbdom` gives:
`python frontend/tools/vendor_snabbdom.py snabbdom-3.6.4.tgz`. Uses the standard library alone;
never runs at start-up.
"""

import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "static" / "frontend" / "vendor"
SOURCE_MAP = re.compile(rb"^//# sourceMappingURL=.*\n?", re.MULTILINE)
FILES = (
    "LICENSE",
    "build/h.js",
    "build/htmldomapi.js",
    "build/init.js",
    "build/is.js",
    "build/modules/attributes.js",
    "build/modules/class.js",
    "build/modules/eventlisteners.js",
    "build/modules/props.js",
    "build/vnode.js",
)


def main(archive: str) -> None:
    """Unpack `FILES` under vendor/snabbdom and record name, version, licence and SHA-256."""
    target = VENDOR / "snabbdom"
    with tarfile.open(archive) as package:

        def read(name: str) -> bytes:
            member = package.extractfile(f"package/{name}")
            if member is None:
                raise FileNotFoundError(name)
            return member.read()

        about = json.loads(read("package.json"))
        hashes = {}
        for name in FILES:
            path = target / name.removeprefix("build/")
            path.parent.mkdir(parents=True, exist_ok=True)
            # No maps are shipped, and Django's hashed storage refuses a link to a missing one.
            content = SOURCE_MAP.sub(b"", read(name))
            path.write_bytes(content)
            hashes[path.relative_to(VENDOR).as_posix()] = hashlib.sha256(content).hexdigest()
    entry = {
        "name": about["name"],
        "version": about["version"],
        "licence": about["license"],
        "source": about["homepage"],
        "changes": "links to source maps removed",
        "files": hashes,
    }
    (VENDOR / "manifest.json").write_text(json.dumps([entry], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
