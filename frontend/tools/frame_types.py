"""Writes the types of frames for the page's scripts, from the structs of `games.live.schema`.

`python frontend/tools/frame_types.py` writes `types.d.ts` beside the scripts; it is committed, and
a test says whether it is current. The scripts' JSDoc names these types, and `tsc` checks them.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from games.live import schema, schema_events  # noqa: E402  (a script finds the project only now)

TARGET = ROOT / "frontend" / "static" / "frontend" / "js" / "types.d.ts"
HEAD = """// What a table's socket sends. Made from games/live/schema.py, to be changed there, by
// frontend/tools/frame_types.py.
"""
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
}


def type_of(info: inspect.Type) -> str:
    """A type as TypeScript writes it; structs by their names."""
    if type(info) in _PLAIN:
        return _PLAIN[type(info)]
    if isinstance(info, inspect.LiteralType):
        return " | ".join(msgspec.json.encode(value).decode() for value in info.values)
    if isinstance(info, inspect.ListType):
        inner = type_of(info.item_type)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if isinstance(info, inspect.DictType):
        return f"Record<string, {type_of(info.value_type)}>"
    if isinstance(info, inspect.UnionType):
        return " | ".join(type_of(each) for each in info.types)
    if isinstance(info, inspect.StructType):
        return info.cls.__name__
    raise TypeError(f"no page knows {info!r}")


def interface(info: inspect.StructType) -> str:
    lines = []
    if info.tag_field is not None:
        lines.append(f"  {info.tag_field}: {msgspec.json.encode(info.tag).decode()};")
    for field in info.fields:
        mark = "" if field.required else "?"
        lines.append(f"  {field.encode_name}{mark}: {type_of(field.type)};")
    return "\n".join([f"export interface {info.cls.__name__} {{", *lines, "}"])


def structs_in(info: Any, found: dict[str, inspect.StructType]) -> None:
    """Every struct below a type, each once, those that others hold first."""
    if isinstance(info, inspect.StructType):
        if info.cls.__name__ in found:
            return
        for field in info.fields:
            structs_in(field.type, found)
        found[info.cls.__name__] = info
    elif isinstance(info, inspect.ListType):
        structs_in(info.item_type, found)
    elif isinstance(info, inspect.DictType):
        structs_in(info.value_type, found)
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            structs_in(each, found)


def declarations() -> str:
    """The whole file."""
    found: dict[str, inspect.StructType] = {}
    unions = {"Event": schema_events.Event, "Frame": schema.Frame}
    for union in unions.values():
        structs_in(inspect.type_info(union), found)
    parts = [interface(info) for info in found.values()]
    for name, union in unions.items():
        members = type_of(inspect.type_info(union)).replace(" | ", "\n  | ")
        parts.append(f"export type {name} =\n  | {members};")
    return HEAD + "\n" + "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
