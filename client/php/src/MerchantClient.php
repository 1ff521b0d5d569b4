<?php

declare(strict_types=1);

namespace Ventanilla;

/**
 * Made from the OpenAPI document by scripts/client-types.ts: not to be edited.
 *
 * What a merchant asks: a method for each operation of the API's document.
 *
 * @phpstan-type LocalCurrencyOrder array{
 *   order_type: 'LocalCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   notify_url: string,
 *   return_url: string,
 *   expiry: string,
 *   consumer_email?: string,
 *   consumer_phone_number?: string,
 *   refund_of?: string,
 * }
 * @phpstan-type ForeignCurrencyOrder array{
 *   order_type: 'ForeignCurrencyOrder',
 *   quote: string,
 *   description: string,
 *   merchant_order_id: string,
 *   notify_url: string,
 *   return_url: string,
 *   expiry: string,
 *   consumer_email?: string,
 *   consumer_phone_number?: string,
 *   wallet: string,
 * }
 * @phpstan-type PayInRequest array{
 *   order_type: 'LocalCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   notify_url: string,
 *   return_url: string,
 *   expiry: string,
 *   consumer_email?: string,
 *   consumer_phone_number?: string,
 * }
 * @phpstan-type QuoteRequest array{
 *   blockchain: 'SOLANA'|'STELLAR'|'MONAD',
 *   send: string,
 *   send_currency: string,
 *   target_country: string,
 *   target_currency: string,
 * }
 * @phpstan-type WithdrawalRequest array{
 *   currency: string,
 *   amount?: string,
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
 * @phpstan-type WebhookResendRequest array{
 *   since: string,
 *   until?: string,
 * }
 * @phpstan-type WebhookPingRequest array{
 *   notify_url: string,
 * }
 * @phpstan-type SimulationRequest array{
 *   step: 'fund'|'start'|'confirm'|'cancel'|'hold'|'deposit_exact'|'deposit_short'|'deposit_over'|'deposit_late'|'deposit_wrong_asset'|'deposit_wrong_sender'|'deposit_reversed'|'rate_outage',
 * }
 * @phpstan-type FaultRequest array{
 *   fault: 'status'|'delay'|'hang'|'redirect'|'cut'|'duplicate'|'out_of_order'|'bad_signature',
 *   status?: int,
 *   seconds?: int,
 *   order?: string,
 *   deliveries?: int,
 * }
 * @phpstan-type PayOutOrderPage array{
 *   results: list<PayOutOrder>,
 *   next: string|null,
 * }
 * @phpstan-type PayOutOrder array{
 *   id: string,
 *   order_type: 'LocalCurrencyOrder'|'ForeignCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   redirect_url: string,
 *   return_url: string,
 *   consumer_email: string,
 *   consumer_phone_number: string,
 *   expiry: string,
 *   paid: string|null,
 *   quote?: string,
 *   wallet?: string,
 *   transaction?: string,
 *   transaction_error?: string,
 *   refund_of?: string,
 *   direction?: 'PAY_OUT',
 * }
 * @phpstan-type PayOutDryRun array{
 *   order_type: 'LocalCurrencyOrder'|'ForeignCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   return_url: string,
 *   consumer_email: string,
 *   consumer_phone_number: string,
 *   expiry: string,
 *   paid: string|null,
 *   quote?: string,
 *   wallet?: string,
 *   transaction?: string,
 *   transaction_error?: string,
 *   refund_of?: string,
 *   direction?: 'PAY_OUT',
 * }
 * @phpstan-type PayInOrderPage array{
 *   results: list<PayInOrder>,
 *   next: string|null,
 * }
 * @phpstan-type PayInOrder array{
 *   id: string,
 *   order_type: 'LocalCurrencyOrder'|'ForeignCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   status: 'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   redirect_url: string,
 *   return_url: string,
 *   consumer_email: string,
 *   consumer_phone_number: string,
 *   expiry: string,
 *   paid: string|null,
 *   direction: 'PAY_IN',
 *   code: string,
 * }
 * @phpstan-type PayInDryRun array{
 *   order_type: 'LocalCurrencyOrder'|'ForeignCurrencyOrder',
 *   country: string,
 *   price: string,
 *   price_currency: string,
 *   description: string,
 *   merchant_order_id: string,
 *   status: 'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   return_url: string,
 *   consumer_email: string,
 *   consumer_phone_number: string,
 *   expiry: string,
 *   paid: string|null,
 *   direction: 'PAY_IN',
 * }
 * @phpstan-type Quote array{
 *   id: string,
 *   blockchain: 'SOLANA'|'STELLAR'|'MONAD',
 *   send: string,
 *   send_currency: string,
 *   target_country: string,
 *   target_currency: string,
 *   fee: string,
 *   fee_currency: string,
 *   order_price: string,
 *   order_price_currency: string,
 *   rate: string,
 *   expires: string,
 * }
 * @phpstan-type QuoteDryRun array{
 *   blockchain: 'SOLANA'|'STELLAR'|'MONAD',
 *   send: string,
 *   send_currency: string,
 *   target_country: string,
 *   target_currency: string,
 *   fee: string,
 *   fee_currency: string,
 *   order_price: string,
 *   order_price_currency: string,
 *   rate: string,
 *   expires: string,
 * }
 * @phpstan-type Balances array{
 *   results: list<Balance>,
 * }
 * @phpstan-type MovementPage array{
 *   results: list<Movement>,
 *   next: string|null,
 *   resume: string|null,
 * }
 * @phpstan-type StatementPage array{
 *   results: list<Statement>,
 *   next: string|null,
 * }
 * @phpstan-type MerchantStatement array{
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
 *   lines: list<MerchantStatementLine>,
 *   next: string|null,
 *   sums?: list<StatementSum>,
 * }
 * @phpstan-type Withdrawal array{
 *   statement: int,
 *   currency: string,
 *   amount: string,
 *   from: string,
 *   to: string,
 *   line_count: int,
 *   due_on: string|null,
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
 * @phpstan-type WebhookPage array{
 *   results: list<Webhook>,
 *   next: string|null,
 * }
 * @phpstan-type WebhookResends array{
 *   resent: int,
 *   has_more: bool,
 * }
 * @phpstan-type WebhookPing array{
 *   webhook_id: string,
 *   notify_url: string,
 *   key: string,
 *   outcome: string,
 *   status: int|null,
 *   error: string|null,
 *   milliseconds: int,
 *   answer: string|null,
 * }
 * @phpstan-type WebhookDetails array{
 *   id: string,
 *   order: string,
 *   sequence: int,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   state: 'pending'|'delivered'|'dead'|'superseded',
 *   attempts: int,
 *   last_answer: string|null,
 *   created: string,
 *   due: string|null,
 *   settled: string|null,
 *   body: string|null,
 *   history: list<WebhookAttempt>,
 * }
 * @phpstan-type Webhook array{
 *   id: string,
 *   order: string,
 *   sequence: int,
 *   status: 'CREATED'|'READY'|'PAYMENT_STARTED'|'COMPLETED'|'CANCELLED'|'EXPIRED',
 *   notify_url: string,
 *   state: 'pending'|'delivered'|'dead'|'superseded',
 *   attempts: int,
 *   last_answer: string|null,
 *   created: string,
 *   due: string|null,
 *   settled: string|null,
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
 * @phpstan-type Faults array{
 *   results: list<Fault>,
 * }
 * @phpstan-type Fault array{
 *   id: string,
 *   fault: 'status'|'delay'|'hang'|'redirect'|'cut'|'duplicate'|'out_of_order'|'bad_signature',
 *   status: int|null,
 *   seconds: int|null,
 *   order: string|null,
 *   deliveries: int,
 *   created: string,
 *   created_by: string,
 * }
 * @phpstan-type DeliveryPage array{
 *   results: list<Delivery>,
 *   next: string|null,
 * }
 * @phpstan-type Inbox array{
 *   notify_url: string,
 *   results: list<Arrival>,
 *   next: string|null,
 * }
 * @phpstan-type GoLive array{
 *   done: int,
 *   open: int,
 *   results: list<GoLiveStep>,
 * }
 * @phpstan-type Balance array{
 *   currency: string,
 *   available: string,
 *   reserved: string,
 *   payable: string,
 *   in_transit: string,
 *   suspense: string,
 *   debt: string,
 * }
 * @phpstan-type Movement array{
 *   statement: int|null,
 *   line: int|null,
 *   day: string,
 *   about_day: string|null,
 *   at: string,
 *   kind: string,
 *   direction: string|null,
 *   order_id: string|null,
 *   reference: string|null,
 *   amount: string,
 *   fee: string,
 *   tax: string,
 *   balance: string|null,
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
 * @phpstan-type MerchantStatementLine array{
 *   line: int,
 *   day: string,
 *   about_day: string|null,
 *   at: string,
 *   kind: string,
 *   direction: string|null,
 *   order_id: string|null,
 *   reference: string|null,
 *   amount: string,
 *   fee: string,
 *   tax: string,
 *   balance: string,
 * }
 * @phpstan-type StatementSum array{
 *   kind: string,
 *   direction: string|null,
 *   lines: int,
 *   amount: string,
 *   fee: string,
 *   tax: string,
 * }
 * @phpstan-type ClaimText array{
 *   written: string,
 *   by: 'operator'|'merchant'|'provider',
 *   text: string|null,
 * }
 * @phpstan-type WebhookAttempt array{
 *   attempt: int,
 *   started: string,
 *   ended: string|null,
 *   outcome: string,
 *   status: int|null,
 *   error: string|null,
 *   milliseconds: int|null,
 *   answer: string|null,
 *   is_cut: bool,
 *   key: string|null,
 *   message_date: string|null,
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
 * @phpstan-type Delivery array{
 *   id: string,
 *   webhook_id: string,
 *   order: string|null,
 *   order_status: string|null,
 *   attempt: int,
 *   sent: string,
 *   notify_url: string,
 *   headers: string,
 *   body: string|null,
 *   fault: string|null,
 *   was_sent: bool,
 *   outcome: string,
 *   status: int|null,
 *   error: string|null,
 *   milliseconds: int,
 *   answer: string|null,
 *   verdict: string|null,
 * }
 * @phpstan-type Arrival array{
 *   id: string,
 *   received: string,
 *   webhook_id: string|null,
 *   attempt: string|null,
 *   order: string|null,
 *   order_status: string|null,
 *   is_verified: bool,
 *   problem: string|null,
 *   is_standard: bool,
 *   bytes: int,
 *   body: string|null,
 * }
 * @phpstan-type GoLiveStep array{
 *   step: string,
 *   what: string,
 *   how: string,
 *   done: string|null,
 *   evidence: string|null,
 * }
 */
final class MerchantClient extends Client
{
    protected const KEY_HEADER = 'Merchant-Key';

    /**
     * List pay-outs. The newest first. `next` is the cursor of the following page; it stays valid while orders are added.
     *
     * @return PayOutOrderPage
     */
    public function listPayOutOrders(
        ?string $status = null,
        ?string $merchant_order_id = null,
        ?string $created_from = null,
        ?string $created_to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/orders/pay-out/', Repetition::Freely),
            [],
            ['status' => $status, 'merchant_order_id' => $merchant_order_id, 'created_from' => $created_from, 'created_to' => $created_to, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Create a pay-out. The order is CREATED until the merchant’s balance covers its price, then READY. An order from a quote is CREATED until its money has arrived on the blockchain; a webhook says when its transaction can be signed. Its redirect_url is the page that shows the code to the end user.
     *
     * @param LocalCurrencyOrder|ForeignCurrencyOrder $body
     * @return PayOutOrder
     */
    public function createPayOutOrder(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/orders/pay-out/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Create a pay-out: a dry run. Everything is checked, and nothing is written.
     *
     * @param LocalCurrencyOrder|ForeignCurrencyOrder $body
     * @return PayOutDryRun
     */
    public function createPayOutOrderDryRun(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/orders/pay-out/', Repetition::Freely, isDryRun: true),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Look at a pay-out. An order of another merchant is as unknown as one that does not exist.
     *
     * @return PayOutOrder
     */
    public function getPayOutOrder(
        string $id,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/orders/pay-out/{id}/', Repetition::Freely),
            ['id' => $id],
            [],
        );
    }

    /**
     * List pay-ins. The newest first. `next` is the cursor of the following page; it stays valid while orders are added.
     *
     * @return PayInOrderPage
     */
    public function listPayInOrders(
        ?string $status = null,
        ?string $merchant_order_id = null,
        ?string $created_from = null,
        ?string $created_to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/orders/pay-in/', Repetition::Freely),
            [],
            ['status' => $status, 'merchant_order_id' => $merchant_order_id, 'created_from' => $created_from, 'created_to' => $created_to, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Create a pay-in. The order is READY at once; the merchant shows its code to the customer.
     *
     * @param PayInRequest $body
     * @return PayInOrder
     */
    public function createPayInOrder(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/orders/pay-in/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Create a pay-in: a dry run. Everything is checked, and nothing is written.
     *
     * @param PayInRequest $body
     * @return PayInDryRun
     */
    public function createPayInOrderDryRun(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/orders/pay-in/', Repetition::Freely, isDryRun: true),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Look at a pay-in. An order of another merchant is as unknown as one that does not exist.
     *
     * @return PayInOrder
     */
    public function getPayInOrder(
        string $id,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/orders/pay-in/{id}/', Repetition::Freely),
            ['id' => $id],
            [],
        );
    }

    /**
     * Ask for a quote. How much cash an amount sent on a blockchain pays out. The fee is deducted from `send` before the exchange. A pay-out can be created from the quote, once, until it expires.
     *
     * @param QuoteRequest $body
     * @return Quote
     */
    public function createQuote(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/quotes/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Ask for a quote: a dry run. Everything is checked, and nothing is written.
     *
     * @param QuoteRequest $body
     * @return QuoteDryRun
     */
    public function createQuoteDryRun(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/quotes/', Repetition::Freely, isDryRun: true),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Look at the balances. As they are now, by currency. What statements tell is the sum of them, `debt` deducted.
     *
     * @return Balances
     */
    public function getBalances(
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/balances/', Repetition::Freely),
            [],
            [],
        );
    }

    /**
     * List what moved the account. In one currency, the oldest first: the lines of sealed statements, and behind them what no statement tells of yet, without a balance. `next` is the cursor of the following page, and null on the last one; a program keeps `resume` and asks with it later for what has come since. Nothing is told twice or left out, whatever is written meanwhile.
     *
     * @return MovementPage
     */
    public function listMovements(
        string $currency,
        ?string $from = null,
        ?string $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/movements/', Repetition::Freely),
            [],
            ['currency' => $currency, 'from' => $from, 'to' => $to, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * List statements of the merchant. Sealed ones, the latest closed first. `next` is the cursor of the following page.
     *
     * @return StatementPage
     */
    public function listMerchantStatements(
        ?string $currency = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/statements/', Repetition::Freely),
            [],
            ['currency' => $currency, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Look at a statement of the merchant. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off.
     *
     * @return MerchantStatement
     */
    public function getMerchantStatement(
        string $number,
        string $currency,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/statements/{number}/', Repetition::Freely),
            ['number' => $number],
            ['currency' => $currency, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Look at a statement of the merchant as a table. All its lines, for spreadsheets (CSV).
     */
    public function getMerchantStatementCsv(
        string $number,
        string $currency,
    ): string {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/statements/{number}/', Repetition::Freely, isText: true),
            ['number' => $number],
            ['currency' => $currency, 'format' => 'csv'],
        );
    }

    /**
     * Withdraw what is available. For merchants that are settled on request. The account is closed up to now, once a day: a statement takes what is withdrawn out of what is available, and it is paid by the operator. The same signed bytes get the same answer, whether they have an Idempotency-Key or not.
     *
     * @param WithdrawalRequest $body
     * @return Withdrawal
     */
    public function createWithdrawal(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/withdrawals/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List claims of the merchant. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page.
     *
     * @return ClaimPage
     */
    public function listMerchantClaims(
        ?string $state = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/claims/', Repetition::Freely),
            [],
            ['state' => $state, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Open a claim of the merchant. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without.
     *
     * @param ClaimRequest $body
     * @return Claim
     */
    public function createMerchantClaim(
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/claims/', Repetition::IdempotencyKey),
            [],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Look at a claim of the merchant. With its texts. One of others is as unknown as one that does not exist.
     *
     * @return ClaimDetails
     */
    public function getMerchantClaim(
        string $number,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/claims/{number}/', Repetition::Freely),
            ['number' => $number],
            [],
        );
    }

    /**
     * Answer a claim against the merchant. Only who is claimed against answers. An operator decides; nothing moves by an answer.
     *
     * @param ClaimAnswerRequest $body
     * @return Claim
     */
    public function answerMerchantClaim(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/claims/{number}/answer/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Add a text to a claim of the merchant. Both parties and the operator read it. Files go to the operator.
     *
     * @param ClaimTextRequest $body
     * @return Claim
     */
    public function addMerchantClaimText(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/claims/{number}/texts/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Withdraw a claim of the merchant. Only who has opened it withdraws it, until it is decided.
     *
     * @param ClaimWithdrawalRequest $body
     * @return Claim
     */
    public function withdrawMerchantClaim(
        string $number,
        array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/claims/{number}/withdrawal/', Repetition::IdempotencyKey),
            ['number' => $number],
            [],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List webhooks. Of the merchant, the newest first. `next` is the cursor of the following page; it stays valid while webhooks are added.
     *
     * @return WebhookPage
     */
    public function listWebhooks(
        ?string $state = null,
        ?string $order = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/webhooks/', Repetition::Freely),
            [],
            ['state' => $state, 'order' => $order, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Send dead letters again. Those that were given up within a time, at most 1,024 with one request: where `has_more` is true, ask again. Receivers know them by their Webhook-Id.
     *
     * @param WebhookResendRequest $body
     * @return WebhookResends
     */
    public function resendWebhooks(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/webhooks/resend/', Repetition::Freely),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Ping a receiver. A signed webhook of the body `{"type":"ping",…}` is sent at once, and what came back is the answer. It is of no order, and is not repeated. 10 a minute.
     *
     * @param WebhookPingRequest $body
     * @return WebhookPing
     */
    public function pingWebhook(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/webhooks/ping/', Repetition::Freely),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Look at a webhook. With its body and every attempt. One of another merchant is as unknown as one that does not exist.
     *
     * @return WebhookDetails
     */
    public function getWebhook(
        string $id,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/merchants/webhooks/{id}/', Repetition::Freely),
            ['id' => $id],
            [],
        );
    }

    /**
     * Send a webhook again. In any state: the same body under the same Webhook-Id, signed anew. Its retries begin anew, too.
     *
     * @return Webhook
     */
    public function resendWebhook(
        string $id,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/merchants/webhooks/{id}/resend/', Repetition::Freely),
            ['id' => $id],
            [],
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
     * List what is to go wrong. In a sandbox alone: the faults of your receivers that are not used up, the newest first.
     *
     * @return Faults
     */
    public function listFaults(
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/sandbox/faults/', Repetition::Freely),
            [],
            [],
        );
    }

    /**
     * Let something go wrong. In a sandbox alone: with your next webhook, or with those of one order. It stands between the node and your receiver; retries, dead letters and resends follow as in life, and the attempt says `simulated fault`.
     *
     * @param FaultRequest $body
     * @return Fault
     */
    public function setFault(
        array $body,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/sandbox/faults/', Repetition::Freely),
            [],
            [],
            body: $body,
        );
    }

    /**
     * Let it go wrong no more. A fault that is used up is gone already, and unknown.
     *
     * @return Faults
     */
    public function removeFault(
        string $id,
    ): array {
        return $this->call(
            new Operation('POST', '/api/v1/sandbox/faults/{id}/remove/', Repetition::Freely),
            ['id' => $id],
            [],
        );
    }

    /**
     * List what your receivers were sent. In a sandbox alone: the last 500 requests to your receivers, pings too, the newest first, with headers and body as sent, what came back, and what was made to go wrong.
     *
     * @return DeliveryPage
     */
    public function listDeliveries(
        ?string $order = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/sandbox/deliveries/', Repetition::Freely),
            [],
            ['order' => $order, 'limit' => $limit, 'cursor' => $cursor],
        );
    }

    /**
     * Look into your inbox. In a sandbox alone: a `notify_url` of this very node for you, which verifies what comes as a receiver has to, and the last 200 webhooks that came there, the newest first. It needs no server of yours.
     *
     * @return Inbox
     */
    public function listInbox(
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->call(
            new Operation('GET', '/api/v1/sandbox/inbox/', Repetition::Freely),
            [],
            ['limit' => $limit, 'cursor' => $cursor],
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
