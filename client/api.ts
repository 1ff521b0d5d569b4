/** Made from the OpenAPI document by scripts/client-types.ts: not to be edited. */

/** Start, confirm or cancel a payment; the start of a pay-in needs more */
export interface PaymentRequest {
  /** A network registered for the provider */
  network_id: string
  /** The price of the order */
  price?: string
  /** The currency of the order */
  price_currency?: string
  /** What the network calls this payment: its reports are matched by it */
  reference?: string
  /** The shop, as the network calls it */
  shop_id?: string
  /** The till, as the network calls it */
  till_id?: string
}

/** Start the payment of a pay-in */
export interface PayInStartRequest {
  /** A network registered for the provider */
  network_id: string
  /** The price of the order */
  price: string
  /** The currency of the order */
  price_currency: string
  /** What the network calls this payment: its reports are matched by it */
  reference?: string
  /** The shop, as the network calls it */
  shop_id?: string
  /** The till, as the network calls it */
  till_id?: string
}

/** A pay-out in local currency */
export interface LocalCurrencyOrder {
  /** `LocalCurrencyOrder` */
  order_type: 'LocalCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Decimal number, as a string (or a JSON number) */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id, unique for each order */
  merchant_order_id: string
  /** Public https address that receives the webhooks */
  notify_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Until when the order can be paid; no offset means UTC */
  expiry: string
  /** E-mail address of the end user */
  consumer_email?: string
  /** Telephone number of the end user */
  consumer_phone_number?: string
  /** Id of a paid pay-in of this merchant, in the same currency, that this pay-out gives back, in part or whole */
  refund_of?: string
}

/** A pay-out from a quote, funded on a blockchain */
export interface ForeignCurrencyOrder {
  /** `ForeignCurrencyOrder` */
  order_type: 'ForeignCurrencyOrder'
  /** Id of a quote of this merchant, not expired and not used */
  quote: string
  /** What the order is for */
  description: string
  /** The merchant’s own id, unique for each order */
  merchant_order_id: string
  /** Public https address that receives the webhooks */
  notify_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Until when the order can be paid; no offset means UTC */
  expiry: string
  /** E-mail address of the end user */
  consumer_email?: string
  /** Telephone number of the end user */
  consumer_phone_number?: string
  /** The wallet that signs the transaction on the blockchain */
  wallet: string
}

/** A pay-in in local currency */
export interface PayInRequest {
  /** `LocalCurrencyOrder` */
  order_type: 'LocalCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Decimal number, as a string (or a JSON number) */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id, unique for each order */
  merchant_order_id: string
  /** Public https address that receives the webhooks */
  notify_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Until when the order can be paid; no offset means UTC */
  expiry: string
  /** E-mail address of the end user */
  consumer_email?: string
  /** Telephone number of the end user */
  consumer_phone_number?: string
}

/** A quote for a pay-out funded on a blockchain */
export interface QuoteRequest {
  /** Where the end user sends the money */
  blockchain: 'SOLANA' | 'STELLAR' | 'MONAD'
  /** What the end user will send */
  send: string
  /** What is sent */
  send_currency: string
  /** ISO 3166-1 code of two letters */
  target_country: string
  /** ISO 4217 code of three letters */
  target_currency: string
}

/** A withdrawal of what is available */
export interface WithdrawalRequest {
  /** ISO 4217 code of three letters */
  currency: string
  /** How much; all that can be withdrawn when not sent */
  amount?: string
}

/** A part of what a network reports of a day */
export interface ReportPart {
  /** A network registered for the provider */
  network_id: string
  /** The day that is reported, as agreed on with the operator */
  day: string
  /** What the sender calls this report of the day; a corrected one has another */
  report: string
  /** Which part this is, from 1; they are sent in their order */
  part: number
  /** How many parts the report has */
  parts: number
  /** With the last part: how many lines all parts have */
  line_count?: number
  /** With the last part: the sum of all lines that are paid */
  paid_amount?: string
  /** What became of each payment; empty of a day without any */
  lines: ReportLine[]
}

/** What became of a payment; it has an order, a reference, or both */
export interface ReportLine {
  /** Code or id of the order */
  order?: string
  /** What the network calls the payment */
  reference?: string
  /** `reversed`: paid, and taken back */
  outcome: 'paid' | 'reversed' | 'not_paid'
  /** What was paid or collected; of `not_paid` it may be left out */
  amount?: string
  /** When; of what is not `paid` it may be left out */
  paid_at?: string
}

/** A claim about the cash of an order that has ended */
export interface ClaimRequest {
  /** Id of the order; a provider may name its code */
  order: string
  /** What is wrong: the cash was handled and is not booked, is booked and was not, was handled twice or with another amount, or there were false banknotes */
  kind: 'paid_not_credited' | 'credited_not_paid' | 'twice' | 'wrong_amount' | 'false_note'
  /** Of `wrong_amount` what was handled instead of the price, of `false_note` what the notes come to; not of others */
  amount?: string
  /** What happened, for the other party to read, too */
  text?: string
}

/** What the party that is claimed against says */
export interface ClaimAnswerRequest {
  /** Until an operator decides it may be another one */
  answer: 'agrees' | 'denies'
  /** What happened, for the other party to read, too */
  text?: string
}

/** A text that is added to a claim */
export interface ClaimTextRequest {
  /** What there is to say */
  text: string
}

/** Why a claim is withdrawn */
export interface ClaimWithdrawalRequest {
  /** What happened, for the other party to read, too */
  text?: string
}

/** Dead letters to send again */
export interface WebhookResendRequest {
  /** Those that were given up then or later */
  since: string
  /** Those that were given up then or earlier; now when not sent */
  until?: string
}

/** A ping of a receiver */
export interface WebhookPingRequest {
  /** Where it goes */
  notify_url: string
}

/** What happens to an order of a sandbox */
export interface SimulationRequest {
  /** What happens; deposits and outages of rates are of orders in foreign currency */
  step: 'fund' | 'start' | 'confirm' | 'cancel' | 'hold' | 'deposit_exact' | 'deposit_short' | 'deposit_over' | 'deposit_late' | 'deposit_wrong_asset' | 'deposit_wrong_sender' | 'deposit_reversed' | 'rate_outage'
}

/** What is to go wrong with the next webhooks */
export interface FaultRequest {
  /** `status`, `redirect`, `hang`: your receiver is not asked; `delay`: it is asked late; `cut`: its answer is lost; `duplicate`: it is asked twice; `out_of_order`: an earlier webhook comes after this one; `bad_signature`: a wrong signature comes first */
  fault: 'status' | 'delay' | 'hang' | 'redirect' | 'cut' | 'duplicate' | 'out_of_order' | 'bad_signature'
  /** Of `status` (503 when not sent) and `redirect` (302) */
  status?: number
  /** Of a `delay`, 30 at most; 5 when not sent */
  seconds?: number
  /** Only with webhooks of this order; with all, and pings, when not sent */
  order?: string
  /** With how many deliveries, 1000 at most; one when not sent */
  deliveries?: number
}

/** What a provider sees of a pay-out: the answer of the look-up */
export interface PayOutCheck {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** When the order was created */
  created: string
  /** When the order last changed */
  modified: string
  /** Status of the order */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** When the order expires */
  expiry: string
}

/** What a provider sees of a pay-out: the answer of start */
export interface PayOutStart {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'PAYMENT_STARTED'
  /** When the order last changed */
  modified: string
  /** When the order expires */
  expiry: string
}

/** What a provider sees of a pay-out: the answer of confirm */
export interface PayOutConfirmation {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'COMPLETED'
  /** When the payment was confirmed */
  paid: string
  /** When the order last changed */
  modified: string
}

/** What a provider sees of a pay-out: the answer of cancel */
export interface PayOutCancellation {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'READY' | 'EXPIRED'
  /** When the order last changed */
  modified: string
  /** When the order expires */
  expiry: string
}

/** What a provider sees of a pay-in: the answer of the look-up */
export interface PayInCheck {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** When the order was created */
  created: string
  /** Status of the order */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** When the order expires */
  expiry: string
  /** What the customer pays for */
  description: string
}

/** What a provider sees of a pay-in: the answer of start */
export interface PayInStart {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'PAYMENT_STARTED'
  /** When the order last changed */
  modified: string
}

/** What a provider sees of a pay-in: the answer of confirm */
export interface PayInConfirmation {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'COMPLETED'
  /** When the payment was confirmed */
  paid: string
}

/** What a provider sees of a pay-in: the answer of cancel */
export interface PayInCancellation {
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** Status of the order */
  status: 'READY' | 'EXPIRED'
  /** When the order last changed */
  modified: string
}

/** One page of orders, the newest first */
export interface PayOutOrderPage {
  /** At most `limit` orders */
  results: PayOutOrder[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** A pay-out, as its merchant sees it */
export interface PayOutOrder {
  /** The order’s id */
  id: string
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** The checkout page, for the end user */
  redirect_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only of a foreign-currency order: its quote */
  quote?: string
  /** Only of a foreign-currency order: the wallet that signs */
  wallet?: string
  /** Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late */
  transaction?: string
  /** Only while the transaction of a foreign-currency order cannot be built: why */
  transaction_error?: string
  /** Only of a refund: the pay-in that it gives back */
  refund_of?: string
  /** Only where a foreign-currency order is created */
  direction?: 'PAY_OUT'
}

/** A pay-out that could be created, and was not: without what only an order has that is there */
export interface PayOutDryRun {
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only of a foreign-currency order: its quote */
  quote?: string
  /** Only of a foreign-currency order: the wallet that signs */
  wallet?: string
  /** Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late */
  transaction?: string
  /** Only while the transaction of a foreign-currency order cannot be built: why */
  transaction_error?: string
  /** Only of a refund: the pay-in that it gives back */
  refund_of?: string
  /** Only where a foreign-currency order is created */
  direction?: 'PAY_OUT'
}

/** One page of orders, the newest first */
export interface PayInOrderPage {
  /** At most `limit` orders */
  results: PayInOrder[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** A pay-in, as its merchant sees it */
export interface PayInOrder {
  /** The order’s id */
  id: string
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** The checkout page, for the end user */
  redirect_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only pay-ins have it */
  direction: 'PAY_IN'
  /** What the customer shows at the counter; also as QR code and barcode */
  code: string
}

/** A pay-in that could be created, and was not */
export interface PayInDryRun {
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only pay-ins have it */
  direction: 'PAY_IN'
}

/** A quote */
export interface Quote {
  /** The quote’s id */
  id: string
  /** Where the end user sends the money */
  blockchain: 'SOLANA' | 'STELLAR' | 'MONAD'
  /** What the end user sends */
  send: string
  /** What is sent */
  send_currency: string
  /** ISO 3166-1 code of two letters */
  target_country: string
  /** ISO 4217 code of three letters */
  target_currency: string
  /** Deducted from `send` before the exchange */
  fee: string
  /** The currency of the fee: what is sent */
  fee_currency: string
  /** What the order will pay out */
  order_price: string
  /** ISO 4217 code of three letters */
  order_price_currency: string
  /** Target currency for one unit of what is sent */
  rate: string
  /** When the quote expires */
  expires: string
}

/** A quote that could be given, and was not */
export interface QuoteDryRun {
  /** Where the end user sends the money */
  blockchain: 'SOLANA' | 'STELLAR' | 'MONAD'
  /** What the end user sends */
  send: string
  /** What is sent */
  send_currency: string
  /** ISO 3166-1 code of two letters */
  target_country: string
  /** ISO 4217 code of three letters */
  target_currency: string
  /** Deducted from `send` before the exchange */
  fee: string
  /** The currency of the fee: what is sent */
  fee_currency: string
  /** What the order will pay out */
  order_price: string
  /** ISO 4217 code of three letters */
  order_price_currency: string
  /** Target currency for one unit of what is sent */
  rate: string
  /** When the quote expires */
  expires: string
}

/** What the merchant has, by currency */
export interface Balances {
  /** One for each currency, in the order of their codes */
  results: Balance[]
}

/** One page of what moved the account, the oldest first */
export interface MovementPage {
  /** At most `limit` movements */
  results: Movement[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
  /** The cursor behind the last movement that was told; null where there is none */
  resume: string | null
}

/** One page of sealed statements, the latest closed first */
export interface StatementPage {
  /** At most `limit` statements */
  results: Statement[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** A sealed statement with a page of its lines */
export interface MerchantStatement {
  /** From 1 on for each currency */
  number: number
  /** ISO 4217 code of three letters */
  currency: string
  /** The first day it tells of, by the days agreed on */
  from: string
  /** The last day it tells of */
  to: string
  /** When it was closed */
  closed: string
  /** The position before; above zero it is owed to the party, below zero the party owes it */
  opening: string
  /** The position after */
  closing: string
  /** What the statement asks for; above zero it is paid to the party */
  due: string
  /** What of `due` is neither paid nor set off */
  open: string
  /** When it is due; null where nothing is, or too little, which then falls due with a later one */
  due_on: string | null
  /** How many lines it has */
  line_count: number
  /** SHA-256 of the statement; it names the one before, and never changes */
  digest: string | null
  /** The digest of the statement before; empty for the first */
  previous_digest: string | null
  /** At most `limit` lines, in their order */
  lines: MerchantStatementLine[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
  /** Only on the first page: all lines, added up by kind and direction */
  sums?: StatementSum[]
}

/** A sealed statement with a page of its lines */
export interface ProviderStatement {
  /** From 1 on for each currency */
  number: number
  /** ISO 4217 code of three letters */
  currency: string
  /** The first day it tells of, by the days agreed on */
  from: string
  /** The last day it tells of */
  to: string
  /** When it was closed */
  closed: string
  /** The position before; above zero it is owed to the party, below zero the party owes it */
  opening: string
  /** The position after */
  closing: string
  /** What the statement asks for; above zero it is paid to the party */
  due: string
  /** What of `due` is neither paid nor set off */
  open: string
  /** When it is due; null where nothing is, or too little, which then falls due with a later one */
  due_on: string | null
  /** How many lines it has */
  line_count: number
  /** SHA-256 of the statement; it names the one before, and never changes */
  digest: string | null
  /** The digest of the statement before; empty for the first */
  previous_digest: string | null
  /** At most `limit` lines, in their order */
  lines: ProviderStatementLine[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
  /** Only on the first page: all lines, added up by kind and direction */
  sums?: StatementSum[]
}

/** What was withdrawn */
export interface Withdrawal {
  /** The number of the statement that asks for it */
  statement: number
  /** ISO 4217 code of three letters */
  currency: string
  /** What is withdrawn: it is no longer available, and on its way */
  amount: string
  /** The first day the statement tells of */
  from: string
  /** The last day it tells of, which is closed */
  to: string
  /** How many lines it has */
  line_count: number
  /** The day it is to be paid on */
  due_on: string | null
}

/** A day of a network */
export interface Report {
  /** The network */
  network_id: string
  /** The day that is reported */
  day: string
  /** Of the day */
  state: 'open' | 'imported' | 'differences' | 'reconciled'
  /** The report that the day has; null without one, or where the operator has it as a file */
  report: string | null
  /** How many lines it has */
  line_count: number
  /** How many of them are payments */
  paid_count: number
  /** The sum of these */
  paid_amount: string
  /** What a person at the operator still looks at */
  open_differences: number
  /** The latest report that is not all there, or not judged yet */
  sending: string | null
  /** The part of it to be sent next; null where all are there */
  next_part: number | null
  /** At most `limit` lines of the report that the day has */
  lines: ReportVerdict[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** A part of a report that was taken */
export interface ReportPartAnswer {
  /** The network */
  network_id: string
  /** The day that is reported */
  day: string
  /** What its sender calls it */
  report: string
  /** Which part this is */
  part: number
  /** How many there are */
  parts: number
  /** The part to be sent next; null once all are there */
  next_part: number | null
  /** What each line came to, in their order */
  lines: ReportVerdict[]
}

/** Claims of the party */
export interface ClaimPage {
  /** The latest opened first */
  results: Claim[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** A claim about the cash of an order */
export interface Claim {
  /** The number of the claim, for everybody */
  number: number
  /** What is wrong */
  kind: 'paid_not_credited' | 'credited_not_paid' | 'twice' | 'wrong_amount' | 'false_note'
  /** `agreed` and `denied` by who is claimed against; the next three an operator has decided */
  state: 'open' | 'agreed' | 'denied' | 'accepted' | 'upheld' | 'rejected' | 'withdrawn'
  /** Who has opened it */
  opened_by: 'operator' | 'merchant' | 'provider'
  /** Who is asked */
  claimed_against: 'merchant' | 'provider'
  /** Id of the order; for a provider its code, and null where it has never held it */
  order: string | null
  /** Of the order */
  direction: 'PAY_IN' | 'PAY_OUT'
  /** ISO 4217 code of three letters */
  currency: string
  /** The price of the order */
  price: string
  /** What was handled instead, or what the false notes come to; null of other kinds */
  amount: string | null
  /** The day by which it is answered and decided */
  due_on: string
  /** When it was opened */
  opened: string
  /** When it was answered last */
  answered: string | null
  /** When it was decided or withdrawn */
  ended: string | null
  /** The reference of the line that it makes in statements */
  reference: string
}

/** A claim with its texts */
export interface ClaimDetails {
  /** The number of the claim, for everybody */
  number: number
  /** What is wrong */
  kind: 'paid_not_credited' | 'credited_not_paid' | 'twice' | 'wrong_amount' | 'false_note'
  /** `agreed` and `denied` by who is claimed against; the next three an operator has decided */
  state: 'open' | 'agreed' | 'denied' | 'accepted' | 'upheld' | 'rejected' | 'withdrawn'
  /** Who has opened it */
  opened_by: 'operator' | 'merchant' | 'provider'
  /** Who is asked */
  claimed_against: 'merchant' | 'provider'
  /** Id of the order; for a provider its code, and null where it has never held it */
  order: string | null
  /** Of the order */
  direction: 'PAY_IN' | 'PAY_OUT'
  /** ISO 4217 code of three letters */
  currency: string
  /** The price of the order */
  price: string
  /** What was handled instead, or what the false notes come to; null of other kinds */
  amount: string | null
  /** The day by which it is answered and decided */
  due_on: string
  /** When it was opened */
  opened: string
  /** When it was answered last */
  answered: string | null
  /** When it was decided or withdrawn */
  ended: string | null
  /** The reference of the line that it makes in statements */
  reference: string
  /** What was written, the oldest first */
  texts: ClaimText[]
}

/** One page of webhooks, the newest first */
export interface WebhookPage {
  /** At most `limit` webhooks */
  results: Webhook[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** What is sent again */
export interface WebhookResends {
  /** How many are sent again */
  resent: number
  /** There may be more of them: ask again */
  has_more: boolean
}

/** What came of a ping */
export interface WebhookPing {
  /** Its Webhook-Id */
  webhook_id: string
  /** Where it goes */
  notify_url: string
  /** The key that it was signed with */
  key: string
  /** `acknowledged` (200 or 201), `unavailable` (5xx, 408, 429), `refused` (any other status), `timeout`, `connection`, `dns`, `tls`, `forbidden` (no public address), `unknown`; `started` while it is under way */
  outcome: string
  /** The HTTP status, where one came */
  status: number | null
  /** Why there is no answer */
  error: string | null
  /** How long it took */
  milliseconds: number
  /** The beginning of the body that came back */
  answer: string | null
}

/** A webhook with its body and every attempt */
export interface WebhookDetails {
  /** The Webhook-Id, the same over all attempts */
  id: string
  /** Id of the order that it tells of */
  order: string
  /** Webhook-Sequence: counts the webhooks of an order, from 1 */
  sequence: number
  /** The status of the order that it tells */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where it goes */
  notify_url: string
  /** `dead`: given up; `superseded`: a final one went out before it */
  state: 'pending' | 'delivered' | 'dead' | 'superseded'
  /** How many were made */
  attempts: number
  /** What the last attempt ended with: a status, or why there was none */
  last_answer: string | null
  /** When what it tells happened */
  created: string
  /** When it may be tried next; null once it is settled */
  due: string | null
  /** When it was delivered or given up */
  settled: string | null
  /** The exact text that is sent; null once it was removed for its age */
  body: string | null
  /** Every attempt, the first one first */
  history: WebhookAttempt[]
}

/** A webhook of the merchant */
export interface Webhook {
  /** The Webhook-Id, the same over all attempts */
  id: string
  /** Id of the order that it tells of */
  order: string
  /** Webhook-Sequence: counts the webhooks of an order, from 1 */
  sequence: number
  /** The status of the order that it tells */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where it goes */
  notify_url: string
  /** `dead`: given up; `superseded`: a final one went out before it */
  state: 'pending' | 'delivered' | 'dead' | 'superseded'
  /** How many were made */
  attempts: number
  /** What the last attempt ended with: a status, or why there was none */
  last_answer: string | null
  /** When what it tells happened */
  created: string
  /** When it may be tried next; null once it is settled */
  due: string | null
  /** When it was delivered or given up */
  settled: string | null
}

/** Requests of your keys, the newest first */
export interface LoggedRequests {
  /** At most `limit` requests */
  results: LoggedRequest[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** What was simulated */
export interface Simulation {
  /** The order’s id */
  order: string
  /** The status of the order now */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** What was brought about, in its order */
  done: string
}

/** What is to go wrong with your webhooks */
export interface Faults {
  /** The newest first */
  results: Fault[]
}

/** What is to go wrong with webhooks */
export interface Fault {
  /** What it is removed by */
  id: string
  /** What is to go wrong */
  fault: 'status' | 'delay' | 'hang' | 'redirect' | 'cut' | 'duplicate' | 'out_of_order' | 'bad_signature'
  /** Of `status` and `redirect` */
  status: number | null
  /** Of a `delay` */
  seconds: number | null
  /** Only with webhooks of this order */
  order: string | null
  /** With how many deliveries, still */
  deliveries: number
  /** When it was asked for */
  created: string
  /** `merchant`, or the operator who has asked for it */
  created_by: string
}

/** One page of requests to your receivers, the newest first */
export interface DeliveryPage {
  /** At most `limit` of them */
  results: Delivery[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** Your inbox, and one page of what came there, the newest first */
export interface Inbox {
  /** Your inbox: give it as notify_url */
  notify_url: string
  /** At most `limit` of them */
  results: Arrival[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

/** What your integration has done, and what it has not */
export interface GoLive {
  /** How many steps it has done */
  done: number
  /** How many it has not */
  open: number
  /** All of them, in the order in which they are done best */
  results: GoLiveStep[]
}

/** What a merchant has in one currency */
export interface Balance {
  /** ISO 4217 code of three letters */
  currency: string
  /** What pay-outs can be paid from */
  available: string
  /** For pay-outs that are READY or being paid */
  reserved: string
  /** Set aside by statements, and not ordered at a bank yet */
  payable: string
  /** Ordered at a bank that has not booked it yet */
  in_transit: string
  /** Of orders that ended while a provider held them, until it is known where the cash is */
  suspense: string
  /** What the merchant owes: what arrives repays it first */
  debt: string
}

/** What moved the account */
export interface Movement {
  /** The statement that tells of it; null until one is sealed that does */
  statement: number | null
  /** Which line of the statement it is */
  line: number | null
  /** The day it counts for */
  day: string
  /** Where it is about another day: which */
  about_day: string | null
  /** When it was posted */
  at: string
  /** What was posted: `settle` for an order that was paid, `deposit`, `payment` and others */
  kind: string
  /** PAY_IN or PAY_OUT, where it is of an order */
  direction: string | null
  /** The order’s id, where it is of an order */
  order_id: string | null
  /** Of an order its `merchant_order_id`; else that of the deposit, payment or correction */
  reference: string | null
  /** Above zero it is the party’s */
  amount: string
  /** The merchant’s fee, below zero, or the provider’s commission */
  fee: string
  /** The tax on it */
  tax: string
  /** The position after it; null like `statement` */
  balance: string | null
}

/** A sealed statement, without its lines */
export interface Statement {
  /** From 1 on for each currency */
  number: number
  /** ISO 4217 code of three letters */
  currency: string
  /** The first day it tells of, by the days agreed on */
  from: string
  /** The last day it tells of */
  to: string
  /** When it was closed */
  closed: string
  /** The position before; above zero it is owed to the party, below zero the party owes it */
  opening: string
  /** The position after */
  closing: string
  /** What the statement asks for; above zero it is paid to the party */
  due: string
  /** What of `due` is neither paid nor set off */
  open: string
  /** When it is due; null where nothing is, or too little, which then falls due with a later one */
  due_on: string | null
  /** How many lines it has */
  line_count: number
  /** SHA-256 of the statement; it names the one before, and never changes */
  digest: string | null
  /** The digest of the statement before; empty for the first */
  previous_digest: string | null
}

/** A line of a merchant’s statement */
export interface MerchantStatementLine {
  /** From 1 on */
  line: number
  /** The day it counts for */
  day: string
  /** Where it is about another day: which */
  about_day: string | null
  /** When it was posted */
  at: string
  /** What was posted: `settle` for an order that was paid, `deposit`, `payment` and others */
  kind: string
  /** PAY_IN or PAY_OUT, where it is of an order */
  direction: string | null
  /** The order’s id, where it is of an order */
  order_id: string | null
  /** Of an order its `merchant_order_id`; else that of the deposit, payment or correction */
  reference: string | null
  /** Above zero it is the party’s */
  amount: string
  /** The merchant’s fee, below zero, or the provider’s commission */
  fee: string
  /** The tax on it */
  tax: string
  /** The position after it: before, and amount, fee and tax added */
  balance: string
}

/** Lines of one kind, added up */
export interface StatementSum {
  /** What was posted: `settle` for an order that was paid, `deposit`, `payment` and others */
  kind: string
  /** PAY_IN or PAY_OUT, where it is of an order */
  direction: string | null
  /** How many lines are added up */
  lines: number
  /** Above zero it is the party’s */
  amount: string
  /** The merchant’s fee, below zero, or the provider’s commission */
  fee: string
  /** The tax on it */
  tax: string
}

/** A line of a provider’s statement */
export interface ProviderStatementLine {
  /** From 1 on */
  line: number
  /** The day it counts for */
  day: string
  /** Where it is about another day: which */
  about_day: string | null
  /** When it was posted */
  at: string
  /** What was posted: `settle` for an order that was paid, `deposit`, `payment` and others */
  kind: string
  /** PAY_IN or PAY_OUT, where it is of an order */
  direction: string | null
  /** The network that handled the cash */
  network_id: string | null
  /** Of a payment or correction */
  reference: string | null
  /** Above zero it is the party’s */
  amount: string
  /** The merchant’s fee, below zero, or the provider’s commission */
  fee: string
  /** The tax on it */
  tax: string
  /** The position after it: before, and amount, fee and tax added */
  balance: string
}

/** What a line of a report came to */
export interface ReportVerdict {
  /** Of the whole report, from 1 */
  line: number
  /** What it came to; of an order that this provider never held `only_theirs` */
  outcome: 'matched' | 'only_theirs' | 'amount' | 'day' | 'status' | 'twice' | 'reversed'
  /** For people: why it is no match */
  reason: string | null
  /** As it was sent */
  reference: string | null
}

/** A text of a claim */
export interface ClaimText {
  /** When */
  written: string
  /** Who has written it */
  by: 'operator' | 'merchant' | 'provider'
  /** What is written; null once it was erased */
  text: string | null
}

/** An attempt to deliver a webhook */
export interface WebhookAttempt {
  /** Webhook-Attempt: 1 for the first */
  attempt: number
  /** When it began */
  started: string
  /** When it ended; null while it is under way */
  ended: string | null
  /** `acknowledged` (200 or 201), `unavailable` (5xx, 408, 429), `refused` (any other status), `timeout`, `connection`, `dns`, `tls`, `forbidden` (no public address), `unknown`; `started` while it is under way */
  outcome: string
  /** The HTTP status, where one came */
  status: number | null
  /** Why there is no answer */
  error: string | null
  /** How long it took */
  milliseconds: number | null
  /** The beginning of the body that came back */
  answer: string | null
  /** More came back than what was read */
  is_cut: boolean
  /** The key that it was signed with */
  key: string | null
  /** The Message-Date that it was signed for */
  message_date: string | null
}

/** A request of one of your keys */
export interface LoggedRequest {
  /** The Request-Id of its answer */
  request_id: string
  /** When it was answered */
  at: string
  /** The key that it names */
  key: string
  /** Its method */
  method: string
  /** Its path, of codes the end alone */
  path: string
  /** What it was answered */
  status: number
  /** Why its signature was refused, or `throttled` */
  refused: string | null
  /** How long that took */
  milliseconds: number
  /** The beginning of its body; of what was signed wrongly none */
  body: string | null
  /** What its signer did */
  mistake: string | null
  /** What has to be signed for it, up to the beginning of its body */
  signed_string: string | null
  /** The first byte, from 0 on, in which what was signed differs from that, where it is known */
  differs_at: number | null
  /** Message-Date minus the clock of this node */
  clock_offset: string | null
}

/** A request to one of your receivers */
export interface Delivery {
  /** Its id */
  id: string
  /** The Webhook-Id */
  webhook_id: string
  /** Id of the order that it tells of; null for a ping */
  order: string | null
  /** The status that it tells */
  order_status: string | null
  /** Webhook-Attempt */
  attempt: number
  /** When it ended */
  sent: string
  /** Where it went */
  notify_url: string
  /** The headers that were added to it as sent, a line each */
  headers: string
  /** The body; null once it was removed */
  body: string | null
  /** What was made to go wrong */
  fault: string | null
  /** Your receiver may have seen it */
  was_sent: boolean
  /** As of an attempt */
  outcome: string
  /** The HTTP status, where one came */
  status: number | null
  /** Why there is no answer, or the fault */
  error: string | null
  /** How long it took */
  milliseconds: number
  /** The beginning of what came back */
  answer: string | null
  /** What your inbox has found: `verified`, or what is wrong; null of other receivers */
  verdict: string | null
}

/** What came to your inbox */
export interface Arrival {
  /** Its id */
  id: string
  /** When it came */
  received: string
  /** The Webhook-Id that it says */
  webhook_id: string | null
  /** The Webhook-Attempt that it says */
  attempt: string | null
  /** Id of the order that it tells of; null for a ping */
  order: string | null
  /** The status that it tells */
  order_status: string | null
  /** Its signature is right */
  is_verified: boolean
  /** What is wrong with its signature */
  problem: string | null
  /** It was signed by Standard Webhooks, too, and rightly */
  is_standard: boolean
  /** How long its body was */
  bytes: number
  /** The body of the webhook; null of what was not verified, of a ping, and once it was removed */
  body: string | null
}

/** What an integration has to have done */
export interface GoLiveStep {
  /** Its name */
  step: string
  /** What it is */
  what: string
  /** How it is done */
  how: string
  /** When it was done first; null for never */
  done: string | null
  /** By what it was seen */
  evidence: string | null
}

/** A pay-out, as its webhooks tell it */
export interface PayOutWebhook {
  /** The order’s id */
  id: string
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** The checkout page, for the end user */
  redirect_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only of a foreign-currency order: its quote */
  quote?: string
  /** Only of a foreign-currency order: the wallet that signs */
  wallet?: string
  /** Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. STELLAR: an envelope in XDR. MONAD: the parameters of the transaction as JSON text. Empty where nothing is to be signed: not built yet, money on its way or come, too late */
  transaction?: string
  /** Only while the transaction of a foreign-currency order cannot be built: why */
  transaction_error?: string
  /** Only of a refund: the pay-in that it gives back */
  refund_of?: string
}

/** A pay-in, as its webhooks tell it */
export interface PayInWebhook {
  /** The order’s id */
  id: string
  /** Kind of the order */
  order_type: 'LocalCurrencyOrder' | 'ForeignCurrencyOrder'
  /** ISO 3166-1 code of two letters */
  country: string
  /** Amount of the order, with at least two decimals */
  price: string
  /** ISO 4217 code of three letters */
  price_currency: string
  /** What the order is for */
  description: string
  /** The merchant’s own id */
  merchant_order_id: string
  /** Status of the order */
  status: 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Where webhooks go */
  notify_url: string
  /** The checkout page, for the end user */
  redirect_url: string
  /** Where the checkout page links back to */
  return_url: string
  /** Empty if none was sent */
  consumer_email: string
  /** Empty if none was sent */
  consumer_phone_number: string
  /** When the order expires */
  expiry: string
  /** When it was paid; null until then, and when it never was */
  paid: string | null
  /** Only pay-ins have it */
  direction: 'PAY_IN'
}

/** What is wrong with the request (400) */
export interface Invalid {
  /** Only for business rules: the text */
  detail?: string
  /** `client_error` for a body that cannot be read */
  type: 'validation_error' | 'client_error'
  /** Every field at fault, in the order of the documented fields */
  errors: ({
    /** The field; `non_field_errors` for a rule across fields; null for the request as a whole */
    attr: string | null
    /** For programs */
    code: 'blank' | 'does_not_exist' | 'invalid' | 'invalid_choice' | 'max_decimal_places' | 'max_digits' | 'max_length' | 'max_string_length' | 'max_value' | 'max_whole_digits' | 'min_value' | 'not_a_list' | 'null' | 'null_characters_not_allowed' | 'parse_error' | 'required' | 'surrogate_characters_not_allowed' | 'unique'
    /** A sentence for humans */
    detail: string
  })[]
}

/** Conflict (409) */
export interface Conflict {
  /** A sentence for humans */
  detail: string
}

/** Every other error */
export interface Refusal {
  /** A sentence for humans */
  detail: string
  /** Whose fault it is */
  type: 'client_error' | 'server_error'
  /** The same in the shape of a 400 */
  errors: ({
    /** No single field is at fault */
    attr: null
    /** For programs */
    code: 'dependency_failed' | 'dry_run_invalid' | 'dry_run_unknown' | 'ended_while_locked' | 'error' | 'exposure_reached' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'merchant_frozen' | 'method_not_allowed' | 'network_currency' | 'network_limits' | 'not_acceptable' | 'not_found' | 'order_quarantined' | 'permission_denied' | 'provider_frozen' | 'request_timeout' | 'request_too_large' | 'service_unavailable' | 'simulation_refused' | 'throttled' | 'unsupported_media_type'
    /** A sentence for humans */
    detail: string
  })[]
}

/** What a merchant asks, by the operation's id. */
export interface MerchantOperations {
  /** List pay-outs. The newest first. `next` is the cursor of the following page; it stays valid while orders are added. */
  listPayOutOrders: {
    input: {
      query?: {
        /** Only orders with this status */
        status?: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
        /** Only the order with this id of the merchant */
        merchant_order_id?: string
        /** Only orders created then or later */
        created_from?: string
        /** Only orders created before */
        created_to?: string
        /** How many orders a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: PayOutOrderPage
  }
  /** Create a pay-out. The order is CREATED until the merchant’s balance covers its price, then READY. An order from a quote is CREATED until its money has arrived on the blockchain; a webhook says when its transaction can be signed. Its redirect_url is the page that shows the code to the end user. */
  createPayOutOrder: {
    input: {
      body: LocalCurrencyOrder | ForeignCurrencyOrder
    }
    answer: PayOutOrder
  }
  /** Create a pay-out: a dry run. Everything is checked, and nothing is written. */
  createPayOutOrderDryRun: {
    input: {
      body: LocalCurrencyOrder | ForeignCurrencyOrder
    }
    answer: PayOutDryRun
  }
  /** Look at a pay-out. An order of another merchant is as unknown as one that does not exist. */
  getPayOutOrder: {
    input: {
      /** The id of the order, of the webhook, or of the fault */
      id: string
    }
    answer: PayOutOrder
  }
  /** List pay-ins. The newest first. `next` is the cursor of the following page; it stays valid while orders are added. */
  listPayInOrders: {
    input: {
      query?: {
        /** Only orders with this status */
        status?: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
        /** Only the order with this id of the merchant */
        merchant_order_id?: string
        /** Only orders created then or later */
        created_from?: string
        /** Only orders created before */
        created_to?: string
        /** How many orders a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: PayInOrderPage
  }
  /** Create a pay-in. The order is READY at once; the merchant shows its code to the customer. */
  createPayInOrder: {
    input: {
      body: PayInRequest
    }
    answer: PayInOrder
  }
  /** Create a pay-in: a dry run. Everything is checked, and nothing is written. */
  createPayInOrderDryRun: {
    input: {
      body: PayInRequest
    }
    answer: PayInDryRun
  }
  /** Look at a pay-in. An order of another merchant is as unknown as one that does not exist. */
  getPayInOrder: {
    input: {
      /** The id of the order, of the webhook, or of the fault */
      id: string
    }
    answer: PayInOrder
  }
  /** Ask for a quote. How much cash an amount sent on a blockchain pays out. The fee is deducted from `send` before the exchange. A pay-out can be created from the quote, once, until it expires. */
  createQuote: {
    input: {
      body: QuoteRequest
    }
    answer: Quote
  }
  /** Ask for a quote: a dry run. Everything is checked, and nothing is written. */
  createQuoteDryRun: {
    input: {
      body: QuoteRequest
    }
    answer: QuoteDryRun
  }
  /** Look at the balances. As they are now, by currency. What statements tell is the sum of them, `debt` deducted. */
  getBalances: {
    input: Record<string, never>
    answer: Balances
  }
  /** List what moved the account. In one currency, the oldest first: the lines of sealed statements, and behind them what no statement tells of yet, without a balance. `next` is the cursor of the following page, and null on the last one; a program keeps `resume` and asks with it later for what has come since. Nothing is told twice or left out, whatever is written meanwhile. */
  listMovements: {
    input: {
      query: {
        /** The currency of the account */
        currency: string
        /** Only those of this day or a later one */
        from?: string
        /** Only those of this day or an earlier one */
        to?: string
        /** How many movements a page has; 1000 when not sent, and at most */
        limit?: number
        /** The `next` or the `resume` of an earlier page with the same filters */
        cursor?: string
      }
    }
    answer: MovementPage
  }
  /** List statements of the merchant. Sealed ones, the latest closed first. `next` is the cursor of the following page. */
  listMerchantStatements: {
    input: {
      query?: {
        /** Only those in this currency */
        currency?: string
        /** How many statements a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: StatementPage
  }
  /** Look at a statement of the merchant. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off. */
  getMerchantStatement: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      query: {
        /** The currency of the statement */
        currency: string
        /** How many lines a page has; 1000 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: MerchantStatement
  }
  /** Look at a statement of the merchant as a table. All its lines, for spreadsheets (CSV). */
  getMerchantStatementCsv: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      query: {
        /** The currency of the statement */
        currency: string
      }
    }
    answer: string
  }
  /** Withdraw what is available. For merchants that are settled on request. The account is closed up to now, once a day: a statement takes what is withdrawn out of what is available, and it is paid by the operator. The same signed bytes get the same answer, whether they have an Idempotency-Key or not. */
  createWithdrawal: {
    input: {
      body: WithdrawalRequest
    }
    answer: Withdrawal
  }
  /** List claims of the merchant. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page. */
  listMerchantClaims: {
    input: {
      query?: {
        /** Only claims in this state; `undecided` for all that wait */
        state?: 'open' | 'agreed' | 'denied' | 'accepted' | 'upheld' | 'rejected' | 'withdrawn' | 'undecided'
        /** How many claims a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: ClaimPage
  }
  /** Open a claim of the merchant. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without. */
  createMerchantClaim: {
    input: {
      body: ClaimRequest
    }
    answer: Claim
  }
  /** Look at a claim of the merchant. With its texts. One of others is as unknown as one that does not exist. */
  getMerchantClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
    }
    answer: ClaimDetails
  }
  /** Answer a claim against the merchant. Only who is claimed against answers. An operator decides; nothing moves by an answer. */
  answerMerchantClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimAnswerRequest
    }
    answer: Claim
  }
  /** Add a text to a claim of the merchant. Both parties and the operator read it. Files go to the operator. */
  addMerchantClaimText: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimTextRequest
    }
    answer: Claim
  }
  /** Withdraw a claim of the merchant. Only who has opened it withdraws it, until it is decided. */
  withdrawMerchantClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimWithdrawalRequest
    }
    answer: Claim
  }
  /** List webhooks. Of the merchant, the newest first. `next` is the cursor of the following page; it stays valid while webhooks are added. */
  listWebhooks: {
    input: {
      query?: {
        /** Only those in this state */
        state?: 'pending' | 'delivered' | 'dead' | 'superseded'
        /** Only those of the order with this id */
        order?: string
        /** How many webhooks a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: WebhookPage
  }
  /** Send dead letters again. Those that were given up within a time, at most 1,024 with one request: where `has_more` is true, ask again. Receivers know them by their Webhook-Id. */
  resendWebhooks: {
    input: {
      body: WebhookResendRequest
    }
    answer: WebhookResends
  }
  /** Ping a receiver. A signed webhook of the body `{"type":"ping",…}` is sent at once, and what came back is the answer. It is of no order, and is not repeated. 10 a minute. */
  pingWebhook: {
    input: {
      body: WebhookPingRequest
    }
    answer: WebhookPing
  }
  /** Look at a webhook. With its body and every attempt. One of another merchant is as unknown as one that does not exist. */
  getWebhook: {
    input: {
      /** The id of the order, of the webhook, or of the fault */
      id: string
    }
    answer: WebhookDetails
  }
  /** Send a webhook again. In any state: the same body under the same Webhook-Id, signed anew. Its retries begin anew, too. */
  resendWebhook: {
    input: {
      /** The id of the order, of the webhook, or of the fault */
      id: string
    }
    answer: Webhook
  }
  /** List what your keys have sent. In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it tells the mistake, the string that has to be signed, and the first byte that differs where it can be known. */
  listRequests: {
    input: {
      query?: {
        /** How many requests; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: LoggedRequests
  }
  /** Simulate what happens to an order. In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter. */
  simulateOrder: {
    input: {
      /** The id of the order; a provider may name its code */
      order: string
      body: SimulationRequest
    }
    answer: Simulation
  }
  /** List what is to go wrong. In a sandbox alone: the faults of your receivers that are not used up, the newest first. */
  listFaults: {
    input: Record<string, never>
    answer: Faults
  }
  /** Let something go wrong. In a sandbox alone: with your next webhook, or with those of one order. It stands between the node and your receiver; retries, dead letters and resends follow as in life, and the attempt says `simulated fault`. */
  setFault: {
    input: {
      body: FaultRequest
    }
    answer: Fault
  }
  /** Let it go wrong no more. A fault that is used up is gone already, and unknown. */
  removeFault: {
    input: {
      /** The id of the order, of the webhook, or of the fault */
      id: string
    }
    answer: Faults
  }
  /** List what your receivers were sent. In a sandbox alone: the last 500 requests to your receivers, pings too, the newest first, with headers and body as sent, what came back, and what was made to go wrong. */
  listDeliveries: {
    input: {
      query?: {
        /** Only those of the order with this id */
        order?: string
        /** How many deliveries a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: DeliveryPage
  }
  /** Look into your inbox. In a sandbox alone: a `notify_url` of this very node for you, which verifies what comes as a receiver has to, and the last 200 webhooks that came there, the newest first. It needs no server of yours. */
  listInbox: {
    input: {
      query?: {
        /** How many arrivals a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: Inbox
  }
  /** Check what your integration has done. In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not. */
  checkGoLive: {
    input: Record<string, never>
    answer: GoLive
  }
}

/** What a provider asks, by the operation's id. */
export interface ProviderOperations {
  /** Look up a pay-out by its code. Continue only if the status is READY. Too many unknown codes are answered with 429. */
  checkPayOut: {
    input: {
      /** The code that the customer shows */
      code: string
    }
    answer: PayOutCheck
  }
  /** Lock a pay-out. From then on no other provider can start it. Handle the cash after the 200, never before. */
  startPayOut: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PaymentRequest
    }
    answer: PayOutStart
  }
  /** Confirm a pay-out. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it. */
  confirmPayOut: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PaymentRequest
    }
    answer: PayOutConfirmation
  }
  /** Release a pay-out. No cash was handled. The order can be started again, unless it has expired meanwhile. */
  cancelPayOut: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PaymentRequest
    }
    answer: PayOutCancellation
  }
  /** Look up a pay-in by its code. Continue only if the status is READY. Too many unknown codes are answered with 429. */
  checkPayIn: {
    input: {
      /** The code that the customer shows */
      code: string
    }
    answer: PayInCheck
  }
  /** Lock a pay-in. From then on no other provider can start it. Handle the cash after the 200, never before. */
  startPayIn: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PayInStartRequest
    }
    answer: PayInStart
  }
  /** Confirm a pay-in. The cash was handled. A confirmation can be repeated at any time: the answer is the same, and nothing happens twice. After the order has ended the answer is 422, and the operator resolves it. */
  confirmPayIn: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PaymentRequest
    }
    answer: PayInConfirmation
  }
  /** Release a pay-in. No cash was handled. The order can be started again, unless it has expired meanwhile. */
  cancelPayIn: {
    input: {
      /** The code that the customer shows */
      code: string
      body: PaymentRequest
    }
    answer: PayInCancellation
  }
  /** List statements of the provider. Sealed ones, the latest closed first. `next` is the cursor of the following page. */
  listProviderStatements: {
    input: {
      query?: {
        /** Only those in this currency */
        currency?: string
        /** How many statements a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: StatementPage
  }
  /** Look at a statement of the provider. With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off. */
  getProviderStatement: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      query: {
        /** The currency of the statement */
        currency: string
        /** How many lines a page has; 1000 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: ProviderStatement
  }
  /** Look at a statement of the provider as a table. All its lines, for spreadsheets (CSV). */
  getProviderStatementCsv: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      query: {
        /** The currency of the statement */
        currency: string
      }
    }
    answer: string
  }
  /** Look at a day of a network. In which state it is, and what each line of its report came to. `state` is `open` without a report, `imported` while a later report may tell of what is missing, `differences` while a person has to look, and `reconciled`. */
  getReport: {
    input: {
      query: {
        /** A network registered for the provider */
        network_id: string
        /** The day */
        day: string
        /** How many lines a page has; 300 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: Report
  }
  /** Send a part of the report of a day. What a network has paid and collected on a day, in parts of at most 300 lines, in their order. Each line is answered with what it comes to as things stand; once the last part is there and its totals hold, the day is judged, a moment later. The same part again changes nothing. Another `report` of the day takes the place of the one before. */
  sendReport: {
    input: {
      body: ReportPart
    }
    answer: ReportPartAnswer
  }
  /** List claims of the provider. Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page. */
  listProviderClaims: {
    input: {
      query?: {
        /** Only claims in this state; `undecided` for all that wait */
        state?: 'open' | 'agreed' | 'denied' | 'accepted' | 'upheld' | 'rejected' | 'withdrawn' | 'undecided'
        /** How many claims a page has; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: ClaimPage
  }
  /** Open a claim of the provider. The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without. */
  createProviderClaim: {
    input: {
      body: ClaimRequest
    }
    answer: Claim
  }
  /** Look at a claim of the provider. With its texts. One of others is as unknown as one that does not exist. */
  getProviderClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
    }
    answer: ClaimDetails
  }
  /** Answer a claim against the provider. Only who is claimed against answers. An operator decides; nothing moves by an answer. */
  answerProviderClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimAnswerRequest
    }
    answer: Claim
  }
  /** Add a text to a claim of the provider. Both parties and the operator read it. Files go to the operator. */
  addProviderClaimText: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimTextRequest
    }
    answer: Claim
  }
  /** Withdraw a claim of the provider. Only who has opened it withdraws it, until it is decided. */
  withdrawProviderClaim: {
    input: {
      /** The number of the statement: from 1 on for each currency */
      number: string
      body: ClaimWithdrawalRequest
    }
    answer: Claim
  }
  /** List what your keys have sent. In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it tells the mistake, the string that has to be signed, and the first byte that differs where it can be known. */
  listRequests: {
    input: {
      query?: {
        /** How many requests; 100 when not sent, and at most */
        limit?: number
        /** The `next` of the previous page */
        cursor?: string
      }
    }
    answer: LoggedRequests
  }
  /** Simulate what happens to an order. In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter. */
  simulateOrder: {
    input: {
      /** The id of the order; a provider may name its code */
      order: string
      body: SimulationRequest
    }
    answer: Simulation
  }
  /** Check what your integration has done. In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not. */
  checkGoLive: {
    input: Record<string, never>
    answer: GoLive
  }
}

export type Repetition = 'freely' | 'message' | 'idempotency_key'

export interface OperationEntry {
  method: 'GET' | 'POST'
  /** With `{name}` for what is filled in. */
  path: string
  /** How it may be sent again when its answer was lost. */
  repetition: Repetition
  /** What is answered is a text of this form, and not JSON. */
  format?: 'csv'
  /** Everything is checked, and nothing is written. */
  isDryRun?: true
}

export const merchantOperations = {
  listPayOutOrders: { method: 'GET', path: '/api/v1/merchants/orders/pay-out/', repetition: 'freely' },
  createPayOutOrder: { method: 'POST', path: '/api/v1/merchants/orders/pay-out/', repetition: 'idempotency_key' },
  createPayOutOrderDryRun: { method: 'POST', path: '/api/v1/merchants/orders/pay-out/', repetition: 'freely', isDryRun: true },
  getPayOutOrder: { method: 'GET', path: '/api/v1/merchants/orders/pay-out/{id}/', repetition: 'freely' },
  listPayInOrders: { method: 'GET', path: '/api/v1/merchants/orders/pay-in/', repetition: 'freely' },
  createPayInOrder: { method: 'POST', path: '/api/v1/merchants/orders/pay-in/', repetition: 'idempotency_key' },
  createPayInOrderDryRun: { method: 'POST', path: '/api/v1/merchants/orders/pay-in/', repetition: 'freely', isDryRun: true },
  getPayInOrder: { method: 'GET', path: '/api/v1/merchants/orders/pay-in/{id}/', repetition: 'freely' },
  createQuote: { method: 'POST', path: '/api/v1/merchants/quotes/', repetition: 'idempotency_key' },
  createQuoteDryRun: { method: 'POST', path: '/api/v1/merchants/quotes/', repetition: 'freely', isDryRun: true },
  getBalances: { method: 'GET', path: '/api/v1/merchants/balances/', repetition: 'freely' },
  listMovements: { method: 'GET', path: '/api/v1/merchants/movements/', repetition: 'freely' },
  listMerchantStatements: { method: 'GET', path: '/api/v1/merchants/statements/', repetition: 'freely' },
  getMerchantStatement: { method: 'GET', path: '/api/v1/merchants/statements/{number}/', repetition: 'freely' },
  getMerchantStatementCsv: { method: 'GET', path: '/api/v1/merchants/statements/{number}/', repetition: 'freely', format: 'csv' },
  createWithdrawal: { method: 'POST', path: '/api/v1/merchants/withdrawals/', repetition: 'idempotency_key' },
  listMerchantClaims: { method: 'GET', path: '/api/v1/merchants/claims/', repetition: 'freely' },
  createMerchantClaim: { method: 'POST', path: '/api/v1/merchants/claims/', repetition: 'idempotency_key' },
  getMerchantClaim: { method: 'GET', path: '/api/v1/merchants/claims/{number}/', repetition: 'freely' },
  answerMerchantClaim: { method: 'POST', path: '/api/v1/merchants/claims/{number}/answer/', repetition: 'idempotency_key' },
  addMerchantClaimText: { method: 'POST', path: '/api/v1/merchants/claims/{number}/texts/', repetition: 'idempotency_key' },
  withdrawMerchantClaim: { method: 'POST', path: '/api/v1/merchants/claims/{number}/withdrawal/', repetition: 'idempotency_key' },
  listWebhooks: { method: 'GET', path: '/api/v1/merchants/webhooks/', repetition: 'freely' },
  resendWebhooks: { method: 'POST', path: '/api/v1/merchants/webhooks/resend/', repetition: 'freely' },
  pingWebhook: { method: 'POST', path: '/api/v1/merchants/webhooks/ping/', repetition: 'freely' },
  getWebhook: { method: 'GET', path: '/api/v1/merchants/webhooks/{id}/', repetition: 'freely' },
  resendWebhook: { method: 'POST', path: '/api/v1/merchants/webhooks/{id}/resend/', repetition: 'freely' },
  listRequests: { method: 'GET', path: '/api/v1/sandbox/requests/', repetition: 'freely' },
  simulateOrder: { method: 'POST', path: '/api/v1/sandbox/orders/{order}/simulate/', repetition: 'freely' },
  listFaults: { method: 'GET', path: '/api/v1/sandbox/faults/', repetition: 'freely' },
  setFault: { method: 'POST', path: '/api/v1/sandbox/faults/', repetition: 'freely' },
  removeFault: { method: 'POST', path: '/api/v1/sandbox/faults/{id}/remove/', repetition: 'freely' },
  listDeliveries: { method: 'GET', path: '/api/v1/sandbox/deliveries/', repetition: 'freely' },
  listInbox: { method: 'GET', path: '/api/v1/sandbox/inbox/', repetition: 'freely' },
  checkGoLive: { method: 'GET', path: '/api/v1/sandbox/go-live/', repetition: 'freely' },
} as const satisfies Record<keyof MerchantOperations, OperationEntry>

export const providerOperations = {
  checkPayOut: { method: 'GET', path: '/api/v1/providers/orders/pay-out/{code}/', repetition: 'freely' },
  startPayOut: { method: 'POST', path: '/api/v1/providers/orders/pay-out/{code}/start-payment/', repetition: 'message' },
  confirmPayOut: { method: 'POST', path: '/api/v1/providers/orders/pay-out/{code}/confirm-payment/', repetition: 'freely' },
  cancelPayOut: { method: 'POST', path: '/api/v1/providers/orders/pay-out/{code}/cancel-payment/', repetition: 'message' },
  checkPayIn: { method: 'GET', path: '/api/v1/providers/orders/pay-in/{code}/', repetition: 'freely' },
  startPayIn: { method: 'POST', path: '/api/v1/providers/orders/pay-in/{code}/start-payment/', repetition: 'message' },
  confirmPayIn: { method: 'POST', path: '/api/v1/providers/orders/pay-in/{code}/confirm-payment/', repetition: 'freely' },
  cancelPayIn: { method: 'POST', path: '/api/v1/providers/orders/pay-in/{code}/cancel-payment/', repetition: 'message' },
  listProviderStatements: { method: 'GET', path: '/api/v1/providers/statements/', repetition: 'freely' },
  getProviderStatement: { method: 'GET', path: '/api/v1/providers/statements/{number}/', repetition: 'freely' },
  getProviderStatementCsv: { method: 'GET', path: '/api/v1/providers/statements/{number}/', repetition: 'freely', format: 'csv' },
  getReport: { method: 'GET', path: '/api/v1/providers/reports/', repetition: 'freely' },
  sendReport: { method: 'POST', path: '/api/v1/providers/reports/', repetition: 'freely' },
  listProviderClaims: { method: 'GET', path: '/api/v1/providers/claims/', repetition: 'freely' },
  createProviderClaim: { method: 'POST', path: '/api/v1/providers/claims/', repetition: 'idempotency_key' },
  getProviderClaim: { method: 'GET', path: '/api/v1/providers/claims/{number}/', repetition: 'freely' },
  answerProviderClaim: { method: 'POST', path: '/api/v1/providers/claims/{number}/answer/', repetition: 'idempotency_key' },
  addProviderClaimText: { method: 'POST', path: '/api/v1/providers/claims/{number}/texts/', repetition: 'idempotency_key' },
  withdrawProviderClaim: { method: 'POST', path: '/api/v1/providers/claims/{number}/withdrawal/', repetition: 'idempotency_key' },
  listRequests: { method: 'GET', path: '/api/v1/sandbox/requests/', repetition: 'freely' },
  simulateOrder: { method: 'POST', path: '/api/v1/sandbox/orders/{order}/simulate/', repetition: 'freely' },
  checkGoLive: { method: 'GET', path: '/api/v1/sandbox/go-live/', repetition: 'freely' },
} as const satisfies Record<keyof ProviderOperations, OperationEntry>
