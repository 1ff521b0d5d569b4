<?php

declare(strict_types=1);

namespace Ventanilla;

/**
 * Made from the OpenAPI document by scripts/client-types.ts: not to be edited.
 *
 * What a provider asks: a method for each operation of the API's document.
 *
 * @phpstan-type PaymentRequest array{
 *   network_id: string,
 *   price?: string,
 *   price_currency?: string,
 *   reference?: string,
 *   shop_id?: string,
 *   till_id?: string,
 * }
 * @phpstan-type PayInStartRequest array{
 *   network_id: string,
 *   price: string,
 *   price_currency: string,
 *   reference?: string,
 *   shop_id?: string,
 *   till_id?: string,
 * }
 * @phpstan-type ReportPart array{
 *   network_id: string,
 *   day: string,
 *   report: string,
 *   part: int,
 *   parts: int,
 *   line_count?: int,
 *   paid_amount?: string,
 *   lines: list<ReportLine>,
 * }
 * @phpstan-type ReportLine array{
 *   order?: string,
 *   reference?: string,
 *   outcome: 'paid'|'reversed'|'not_paid',
 *   amount?: string,
 *   paid_at?: string,
 * }
 * @phpstan-type ClaimRequest array{
 *   order: string,
 *   kind: 'paid_not_credited'|'credited_not_paid'|'twice'|'wrong_amount'|'false_note',
 *   amount?: string,
 *   text?: string,
 * }
 * @phpstan-type ClaimAnswerRequest array{
 *   answer: 'agrees'|'denies',
 *   text?: string,
 * }
 * @phpstan-type ClaimTextRequest array{
 *   text: string,
 * }
 * @phpstan-type ClaimWithdrawalRequest array{
 *   text?: string,
 * }
 * @phpstan-type SimulationRequest array{
 *   step: 'fund'|'start'|'confirm'|'cancel'|'hold'|'deposit_exact'|'deposit_short'|'deposit_over'|'deposit_late'|'deposit_wrong_asset'|'deposit_wrong_sender'|'deposit_reversed'|'rate_outage',
 * }
 * @phpstan-type PayOutCheck array{
 *   price: string,
 *   price_currency: string,
 *   created: string,
 *   modified: string,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   expiry: string,
 * }
 * @phpstan-type PayOutStart array{
 *   price: string,
 *   price_currency: string,
 *   status: 'PAYMENT_STARTED',
 *   modified: string,
 *   expiry: string,
 * }
 * @phpstan-type PayOutConfirmation array{
 *   price: string,
 *   price_currency: string,
 *   status: 'COMPLETED',
 *   paid: string,
 *   modified: string,
 * }
 * @phpstan-type PayOutCancellation array{
 *   price: string,
 *   price_currency: string,
 *   status: 'READY'|'EXPIRED',
 *   modified: string,
 *   expiry: string,
 * }
 * @phpstan-type PayInCheck array{
 *   price: string,
 *   price_currency: string,
 *   created: string,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   expiry: string,
 *   description: string,
 * }
 * @phpstan-type PayInStart array{
 *   price: string,
 *   price_currency: string,
 *   status: 'PAYMENT_STARTED',
 *   modified: string,
 * }
 * @phpstan-type PayInConfirmation array{
 *   price: string,
 *   price_currency: string,
 *   status: 'COMPLETED',
 *   paid: string,
 * }
 * @phpstan-type PayInCancellation array{
 *   price: string,
 *   price_currency: string,
 *   status: 'READY'|'EXPIRED',
 *   modified: string,
 * }
 * @phpstan-type StatementPage array{
 *   results: list<Statement>,
 *   next: string|null,
 * }
 * @phpstan-type ProviderStatement array{
 *   number: int,
 *   currency: string,
 *   from: string,
 *   to: string,
 *   closed: string,
 *   opening: string,
 *   closing: string,
 *   due: string,
 *   open: string,
 *   due_on: string|null,
 *   line_count: int,
 *   digest: string|null,
 *   previous_digest: string|null,
 *   lines: list<ProviderStatementLine>,
 *   next: string|null,
 *   sums?: list<StatementSum>,
 * }
 * @phpstan-type Report array{
 *   network_id: string,
 *   day: string,
 *   state: 'open'|'imported'|'differences'|'reconciled',
 *   report: string|null,
 *   line_count: int,
 *   paid_count: int,
 *   paid_amount: string,
 *   open_differences: int,
 *   sending: string|null,
 *   next_part: int|null,
 *   lines: list<ReportVerdict>,
 *   next: string|null,
 * }
 * @phpstan-type ReportPartAnswer array{
 *   network_id: string,
 *   day: string,
 *   report: string,
 *   part: int,
 *   parts: int,
 *   next_part: int|null,
 *   lines: list<ReportVerdict>,
 * }
 * @phpstan-type ClaimPage array{
 *   results: list<Claim>,
 *   next: string|null,
 * }
 * @phpstan-type Claim array{
 *   number: int,
 *   kind: 'paid_not_credited'|'credited_not_paid'|'twice'|'wrong_amount'|'false_note',
 *   state: 'open'|'agreed'|'denied'|'accepted'|'upheld'|'rejected'|'withdrawn',
 *   opened_by: 'operator'|'merchant'|'provider',
 *   claimed_against: 'merchant'|'provider',
 *   order: string|null,
 *   direction: 'PAY_IN'|'PAY_OUT',
 *   currency: string,
 *   price: string,
 *   amount: string|null,
 *   due_on: string,
 *   opened: string,
 *   answered: string|null,
 *   ended: string|null,
 *   reference: string,
 * }
 * @phpstan-type ClaimDetails array{
 *   number: int,
 *   kind: 'paid_not_credited'|'credited_not_paid'|'twice'|'wrong_amount'|'false_note',
 *   state: 'open'|'agreed'|'denied'|'accepted'|'upheld'|'rejected'|'withdrawn',
 *   opened_by: 'operator'|'merchant'|'provider',
 *   claimed_against: 'merchant'|'provider',
 *   order: string|null,
 *   direction: 'PAY_IN'|'PAY_OUT',
 *   currency: string,
 *   price: string,
 *   amount: string|null,
 *   due_on: string,
 *   opened: string,
 *   answered: string|null,
 *   ended: string|null,
 *   reference: string,
 *   texts: list<ClaimText>,
 * }
 * @phpstan-type LoggedRequests array{
 *   results: list<LoggedRequest>,
 *   next: string|null,
 * }
 * @phpstan-type Simulation array{
 *   order: string,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   done: string,
 * }
 * @phpstan-type GoLive array{
 *   done: int,
 *   open: int,
 *   results: list<GoLiveStep>,
 * }
 * @phpstan-type Statement array{
 *   number: int,
 *   currency: string,
 *   from: string,
 *   to: string,
 *   closed: string,
 *   opening: string,
 *   closing: string,
 *   due: string,
 *   open: string,
 *   due_on: string|null,
 *   line_count: int,
 *   digest: string|null,
 *   previous_digest: string|null,
 * }
 * @phpstan-type StatementSum array{
 *   kind: string,
 *   direction: string|null,
 *   lines: int,
 *   amount: string,
 *   fee: string,
 *   tax: string,
 * }
 * @phpstan-type ProviderStatementLine array{
 *   line: int,
 *   day: string,
 *   about_day: string|null,
 *   at: string,
 *   kind: string,
 *   direction: string|null,
 *   network_id: string|null,
 *   reference: string|null,
 *   amount: string,
 *   fee: string,
 *   tax: string,
 *   balance: string,
 * }
 * @phpstan-type ReportVerdict array{
 *   line: int,
 *   outcome: 'matched'|'only_theirs'|'amount'|'day'|'status'|'twice'|'reversed',
 *   reason: string|null,
 *   reference: string|null,
 * }
 * @phpstan-type ClaimText array{
 *   written: string,
 *   by: 'operator'|'merchant'|'provider',
 *   text: string|null,
 * }
 * @phpstan-type LoggedRequest array{
 *   request_id: string,
 *   at: string,
 *   key: string,
 *   method: string,
 *   path: string,
 *   status: int,
 *   refused: string|null,
 *   milliseconds: int,
 *   body: string|null,
 *   mistake: string|null,
 *   signed_string: string|null,
 *   differs_at: int|null,
 *   clock_offset: string|null,
 * }
 * @phpstan-type GoLiveStep array{
 *   step: string,
 *   what: string,
 *   how: string,
 *   done: string|null,
 *   evidence: string|null,
 * }
 */
final class ProviderClient extends Client
{
    protected const KEY_HEADER = 'Provider-Key';

    /**
     * Look up a pay-out by its code. Continue only if the status is READY. Too many unknown codes are answered with 429.
     *
     * @return PayOutCheck
     */
    public function checkPayOut(
        string $code,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/orders/pay-out/{code}/', Repetition::Freely),
            ['code' => $code],
            [],
        );
    }

    /**
     * Lock a pay-out. From then on no other provider can start it. Handle the cash after the 200, never before.
     *
     * @param PaymentRequest $body
     * @return PayOutStart
     */
    public function startPayOut(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-out/{code}/start-payment/', Repetition::Message),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * Confirm a pay-out. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it.
     *
     * @param PaymentRequest $body
     * @return PayOutConfirmation
     */
    public function confirmPayOut(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-out/{code}/confirm-payment/', Repetition::Freely),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * Release a pay-out. No cash was handled. The order can be started again, unless it has expired meanwhile.
     *
     * @param PaymentRequest $body
     * @return PayOutCancellation
     */
    public function cancelPayOut(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-out/{code}/cancel-payment/', Repetition::Message),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * Look up a pay-in by its code. Continue only if the status is READY. Too many unknown codes are answered with 429.
     *
     * @return PayInCheck
     */
    public function checkPayIn(
        string $code,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/orders/pay-in/{code}/', Repetition::Freely),
            ['code' => $code],
            [],
        );
    }

    /**
     * Lock a pay-in. From then on no other provider can start it. Handle the cash after the 200, never before.
     *
     * @param PayInStartRequest $body
     * @return PayInStart
     */
    public function startPayIn(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-in/{code}/start-payment/', Repetition::Message),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * Confirm a pay-in. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it.
     *
     * @param PaymentRequest $body
     * @return PayInConfirmation
     */
    public function confirmPayIn(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-in/{code}/confirm-payment/', Repetition::Freely),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * Release a pay-in. No cash was handled. The order can be started again, unless it has expired meanwhile.
     *
     * @param PaymentRequest $body
     * @return PayInCancellation
     */
    public function cancelPayIn(
        string $code,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/orders/pay-in/{code}/cancel-payment/', Repetition::Message),
            ['code' => $code],
            [],
            body: $body,
        );
    }

    /**
     * List statements of the provider. Sealed ones, the latest closed first. `next` is the cursor of the following page.
     *
     * @return StatementPage
     */
    public function listProviderStatements(
        ?string $currency = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/statements/', Repetition::Freely),
            [],
            ['currency' => $currency, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Look at a statement of the provider. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off.
     *
     * @return ProviderStatement
     */
    public function getProviderStatement(
        string $number,
        string $currency,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/statements/{number}/', Repetition::Freely),
            ['number' => $number],
            ['currency' => $currency, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Look at a statement of the provider as a table. All its lines, for spreadsheets (CSV).
     */
    public function getProviderStatementCsv(
        string $number,
        string $currency,
    ): string {
        return $this->call(
            new Operation('GET', '/api/v1/providers/statements/{number}/', Repetition::Freely, isText: true),
            ['number' => $number],
            ['currency' => $currency, 'format' => 'csv'],
        );
    }

    /**
     * Look at a day of a network. In which state it is, and what each line of its report came to. `state` is `open` without a report, `imported` while a later report may tell of what is missing, `differences` while a person has to look, and `reconciled`.
     *
     * @return Report
     */
    public function getReport(
        string $network_id,
        string $day,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/reports/', Repetition::Freely),
            [],
            ['network_id' => $network_id, 'day' => $day, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Send a part of the report of a day. What a network has paid and collected on a day, in parts of at most 300 lines, in their order. Each line is answered with what it comes to as things stand; once the last part is there and its totals hold, the day is judged, a moment later. The same part again changes nothing. Another `report` of the day takes the place of the one before.
     *
     * @param ReportPart $body
     * @return ReportPartAnswer
     */
    public function sendReport(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/reports/', Repetition::Freely),
            [],
            [],
            body: $body,
        );
    }

    /**
     * List claims of the provider. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page.
     *
     * @return ClaimPage
     */
    public function listProviderClaims(
        ?string $state = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/claims/', Repetition::Freely),
            [],
            ['state' => $state, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Open a claim of the provider. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without.
     *
     * @param ClaimRequest $body
     * @return Claim
     */
    public function createProviderClaim(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/claims/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Look at a claim of the provider. With its texts. One of others is as unknown as one that does not exist.
     *
     * @return ClaimDetails
     */
    public function getProviderClaim(
        string $number,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/providers/claims/{number}/', Repetition::Freely),
            ['number' => $number],
            [],
        );
    }

    /**
     * Answer a claim against the provider. Only who is claimed against answers. An operator decides; nothing moves by an answer.
     *
     * @param ClaimAnswerRequest $body
     * @return Claim
     */
    public function answerProviderClaim(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/claims/{number}/answer/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Add a text to a claim of the provider. Both parties and the operator read it. Files go to the operator.
     *
     * @param ClaimTextRequest $body
     * @return Claim
     */
    public function addProviderClaimText(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/claims/{number}/texts/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Withdraw a claim of the provider. Only who has opened it withdraws it, until it is decided.
     *
     * @param ClaimWithdrawalRequest $body
     * @return Claim
     */
    public function withdrawProviderClaim(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/providers/claims/{number}/withdrawal/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List what your keys have sent. In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it tells the mistake, the string that has to be signed, and the first byte that differs where it can be known.
     *
     * @return LoggedRequests
     */
    public function listRequests(
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/sandbox/requests/', Repetition::Freely),
            [],
            ['limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Simulate what happens to an order. In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter.
     *
     * @param SimulationRequest $body
     * @return Simulation
     */
    public function simulateOrder(
        string $order,
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/sandbox/orders/{order}/simulate/', Repetition::Freely),
            ['order' => $order],
            [],
            body: $body,
        );
    }

    /**
     * Check what your integration has done. In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not.
     *
     * @return GoLive
     */
    public function checkGoLive(
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/sandbox/go-live/', Repetition::Freely),
            [],
            [],
        );
    }
}
