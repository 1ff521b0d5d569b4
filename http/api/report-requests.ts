/** What networks' software sends of a day, read: protocol 16.7. */
import { maxParts, type SentLine } from '../../actors/reconciliation/sent-reports.ts'
import { currencyDecimals } from '../../machines/money.ts'
import { parseInstant } from '../../machines/time.ts'
import { fieldError, type Outcome } from '../foundation/errors.ts'
import { amountError } from '../foundation/formats.ts'
import type { Json } from '../foundation/json.ts'
import { maxReportLinesListed } from './report-schemas.ts'
import { type AskedPage, finish, minorUnits, pageOf, parametersOf, sent } from './requests.ts'
import { type Fields, validate, validateList } from './validation.ts'

export interface ReportPartRequest {
  networkId: string
  day: string
  name: string
  part: number
  parts: number
  totals: { lineCount: number; paidMinor: bigint } | null
  lines: SentLine[]
}

export interface ReportRules {
  /** `null` where the network is registered to this provider and has a currency. */
  networkProblem: 'network_unknown' | 'report_currency' | null
  currency: string
  /** Of which days reports are taken, inclusive. */
  firstDay: string
  lastDay: string
}

/** The network that a part is of, before anything else is judged: which row to look at. */
export function reportNetworkOf(body: Json): string | null {
  const { errors, fields } = validate('sentReport', body)
  return errors.some(({ attr }) => attr === 'network_id') ? null : (fields.network_id ?? null)
}

export function readReportPart(body: Json, rules: ReportRules): Outcome<ReportPartRequest> {
  const decimals = currencyDecimals(rules.currency)
  const { firstDay: first, lastDay: last } = rules
  const isLast = ({ part, parts }: Fields) => Number(part) === Number(parts)
  const judged = validate('sentReport', body, {
    network_id: () => (rules.networkProblem === null ? null : fieldError('network_id', rules.networkProblem)),
    day: (day) => (day < first || day > last ? fieldError('day', 'report_day', { first, last }) : null),
    part: (part, { parts }) =>
      Number(part) > Number(parts) ? fieldError('part', 'max_value', { max_value: Number(parts) }) : null,
    parts: (parts) =>
      Number(parts) > maxParts ? fieldError('parts', 'max_value', { max_value: maxParts }) : null,
    paid_amount: (text) => plainAmount('paid_amount', text, decimals),
  })
  const errors = [...judged.errors]
  if (errors.length === 0 && isLast(judged.fields)) {
    for (const name of ['line_count', 'paid_amount'])
      if (judged.fields[name] === undefined) errors.push(fieldError(name, 'required'))
  }
  const list = errors.some(({ attr }) => attr === 'non_field_errors')
    ? { errors: [], items: [] }
    : validateList('sentReport', 'lines', body, lineRules(decimals), lineProblem)
  const all = { errors: [...errors, ...list.errors], fields: judged.fields }
  return finish(all, (fields) => ({
    networkId: sent(fields, 'network_id'),
    day: sent(fields, 'day'),
    name: sent(fields, 'report'),
    part: Number(sent(fields, 'part')),
    parts: Number(sent(fields, 'parts')),
    totals: isLast(fields)
      ? {
          lineCount: Number(sent(fields, 'line_count')),
          paidMinor: minorUnits(sent(fields, 'paid_amount'), decimals),
        }
      : null,
    lines: list.items.map((line) => lineOf(line, decimals)),
  }))
}

function plainAmount(attr: string, text: string, decimals: number) {
  const error = amountError(attr, text, decimals)
  if (error !== null) return error
  return text.startsWith('-') ? fieldError(attr, 'min_value', { min_value: 0 }) : null
}

function lineRules(decimals: number) {
  return {
    amount: (text: string) => {
      const error = plainAmount('amount', text, decimals)
      if (error !== null) return error
      return minorUnits(text, decimals) > 0n ? null : fieldError('amount', 'price_too_low')
    },
  }
}

/** What the fields of a line have to be together. */
function lineProblem({ order, reference, outcome, amount, paid_at }: Fields) {
  if (!order && !reference) return fieldError('order', 'report_line_unnamed')
  if (outcome !== 'not_paid' && amount === undefined) return fieldError('amount', 'required')
  return outcome === 'paid' && paid_at === undefined ? fieldError('paid_at', 'required') : null
}

function lineOf({ order, reference, outcome, amount, paid_at }: Fields, decimals: number): SentLine {
  return {
    kind: outcome === 'reversed' || outcome === 'not_paid' ? outcome : 'paid',
    named: order || null,
    reference: reference || null,
    amountMinor: amount === undefined ? null : minorUnits(amount, decimals),
    paidAt: paid_at === undefined ? null : parseInstant(paid_at),
  }
}

/** The query string of a day of a network. */
export function readReportDay(query: string): Outcome<AskedPage & { networkId: string; day: string }> {
  return finish(validate('reportDay', parametersOf(query)), (fields) => ({
    networkId: sent(fields, 'network_id'),
    day: sent(fields, 'day'),
    ...pageOf(fields, maxReportLinesListed),
  }))
}
