/** A sealed statement as a table for spreadsheets: read and sent in parts, so that its length has no bound. */
import { setImmediate } from 'node:timers/promises'
import { type Cell, csvHead, csvRows } from '../../actors/foundation/csv-table.ts'
import type { OwnStatement } from '../../actors/settlement/own-statements.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import type { MerchantLineView, ProviderLineView } from './settlement-views.ts'

type LineView = MerchantLineView | ProviderLineView

/** Columns that spreadsheets take for numbers. */
const numbers: ReadonlySet<string> = new Set(['line', 'amount', 'fee', 'tax', 'balance'])

const before = ['line', 'day', 'about_day', 'at', 'kind', 'direction'] as const
const after = ['reference', 'amount', 'fee', 'tax', 'balance'] as const

/** In their order: the members of a line, as JSON has them. */
export const tableColumns = {
  merchant: [...before, 'order_id', ...after] as const satisfies readonly (keyof MerchantLineView)[],
  provider: [...before, 'network_id', ...after] as const satisfies readonly (keyof ProviderLineView)[],
}

/**
 * @param first the first page of its lines
 * @param pageAfter the page behind a cursor, which is the `next` of the one before
 */
export function tableAnswer(
  first: OwnStatement,
  columns: readonly string[],
  viewOfLine: (line: OwnStatement['lines'][number]) => LineView,
  pageAfter: (cursor: string) => Promise<OwnStatement>,
): HttpAnswer {
  const { number, currency } = first.statement
  const rowsOf = ({ lines }: OwnStatement) =>
    csvRows(
      lines.map((line) => {
        const view: Readonly<Record<string, string | number | null>> = viewOfLine(line)
        return [
          { number: String(number) },
          currency,
          ...columns.map((name) => cellOf(name, view[name] ?? null)),
        ]
      }),
    )
  async function* parts(): AsyncGenerator<string> {
    yield csvHead(['statement', 'currency', ...columns]) + rowsOf(first)
    for (let { next } = first; next !== null; ) {
      // SQLite answers at once, so that without it nobody else would be served until the last part.
      await setImmediate()
      const page = await pageAfter(next)
      yield rowsOf(page)
      next = page.next
    }
  }
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="statement-${currency}-${number}.csv"`,
  }
  return { status: 200, headers, body: '', parts: parts() }
}

function cellOf(name: string, value: string | number | null): Cell {
  if (value === null) return ''
  return numbers.has(name) ? { number: String(value) } : String(value)
}
