"""Webhooks: whether one is the node's own, and what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from .api import PayInWebhook, PayOutWebhook
from .errors import WebhookRefused
from .signature import sign

WebhookOrder = PayOutWebhook | PayInWebhook


@dataclass(frozen=True)
class VerifiedWebhook:
    """A webhook that is the node's own."""

    #: The same over all attempts: one that was handled before may be acknowledged and dropped.
    id: str
    #: Counts the webhooks of the order, from 1: an older one than the last may be dropped.
    sequence: int
    attempt: int
    order: WebhookOrder


def verify_webhook(
    path: str,
    headers: Mapping[str, str],
    body: bytes,
    secrets: Mapping[str, str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> VerifiedWebhook:
    """Verify a webhook by its Message-Hash; raises WebhookRefused where it is not the node's, or too old.

    ``path`` is that of the request line, not decoded; its query does not count. ``body`` is the raw bytes.
    ``secrets`` has the merchant's secrets by their keys: two while one is being replaced.
    """
    named = _by_lower_case(headers)
    key, date = named.get("merchant-key", ""), named.get("message-date", "")
    secret = secrets.get(key)
    if not secret:
        raise WebhookRefused("It is signed with an unknown key.")
    expected = sign(
        key=key, message_date=date, method="POST", path=path.split("?")[0] or "/", body=body, secret=secret
    )
    if not _is_same(expected, named.get("message-hash", "")):
        raise WebhookRefused("Its hash differs.")
    _assert_recent(date, r"[0-9]{10}(\.[0-9]{1,9})?", tolerance, now)
    return _told_by(named, body)


def verify_standard_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secrets: Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> VerifiedWebhook:
    """Verify a webhook by Standard Webhooks, where the operator has it signed so; raises WebhookRefused.

    ``secrets`` are those that begin with ``whsec_``: several while one is being replaced.
    """
    named = _by_lower_case(headers)
    timestamp = named.get("webhook-timestamp", "")
    signed = f"{named.get('webhook-id', '')}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    keys = [_key_of(secret) for secret in secrets]
    given = named.get("webhook-signature", "").split(" ")
    expected = [
        "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys
    ]
    # All of them are compared, whichever is right.
    if not any([_is_same(one, other) for one in expected for other in given]):
        raise WebhookRefused("Its signature differs.")
    _assert_recent(timestamp, r"[0-9]{10}", tolerance, now)
    return _told_by(named, body)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise WebhookRefused("The secret is none of Standard Webhooks.") from error
    if not key:
        raise WebhookRefused("The secret is empty: anybody could sign.")
    return key


def _is_same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "surrogateescape"))


def _assert_recent(date: str, form: str, tolerance: float, now: float | None) -> None:
    seconds = float(date) if re.fullmatch(form, date) else None
    if seconds is None or abs((time.time() if now is None else now) - seconds) > tolerance:
        raise WebhookRefused("It was signed at another time.")


def _by_lower_case(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in headers.items()}


def _told_by(headers: Mapping[str, str], body: bytes) -> VerifiedWebhook:
    try:
        order = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WebhookRefused("Its body is not JSON.") from error
    if not isinstance(order, dict):
        raise WebhookRefused("Its body is no order.")
    return VerifiedWebhook(
        id=headers.get("webhook-id", ""),
        sequence=_whole(headers.get("webhook-sequence", "")),
        attempt=_whole(headers.get("webhook-attempt", "")),
        order=cast(WebhookOrder, order),
    )


def _whole(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0
