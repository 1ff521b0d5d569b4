/** Why a line of a network's report is no match: a text for each code. What is known of the case comes in the reader's own form. */
import type { Reason, ReasonCode } from '../../../../actors/exceptions/report-reasons.ts'

export type ReasonTexts = {
  readonly [Code in ReasonCode]: (known: Extract<Reason, { code: Code }>) => string
}

const called = { paid: 'paid', reversed: 'taken back' }

export const reasons: ReasonTexts = {
  several_orders: (it) =>
    `The network calls it ${called[it.called]}; its reference is that of several orders.`,
  archived: (it) =>
    `The network calls it ${called[it.called]}; the order has been in the archive since ${it.since}.`,
  unknown_order: (it) => `The network calls it ${called[it.called]}; there is no such order here.`,
  unknown_reference: (it) => `The network calls it ${called[it.called]}; there is no such reference here.`,
  reported_before: ({ line, day }) =>
    `Its payment is reported twice: line ${line}${day === null ? '' : ` of ${day}`} is about it, too.`,
  other_network: ({ network }) => `Here it was paid through the network ${network}.`,
  other_amount: ({ theirs, ours }) => `The network says ${theirs}, and the order ${ours}.`,
  other_day: ({ day }) => `Here it was paid on ${day}.`,
  claimed_back: ({ claim }) => `Here claim ${claim} has taken it back as not paid.`,
  other_provider: () => 'Here another provider has paid it.',
  unpaid: ({ status }) => `Here it is ${status}.`,
  held_by_others: ({ status }) => `Here it is ${status}, and this provider did not hold it last.`,
  other_price: ({ status, theirs, price }) =>
    `Here it is ${status}; the network says ${theirs}, and its price is ${price}.`,
  undecided: ({ status }) => `Here it is ${status}: say what became of its cash.`,
  given_back: ({ status }) => `Here it is ${status}, and its money was given back.`,
  denied: ({ status }) => `Here it is ${status}, and was said not to be paid.`,
  never_held: () => 'The network calls it taken back; this provider has never held the order.',
  taken_back: () => 'The network has taken the payment back; here it stands.',
  not_paid_there: () => 'The network says that it was not paid; here it is.',
  under_way: () => 'Here its payment is under way.',
  quarantined_currency: ({ ours, currency }) => `It is quarantined, and in ${ours}, not ${currency}.`,
  quarantined_price: ({ price }) => `It is quarantined, and its price is ${price}.`,
  quarantined_problem: ({ problem }) => `It is quarantined, and cannot be booked: ${problem}.`,
  pending: () => 'A report that comes later may tell of it.',
  unreported: () => 'No report tells of it; here it was paid.',
}
