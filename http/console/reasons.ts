/** Why a network's report and what is booked differ, in the reader's language. */
import type { ExceptionSummary } from '../../actors/exceptions/documents.ts'
import { type Reason, sayReason } from '../../actors/exceptions/report-reasons.ts'
import type { Text } from './blocks.ts'
import { word } from './readable.ts'
import type { Texts } from './texts/index.ts'
import type { Said, View } from './view.ts'
import { told, translationOf } from './wording.ts'

export function whyOf(reason: Reason): Said {
  return (texts, view) => sayReason(shown(reason, texts, view), texts.reasons)
}

/** What has to be said of an exception. */
export function whyCell({ report, reason }: Pick<ExceptionSummary, 'report' | 'reason'>): Text {
  return report === null ? told(reason) : { text: whyOf(report.why) }
}

/** Each value as the reader writes it. */
function shown(reason: Reason, texts: Texts, view: View): Reason {
  switch (reason.code) {
    case 'archived':
      return { ...reason, since: view.time(reason.since) }
    case 'reported_before':
      return { ...reason, day: reason.day === null ? null : view.day(reason.day) }
    case 'other_day':
      return { ...reason, day: view.day(reason.day) }
    case 'other_amount': {
      const { theirs, ours, currency } = reason
      return { ...reason, theirs: view.money(theirs, currency), ours: view.money(ours, currency) }
    }
    case 'other_price': {
      const { theirs, price, currency } = reason
      const amounts = { theirs: view.money(theirs, currency), price: view.money(price, currency) }
      return { ...reason, ...amounts, status: word(texts, reason.status) }
    }
    case 'quarantined_price':
      return { ...reason, price: view.money(reason.price, reason.currency) }
    case 'quarantined_problem':
      return { ...reason, problem: translationOf(reason.problem, view) ?? reason.problem }
    case 'unpaid':
    case 'held_by_others':
    case 'undecided':
    case 'given_back':
    case 'denied':
      return { ...reason, status: word(texts, reason.status) }
    default:
      return reason
  }
}
