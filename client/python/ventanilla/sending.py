"""One request, signed, and sent again where that is safe."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

from .errors import ApiError, Misuse, NoAnswer, Throttled, error_of
from .signature import message_date, sign

Repetition = Literal["freely", "message", "idempotency_key"]

_FIRST_PAUSE = 0.25
#: The node takes a message for 300 s; the rest is for its way, and for clocks that differ.
_REPEATABLE = 270.0


@dataclass(frozen=True)
class Operation:
    """An operation of the API's document."""

    method: str
    #: With ``{name}`` for what is filled in.
    path: str
    #: How it may be sent again when its answer was lost.
    repetition: Repetition
    #: What is answered is a table, and not JSON.
    is_text: bool = False
    #: Everything is checked, and nothing is written.
    is_dry_run: bool = False


@dataclass(frozen=True)
class Request:
    """What a transport sends."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Answer:
    """What came back; the names of the headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


#: Sends a request once, within so many seconds; raises OSError where no answer comes, and follows no redirect.
Transport = Callable[[Request, float], Answer]


class Client:
    """Sends signed requests for one key.

    Raises Misuse where url, key or secret cannot be; each method raises the ApiError of its status, or NoAnswer.
    """

    key_header = ""

    def __init__(
        self,
        url: str,
        key: str,
        secret: str,
        *,
        attempts: int = 4,
        timeout: float = 15.0,
        max_pause: float = 60.0,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        transport: Transport | None = None,
    ) -> None:
        """
        ``url`` is where the node is, for example ``https://pay.example``, with or without ``/api/v1``. A request is
        sent at most ``attempts`` times; who is told to wait for longer than ``max_pause`` seconds gets the error at once.
        """
        for name, value in (("key", key), ("secret", secret)):
            if not isinstance(value, str) or value == "":
                raise Misuse(f"{name}: it is empty.")
        self._base = _base_of(url)
        self._key = key
        self._secret = secret
        self._attempts = attempts
        self._timeout = timeout
        self._max_pause = max_pause
        self._now = now
        self._sleep = sleep
        self._transport = transport or send_once

    def _call(
        self,
        operation: Operation,
        parameters: Mapping[str, str],
        query: Mapping[str, object],
        *,
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        path = _path_of(operation.path, parameters) + _query_of(query)
        content = None if body is None else _json_of(body)
        more: dict[str, str] = {}
        if operation.repetition == "idempotency_key":
            more["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if operation.is_dry_run:
            more["Dry-Run"] = "true"
        headers, signed_at = self._signed(operation, path, content)
        # Whether an attempt with these bytes may have been carried out.
        is_judged = False
        for attempt in range(1, self._attempts + 1):
            request = Request(operation.method, self._base + path, headers | more, content)
            outcome = self._attempt(operation, request)
            if not isinstance(outcome, (ApiError, NoAnswer)):
                return outcome.document
            pause = self._pause_after(outcome, attempt)
            if attempt == self._attempts or pause is None or not _is_worth_repeating(outcome, operation):
                raise outcome
            # What was refused for its number alone was not looked at.
            is_judged = is_judged or not isinstance(outcome, Throttled)
            self._sleep(pause)
            if operation.repetition != "message" or not is_judged:
                headers, signed_at = self._signed(operation, path, content)
            elif self._now() - signed_at > _REPEATABLE:
                # Signed anew it would be another message, which might do what the first one did not mean.
                raise NoAnswer(
                    "No answer came while the message was good, and it may have been carried out: look the order up, "
                    "and call again only if that is still to be done."
                ) from outcome
        raise Misuse("attempts: a request is sent once at least.")

    def _signed(self, operation: Operation, path: str, content: bytes | None) -> tuple[dict[str, str], float]:
        now = self._now()
        date = message_date(now)
        hashed = sign(
            key=self._key,
            message_date=date,
            method=operation.method,
            path=path,
            body=content or b"",
            secret=self._secret,
        )
        headers = {self.key_header: self._key, "Message-Date": date, "Message-Hash": hashed}
        if content is not None:
            headers["Content-Type"] = "application/json"
        return headers, now

    def _attempt(self, operation: Operation, request: Request) -> _Document | ApiError | NoAnswer:
        try:
            answer = self._transport(request, self._timeout)
        except OSError as error:
            lost = NoAnswer(f"No answer from {self._base}: {error}")
            lost.__cause__ = error
            return lost
        if not 200 <= answer.status < 300:
            return error_of(answer.status, answer.headers, answer.body, self._now())
        if operation.is_dry_run and answer.headers.get("dry-run") != "true":
            raise NoAnswer(
                "The answer does not say that this was a dry run: something between has dropped the header Dry-Run, "
                "and the request may have been carried out."
            )
        try:
            text = answer.body.decode()
            return _Document(text if operation.is_text else json.loads(text))
        except ValueError as error:
            lost = NoAnswer(f"No answer from {self._base}: {error}")
            lost.__cause__ = error
            return lost

    def _pause_after(self, error: ApiError | NoAnswer, attempt: int) -> float | None:
        """None where that is longer than the caller wants to wait."""
        told = error.retry_after if isinstance(error, ApiError) else None
        if told is not None and told > self._max_pause:
            return None
        return min(max(told or 0.0, _FIRST_PAUSE * 2 ** (attempt - 1)), self._max_pause)


@dataclass(frozen=True)
class _Document:
    document: Any


def _is_worth_repeating(error: ApiError | NoAnswer, operation: Operation) -> bool:
    if isinstance(error, NoAnswer):
        return True
    # A creation meets a 409 only while its first attempt is still under way.
    if error.status == 409:
        return operation.repetition == "idempotency_key"
    return error.status in (408, 429) or error.status >= 500


def _base_of(url: str) -> str:
    """The paths of the operations have the API's base already."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise Misuse(f"url: “{url}” is not where a node can be: {error}.") from error
    is_bare = not re.search(r"[?#\s]", url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_bare:
        raise Misuse(f"url: “{url}” is not where a node can be; it looks like https://pay.example.")
    if "@" in parts.netloc:
        raise Misuse("url: it holds a user name or a password.")
    return url.rstrip("/").removesuffix("/api/v1").rstrip("/")


def _path_of(template: str, parameters: Mapping[str, str]) -> str:
    path = template
    for name, value in parameters.items():
        # URLs take dots for steps between folders, so that another path would be sent than signed.
        if value in ("", ".", ".."):
            raise Misuse(f"{name}: “{value}” cannot stand in a path.")
        path = path.replace("{" + name + "}", quote(str(value), safe=""))
    return path


def _query_of(query: Mapping[str, object]) -> str:
    text = urlencode({name: value for name, value in query.items() if value is not None}, quote_via=quote)
    return f"?{text}" if text else ""


def _json_of(body: object) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise Misuse(f"body: it cannot be written as JSON: {error}") from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signature is for one path, and a redirect is another."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send_once(request: Request, timeout: float) -> Answer:
    """The transport of the standard library; it keeps to the proxies of the environment."""
    message = urllib.request.Request(
        request.url, request.body, dict(request.headers), method=request.method
    )
    try:
        with _opener.open(message, timeout=timeout) as answer:
            return _answer_of(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return _answer_of(error.code, error.headers, error.read())
    except (OSError, urllib.error.URLError):
        raise
    except Exception as error:
        # What breaks off, or is no HTTP.
        raise OSError(f"{type(error).__name__}: {error}") from error


def _answer_of(status: int, headers: Any, body: bytes) -> Answer:
    return Answer(status, {name.lower(): value for name, value in headers.items()}, body)
