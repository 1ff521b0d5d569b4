/**
 * Ids of exceptions that follow from what they are about, so that a step can name the row before it is known
 * whether there is one, and none is opened twice.
 */
import { createHash } from 'node:crypto'

/** The same parts give the same id each time, in the form of a UUID (version 8, RFC 9562). */
export function exceptionId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

/** Of an order that ended while a provider held it: an order ends once, in whichever way. */
export function endedWhileLockedId(orderId: string): string {
  return exceptionId('ended_while_locked', orderId)
}

/** Of an order that ended with money of its end user: it ends once. */
export function refundDueId(orderId: string): string {
  return exceptionId('refund_due', orderId)
}

/** Of an order that ended while its chain could not be read. */
export function chainOutageId(orderId: string): string {
  return exceptionId('chain_outage', orderId)
}

/** Of an order whose transaction cannot be built. */
export function transactionBlockedId(orderId: string): string {
  return exceptionId('transaction_blocked', orderId)
}

/** Of an order that the node cannot work on. */
export function orderStuckId(orderId: string): string {
  return exceptionId('order_stuck', orderId)
}

/** Of a deposit, or of what is left of it once it was accepted for an order. */
export function chainDepositExceptionId(
  chainDepositId: string,
  part: 'deposit' | 'rest' = 'deposit',
): string {
  return exceptionId(part === 'deposit' ? 'deposit_unmatched' : 'deposit_rest', chainDepositId)
}

/** Of an order whose money was given back before its provider said that the cash was handled. */
export function confirmedAfterReturnId(orderId: string): string {
  return exceptionId('confirmed_after_return', orderId)
}

/** The 32 bytes that a refund of an exception carries, so that it is recognised when it leaves the treasury. */
export function refundReference(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

/** Of what left a treasury and no refund explains. */
export function outflowExceptionId(outflowId: string): string {
  return exceptionId('treasury_outflow', outflowId)
}

/** Of a refund that was said to be sent, and of which too little was seen leaving. */
export function refundUnseenId(refundId: string): string {
  return exceptionId('refund_unseen', refundId)
}

/** Of a chain of which it was not stored any more how far it was read, found at this time. */
export function placeLostId(blockchain: string, at: number): string {
  return exceptionId('chain_place_lost', blockchain, `${at}`)
}

/** Of a treasury that holds something else than its books say, found behind this block. */
export function treasuryDifferenceId(blockchain: string, assetId: string, height: string): string {
  return exceptionId('treasury_differs', blockchain, assetId, height)
}
