/**
 * What a network calls the payment of an order, as its till says with a start or a confirmation: kept beside the journal, by its
 * text, so that the network's report of the day can be matched (protocol 16.1).
 */
import type { Row, RowRef, Write } from '../../persistence/store.ts'
import { row } from '../../persistence/store.ts'
import type { Message } from './telling.ts'

/** Of a message that has one. Others hold no row more. */
export function referenceRow(message: Message): RowRef<'network_references'> | undefined {
  const key = referenceOf(message)
  return key === null ? undefined : row('network_references', key)
}

/** The write that keeps it, unless it is kept already. */
export function referenceAfter(
  message: Message,
  { reference }: { reference: Row<'network_references'> | null },
): Write[] {
  const key = referenceOf(message)
  return key === null || reference !== null ? [] : [{ insert: 'network_references', values: key }]
}

function referenceOf(message: Message): Row<'network_references'> | null {
  if (!('reference' in message) || message.reference === undefined) return null
  const { order, networkId, reference } = message
  return networkId === undefined ? null : { order_id: order.id, network_id: networkId, reference }
}
