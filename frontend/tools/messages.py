"""Keeps the translations in step with the source, without gettext's programs.

`python frontend/tools/messages.py` reads every text marked for translation, adds the new ones to
each catalogue with an empty translation, drops those no longer used, and compiles the catalogues.
The compiled files are committed, so that a fresh clone speaks all languages; a test compares them.
Standard library alone; writes under `frontend/locale` only.
"""

import ast
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "frontend" / "locale"
LANGUAGES = ("en", "es", "it", "pt_BR")
PACKAGES = ("frontend", "tournaments", "games")
PLURALS = "nplurals=2; plural=(n != 1);"

_CALLS = {
    "_": 0,
    "gettext": 0,
    "gettext_lazy": 0,
    "pgettext": 1,
    "pgettext_lazy": 1,
}
_TRANSLATE = re.compile(r"""\{%\s*translate\s+(?:"([^"]+)"|'([^']+)')""")
_BLOCK = re.compile(r"\{%\s*blocktranslate\b.*?%\}(.*?)\{%\s*endblocktranslate\s*%\}", re.DOTALL)


class Key(NamedTuple):
    """What a text is looked up by; `context` is empty for most."""

    context: str
    text: str


def marked_in_python(source: str) -> Iterator[Key]:
    """The texts in calls of gettext's functions."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        before = _CALLS.get(node.func.id)
        if before is None:
            continue
        values = [arg.value for arg in node.args[: before + 1] if isinstance(arg, ast.Constant)]
        if len(values) == before + 1:
            yield Key(str(values[0]) if before else "", str(values[before]))


def marked_in_template(source: str) -> Iterator[Key]:
    """The texts of `translate` and `blocktranslate` tags."""
    for match in _TRANSLATE.finditer(source):
        yield Key("", match[1] or match[2])
    for match in _BLOCK.finditer(source):
        yield Key("", re.sub(r"\{\{\s*(\w+)\s*\}\}", r"%(\1)s", match[1]))


def marked() -> list[Key]:
    """Every text of the project that is to be translated, in a stable order, each once."""
    found: dict[Key, None] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            found |= dict.fromkeys(marked_in_python(path.read_text(encoding="utf-8")))
        for path in sorted((ROOT / package).rglob("*.html")):
            found |= dict.fromkeys(marked_in_template(path.read_text(encoding="utf-8")))
    return list(found)


def catalogue_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(text: str) -> dict[Key, str]:
    """The entries of a catalogue; plural entries are not used here."""
    entries: dict[Key, str] = {}
    for block in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            match = re.match(r'(?:(msgctxt|msgid|msgstr)\s+)?(".*")$', line.strip())
            if match is None:
                continue
            name = match[1] or name
            fields[name] = fields.get(name, "") + ast.literal_eval(match[2])
        if "msgid" in fields:
            entries[Key(fields.get("msgctxt", ""), fields["msgid"])] = fields.get("msgstr", "")
    return entries


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def header(language: str) -> str:
    lines = (
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        f"Language: {language}",
        f"Plural-Forms: {PLURALS}",
    )
    return "".join(f"{line}\n" for line in lines)


def write(entries: dict[Key, str]) -> str:
    """A catalogue as text: the header first, then the entries in their order."""
    blocks = []
    for key, translation in entries.items():
        lines = [f"msgctxt {_quoted(key.context)}"] if key.context else []
        lines += [f"msgid {_quoted(key.text)}", f"msgstr {_quoted(translation)}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def compiled(entries: dict[Key, str]) -> bytes:
    """The catalogue in gettext's binary form; entries without a translation are left out."""
    pairs = sorted(
        (f"{key.context}\x04{key.text}".encode() if key.context else key.text.encode(), text)
        for key, text in entries.items()
        if text
    )
    ids = b"".join(key + b"\0" for key, _ in pairs)
    texts = b"".join(text.encode() + b"\0" for _, text in pairs)
    start = 28 + 16 * len(pairs)
    id_table, text_table = [], []
    id_at, text_at = start, start + len(ids)
    for key, text in pairs:
        id_table += [len(key), id_at]
        text_table += [len(text.encode()), text_at]
        id_at += len(key) + 1
        text_at += len(text.encode()) + 1
    head = (0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    numbers = [*head, *id_table, *text_table]
    return struct.pack(f"<{len(numbers)}I", *numbers) + ids + texts


def updated(language: str, keys: list[Key]) -> dict[Key, str]:
    """The catalogue with exactly these keys, keeping what was translated; English speaks as is."""
    path = catalogue_path(language)
    old = read(path.read_text(encoding="utf-8")) if path.exists() else {}
    fresh = {key: old.get(key) or (key.text if language == "en" else "") for key in keys}
    return {Key("", ""): header(language)} | fresh


def main() -> None:
    """Update and compile every catalogue."""
    keys = marked()
    for language in LANGUAGES:
        entries = updated(language, keys)
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write(entries), encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(entries))


if __name__ == "__main__":
    main()
