"""What can go wrong, as classes. The texts are for people; programs look at the class and at ``code``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any


class VentanillaError(Exception):
    """Whatever this package raises."""


class Misuse(VentanillaError):
    """A client was made, or asked, in a way that cannot work: nothing was sent."""


class NoAnswer(VentanillaError):
    """No answer came: whether the request was carried out is not known."""


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field."""

    #: The field; ``non_field_errors`` for a rule across fields; None for the request as a whole.
    attr: str | None
    #: For programs.
    code: str
    #: For people.
    detail: str


class ApiError(VentanillaError):
    """The node refused."""

    def __init__(
        self,
        detail: str,
        *,
        status: int,
        code: str,
        errors: tuple[FieldError, ...] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        #: For example ``permission_denied``; ``conflict`` for every 409.
        self.code = code
        #: Of a 400: all that is wrong, field by field.
        self.errors = errors
        #: For the operator: it is in the node's log.
        self.request_id = request_id
        #: How many seconds to wait before the next attempt, where the node said so.
        self.retry_after = retry_after


class InvalidRequest(ApiError):
    """400: something is wrong with the request; ``errors`` says what."""

    def of(self, attr: str) -> tuple[FieldError, ...]:
        """What is said of one field."""
        return tuple(error for error in self.errors if error.attr == attr)


class PermissionDenied(ApiError):
    """403: the signature was refused, or another provider holds the order.

    In a sandbox the message says what is wrong with the signature.
    """


class NotFound(ApiError):
    """404."""


class Conflict(ApiError):
    """409: another provider has the order, or it has changed since this very message was first sent.

    Look the order up before asking again.
    """


class Refused(ApiError):
    """422: understood and refused, for example a confirmation of an order that ended meanwhile."""


class Throttled(ApiError):
    """429: not looked at. It is raised at once where the node asks for a longer pause than ``max_pause``."""


class Unavailable(ApiError):
    """5xx: the node could not; after a 500 it is not known whether anything was done."""


class WebhookRefused(VentanillaError):
    """A webhook that is not to be believed."""


_CLASSES: Mapping[int, type[ApiError]] = {
    400: InvalidRequest,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    422: Refused,
    429: Throttled,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes, now: float) -> ApiError:
    """The error that an answer outside 2xx stands for; the names of ``headers`` are in lower case."""
    detail, errors = _read_body(body)
    retry_after = _retry_after(headers.get("retry-after"), now)
    if status == 429:
        retry_after = 1.0 if retry_after is None else retry_after
    text = detail or " ".join(_told(error) for error in errors) or f"The node answered {status}."
    if status == 429:
        text = f"{text} Try again in {retry_after:.0f} s."
    # A sandbox says what is wrong with a signature.
    hint = headers.get("signature-hint")
    if hint is not None:
        text = f"{text} Signature-Hint: {hint}"
    code = errors[0].code if errors else "conflict" if status == 409 else "error"
    made = _CLASSES.get(status, Unavailable if status >= 500 else ApiError)
    return made(
        text,
        status=status,
        code=code,
        errors=errors,
        request_id=headers.get("request-id"),
        retry_after=retry_after,
    )


def _told(error: FieldError) -> str:
    return error.detail if error.attr in (None, "non_field_errors") else f"{error.attr}: {error.detail}"


def _retry_after(text: str | None, now: float) -> float | None:
    """Seconds, or a date (RFC 9110, 10.2.3)."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _read_body(body: bytes) -> tuple[str | None, tuple[FieldError, ...]]:
    """What is no JSON, or not in the node's form, comes from something between."""
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None, ()
    if not isinstance(document, dict):
        return None, ()
    detail, errors = document.get("detail"), document.get("errors")
    return (
        detail if isinstance(detail, str) else None,
        tuple(
            FieldError(error["attr"], str(error["code"]), str(error["detail"]))
            for error in (errors if isinstance(errors, list) else [])
            if isinstance(error, dict) and {"attr", "code", "detail"} <= error.keys()
        ),
    )
