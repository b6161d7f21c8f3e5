"""What a browser fetches when it first comes to a page, by plain HTTP and as it was sent.

Follows the links of the page, what it shows, and the imports of its scripts; also those that a
script makes only for some, as for who has a seat.
"""

import gzip
import re
import urllib.request
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

_WANTED = re.compile(
    r"""<link [^>]*\bhref="([^"]+)"|<(?:script|img|iframe) [^>]*\bsrc="([^"]+)"|"""
    r"""\bdata-sprite="([^"]+)\""""
)
_IMPORTED = re.compile(r"""(?:\bfrom\s+|\bimport\s*\(?\s*)["'](\.[^"']+)["']""")
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


class Sent(NamedTuple):
    """`size`: bytes of the body as they travelled."""

    kind: str
    encoding: str
    size: int
    text: str


def first_load(page: str) -> dict[str, Sent]:
    """Everything that was sent, by its address."""
    found: dict[str, Sent] = {}
    left = [page]
    while left:
        address = left.pop()
        if address in found:
            continue
        found[address] = sent = fetch(address)
        left += [urljoin(address, each) for each in mentioned(sent)]
    return found


def fetch(address: str) -> Sent:
    asked = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=20) as answer:
        body = answer.read()
        encoding = answer.headers.get("Content-Encoding", "")
        kind = answer.headers.get_content_type()
    plain = gzip.decompress(body) if encoding == "gzip" else body
    return Sent(kind, encoding, len(body), plain.decode())


def mentioned(sent: Sent) -> list[str]:
    if sent.kind == "text/html":
        links = ("".join(groups) for groups in _WANTED.findall(sent.text))
        return [urlsplit(link)._replace(fragment="").geturl() for link in links]
    if sent.kind == "text/javascript":
        return _IMPORTED.findall(_COMMENT.sub("", sent.text))
    return []
