"""Signed requests to a Ventanilla node, for merchants and payment providers, and webhooks that are verified."""

from .api import MerchantClient, ProviderClient
from .errors import (
    ApiError,
    Conflict,
    FieldError,
    InvalidRequest,
    Misuse,
    NoAnswer,
    NotFound,
    PermissionDenied,
    Refused,
    Throttled,
    Unavailable,
    VentanillaError,
    WebhookRefused,
)
from .sending import Answer, Request, Transport
from .signature import message_date, sign
from .webhooks import VerifiedWebhook, WebhookOrder, verify_standard_webhook, verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "Conflict",
    "FieldError",
    "InvalidRequest",
    "MerchantClient",
    "Misuse",
    "NoAnswer",
    "NotFound",
    "PermissionDenied",
    "ProviderClient",
    "Refused",
    "Request",
    "Throttled",
    "Transport",
    "Unavailable",
    "VentanillaError",
    "VerifiedWebhook",
    "WebhookOrder",
    "WebhookRefused",
    "message_date",
    "sign",
    "verify_standard_webhook",
    "verify_webhook",
]
