"""Draws the card sprite, `static/frontend/cards.svg`: one symbol a face, one joker, two backs.

Run it by hand after a change: `python frontend/tools/draw_cards.py`. Standard library alone.
Colours are CSS variables with a default, so that a page can change the deck (four colours, dark
theme) without another file. The index is large and on one line: cards overlap in columns, and
the top strip of each must say all.
"""

from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "static" / "frontend" / "cards.svg"

RANKS = "A23456789TJQK"
SUITS = "SHDC"

# Suit shapes in a box of 20 by 20.
SHAPES = {
    "S": "M10 1C8 5 2 8.2 2 12.4c0 2.6 1.9 4.3 4.2 4.3 1.2 0 2.2-.5 2.9-1.3C9 17 8.4 18.3 7 "
    "19h6c-1.4-.7-2-2-2.1-3.6.7.8 1.7 1.3 2.9 1.3 2.3 0 4.2-1.7 4.2-4.3C18 8.2 12 5 10 1z",
    "H": "M10 18.5C6.5 15 1.5 11.2 1.5 6.7 1.5 3.9 3.5 2 6 2c1.7 0 3.2.9 4 2.5C10.8 2.9 12.3 "
    "2 14 2c2.5 0 4.5 1.9 4.5 4.7 0 4.5-5 8.3-8.5 11.8z",
    "D": "M10 1c2 3.6 4.4 6.6 7 9-2.6 2.4-5 5.4-7 9-2-3.6-4.4-6.6-7-9 2.6-2.4 5-5.4 7-9z",
    "C": "M10 1.2a4.2 4.2 0 0 1 3.4 6.7 4.2 4.2 0 1 1-2.5 7.2c.1 1.7.7 3.2 2.1 3.9H7c1.4-.7 "
    "2-2.2 2.1-3.9a4.2 4.2 0 1 1-2.5-7.2A4.2 4.2 0 0 1 10 1.2z",
}

# One emblem a court card, in a box of 32 by 24: a plumed cap, a coronet, a crown.
COURTS = {
    "J": "M4 20h24v3H4zM6 18C6 10 11 7 17 7c6 0 9 5 9 11zM17 6c1-4 5-6 10-5-1 4-4 6-8 6z",
    "Q": "M5 20h22v3H5zM5 18 3 8l6 5 3-8 4 7 4-7 3 8 6-5-2 10zM3 7.5a1.5 1.5 0 1 0-.1 0zM12 "
    "4.5a1.5 1.5 0 1 0-.1 0zM20 4.5a1.5 1.5 0 1 0-.1 0zM29 7.5a1.5 1.5 0 1 0-.1 0z",
    "K": "M4 20h24v3H4zM4 18V7l6 5 4.6-6h2.8l4.6 6 6-5v11zM15 0h2v2h2v2h-2v2h-2V4h-2V2h2z",
}

STAR = "M10 .8l2.7 6.1 6.6.7-5 4.4 1.4 6.6L10 15.2l-5.7 3.4 1.4-6.6-5-4.4 6.6-.7z"

INK = {
    "S": "var(--suit-spades,#1b2430)",
    "H": "var(--suit-hearts,#c8202f)",
    "D": "var(--suit-diamonds,#c8202f)",
    "C": "var(--suit-clubs,#1b2430)",
}
FACE = (
    '<rect x=".5" y=".5" width="49" height="69" rx="5" fill="var(--card-face,#fffdf8)" '
    'stroke="var(--card-edge,#b9b4a8)"/>'
)


TEXT = '<text font-weight="700"'


def text(label: str, ink: str) -> str:
    if len(label) > 1:
        fit = 'x="2.5" y="19" font-size="19" letter-spacing="-1.5"'
        return f'{TEXT} {fit} fill="{ink}">{label}</text>'
    return f'{TEXT} x="4" y="19.5" font-size="21" fill="{ink}">{label}</text>'


def face(rank: str, suit: str) -> str:
    ink = INK[suit]
    label = "10" if rank == "T" else rank
    parts = [FACE, text(label, ink)]
    parts.append(f'<use href="#s{suit}" x="28" y="3.5" width="18" height="18" fill="{ink}"/>')
    if rank in COURTS:
        parts.append(
            f'<use href="#c{rank}" x="9" y="32" width="32" height="24" fill="{ink}"/>'
            f'<path d="M9 60h32" stroke="{ink}" stroke-width="1.5"/>'
        )
    else:
        parts.append(f'<use href="#s{suit}" x="10" y="31" width="30" height="30" fill="{ink}"/>')
    return f'<symbol id="{rank}{suit}" viewBox="0 0 50 70">{"".join(parts)}</symbol>'


def joker() -> str:
    ink = "var(--suit-joker,#6b3fa0)"
    return (
        f'<symbol id="JK" viewBox="0 0 50 70">{FACE}'
        f'{TEXT} x="4" y="18.5" font-size="17" letter-spacing="-1" fill="{ink}">JK</text>'
        f'<use href="#star" x="28" y="3.5" width="18" height="18" fill="{ink}"/>'
        f'<use href="#star" x="8" y="29" width="34" height="34" fill="{ink}"/></symbol>'
    )


def back(number: int, colour: str) -> str:
    ink = f"var(--back-{number},{colour})"
    lines = "".join(f"M{x} 5 {x + 60} 65M{x + 60} 5 {x} 65" for x in range(-55, 50, 12))
    return (
        f'<symbol id="back{number}" viewBox="0 0 50 70">{FACE}'
        f'<svg x="4" y="4" width="42" height="62" viewBox="4 4 42 62">'
        f'<rect x="4" y="4" width="42" height="62" rx="3" fill="{ink}"/>'
        f'<path d="{lines}" stroke="var(--card-face,#fffdf8)" stroke-opacity=".35" fill="none"/>'
        f"</svg></symbol>"
    )


def main() -> None:
    """Write the sprite. The order is that of the pack, so that a diff stays readable."""
    symbols = [
        *(
            f'<symbol id="s{s}" viewBox="0 0 20 20"><path d="{d}"/></symbol>'
            for s, d in SHAPES.items()
        ),
        *(
            f'<symbol id="c{r}" viewBox="0 0 32 24"><path d="{d}"/></symbol>'
            for r, d in COURTS.items()
        ),
        f'<symbol id="star" viewBox="0 0 20 20"><path d="{STAR}"/></symbol>',
        *(face(rank, suit) for suit in SUITS for rank in RANKS),
        joker(),
        back(1, "#2f5d8a"),
        back(2, "#8a3d4a"),
    ]
    body = "\n".join(symbols)
    OUT.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n', encoding="utf-8")


if __name__ == "__main__":
    main()
