/** Reports of a network's day, sent by its software and read back: protocol 16.7. */

import type { MessageGuard } from '../../actors/orders/answers.ts'
import type { Directory } from '../../actors/parties/party-limits.ts'
import { ownReport } from '../../actors/reconciliation/own-reports.ts'
import { maxReportLines } from '../../actors/reconciliation/report-lines.ts'
import {
  maxReportsOfDay,
  type PartOutcome,
  type PartRefusal,
  receivePart,
  type SendingContext,
  type SentPart,
} from '../../actors/reconciliation/sent-reports.ts'
import { addDays, localDay } from '../../actors/terms/days.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { type FieldError, fieldError, type HttpRefusal } from '../foundation/errors.ts'
import { keyAnswer } from './creation-answers.ts'
import { type ReportRules, readReportDay, readReportPart, reportNetworkOf } from './report-requests.ts'
import { viewOfPart, viewOfReport } from './report-views.ts'
import { type Endpoint, guardOf, jsonAnswer, type Route, refuse, speaker, storedAnswer } from './route.ts'

/** Beside the store: what is answered is made in the step that keeps the part. */
export function createReportParts(context: SendingContext) {
  return (sent: SentPart, guard: MessageGuard | undefined): Promise<PartOutcome> =>
    receivePart(context, sent, {
      guard,
      answer: (received) => ({ status: 200, body: JSON.stringify(viewOfPart(received)) }),
    })
}

export interface ReportRoutesOptions {
  store: Parameters<typeof ownReport>[0]
  directory: Pick<Directory, 'network'>
  clock: { now(): Instant }
  sendReport: ReturnType<typeof createReportParts>
}

export function reportRoutes(options: ReportRoutesOptions): Route[] {
  return [
    {
      path: '/providers/reports/',
      party: 'provider',
      takesQuery: true,
      methods: {
        GET: {
          id: 'getReport',
          summary: 'Look at a day of a network',
          description:
            'In which state it is, and what each line of its report came to. `state` is `open` without a report, ' +
            '`imported` while a later report may tell of what is missing, `differences` while a person has to look, and `reconciled`.',
          request: ['reportDay'],
          answer: { status: 200, schema: 'report' },
          repetition: 'freely',
          refusals: [],
          problems: ['network_unknown', 'report_currency', 'cursor_unknown'],
          endpoint: show(options),
        },
        POST: {
          id: 'sendReport',
          summary: 'Send a part of the report of a day',
          description:
            'What a network has paid and collected on a day, in parts of at most 300 lines, in their order. Each line is ' +
            'answered with what it comes to as things stand; once the last part is there and its totals hold, the day is judged, ' +
            'a moment later. The same part again changes nothing. Another `report` of the day takes the place of the one before.',
          request: ['sentReport'],
          answer: { status: 200, schema: 'reportPart' },
          repetition: 'freely',
          refusals: ['report_part_differs', 'report_part_expected'],
          problems: [
            'network_unknown',
            'report_currency',
            'report_day',
            'max_value',
            'price_too_low',
            'report_too_many',
            'report_too_long',
            'report_differs',
            'report_line_count',
            'report_paid_amount',
            'report_line_unnamed',
          ],
          endpoint: receive(options),
        },
      },
    },
  ]
}

/** So long ago a day may be. */
const oldestDays = 92

function receive({ directory, clock, sendReport }: ReportRoutesOptions): Endpoint {
  return async (request) => {
    const { identity, document } = request
    const named = reportNetworkOf(document)
    const network = named === null ? null : await directory.network(named, identity.partyId)
    const today = localDay(clock.now(), 'UTC')
    const rules: ReportRules = {
      networkProblem: problemOf(network),
      currency: network?.currency ?? '',
      // East of Greenwich the next day has begun.
      ...{ firstDay: addDays(today, -oldestDays), lastDay: addDays(today, 1) },
    }
    const read = readReportPart(document, rules)
    if (!read.ok) return refuse(read.refusal)
    const { networkId, day, name, part, parts } = read.value
    request.note({ report: `${networkId} ${day} ${part}/${parts}` })
    const { id, name: said, credential } = speaker(identity)
    const sent = { ...read.value, provider: { id, name: said, credential } }
    const done = await sendReport(sent, guardOf(request))
    switch (done.outcome) {
      case 'received':
        request.note({ reportName: name })
        return storedAnswer(done.answer)
      case 'refused':
        return refuse(refusalOf(done.refusal, rules.currency))
      case 'stale_repetition':
        throw new Error('A report is not bound to a revision.')
      default:
        return keyAnswer(done)
    }
  }
}

function problemOf(network: { currency: string | null } | null): ReportRules['networkProblem'] {
  if (network === null) return 'network_unknown'
  return network.currency === null ? 'report_currency' : null
}

function refusalOf(refusal: PartRefusal, currency: string): HttpRefusal {
  const fields = (error: FieldError): HttpRefusal => ({ name: 'fields', errors: [error] })
  switch (refusal.reason) {
    case 'differs':
      return { name: 'report_part_differs' }
    case 'expected':
      return { name: 'report_part_expected', values: { part: refusal.part } }
    case 'too_many_reports':
      return fields(fieldError('report', 'report_too_many', { most: maxReportsOfDay }))
    case 'too_many_lines':
      return fields(fieldError('lines', 'report_too_long', { most: maxReportLines }))
    case 'too_many_differences':
      return fields(fieldError('lines', 'report_differs', { count: refusal.count }))
    case 'line_total':
      return fields(fieldError('line_count', 'report_line_count', { count: refusal.count }))
    case 'paid_total': {
      const amount = formatPrice(refusal.paidMinor, currency)
      return fields(fieldError('paid_amount', 'report_paid_amount', { amount }))
    }
  }
}

function show({ store, directory }: ReportRoutesOptions): Endpoint {
  return async ({ identity: { partyId }, query }) => {
    const read = readReportDay(query)
    if (!read.ok) return refuse(read.refusal)
    const { networkId, day, ...page } = read.value
    const problem = problemOf(await directory.network(networkId, partyId))
    if (problem !== null) return refuse({ name: 'fields', errors: [fieldError('network_id', problem)] })
    const found = await ownReport(store, { providerId: partyId, networkId, day }, page)
    if (found === null) return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
    return jsonAnswer(200, viewOfReport(found))
  }
}
