/**
 * Why a line of a report is no match: a code with what is known of the case, as it is stored. It becomes words where somebody reads it:
 * English here, as API and command line answer; the console has a text for each code in each of its languages.
 */
/** What a network says of a payment, as the evidence of an exception has it. */
export interface ReportedDifference {
  network: string
  day: string
  outcome: string
  why: Reason
  /** None of what no report tells of. */
  line?: number
  named?: string | null
  reference?: string | null
  theirs?: string | null
  ours?: string | null
}

/** What the network calls it. */
type Called = 'paid' | 'reversed'

/** Amounts are decimals of the network's currency, days `2026-12-01`, moments ISO 8601. */
export type Reason =
  | { code: 'several_orders'; called: Called }
  | { code: 'archived'; called: Called; since: string }
  | { code: 'unknown_order'; called: Called }
  | { code: 'unknown_reference'; called: Called }
  /** `day` is null where it is a line of the same report. */
  | { code: 'reported_before'; line: number; day: string | null }
  | { code: 'other_network'; network: string }
  | { code: 'other_amount'; theirs: string; ours: string; currency: string }
  | { code: 'other_day'; day: string }
  | { code: 'claimed_back'; claim: number }
  | { code: 'other_provider' }
  | { code: 'unpaid'; status: string }
  | { code: 'held_by_others'; status: string }
  | { code: 'other_price'; status: string; theirs: string; price: string; currency: string }
  | { code: 'undecided'; status: string }
  | { code: 'given_back'; status: string }
  | { code: 'denied'; status: string }
  | { code: 'never_held' }
  | { code: 'taken_back' }
  | { code: 'not_paid_there' }
  | { code: 'under_way' }
  | { code: 'quarantined_currency'; ours: string; currency: string }
  | { code: 'quarantined_price'; price: string; currency: string }
  /** `problem` in English: what a report of a quarantined order may meet. */
  | { code: 'quarantined_problem'; problem: string }
  /** Of what no report tells: `pending` as long as one that is tolerated may still come. */
  | { code: 'pending' }
  | { code: 'unreported' }

export type ReasonCode = Reason['code']

type Words = { readonly [Code in ReasonCode]: (known: Extract<Reason, { code: Code }>) => string }

const called = { paid: 'paid', reversed: 'taken back' } as const

const words: Words = {
  several_orders: (it) =>
    `The network calls it ${called[it.called]}; its reference is that of several orders.`,
  archived: (it) =>
    `The network calls it ${called[it.called]}; the order is in the archive since ${it.since}.`,
  unknown_order: (it) => `The network calls it ${called[it.called]}; there is no such order here.`,
  unknown_reference: (it) => `The network calls it ${called[it.called]}; there is no such reference here.`,
  reported_before: ({ line, day }) =>
    `Its payment is reported twice: line ${line}${day === null ? '' : ` of ${day}`} is about it, too.`,
  other_network: ({ network }) => `Here it was paid through the network ${network}.`,
  other_amount: ({ theirs, ours, currency }) =>
    `The network says ${theirs}, and the order ${ours} ${currency}.`,
  other_day: ({ day }) => `Here it was paid on ${day}.`,
  claimed_back: ({ claim }) => `Here claim ${claim} has taken it back as not paid.`,
  other_provider: () => 'Here another provider has paid it.',
  unpaid: ({ status }) => `Here it is ${status}.`,
  held_by_others: ({ status }) => `Here it is ${status}, and this provider did not hold it last.`,
  other_price: ({ status, theirs, price, currency }) =>
    `Here it is ${status}; the network says ${theirs}, and its price is ${price} ${currency}.`,
  undecided: ({ status }) => `Here it is ${status}: say what became of its cash.`,
  given_back: ({ status }) => `Here it is ${status}, and its money was given back.`,
  denied: ({ status }) => `Here it is ${status}, and was said not to be paid.`,
  never_held: () => 'The network calls it taken back; this provider has never held the order.',
  taken_back: () => 'The network has taken the payment back; here it stands.',
  not_paid_there: () => 'The network says that it was not paid; here it is.',
  under_way: () => 'Here its payment is under way.',
  quarantined_currency: ({ ours, currency }) => `It is quarantined, and in ${ours}, not ${currency}.`,
  quarantined_price: ({ price, currency }) => `It is quarantined, and its price is ${price} ${currency}.`,
  quarantined_problem: ({ problem }) => `It is quarantined, and cannot be booked: ${problem}.`,
  pending: () => 'A report that comes later may tell of it.',
  unreported: () => 'No report tells of it.',
}

export function inEnglish(reason: Reason): string
export function inEnglish(reason: Reason | null): string | null
export function inEnglish(reason: Reason | null): string | null {
  return reason === null ? null : sayReason(reason, words)
}

/** @param table a text for each code: a new one does not compile before it has its words in every language */
export function sayReason<Said>(
  reason: Reason,
  table: { readonly [Code in ReasonCode]: (known: Extract<Reason, { code: Code }>) => Said },
): Said {
  // The entry of a code takes what is known of that code.
  const entry = table[reason.code] as (known: Reason) => Said
  return entry(reason)
}

/** As it is stored with a line. */
export function reasonOf(text: string | null): Reason | null {
  return text === null ? null : JSON.parse(text)
}
