/** Exceptions as lines of a table. */
import type { ExceptionSummary } from '../../actors/exceptions/documents.ts'
import { shortTime, table } from '../table.ts'

export function exceptionTable(exceptions: readonly ExceptionSummary[]): string {
  return table(exceptions, [
    { title: 'KIND', value: (exception) => exception.kind },
    { title: 'STATE', value: (exception) => exception.state },
    { title: 'OPENED', value: (exception) => shortTime(exception.openedAt) },
    { title: 'AMOUNT', value: amountOf, right: true },
    { title: 'CHAIN', value: (exception) => exception.chain },
    { title: 'ORDER', value: (exception) => exception.order },
    { title: 'ID', value: (exception) => exception.id },
  ])
}

export function amountOf({ amount, asset }: ExceptionSummary): string | null {
  return amount === null ? null : `${amount} ${asset ?? ''}`.trim()
}
