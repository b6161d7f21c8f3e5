"""The colours of the site are named in one file, the tokens; everything else speaks of those."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOKENS = "frontend/static/frontend/tokens.css"
# Pictures, and what others wrote.
NOT_MEANT = ("/vendor/", "/locale/", ".svg", ".json", "types.d.ts")

# The names of CSS, of which no other word of ours is one.
NAMES = (
    "aliceblue|antiquewhite|aqua|aquamarine|azure|beige|bisque|black|blanchedalmond|blue|"
    "blueviolet|brown|burlywood|cadetblue|chartreuse|chocolate|coral|cornflowerblue|cornsilk|"
    "crimson|cyan|dark[a-z]+|deeppink|deepskyblue|dimgr[ae]y|dodgerblue|firebrick|floralwhite|"
    "forestgreen|fuchsia|gainsboro|ghostwhite|gold|goldenrod|gr[ae]y|green|greenyellow|honeydew|"
    "hotpink|indianred|indigo|ivory|khaki|lavender|lavenderblush|lawngreen|lemonchiffon|"
    "light(?!er\\b|ness\\b|ning\\b)[a-z]+|lime|limegreen|linen|magenta|maroon|medium[a-z]+|"
    "midnightblue|mintcream|mistyrose|moccasin|navajowhite|navy|oldlace|olive|olivedrab|orange|"
    "orangered|orchid|pale[a-z]+|papayawhip|peachpuff|peru|pink|plum|powderblue|purple|"
    "rebeccapurple|red|rosybrown|royalblue|saddlebrown|salmon|sandybrown|seagreen|seashell|sienna|"
    "silver|skyblue|slateblue|slategr[ae]y|snow|springgreen|steelblue|tan|teal|thistle|tomato|"
    "turquoise|violet|wheat|white|whitesmoke|yellow|yellowgreen"
)
HEX = r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w-])"
FUNCTION = r"(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\("
NAMED = rf"(?<![\w-])(?:{NAMES})(?![\w-])"


def files(*endings: str) -> list[str]:
    found = (
        path.relative_to(ROOT).as_posix()
        for folder in ("frontend", "tournaments", "games", "deploy")
        for ending in endings
        for path in (ROOT / folder).rglob(f"*{ending}")
        if "node_modules" not in path.parts
    )
    return sorted(name for name in found if not any(each in name for each in NOT_MEANT))


def colours_in(text: str, kind: str) -> Iterator[str]:
    """The colours that a file names; of a script, those in its strings."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    if kind == ".css":
        # Names of properties, classes and tokens are no colours: only what follows a colon.
        for value in re.findall(r":([^;{}]*)[;}]", text):
            yield from re.findall(f"{HEX}|{FUNCTION}|{NAMED}", value, re.IGNORECASE)
        return
    # A link to a place of the page, and a character by its number, begin as a colour does.
    text = re.sub(r"href=[\"']#|&#", " ", text)
    yield from re.findall(rf"{HEX}|{FUNCTION}(?=\d)", text, re.IGNORECASE)
    painted = rf"(?:fill|stroke|color|colour|background)\w*[\"']?\s*[:=,]\s*[\"']?({NAMED})"
    yield from re.findall(painted, text, re.IGNORECASE)


@pytest.mark.parametrize("name", files(".css", ".html", ".js"))
def test_no_colour_is_named_but_among_the_tokens(name: str) -> None:
    found = [*colours_in((ROOT / name).read_text(), Path(name).suffix)]
    if name == TOKENS:
        assert len(found) > 40
    else:
        assert found == []


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        (".css", "a { color: #fff; }", ["#fff"]),
        (".css", "a { box-shadow: 0 0 1px rgb(0 0 0 / 0.1) }", ["rgb("]),
        (".css", "a:hover { border: 1px solid White; }", ["White"]),
        (".css", ".red > a { white-space: pre; color: var(--gold); }", []),
        (".html", '<meta name="theme-color" content="#1c6b57">', ["#1c6b57"]),
        (".html", '<path fill="tomato"/> &#8220;', ["tomato"]),
        (".js", 'elm.style.color = "red"; h("a#main"); say("in the black");', ["red"]),
        (".js", 'h("path", { attrs: { fill: "rgb(1,2,3)" } })', ["rgb("]),
    ],
)
def test_a_colour_is_found_wherever_it_stands(kind: str, text: str, found: list[str]) -> None:
    assert [*colours_in(text, kind)] == found
