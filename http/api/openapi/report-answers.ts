/** What is answered about reports. */
import type { ReportDayView, ReportPartView, VerdictView } from '../report-views.ts'
import { type AnswerField, amount, cursorOfNext, object, schemaReference, text } from './answer-fields.ts'

const count = (description: string, example: number): AnswerField => ({
  type: 'integer',
  description,
  examples: [example],
})

const maybe = (description: string, example: string | null): AnswerField => ({
  type: ['string', 'null'],
  description,
  examples: [example],
})

const maybeCount = (description: string, example: number | null): AnswerField => ({
  type: ['integer', 'null'],
  description,
  examples: [example],
})

const outcomes = ['matched', 'only_theirs', 'amount', 'day', 'status', 'twice', 'reversed']
const networkId = text('The network', '0001')
const day = text('The day that is reported', '2026-03-01')

const lines: AnswerField = {
  type: 'array',
  description: 'What each line came to, in their order',
  items: schemaReference('ReportVerdict'),
}

const verdictFields: Record<keyof VerdictView, AnswerField> = {
  line: count('Of the whole report, from 1', 1),
  outcome: {
    ...text('What it came to; of an order that this provider never held `only_theirs`', 'matched'),
    enum: outcomes,
  },
  reason: maybe('For people: why it is no match', null),
  reference: maybe('As it was sent', 'F-2026-0001'),
}

const partFields: Record<keyof ReportPartView, AnswerField> = {
  network_id: networkId,
  day,
  report: text('What its sender calls it', '2026-03-01/1'),
  part: count('Which part this is', 1),
  parts: count('How many there are', 1),
  next_part: maybeCount('The part to be sent next; null once all are there', null),
  lines,
}

const dayFields: Record<keyof ReportDayView, AnswerField> = {
  network_id: networkId,
  day,
  state: {
    ...text('Of the day', 'reconciled'),
    enum: ['open', 'imported', 'differences', 'reconciled'],
  },
  report: maybe(
    'The report that the day has; null without one, or where the operator has it as a file',
    '2026-03-01/1',
  ),
  line_count: count('How many lines it has', 1),
  paid_count: count('How many of them are payments', 1),
  paid_amount: amount('The sum of these'),
  open_differences: count('What a person at the operator still looks at', 0),
  sending: maybe('The latest report that is not all there, or not judged yet', null),
  next_part: maybeCount('The part of it to be sent next; null where all are there', null),
  lines: { ...lines, description: 'At most `limit` lines of the report that the day has' },
  next: cursorOfNext,
}

export const reportAnswers = {
  reportVerdict: object('ReportVerdict', 'What a line of a report came to', verdictFields),
  reportPart: object('ReportPartAnswer', 'A part of a report that was taken', partFields),
  report: object('Report', 'A day of a network', dayFields),
} as const
