"""Made from the OpenAPI document by scripts/client-types.ts: not to be edited."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from .sending import Client, Operation


class PaymentRequest(TypedDict):
    """Start, confirm or cancel a payment; the start of a pay-in needs more"""

    # A network registered for the provider
    network_id: str
    # The price of the order
    price: NotRequired[str]
    # The currency of the order
    price_currency: NotRequired[str]
    # What the network calls this payment: its reports are matched by it
    reference: NotRequired[str]
    # The shop, as the network calls it
    shop_id: NotRequired[str]
    # The till, as the network calls it
    till_id: NotRequired[str]


class PayInStartRequest(TypedDict):
    """Start the payment of a pay-in"""

    # A network registered for the provider
    network_id: str
    # The price of the order
    price: str
    # The currency of the order
    price_currency: str
    # What the network calls this payment: its reports are matched by it
    reference: NotRequired[str]
    # The shop, as the network calls it
    shop_id: NotRequired[str]
    # The till, as the network calls it
    till_id: NotRequired[str]


class LocalCurrencyOrder(TypedDict):
    """A pay-out in local currency"""

    # `LocalCurrencyOrder`
    order_type: Literal["LocalCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Decimal number, as a string (or a JSON number)
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id, unique for each order
    merchant_order_id: str
    # Public https address that receives the webhooks
    notify_url: str
    # Where the checkout page links back to
    return_url: str
    # Until when the order can be paid; no offset means UTC
    expiry: str
    # E-mail address of the end user
    consumer_email: NotRequired[str]
    # Telephone number of the end user
    consumer_phone_number: NotRequired[str]
    # Id of a paid pay-in of this merchant, in the same currency, that this pay-out gives back, in part or whole
    refund_of: NotRequired[str]


class ForeignCurrencyOrder(TypedDict):
    """A pay-out from a quote, funded on a blockchain"""

    # `ForeignCurrencyOrder`
    order_type: Literal["ForeignCurrencyOrder"]
    # Id of a quote of this merchant, not expired and not used
    quote: str
    # What the order is for
    description: str
    # The merchant’s own id, unique for each order
    merchant_order_id: str
    # Public https address that receives the webhooks
    notify_url: str
    # Where the checkout page links back to
    return_url: str
    # Until when the order can be paid; no offset means UTC
    expiry: str
    # E-mail address of the end user
    consumer_email: NotRequired[str]
    # Telephone number of the end user
    consumer_phone_number: NotRequired[str]
    # The wallet that signs the transaction on the blockchain
    wallet: str


class PayInRequest(TypedDict):
    """A pay-in in local currency"""

    # `LocalCurrencyOrder`
    order_type: Literal["LocalCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Decimal number, as a string (or a JSON number)
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id, unique for each order
    merchant_order_id: str
    # Public https address that receives the webhooks
    notify_url: str
    # Where the checkout page links back to
    return_url: str
    # Until when the order can be paid; no offset means UTC
    expiry: str
    # E-mail address of the end user
    consumer_email: NotRequired[str]
    # Telephone number of the end user
    consumer_phone_number: NotRequired[str]


class QuoteRequest(TypedDict):
    """A quote for a pay-out funded on a blockchain"""

    # Where the end user sends the money
    blockchain: Literal["SOLANA", "STELLAR", "MONAD"]
    # What the end user will send
    send: str
    # What is sent
    send_currency: str
    # ISO 3166-1 code of two letters
    target_country: str
    # ISO 4217 code of three letters
    target_currency: str


class WithdrawalRequest(TypedDict):
    """A withdrawal of what is available"""

    # ISO 4217 code of three letters
    currency: str
    # How much; all that can be withdrawn when not sent
    amount: NotRequired[str]


class ReportPart(TypedDict):
    """A part of what a network reports of a day"""

    # A network registered for the provider
    network_id: str
    # The day that is reported, as agreed on with the operator
    day: str
    # What the sender calls this report of the day; a corrected one has another
    report: str
    # Which part this is, from 1; they are sent in their order
    part: int
    # How many parts the report has
    parts: int
    # With the last part: how many lines all parts have
    line_count: NotRequired[int]
    # With the last part: the sum of all lines that are paid
    paid_amount: NotRequired[str]
    # What became of each payment; empty of a day without any
    lines: list[ReportLine]


class ReportLine(TypedDict):
    """What became of a payment; it has an order, a reference, or both"""

    # Code or id of the order
    order: NotRequired[str]
    # What the network calls the payment
    reference: NotRequired[str]
    # `reversed`: paid, and taken back
    outcome: Literal["paid", "reversed", "not_paid"]
    # What was paid or collected; of `not_paid` it may be left out
    amount: NotRequired[str]
    # When; of what is not `paid` it may be left out
    paid_at: NotRequired[str]


class ClaimRequest(TypedDict):
    """A claim about the cash of an order that has ended"""

    # Id of the order; a provider may name its code
    order: str
    # What is wrong: the cash was handled and is not booked, is booked and was not, was handled twice or with another amount, or there were false banknotes
    kind: Literal["paid_not_credited", "credited_not_paid", "twice", "wrong_amount", "false_note"]
    # Of `wrong_amount` what was handled instead of the price, of `false_note` what the notes come to; not of others
    amount: NotRequired[str]
    # What happened, for the other party to read, too
    text: NotRequired[str]


class ClaimAnswerRequest(TypedDict):
    """What the party that is claimed against says"""

    # Until an operator decides it may be another one
    answer: Literal["agrees", "denies"]
    # What happened, for the other party to read, too
    text: NotRequired[str]


class ClaimTextRequest(TypedDict):
    """A text that is added to a claim"""

    # What there is to say
    text: str


class ClaimWithdrawalRequest(TypedDict):
    """Why a claim is withdrawn"""

    # What happened, for the other party to read, too
    text: NotRequired[str]


class WebhookResendRequest(TypedDict):
    """Dead letters to send again"""

    # Those that were given up then or later
    since: str
    # Those that were given up then or earlier; now when not sent
    until: NotRequired[str]


class WebhookPingRequest(TypedDict):
    """A ping of a receiver"""

    # Where it goes
    notify_url: str


class SimulationRequest(TypedDict):
    """What happens to an order of a sandbox"""

    # What happens; deposits and outages of rates are of orders in foreign currency
    step: Literal["fund", "start", "confirm", "cancel", "hold", "deposit_exact", "deposit_short", "deposit_over", "deposit_late", "deposit_wrong_asset", "deposit_wrong_sender", "deposit_reversed", "rate_outage"]


class FaultRequest(TypedDict):
    """What is to go wrong with the next webhooks"""

    # `status`, `redirect`, `hang`: your receiver is not asked; `delay`: it is asked late; `cut`: its answer is lost; `duplicate`: it is asked twice; `out_of_order`: an earlier webhook comes after this one; `bad_signature`: a wrong signature comes first
    fault: Literal["status", "delay", "hang", "redirect", "cut", "duplicate", "out_of_order", "bad_signature"]
    # Of `status` (503 when not sent) and `redirect` (302)
    status: NotRequired[int]
    # Of a `delay`, 30 at most; 5 when not sent
    seconds: NotRequired[int]
    # Only with webhooks of this order; with all, and pings, when not sent
    order: NotRequired[str]
    # With how many deliveries, 1000 at most; one when not sent
    deliveries: NotRequired[int]


class PayOutCheck(TypedDict):
    """What a provider sees of a pay-out: the answer of the look-up"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # When the order was created
    created: str
    # When the order last changed
    modified: str
    # Status of the order
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # When the order expires
    expiry: str


class PayOutStart(TypedDict):
    """What a provider sees of a pay-out: the answer of start"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["PAYMENT_STARTED"]
    # When the order last changed
    modified: str
    # When the order expires
    expiry: str


class PayOutConfirmation(TypedDict):
    """What a provider sees of a pay-out: the answer of confirm"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["COMPLETED"]
    # When the payment was confirmed
    paid: str
    # When the order last changed
    modified: str


class PayOutCancellation(TypedDict):
    """What a provider sees of a pay-out: the answer of cancel"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["READY", "EXPIRED"]
    # When the order last changed
    modified: str
    # When the order expires
    expiry: str


class PayInCheck(TypedDict):
    """What a provider sees of a pay-in: the answer of the look-up"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # When the order was created
    created: str
    # Status of the order
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # When the order expires
    expiry: str
    # What the customer pays for
    description: str


class PayInStart(TypedDict):
    """What a provider sees of a pay-in: the answer of start"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["PAYMENT_STARTED"]
    # When the order last changed
    modified: str


class PayInConfirmation(TypedDict):
    """What a provider sees of a pay-in: the answer of confirm"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["COMPLETED"]
    # When the payment was confirmed
    paid: str


class PayInCancellation(TypedDict):
    """What a provider sees of a pay-in: the answer of cancel"""

    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # Status of the order
    status: Literal["READY", "EXPIRED"]
    # When the order last changed
    modified: str


class PayOutOrderPage(TypedDict):
    """One page of orders, the newest first"""

    # At most `limit` orders
    results: list[PayOutOrder]
    # The `cursor` of the next page; null on the last one
    next: str | None


class PayOutOrder(TypedDict):
    """A pay-out, as its merchant sees it"""

    # The order’s id
    id: str
    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # The checkout page, for the end user
    redirect_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only of a foreign-currency order: its quote
    quote: NotRequired[str]
    # Only of a foreign-currency order: the wallet that signs
    wallet: NotRequired[str]
    # Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late
    transaction: NotRequired[str]
    # Only while the transaction of a foreign-currency order cannot be built: why
    transaction_error: NotRequired[str]
    # Only of a refund: the pay-in that it gives back
    refund_of: NotRequired[str]
    # Only where a foreign-currency order is created
    direction: NotRequired[Literal["PAY_OUT"]]


class PayOutDryRun(TypedDict):
    """A pay-out that could be created, and was not: without what only an order has that is there"""

    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only of a foreign-currency order: its quote
    quote: NotRequired[str]
    # Only of a foreign-currency order: the wallet that signs
    wallet: NotRequired[str]
    # Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late
    transaction: NotRequired[str]
    # Only while the transaction of a foreign-currency order cannot be built: why
    transaction_error: NotRequired[str]
    # Only of a refund: the pay-in that it gives back
    refund_of: NotRequired[str]
    # Only where a foreign-currency order is created
    direction: NotRequired[Literal["PAY_OUT"]]


class PayInOrderPage(TypedDict):
    """One page of orders, the newest first"""

    # At most `limit` orders
    results: list[PayInOrder]
    # The `cursor` of the next page; null on the last one
    next: str | None


class PayInOrder(TypedDict):
    """A pay-in, as its merchant sees it"""

    # The order’s id
    id: str
    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # The checkout page, for the end user
    redirect_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only pay-ins have it
    direction: Literal["PAY_IN"]
    # What the customer shows at the counter; also as QR code and barcode
    code: str


class PayInDryRun(TypedDict):
    """A pay-in that could be created, and was not"""

    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only pay-ins have it
    direction: Literal["PAY_IN"]


class Quote(TypedDict):
    """A quote"""

    # The quote’s id
    id: str
    # Where the end user sends the money
    blockchain: Literal["SOLANA", "STELLAR", "MONAD"]
    # What the end user sends
    send: str
    # What is sent
    send_currency: str
    # ISO 3166-1 code of two letters
    target_country: str
    # ISO 4217 code of three letters
    target_currency: str
    # Deducted from `send` before the exchange
    fee: str
    # The currency of the fee: what is sent
    fee_currency: str
    # What the order will pay out
    order_price: str
    # ISO 4217 code of three letters
    order_price_currency: str
    # Target currency for one unit of what is sent
    rate: str
    # When the quote expires
    expires: str


class QuoteDryRun(TypedDict):
    """A quote that could be given, and was not"""

    # Where the end user sends the money
    blockchain: Literal["SOLANA", "STELLAR", "MONAD"]
    # What the end user sends
    send: str
    # What is sent
    send_currency: str
    # ISO 3166-1 code of two letters
    target_country: str
    # ISO 4217 code of three letters
    target_currency: str
    # Deducted from `send` before the exchange
    fee: str
    # The currency of the fee: what is sent
    fee_currency: str
    # What the order will pay out
    order_price: str
    # ISO 4217 code of three letters
    order_price_currency: str
    # Target currency for one unit of what is sent
    rate: str
    # When the quote expires
    expires: str


class Balances(TypedDict):
    """What the merchant has, by currency"""

    # One for each currency, in the order of their codes
    results: list[Balance]


class MovementPage(TypedDict):
    """One page of what moved the account, the oldest first"""

    # At most `limit` movements
    results: list[Movement]
    # The `cursor` of the next page; null on the last one
    next: str | None
    # The cursor behind the last movement that was told; null where there is none
    resume: str | None


class StatementPage(TypedDict):
    """One page of sealed statements, the latest closed first"""

    # At most `limit` statements
    results: list[Statement]
    # The `cursor` of the next page; null on the last one
    next: str | None


# A sealed statement with a page of its lines
MerchantStatement = TypedDict("MerchantStatement", {
    # From 1 on for each currency
    "number": "int",
    # ISO 4217 code of three letters
    "currency": "str",
    # The first day it tells of, by the days agreed on
    "from": "str",
    # The last day it tells of
    "to": "str",
    # When it was closed
    "closed": "str",
    # The position before; above zero it is owed to the party, below zero the party owes it
    "opening": "str",
    # The position after
    "closing": "str",
    # What the statement asks for; above zero it is paid to the party
    "due": "str",
    # What of `due` is neither paid nor set off
    "open": "str",
    # When it is due; null where nothing is, or too little, which then falls due with a later one
    "due_on": "str | None",
    # How many lines it has
    "line_count": "int",
    # SHA-256 of the statement; it names the one before, and never changes
    "digest": "str | None",
    # The digest of the statement before; empty for the first
    "previous_digest": "str | None",
    # At most `limit` lines, in their order
    "lines": "list[MerchantStatementLine]",
    # The `cursor` of the next page; null on the last one
    "next": "str | None",
    # Only on the first page: all lines, added up by kind and direction
    "sums": "NotRequired[list[StatementSum]]",
})


# A sealed statement with a page of its lines
ProviderStatement = TypedDict("ProviderStatement", {
    # From 1 on for each currency
    "number": "int",
    # ISO 4217 code of three letters
    "currency": "str",
    # The first day it tells of, by the days agreed on
    "from": "str",
    # The last day it tells of
    "to": "str",
    # When it was closed
    "closed": "str",
    # The position before; above zero it is owed to the party, below zero the party owes it
    "opening": "str",
    # The position after
    "closing": "str",
    # What the statement asks for; above zero it is paid to the party
    "due": "str",
    # What of `due` is neither paid nor set off
    "open": "str",
    # When it is due; null where nothing is, or too little, which then falls due with a later one
    "due_on": "str | None",
    # How many lines it has
    "line_count": "int",
    # SHA-256 of the statement; it names the one before, and never changes
    "digest": "str | None",
    # The digest of the statement before; empty for the first
    "previous_digest": "str | None",
    # At most `limit` lines, in their order
    "lines": "list[ProviderStatementLine]",
    # The `cursor` of the next page; null on the last one
    "next": "str | None",
    # Only on the first page: all lines, added up by kind and direction
    "sums": "NotRequired[list[StatementSum]]",
})


# What was withdrawn
Withdrawal = TypedDict("Withdrawal", {
    # The number of the statement that asks for it
    "statement": "int",
    # ISO 4217 code of three letters
    "currency": "str",
    # What is withdrawn: it is no longer available, and on its way
    "amount": "str",
    # The first day the statement tells of
    "from": "str",
    # The last day it tells of, which is closed
    "to": "str",
    # How many lines it has
    "line_count": "int",
    # The day it is to be paid on
    "due_on": "str | None",
})


class Report(TypedDict):
    """A day of a network"""

    # The network
    network_id: str
    # The day that is reported
    day: str
    # Of the day
    state: Literal["open", "imported", "differences", "reconciled"]
    # The report that the day has; null without one, or where the operator has it as a file
    report: str | None
    # How many lines it has
    line_count: int
    # How many of them are payments
    paid_count: int
    # The sum of these
    paid_amount: str
    # What a person at the operator still looks at
    open_differences: int
    # The latest report that is not all there, or not judged yet
    sending: str | None
    # The part of it to be sent next; null where all are there
    next_part: int | None
    # At most `limit` lines of the report that the day has
    lines: list[ReportVerdict]
    # The `cursor` of the next page; null on the last one
    next: str | None


class ReportPartAnswer(TypedDict):
    """A part of a report that was taken"""

    # The network
    network_id: str
    # The day that is reported
    day: str
    # What its sender calls it
    report: str
    # Which part this is
    part: int
    # How many there are
    parts: int
    # The part to be sent next; null once all are there
    next_part: int | None
    # What each line came to, in their order
    lines: list[ReportVerdict]


class ClaimPage(TypedDict):
    """Claims of the party"""

    # The latest opened first
    results: list[Claim]
    # The `cursor` of the next page; null on the last one
    next: str | None


class Claim(TypedDict):
    """A claim about the cash of an order"""

    # The number of the claim, for everybody
    number: int
    # What is wrong
    kind: Literal["paid_not_credited", "credited_not_paid", "twice", "wrong_amount", "false_note"]
    # `agreed` and `denied` by who is claimed against; the next three an operator has decided
    state: Literal["open", "agreed", "denied", "accepted", "upheld", "rejected", "withdrawn"]
    # Who has opened it
    opened_by: Literal["operator", "merchant", "provider"]
    # Who is asked
    claimed_against: Literal["merchant", "provider"]
    # Id of the order; for a provider its code, and null where it has never held it
    order: str | None
    # Of the order
    direction: Literal["PAY_IN", "PAY_OUT"]
    # ISO 4217 code of three letters
    currency: str
    # The price of the order
    price: str
    # What was handled instead, or what the false notes come to; null of other kinds
    amount: str | None
    # The day by which it is answered and decided
    due_on: str
    # When it was opened
    opened: str
    # When it was answered last
    answered: str | None
    # When it was decided or withdrawn
    ended: str | None
    # The reference of the line that it makes in statements
    reference: str


class ClaimDetails(TypedDict):
    """A claim with its texts"""

    # The number of the claim, for everybody
    number: int
    # What is wrong
    kind: Literal["paid_not_credited", "credited_not_paid", "twice", "wrong_amount", "false_note"]
    # `agreed` and `denied` by who is claimed against; the next three an operator has decided
    state: Literal["open", "agreed", "denied", "accepted", "upheld", "rejected", "withdrawn"]
    # Who has opened it
    opened_by: Literal["operator", "merchant", "provider"]
    # Who is asked
    claimed_against: Literal["merchant", "provider"]
    # Id of the order; for a provider its code, and null where it has never held it
    order: str | None
    # Of the order
    direction: Literal["PAY_IN", "PAY_OUT"]
    # ISO 4217 code of three letters
    currency: str
    # The price of the order
    price: str
    # What was handled instead, or what the false notes come to; null of other kinds
    amount: str | None
    # The day by which it is answered and decided
    due_on: str
    # When it was opened
    opened: str
    # When it was answered last
    answered: str | None
    # When it was decided or withdrawn
    ended: str | None
    # The reference of the line that it makes in statements
    reference: str
    # What was written, the oldest first
    texts: list[ClaimText]


class WebhookPage(TypedDict):
    """One page of webhooks, the newest first"""

    # At most `limit` webhooks
    results: list[Webhook]
    # The `cursor` of the next page; null on the last one
    next: str | None


class WebhookResends(TypedDict):
    """What is sent again"""

    # How many are sent again
    resent: int
    # There may be more of them: ask again
    has_more: bool


class WebhookPing(TypedDict):
    """What came of a ping"""

    # Its Webhook-Id
    webhook_id: str
    # Where it goes
    notify_url: str
    # The key that it was signed with
    key: str
    # `acknowledged` (200 or 201), `unavailable` (5xx, 408, 429), `refused` (any other status), `timeout`, `connection`, `dns`, `tls`, `forbidden` (no public address), `unknown`; `started` while it is under way
    outcome: str
    # The HTTP status, where one came
    status: int | None
    # Why there is no answer
    error: str | None
    # How long it took
    milliseconds: int
    # The beginning of the body that came back
    answer: str | None


class WebhookDetails(TypedDict):
    """A webhook with its body and every attempt"""

    # The Webhook-Id, the same over all attempts
    id: str
    # Id of the order that it tells of
    order: str
    # Webhook-Sequence: counts the webhooks of an order, from 1
    sequence: int
    # The status of the order that it tells
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where it goes
    notify_url: str
    # `dead`: given up; `superseded`: a final one went out before it
    state: Literal["pending", "delivered", "dead", "superseded"]
    # How many were made
    attempts: int
    # What the last attempt ended with: a status, or why there was none
    last_answer: str | None
    # When what it tells happened
    created: str
    # When it may be tried next; null once it is settled
    due: str | None
    # When it was delivered or given up
    settled: str | None
    # The exact text that is sent; null once it was removed for its age
    body: str | None
    # Every attempt, the first one first
    history: list[WebhookAttempt]


class Webhook(TypedDict):
    """A webhook of the merchant"""

    # The Webhook-Id, the same over all attempts
    id: str
    # Id of the order that it tells of
    order: str
    # Webhook-Sequence: counts the webhooks of an order, from 1
    sequence: int
    # The status of the order that it tells
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where it goes
    notify_url: str
    # `dead`: given up; `superseded`: a final one went out before it
    state: Literal["pending", "delivered", "dead", "superseded"]
    # How many were made
    attempts: int
    # What the last attempt ended with: a status, or why there was none
    last_answer: str | None
    # When what it tells happened
    created: str
    # When it may be tried next; null once it is settled
    due: str | None
    # When it was delivered or given up
    settled: str | None


class LoggedRequests(TypedDict):
    """Requests of your keys, the newest first"""

    # At most `limit` requests
    results: list[LoggedRequest]
    # The `cursor` of the next page; null on the last one
    next: str | None


class Simulation(TypedDict):
    """What was simulated"""

    # The order’s id
    order: str
    # The status of the order now
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # What was brought about, in its order
    done: str


class Faults(TypedDict):
    """What is to go wrong with your webhooks"""

    # The newest first
    results: list[Fault]


class Fault(TypedDict):
    """What is to go wrong with webhooks"""

    # What it is removed by
    id: str
    # What is to go wrong
    fault: Literal["status", "delay", "hang", "redirect", "cut", "duplicate", "out_of_order", "bad_signature"]
    # Of `status` and `redirect`
    status: int | None
    # Of a `delay`
    seconds: int | None
    # Only with webhooks of this order
    order: str | None
    # With how many deliveries, still
    deliveries: int
    # When it was asked for
    created: str
    # `merchant`, or the operator who has asked for it
    created_by: str


class DeliveryPage(TypedDict):
    """One page of requests to your receivers, the newest first"""

    # At most `limit` of them
    results: list[Delivery]
    # The `cursor` of the next page; null on the last one
    next: str | None


class Inbox(TypedDict):
    """Your inbox, and one page of what came there, the newest first"""

    # Your inbox: give it as notify_url
    notify_url: str
    # At most `limit` of them
    results: list[Arrival]
    # The `cursor` of the next page; null on the last one
    next: str | None


class GoLive(TypedDict):
    """What your integration has done, and what it has not"""

    # How many steps it has done
    done: int
    # How many it has not
    open: int
    # All of them, in the order in which they are done best
    results: list[GoLiveStep]


class Balance(TypedDict):
    """What a merchant has in one currency"""

    # ISO 4217 code of three letters
    currency: str
    # What pay-outs can be paid from
    available: str
    # For pay-outs that are READY or being paid
    reserved: str
    # Set aside by statements, and not ordered at a bank yet
    payable: str
    # Ordered at a bank that has not booked it yet
    in_transit: str
    # Of orders that ended while a provider held them, until it is known where the cash is
    suspense: str
    # What the merchant owes: what arrives repays it first
    debt: str


class Movement(TypedDict):
    """What moved the account"""

    # The statement that tells of it; null until one is sealed that does
    statement: int | None
    # Which line of the statement it is
    line: int | None
    # The day it counts for
    day: str
    # Where it is about another day: which
    about_day: str | None
    # When it was posted
    at: str
    # What was posted: `settle` for an order that was paid, `deposit`, `payment` and others
    kind: str
    # PAY_IN or PAY_OUT, where it is of an order
    direction: str | None
    # The order’s id, where it is of an order
    order_id: str | None
    # Of an order its `merchant_order_id`; else that of the deposit, payment or correction
    reference: str | None
    # Above zero it is the party’s
    amount: str
    # The merchant’s fee, below zero, or the provider’s commission
    fee: str
    # The tax on it
    tax: str
    # The position after it; null like `statement`
    balance: str | None


# A sealed statement, without its lines
Statement = TypedDict("Statement", {
    # From 1 on for each currency
    "number": "int",
    # ISO 4217 code of three letters
    "currency": "str",
    # The first day it tells of, by the days agreed on
    "from": "str",
    # The last day it tells of
    "to": "str",
    # When it was closed
    "closed": "str",
    # The position before; above zero it is owed to the party, below zero the party owes it
    "opening": "str",
    # The position after
    "closing": "str",
    # What the statement asks for; above zero it is paid to the party
    "due": "str",
    # What of `due` is neither paid nor set off
    "open": "str",
    # When it is due; null where nothing is, or too little, which then falls due with a later one
    "due_on": "str | None",
    # How many lines it has
    "line_count": "int",
    # SHA-256 of the statement; it names the one before, and never changes
    "digest": "str | None",
    # The digest of the statement before; empty for the first
    "previous_digest": "str | None",
})


class MerchantStatementLine(TypedDict):
    """A line of a merchant’s statement"""

    # From 1 on
    line: int
    # The day it counts for
    day: str
    # Where it is about another day: which
    about_day: str | None
    # When it was posted
    at: str
    # What was posted: `settle` for an order that was paid, `deposit`, `payment` and others
    kind: str
    # PAY_IN or PAY_OUT, where it is of an order
    direction: str | None
    # The order’s id, where it is of an order
    order_id: str | None
    # Of an order its `merchant_order_id`; else that of the deposit, payment or correction
    reference: str | None
    # Above zero it is the party’s
    amount: str
    # The merchant’s fee, below zero, or the provider’s commission
    fee: str
    # The tax on it
    tax: str
    # The position after it: before, and amount, fee and tax added
    balance: str


class StatementSum(TypedDict):
    """Lines of one kind, added up"""

    # What was posted: `settle` for an order that was paid, `deposit`, `payment` and others
    kind: str
    # PAY_IN or PAY_OUT, where it is of an order
    direction: str | None
    # How many lines are added up
    lines: int
    # Above zero it is the party’s
    amount: str
    # The merchant’s fee, below zero, or the provider’s commission
    fee: str
    # The tax on it
    tax: str


class ProviderStatementLine(TypedDict):
    """A line of a provider’s statement"""

    # From 1 on
    line: int
    # The day it counts for
    day: str
    # Where it is about another day: which
    about_day: str | None
    # When it was posted
    at: str
    # What was posted: `settle` for an order that was paid, `deposit`, `payment` and others
    kind: str
    # PAY_IN or PAY_OUT, where it is of an order
    direction: str | None
    # The network that handled the cash
    network_id: str | None
    # Of a payment or correction
    reference: str | None
    # Above zero it is the party’s
    amount: str
    # The merchant’s fee, below zero, or the provider’s commission
    fee: str
    # The tax on it
    tax: str
    # The position after it: before, and amount, fee and tax added
    balance: str


class ReportVerdict(TypedDict):
    """What a line of a report came to"""

    # Of the whole report, from 1
    line: int
    # What it came to; of an order that this provider never held `only_theirs`
    outcome: Literal["matched", "only_theirs", "amount", "day", "status", "twice", "reversed"]
    # For people: why it is no match
    reason: str | None
    # As it was sent
    reference: str | None


class ClaimText(TypedDict):
    """A text of a claim"""

    # When
    written: str
    # Who has written it
    by: Literal["operator", "merchant", "provider"]
    # What is written; null once it was erased
    text: str | None


class WebhookAttempt(TypedDict):
    """An attempt to deliver a webhook"""

    # Webhook-Attempt: 1 for the first
    attempt: int
    # When it began
    started: str
    # When it ended; null while it is under way
    ended: str | None
    # `acknowledged` (200 or 201), `unavailable` (5xx, 408, 429), `refused` (any other status), `timeout`, `connection`, `dns`, `tls`, `forbidden` (no public address), `unknown`; `started` while it is under way
    outcome: str
    # The HTTP status, where one came
    status: int | None
    # Why there is no answer
    error: str | None
    # How long it took
    milliseconds: int | None
    # The beginning of the body that came back
    answer: str | None
    # More came back than what was read
    is_cut: bool
    # The key that it was signed with
    key: str | None
    # The Message-Date that it was signed for
    message_date: str | None


class LoggedRequest(TypedDict):
    """A request of one of your keys"""

    # The Request-Id of its answer
    request_id: str
    # When it was answered
    at: str
    # The key that it names
    key: str
    # Its method
    method: str
    # Its path, of codes the end alone
    path: str
    # What it was answered
    status: int
    # Why its signature was refused, or `throttled`
    refused: str | None
    # How long that took
    milliseconds: int
    # The beginning of its body; of what was signed wrongly none
    body: str | None
    # What its signer did
    mistake: str | None
    # What has to be signed for it, up to the beginning of its body
    signed_string: str | None
    # The first byte, from 0 on, in which what was signed differs from that, where it is known
    differs_at: int | None
    # Message-Date minus the clock of this node
    clock_offset: str | None


class Delivery(TypedDict):
    """A request to one of your receivers"""

    # Its id
    id: str
    # The Webhook-Id
    webhook_id: str
    # Id of the order that it tells of; null for a ping
    order: str | None
    # The status that it tells
    order_status: str | None
    # Webhook-Attempt
    attempt: int
    # When it ended
    sent: str
    # Where it went
    notify_url: str
    # The headers that were added to it as sent, a line each
    headers: str
    # The body; null once it was removed
    body: str | None
    # What was made to go wrong
    fault: str | None
    # Your receiver may have seen it
    was_sent: bool
    # As of an attempt
    outcome: str
    # The HTTP status, where one came
    status: int | None
    # Why there is no answer, or the fault
    error: str | None
    # How long it took
    milliseconds: int
    # The beginning of what came back
    answer: str | None
    # What your inbox has found: `verified`, or what is wrong; null of other receivers
    verdict: str | None


class Arrival(TypedDict):
    """What came to your inbox"""

    # Its id
    id: str
    # When it came
    received: str
    # The Webhook-Id that it says
    webhook_id: str | None
    # The Webhook-Attempt that it says
    attempt: str | None
    # Id of the order that it tells of; null for a ping
    order: str | None
    # The status that it tells
    order_status: str | None
    # Its signature is right
    is_verified: bool
    # What is wrong with its signature
    problem: str | None
    # It was signed by Standard Webhooks, too, and rightly
    is_standard: bool
    # How long its body was
    bytes: int
    # The body of the webhook; null of what was not verified, of a ping, and once it was removed
    body: str | None


class GoLiveStep(TypedDict):
    """What an integration has to have done"""

    # Its name
    step: str
    # What it is
    what: str
    # How it is done
    how: str
    # When it was done first; null for never
    done: str | None
    # By what it was seen
    evidence: str | None


class PayOutWebhook(TypedDict):
    """A pay-out, as its webhooks tell it"""

    # The order’s id
    id: str
    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # The checkout page, for the end user
    redirect_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only of a foreign-currency order: its quote
    quote: NotRequired[str]
    # Only of a foreign-currency order: the wallet that signs
    wallet: NotRequired[str]
    # Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late
    transaction: NotRequired[str]
    # Only while the transaction of a foreign-currency order cannot be built: why
    transaction_error: NotRequired[str]
    # Only of a refund: the pay-in that it gives back
    refund_of: NotRequired[str]


class PayInWebhook(TypedDict):
    """A pay-in, as its webhooks tell it"""

    # The order’s id
    id: str
    # Kind of the order
    order_type: Literal["LocalCurrencyOrder", "ForeignCurrencyOrder"]
    # ISO 3166-1 code of two letters
    country: str
    # Amount of the order, with at least two decimals
    price: str
    # ISO 4217 code of three letters
    price_currency: str
    # What the order is for
    description: str
    # The merchant’s own id
    merchant_order_id: str
    # Status of the order
    status: Literal["READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"]
    # Where webhooks go
    notify_url: str
    # The checkout page, for the end user
    redirect_url: str
    # Where the checkout page links back to
    return_url: str
    # Empty if none was sent
    consumer_email: str
    # Empty if none was sent
    consumer_phone_number: str
    # When the order expires
    expiry: str
    # When it was paid; null until then, and when it never was
    paid: str | None
    # Only pay-ins have it
    direction: Literal["PAY_IN"]


class Invalid(TypedDict):
    """What is wrong with the request (400)"""

    # Only for business rules: the text
    detail: NotRequired[str]
    # `client_error` for a body that cannot be read
    type: Literal["validation_error", "client_error"]
    # Every field at fault, in the order of the documented fields
    errors: list[dict[str, Any]]


class Conflict(TypedDict):
    """Conflict (409)"""

    # A sentence for humans
    detail: str


class Refusal(TypedDict):
    """Every other error"""

    # A sentence for humans
    detail: str
    # Whose fault it is
    type: Literal["client_error", "server_error"]
    # The same in the shape of a 400
    errors: list[dict[str, Any]]


class MerchantClient(Client):
    """What a merchant asks: a method for each operation of the API's document."""

    key_header = "Merchant-Key"

    def list_pay_out_orders(
        self,
        *,
        status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"] | None = None,
        merchant_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PayOutOrderPage:
        """List pay-outs. The newest first. `next` is the cursor of the following page; it stays valid while orders are added."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/orders/pay-out/", "freely"),
            {},
            {"status": status, "merchant_order_id": merchant_order_id, "created_from": created_from, "created_to": created_to, "limit": limit, "cursor": cursor},
        )
        return cast("PayOutOrderPage", answer)

    def create_pay_out_order(
        self,
        body: LocalCurrencyOrder | ForeignCurrencyOrder,
        *,
        idempotency_key: str | None = None,
    ) -> PayOutOrder:
        """Create a pay-out. The order is CREATED until the merchant’s balance covers its price, then READY. An order from a quote is CREATED until its money has arrived on the blockchain; a webhook says when its transaction can be signed. Its redirect_url is the page that shows the code to the end user."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/orders/pay-out/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("PayOutOrder", answer)

    def create_pay_out_order_dry_run(
        self,
        body: LocalCurrencyOrder | ForeignCurrencyOrder,
    ) -> PayOutDryRun:
        """Create a pay-out: a dry run. Everything is checked, and nothing is written."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/orders/pay-out/", "freely", is_dry_run=True),
            {},
            {},
            body=body,
        )
        return cast("PayOutDryRun", answer)

    def get_pay_out_order(
        self,
        id: str,
    ) -> PayOutOrder:
        """Look at a pay-out. An order of another merchant is as unknown as one that does not exist."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/orders/pay-out/{id}/", "freely"),
            {"id": id},
            {},
        )
        return cast("PayOutOrder", answer)

    def list_pay_in_orders(
        self,
        *,
        status: Literal["CREATED", "READY", "PAYMENT_STARTED", "COMPLETED", "CANCELLED", "EXPIRED"] | None = None,
        merchant_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PayInOrderPage:
        """List pay-ins. The newest first. `next` is the cursor of the following page; it stays valid while orders are added."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/orders/pay-in/", "freely"),
            {},
            {"status": status, "merchant_order_id": merchant_order_id, "created_from": created_from, "created_to": created_to, "limit": limit, "cursor": cursor},
        )
        return cast("PayInOrderPage", answer)

    def create_pay_in_order(
        self,
        body: PayInRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PayInOrder:
        """Create a pay-in. The order is READY at once; the merchant shows its code to the customer."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/orders/pay-in/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("PayInOrder", answer)

    def create_pay_in_order_dry_run(
        self,
        body: PayInRequest,
    ) -> PayInDryRun:
        """Create a pay-in: a dry run. Everything is checked, and nothing is written."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/orders/pay-in/", "freely", is_dry_run=True),
            {},
            {},
            body=body,
        )
        return cast("PayInDryRun", answer)

    def get_pay_in_order(
        self,
        id: str,
    ) -> PayInOrder:
        """Look at a pay-in. An order of another merchant is as unknown as one that does not exist."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/orders/pay-in/{id}/", "freely"),
            {"id": id},
            {},
        )
        return cast("PayInOrder", answer)

    def create_quote(
        self,
        body: QuoteRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Quote:
        """Ask for a quote. How much cash an amount sent on a blockchain pays out. The fee is deducted from `send` before the exchange. A pay-out can be created from the quote, once, until it expires."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/quotes/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Quote", answer)

    def create_quote_dry_run(
        self,
        body: QuoteRequest,
    ) -> QuoteDryRun:
        """Ask for a quote: a dry run. Everything is checked, and nothing is written."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/quotes/", "freely", is_dry_run=True),
            {},
            {},
            body=body,
        )
        return cast("QuoteDryRun", answer)

    def get_balances(
        self,
    ) -> Balances:
        """Look at the balances. As they are now, by currency. What statements tell is the sum of them, `debt` deducted."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/balances/", "freely"),
            {},
            {},
        )
        return cast("Balances", answer)

    def list_movements(
        self,
        currency: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> MovementPage:
        """List what moved the account. In one currency, the oldest first: the lines of sealed statements, and behind them what no statement tells of yet, without a balance. `next` is the cursor of the following page, and null on the last one; a program keeps `resume` and asks with it later for what has come since. Nothing is told twice or left out, whatever is written meanwhile."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/movements/", "freely"),
            {},
            {"currency": currency, "from": from_, "to": to, "limit": limit, "cursor": cursor},
        )
        return cast("MovementPage", answer)

    def list_merchant_statements(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> StatementPage:
        """List statements of the merchant. Sealed ones, the latest closed first. `next` is the cursor of the following page."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/statements/", "freely"),
            {},
            {"currency": currency, "limit": limit, "cursor": cursor},
        )
        return cast("StatementPage", answer)

    def get_merchant_statement(
        self,
        number: str,
        currency: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> MerchantStatement:
        """Look at a statement of the merchant. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/statements/{number}/", "freely"),
            {"number": number},
            {"currency": currency, "limit": limit, "cursor": cursor},
        )
        return cast("MerchantStatement", answer)

    def get_merchant_statement_csv(
        self,
        number: str,
        currency: str,
    ) -> str:
        """Look at a statement of the merchant as a table. All its lines, for spreadsheets (CSV)."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/statements/{number}/", "freely", is_text=True),
            {"number": number},
            {"currency": currency, "format": "csv"},
        )
        return cast("str", answer)

    def create_withdrawal(
        self,
        body: WithdrawalRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        """Withdraw what is available. For merchants that are settled on request. The account is closed up to now, once a day: a statement takes what is withdrawn out of what is available, and it is paid by the operator. The same signed bytes get the same answer, whether they have an Idempotency-Key or not."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/withdrawals/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Withdrawal", answer)

    def list_merchant_claims(
        self,
        *,
        state: Literal["open", "agreed", "denied", "accepted", "upheld", "rejected", "withdrawn", "undecided"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ClaimPage:
        """List claims of the merchant. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/claims/", "freely"),
            {},
            {"state": state, "limit": limit, "cursor": cursor},
        )
        return cast("ClaimPage", answer)

    def create_merchant_claim(
        self,
        body: ClaimRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Open a claim of the merchant. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/claims/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def get_merchant_claim(
        self,
        number: str,
    ) -> ClaimDetails:
        """Look at a claim of the merchant. With its texts. One of others is as unknown as one that does not exist."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/claims/{number}/", "freely"),
            {"number": number},
            {},
        )
        return cast("ClaimDetails", answer)

    def answer_merchant_claim(
        self,
        number: str,
        body: ClaimAnswerRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Answer a claim against the merchant. Only who is claimed against answers. An operator decides; nothing moves by an answer."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/claims/{number}/answer/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def add_merchant_claim_text(
        self,
        number: str,
        body: ClaimTextRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Add a text to a claim of the merchant. Both parties and the operator read it. Files go to the operator."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/claims/{number}/texts/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def withdraw_merchant_claim(
        self,
        number: str,
        body: ClaimWithdrawalRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Withdraw a claim of the merchant. Only who has opened it withdraws it, until it is decided."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/claims/{number}/withdrawal/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def list_webhooks(
        self,
        *,
        state: Literal["pending", "delivered", "dead", "superseded"] | None = None,
        order: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WebhookPage:
        """List webhooks. Of the merchant, the newest first. `next` is the cursor of the following page; it stays valid while webhooks are added."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/webhooks/", "freely"),
            {},
            {"state": state, "order": order, "limit": limit, "cursor": cursor},
        )
        return cast("WebhookPage", answer)

    def resend_webhooks(
        self,
        body: WebhookResendRequest,
    ) -> WebhookResends:
        """Send dead letters again. Those that were given up within a time, at most 1,024 with one request: where `has_more` is true, ask again. Receivers know them by their Webhook-Id."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/webhooks/resend/", "freely"),
            {},
            {},
            body=body,
        )
        return cast("WebhookResends", answer)

    def ping_webhook(
        self,
        body: WebhookPingRequest,
    ) -> WebhookPing:
        """Ping a receiver. A signed webhook of the body `{"type":"ping",…}` is sent at once, and what came back is the answer. It is of no order, and is not repeated. 10 a minute."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/webhooks/ping/", "freely"),
            {},
            {},
            body=body,
        )
        return cast("WebhookPing", answer)

    def get_webhook(
        self,
        id: str,
    ) -> WebhookDetails:
        """Look at a webhook. With its body and every attempt. One of another merchant is as unknown as one that does not exist."""
        answer = self._call(
            Operation("GET", "/api/v1/merchants/webhooks/{id}/", "freely"),
            {"id": id},
            {},
        )
        return cast("WebhookDetails", answer)

    def resend_webhook(
        self,
        id: str,
    ) -> Webhook:
        """Send a webhook again. In any state: the same body under the same Webhook-Id, signed anew. Its retries begin anew, too."""
        answer = self._call(
            Operation("POST", "/api/v1/merchants/webhooks/{id}/resend/", "freely"),
            {"id": id},
            {},
        )
        return cast("Webhook", answer)

    def list_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> LoggedRequests:
        """List what your keys have sent. In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it tells the mistake, the string that has to be signed, and the first byte that differs where it can be known."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/requests/", "freely"),
            {},
            {"limit": limit, "cursor": cursor},
        )
        return cast("LoggedRequests", answer)

    def simulate_order(
        self,
        order: str,
        body: SimulationRequest,
    ) -> Simulation:
        """Simulate what happens to an order. In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter."""
        answer = self._call(
            Operation("POST", "/api/v1/sandbox/orders/{order}/simulate/", "freely"),
            {"order": order},
            {},
            body=body,
        )
        return cast("Simulation", answer)

    def list_faults(
        self,
    ) -> Faults:
        """List what is to go wrong. In a sandbox alone: the faults of your receivers that are not used up, the newest first."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/faults/", "freely"),
            {},
            {},
        )
        return cast("Faults", answer)

    def set_fault(
        self,
        body: FaultRequest,
    ) -> Fault:
        """Let something go wrong. In a sandbox alone: with your next webhook, or with those of one order. It stands between the node and your receiver; retries, dead letters and resends follow as in life, and the attempt says `simulated fault`."""
        answer = self._call(
            Operation("POST", "/api/v1/sandbox/faults/", "freely"),
            {},
            {},
            body=body,
        )
        return cast("Fault", answer)

    def remove_fault(
        self,
        id: str,
    ) -> Faults:
        """Let it go wrong no more. A fault that is used up is gone already, and unknown."""
        answer = self._call(
            Operation("POST", "/api/v1/sandbox/faults/{id}/remove/", "freely"),
            {"id": id},
            {},
        )
        return cast("Faults", answer)

    def list_deliveries(
        self,
        *,
        order: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DeliveryPage:
        """List what your receivers were sent. In a sandbox alone: the last 500 requests to your receivers, pings too, the newest first, with headers and body as sent, what came back, and what was made to go wrong."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/deliveries/", "freely"),
            {},
            {"order": order, "limit": limit, "cursor": cursor},
        )
        return cast("DeliveryPage", answer)

    def list_inbox(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Inbox:
        """Look into your inbox. In a sandbox alone: a `notify_url` of this very node for you, which verifies what comes as a receiver has to, and the last 200 webhooks that came there, the newest first. It needs no server of yours."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/inbox/", "freely"),
            {},
            {"limit": limit, "cursor": cursor},
        )
        return cast("Inbox", answer)

    def check_go_live(
        self,
    ) -> GoLive:
        """Check what your integration has done. In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/go-live/", "freely"),
            {},
            {},
        )
        return cast("GoLive", answer)


class ProviderClient(Client):
    """What a provider asks: a method for each operation of the API's document."""

    key_header = "Provider-Key"

    def check_pay_out(
        self,
        code: str,
    ) -> PayOutCheck:
        """Look up a pay-out by its code. Continue only if the status is READY. Too many unknown codes are answered with 429."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/orders/pay-out/{code}/", "freely"),
            {"code": code},
            {},
        )
        return cast("PayOutCheck", answer)

    def start_pay_out(
        self,
        code: str,
        body: PaymentRequest,
    ) -> PayOutStart:
        """Lock a pay-out. From then on no other provider can start it. Handle the cash after the 200, never before."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-out/{code}/start-payment/", "message"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayOutStart", answer)

    def confirm_pay_out(
        self,
        code: str,
        body: PaymentRequest,
    ) -> PayOutConfirmation:
        """Confirm a pay-out. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-out/{code}/confirm-payment/", "freely"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayOutConfirmation", answer)

    def cancel_pay_out(
        self,
        code: str,
        body: PaymentRequest,
    ) -> PayOutCancellation:
        """Release a pay-out. No cash was handled. The order can be started again, unless it has expired meanwhile."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-out/{code}/cancel-payment/", "message"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayOutCancellation", answer)

    def check_pay_in(
        self,
        code: str,
    ) -> PayInCheck:
        """Look up a pay-in by its code. Continue only if the status is READY. Too many unknown codes are answered with 429."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/orders/pay-in/{code}/", "freely"),
            {"code": code},
            {},
        )
        return cast("PayInCheck", answer)

    def start_pay_in(
        self,
        code: str,
        body: PayInStartRequest,
    ) -> PayInStart:
        """Lock a pay-in. From then on no other provider can start it. Handle the cash after the 200, never before."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-in/{code}/start-payment/", "message"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayInStart", answer)

    def confirm_pay_in(
        self,
        code: str,
        body: PaymentRequest,
    ) -> PayInConfirmation:
        """Confirm a pay-in. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-in/{code}/confirm-payment/", "freely"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayInConfirmation", answer)

    def cancel_pay_in(
        self,
        code: str,
        body: PaymentRequest,
    ) -> PayInCancellation:
        """Release a pay-in. No cash was handled. The order can be started again, unless it has expired meanwhile."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/orders/pay-in/{code}/cancel-payment/", "message"),
            {"code": code},
            {},
            body=body,
        )
        return cast("PayInCancellation", answer)

    def list_provider_statements(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> StatementPage:
        """List statements of the provider. Sealed ones, the latest closed first. `next` is the cursor of the following page."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/statements/", "freely"),
            {},
            {"currency": currency, "limit": limit, "cursor": cursor},
        )
        return cast("StatementPage", answer)

    def get_provider_statement(
        self,
        number: str,
        currency: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ProviderStatement:
        """Look at a statement of the provider. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/statements/{number}/", "freely"),
            {"number": number},
            {"currency": currency, "limit": limit, "cursor": cursor},
        )
        return cast("ProviderStatement", answer)

    def get_provider_statement_csv(
        self,
        number: str,
        currency: str,
    ) -> str:
        """Look at a statement of the provider as a table. All its lines, for spreadsheets (CSV)."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/statements/{number}/", "freely", is_text=True),
            {"number": number},
            {"currency": currency, "format": "csv"},
        )
        return cast("str", answer)

    def get_report(
        self,
        network_id: str,
        day: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Report:
        """Look at a day of a network. In which state it is, and what each line of its report came to. `state` is `open` without a report, `imported` while a later report may tell of what is missing, `differences` while a person has to look, and `reconciled`."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/reports/", "freely"),
            {},
            {"network_id": network_id, "day": day, "limit": limit, "cursor": cursor},
        )
        return cast("Report", answer)

    def send_report(
        self,
        body: ReportPart,
    ) -> ReportPartAnswer:
        """Send a part of the report of a day. What a network has paid and collected on a day, in parts of at most 300 lines, in their order. Each line is answered with what it comes to as things stand; once the last part is there and its totals hold, the day is judged, a moment later. The same part again changes nothing. Another `report` of the day takes the place of the one before."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/reports/", "freely"),
            {},
            {},
            body=body,
        )
        return cast("ReportPartAnswer", answer)

    def list_provider_claims(
        self,
        *,
        state: Literal["open", "agreed", "denied", "accepted", "upheld", "rejected", "withdrawn", "undecided"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ClaimPage:
        """List claims of the provider. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/claims/", "freely"),
            {},
            {"state": state, "limit": limit, "cursor": cursor},
        )
        return cast("ClaimPage", answer)

    def create_provider_claim(
        self,
        body: ClaimRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Open a claim of the provider. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/claims/", "idempotency_key"),
            {},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def get_provider_claim(
        self,
        number: str,
    ) -> ClaimDetails:
        """Look at a claim of the provider. With its texts. One of others is as unknown as one that does not exist."""
        answer = self._call(
            Operation("GET", "/api/v1/providers/claims/{number}/", "freely"),
            {"number": number},
            {},
        )
        return cast("ClaimDetails", answer)

    def answer_provider_claim(
        self,
        number: str,
        body: ClaimAnswerRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Answer a claim against the provider. Only who is claimed against answers. An operator decides; nothing moves by an answer."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/claims/{number}/answer/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def add_provider_claim_text(
        self,
        number: str,
        body: ClaimTextRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Add a text to a claim of the provider. Both parties and the operator read it. Files go to the operator."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/claims/{number}/texts/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def withdraw_provider_claim(
        self,
        number: str,
        body: ClaimWithdrawalRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Withdraw a claim of the provider. Only who has opened it withdraws it, until it is decided."""
        answer = self._call(
            Operation("POST", "/api/v1/providers/claims/{number}/withdrawal/", "idempotency_key"),
            {"number": number},
            {},
            body=body,
            idempotency_key=idempotency_key,
        )
        return cast("Claim", answer)

    def list_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> LoggedRequests:
        """List what your keys have sent. In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it tells the mistake, the string that has to be signed, and the first byte that differs where it can be known."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/requests/", "freely"),
            {},
            {"limit": limit, "cursor": cursor},
        )
        return cast("LoggedRequests", answer)

    def simulate_order(
        self,
        order: str,
        body: SimulationRequest,
    ) -> Simulation:
        """Simulate what happens to an order. In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter."""
        answer = self._call(
            Operation("POST", "/api/v1/sandbox/orders/{order}/simulate/", "freely"),
            {"order": order},
            {},
            body=body,
        )
        return cast("Simulation", answer)

    def check_go_live(
        self,
    ) -> GoLive:
        """Check what your integration has done. In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not."""
        answer = self._call(
            Operation("GET", "/api/v1/sandbox/go-live/", "freely"),
            {},
            {},
        )
        return cast("GoLive", answer)
