"""What we did not write and ship to browsers: named, licensed, and unchanged since it was taken."""

import hashlib
import json
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "frontend" / "static" / "frontend" / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text())


def test_each_file_is_the_one_in_the_manifest() -> None:
    for library in MANIFEST:
        for name, digest in library["files"].items():
            assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name


def test_no_file_is_there_without_being_in_the_manifest() -> None:
    listed = {name for library in MANIFEST for name in library["files"]} | {"manifest.json"}
    there = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    assert there == listed


def test_each_library_says_its_name_version_and_licence_and_brings_the_licence() -> None:
    for library in MANIFEST:
        assert library["name"]
        assert library["version"]
        assert library["licence"] == "MIT"
        assert f"{library['name']}/LICENSE" in library["files"]
