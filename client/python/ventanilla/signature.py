"""The signature of requests and webhooks: HMAC-SHA-256 over ``KEY:DATE:METHOD:PATH:BODY``, in hexadecimal."""

from __future__ import annotations

import hashlib
import hmac


def sign(*, key: str, message_date: str, method: str, path: str, body: bytes, secret: str) -> str:
    """The Message-Hash of a message: 64 lower-case hexadecimal digits.

    ``path`` is taken as it is sent: undecoded, and of a list with its query.
    """
    head = f"{key}:{message_date}:{method.upper()}:{path}:"
    # What came in a header or a request line may be no text at all; it then signs as the bytes that came.
    signed = head.encode("utf-8", "surrogateescape") + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def message_date(now: float) -> str:
    """Seconds since 1970, as a Message-Date."""
    return f"{now:.6f}"
