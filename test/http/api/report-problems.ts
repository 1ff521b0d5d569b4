/** What may be said of the fields of a report, each with an input that is told so. */
import { type ReportRules, readReportPart } from '../../../http/api/report-requests.ts'
import { type FieldError, fieldError, type Outcome } from '../../../http/foundation/errors.ts'
import type { Json } from '../../../http/foundation/json.ts'

function errorsOf(read: Outcome<unknown>): readonly FieldError[] {
  return !read.ok && read.refusal.name === 'fields' ? read.refusal.errors : []
}

const report = (change: Record<string, Json>, more: Partial<ReportRules> = {}) =>
  errorsOf(
    readReportPart(
      {
        ...{ network_id: '0001', day: '2026-03-01', report: '1', part: '1', parts: '2', lines: [] },
        ...change,
      },
      {
        ...{ networkProblem: null, currency: 'MXN', firstDay: '2026-01-01', lastDay: '2026-03-02' },
        ...more,
      },
    ),
  )

type Problem = [errors: readonly FieldError[], attr: string, code: string, detail: string]

export const reportProblems = {
  max_value: [
    report({ part: '3', parts: '2' }),
    'part',
    'max_value',
    'Ensure this value is less than or equal to 2.',
  ],
  not_a_list: [
    report({ lines: 'none' }),
    'lines',
    'not_a_list',
    'Expected a list of items but got type "str".',
  ],
  max_items: [
    report({ lines: Array.from({ length: 301 }, () => ({})) }),
    'lines',
    'max_length',
    'Ensure this list contains no more than 300 items.',
  ],
  report_currency: [
    report({}, { networkProblem: 'report_currency' }),
    'network_id',
    'invalid',
    'No currency is agreed on for this network.',
  ],
  report_day: [
    report({ day: '2026-03-03' }),
    'day',
    'invalid',
    'Reports are taken of days from 2026-01-01 to 2026-03-02.',
  ],
  report_too_many: [
    [fieldError('report', 'report_too_many', { most: 50 })],
    'report',
    'invalid',
    'There are 50 reports of this day already.',
  ],
  report_too_long: [
    [fieldError('lines', 'report_too_long', { most: 200_000 })],
    'lines',
    'invalid',
    'A report has at most 200000 lines, and a sum that the ledger can hold.',
  ],
  report_differs: [
    [fieldError('lines', 'report_differs', { count: 2100 })],
    'lines',
    'invalid',
    '2100 lines differ: this is hardly the report of this network and day.',
  ],
  report_line_count: [
    [fieldError('line_count', 'report_line_count', { count: 2 })],
    'line_count',
    'invalid',
    'All parts together have 2 lines.',
  ],
  report_paid_amount: [
    [fieldError('paid_amount', 'report_paid_amount', { amount: '12.00' })],
    'paid_amount',
    'invalid',
    'The payments of all parts together are 12.00.',
  ],
  report_line_unnamed: [
    report({ lines: [{ outcome: 'not_paid' }] }),
    'lines.0.order',
    'required',
    'At least one of order and reference is required.',
  ],
} as const satisfies Record<string, Problem>
