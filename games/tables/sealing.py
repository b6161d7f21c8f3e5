"""Sealing the secret of a game's shuffles, so that the database alone does not give the deck.

The key comes from the deployment's secret key; older ones (`SECRET_KEY_FALLBACKS`) still open.
"""

from __future__ import annotations

import base64
import secrets
from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from games.rules.shuffle import SEED_BYTES


def new_master() -> bytes:
    """The fresh secret of one game's shuffles."""
    return secrets.token_bytes(SEED_BYTES)


def seal(master: bytes) -> bytes:
    """The secret as the database may keep it."""
    return _box().encrypt(master)


def unseal(sealed: bytes | memoryview) -> bytes:
    """The secret again; `cryptography.fernet.InvalidToken` under another deployment's key."""
    return _box().decrypt(bytes(sealed))


def _box() -> MultiFernet:
    return _box_of((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@cache
def _box_of(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key))) for key in keys])


def _derived(key: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=b"pozzetto-shuffles/1").derive(key.encode())
