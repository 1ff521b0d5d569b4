"""Does with the Python client what the scenario says, a line of JSON each; see test/client/scenario.test.ts."""

import base64
import dataclasses
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "client" / "python"))

import ventanilla  # noqa: E402

KEYWORDS = {"from"}


def snake_case(name):
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def arguments(given):
    flat = {name: value for name, value in given.items() if name not in ("query", "body")}
    flat |= given.get("query", {})
    named = {name + "_" if name in KEYWORDS else name: value for name, value in flat.items()}
    return named | ({"body": given["body"]} if "body" in given else {})


def answer_to(command, now, pauses):
    match command["do"]:
        case "sign":
            parts = {name: command[name] for name in ("key", "method", "path", "secret")}
            return ventanilla.sign(**parts, message_date=command["messageDate"], body=command["body"].encode())
        case "verify":
            body = base64.b64decode(command["body"])
            verified = ventanilla.verify_webhook(
                command["path"], command["headers"], body, command["secrets"], now=now()
            )
            return dataclasses.asdict(verified)
        case "verifyStandard":
            body = base64.b64decode(command["body"])
            verified = ventanilla.verify_standard_webhook(
                command["headers"], body, command["secrets"], now=now()
            )
            return dataclasses.asdict(verified)
        case "call":
            party = ventanilla.MerchantClient if command["party"] == "merchant" else ventanilla.ProviderClient
            client = party(
                command["url"],
                command["key"],
                command["secret"],
                attempts=command["attempts"],
                max_pause=command["maxPause"],
                now=now,
                sleep=pauses.append,
            )
            method = getattr(client, snake_case(command["operation"]))
            key = command["idempotencyKey"]
            return method(**arguments(command["input"]), **({} if key is None else {"idempotency_key": key}))


def carry_out(command):
    pauses = []
    try:
        return {"answer": answer_to(command, lambda: command["now"] + sum(pauses), pauses), "pauses": pauses}
    except ventanilla.VentanillaError as error:
        told = {
            "class": type(error).__name__,
            "message": str(error),
            "status": getattr(error, "status", None),
            "code": getattr(error, "code", None),
            "retryAfter": getattr(error, "retry_after", None),
            "hasRequestId": getattr(error, "request_id", None) is not None,
            "fields": [field.attr for field in getattr(error, "errors", ())],
        }
        return {"error": told, "pauses": pauses}


for line in sys.stdin:
    print(json.dumps(carry_out(json.loads(line))), flush=True)
