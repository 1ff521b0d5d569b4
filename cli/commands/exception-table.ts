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
    { title: 'TRANSACTIONS', value: transactionsOf },
    { title: 'ORDER', value: (exception) => exception.order },
    { title: 'ID', value: (exception) => exception.id },
  ])
}

export function amountOf({ amount, asset }: ExceptionSummary): string | null {
  return amount === null ? null : `${amount} ${asset ?? ''}`.trim()
}

/** Ids have up to 88 characters: `exception show` tells them whole. */
function transactionsOf({ transactionIds: [first, ...more] }: ExceptionSummary): string | null {
  if (first === undefined) return null
  const short = first.length <= 16 ? first : `${first.slice(0, 12)}…`
  return more.length === 0 ? short : `${short} +${more.length}`
}
