/** What networks' software sends of a day, and asks: protocol 16.7. */
import {
  amount,
  cursor,
  day,
  maxTillText,
  optional,
  pageSize,
  type RequestSchema,
  text,
  time,
} from './field-schemas.ts'

export const reportSchemas = {
  sentReport: {
    title: 'ReportPart',
    description: 'A part of what a network reports of a day',
    type: 'object',
    properties: {
      network_id: text('A network registered for the provider', '0001', 127),
      day: day('The day that is reported, as agreed on with the operator', '2026-03-01'),
      report: text(
        'What the sender calls this report of the day; a corrected one has another',
        '2026-03-01/1',
        100,
      ),
      part: { ...pageSize('Which part this is, from 1; they are sent in their order', 1) },
      parts: { ...pageSize('How many parts the report has', 1) },
      line_count: {
        type: 'integer',
        minimum: 0,
        description: 'With the last part: how many lines all parts have',
        examples: [1],
      },
      paid_amount: amount('With the last part: the sum of all lines that are paid', '1000.00'),
    },
    required: ['network_id', 'day', 'report', 'part', 'parts'],
    lists: {
      lines: {
        description: 'What became of each payment; empty of a day without any',
        item: 'reportLine',
        maxItems: 300,
      },
    },
  },
  reportLine: {
    title: 'ReportLine',
    description: 'What became of a payment; it has an order, a reference, or both',
    type: 'object',
    properties: {
      order: optional(text('Code or id of the order', '123456789012347', maxTillText)),
      reference: optional(text('What the network calls the payment', 'F-2026-0001', maxTillText)),
      outcome: {
        type: 'string',
        enum: ['paid', 'reversed', 'not_paid'],
        description: '`reversed`: paid, and taken back',
        examples: ['paid'],
      },
      amount: amount('What was paid or collected; of `not_paid` it may be left out', '1000.00'),
      paid_at: time('When; of what is not `paid` it may be left out'),
    },
    required: ['outcome'],
  },
  reportDay: {
    title: 'ReportQuery',
    description: 'Which day of which network',
    type: 'object',
    properties: {
      network_id: text('A network registered for the provider', '0001', 127),
      day: day('The day', '2026-03-01'),
      limit: pageSize('How many lines a page has; 300 when not sent, and at most', 300),
      cursor,
    },
    required: ['network_id', 'day'],
  },
} as const satisfies Record<string, RequestSchema>

/** A page of a report has as many lines when nothing is said, and never more. */
export const maxReportLinesListed = 300
