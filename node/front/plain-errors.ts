/** Errors between two threads: those that mean something to whoever asked stay what they are, of all others the text is left. */
import { UnreadableOrder } from '../../actors/orders/unreadable-order.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'

export interface PlainError {
  kind: 'unavailable' | 'unknown' | 'unreadable' | 'other'
  reason: StoreUnavailable['reason'] | null
  message: string
  stack: string
}

export function plainError(error: unknown): PlainError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', reason: error.reason, message, stack }
  const kind =
    error instanceof OutcomeUnknown ? 'unknown' : error instanceof UnreadableOrder ? 'unreadable' : 'other'
  return { kind, reason: null, message, stack }
}

export function rebuiltError({ kind, reason, message, stack }: PlainError): Error {
  const error = errorOf(kind, reason, message)
  error.stack = stack
  return error
}

function errorOf(kind: PlainError['kind'], reason: PlainError['reason'], message: string): Error {
  switch (kind) {
    case 'unavailable':
      return new StoreUnavailable(reason ?? 'unreachable', message)
    case 'unknown':
      return new OutcomeUnknown(message)
    case 'unreadable':
      return Object.assign(new UnreadableOrder('', ''), { message })
    case 'other':
      return new Error(message)
  }
}
