/**
 * What a network calls the payment of an order, as its till says with a start or a confirmation: kept beside the journal, by its
 * text, so that the network's report of the day can be matched (protocol 16.1).
 */
import type { Row, RowRef, Write } from '../../persistence/store.ts'
import { row } from '../../persistence/store.ts'

/** What is looked at of a message. */
interface Telling {
  order: { id: string }
  networkId?: string | undefined
  reference?: string | undefined
}

/** Of a message that has one. Others hold no row more. */
export function referenceRow(message: Telling): RowRef<'network_references'> | undefined {
  const key = referenceOf(message)
  return key === null ? undefined : row('network_references', key)
}

/** The write that keeps it, unless it is kept already. */
export function referenceAfter(
  message: Telling,
  { reference }: { reference: Row<'network_references'> | null },
): Write[] {
  const key = referenceOf(message)
  return key === null || reference !== null ? [] : [{ insert: 'network_references', values: key }]
}

function referenceOf(message: Telling): Row<'network_references'> | null {
  const { order, networkId, reference } = message
  return networkId === undefined || reference === undefined
    ? null
    : { order_id: order.id, network_id: networkId, reference }
}
