/**
 * Everything that needs a person: a closed list of kinds, each with what it shows and how it may be resolved.
 *
 * A kind is opened in the step that causes it. Nothing of value is ever resolved by time alone.
 */
import { formatPrice } from '../../machines/money.ts'
import type { Direction, OrderExceptionKind } from '../../machines/order.ts'
import type { Row } from '../../persistence/store.ts'

export type ExceptionKind =
  | OrderExceptionKind
  /** Its money was given back, and then the provider that had held the order confirmed. */
  | 'confirmed_after_return'
  /** A merchant was not told of an order: refused at once, or given up. */
  | 'webhook_dead'
  /** A merchant has no live key that its webhooks could be signed with. */
  | 'webhook_unsigned'

/** What is done: `honour` has the cash handled, `return` not. */
export type Resolution = 'honour' | 'return' | 'retry' | 'dismiss'

/** What a resolution does, for people; where it depends on the order's direction, for each. */
type Does = string | Record<Direction, string>

interface KindEntry {
  /** What its evidence holds, for people. */
  evidence: string
  resolutions: Partial<Record<Resolution, Does>>
}

const endedWhileLocked = {
  evidence: 'who held the order, since when; confirmations that came too late: how often, when, by which key',
  resolutions: {
    honour: {
      PAY_OUT: 'The cash was handed over: the money goes to the provider.',
      PAY_IN: 'The cash was collected: the provider owes it, and the merchant has it available.',
    },
    return: {
      PAY_OUT: 'No cash was handed over: the money is available to the merchant again.',
      PAY_IN: 'No cash was collected: nothing moves.',
    },
  },
} as const satisfies KindEntry

/** Total over the kinds: a new one does not compile until it is said here how it ends. */
export const exceptionKinds = {
  expired_while_locked: endedWhileLocked,
  cancelled_while_locked: endedWhileLocked,
  confirmed_after_return: {
    evidence: 'the confirmations that came after the return: how often, when, by which key',
    resolutions: {
      honour: {
        PAY_OUT:
          'The cash was handed over after all: the provider gets it from what the merchant has available; ' +
          'what is missing is a debt.',
        PAY_IN: 'The cash was collected after all: the provider owes it, and the merchant has it available.',
      },
      dismiss: 'The provider was wrong: the return stands.',
    },
  },
  webhook_dead: {
    evidence: 'the webhook, where it was sent, how its last attempt ended, whom to call',
    resolutions: {
      retry: 'The webhook is sent again, with all its attempts before it.',
      dismiss: 'The merchant knows, or need not know.',
    },
  },
  webhook_unsigned: {
    evidence: 'the first webhook that waits, whom to call',
    resolutions: {
      dismiss: 'It is in hand. The webhooks go on by themselves once the merchant has a live key.',
    },
  },
} as const satisfies Record<ExceptionKind, KindEntry>

export type ResolutionOf<Kind extends ExceptionKind> = keyof (typeof exceptionKinds)[Kind]['resolutions'] &
  Resolution

export function isExceptionKind(kind: string): kind is ExceptionKind {
  return Object.hasOwn(exceptionKinds, kind)
}

/** How an exception may be resolved, each with what it does; none for one that is resolved. */
export function resolutionsOf(
  { kind, state }: Pick<Row<'exceptions'>, 'kind' | 'state'>,
  direction: Direction,
): { as: Resolution; does: string }[] {
  if (state !== 'open' || !isExceptionKind(kind)) return []
  const { resolutions }: KindEntry = exceptionKinds[kind]
  return resolutionNames.flatMap((as) => {
    const does = resolutions[as]
    return does === undefined ? [] : [{ as, does: typeof does === 'string' ? does : does[direction] }]
  })
}

export const resolutionNames = ['honour', 'return', 'retry', 'dismiss'] as const satisfies Resolution[]

export type OpenedException = Pick<Row<'exceptions'>, 'id' | 'order_id' | 'reason' | 'opened_at'> & {
  kind: ExceptionKind
  evidence: object
  amount?: string | null
  asset?: string | null
}

/** The money at stake where an exception is about an order's. */
export function priceAtStake({ price_minor, currency }: Row<'orders'>): { amount: string; asset: string } {
  return { amount: formatPrice(price_minor, currency), asset: currency }
}

/** The row of an exception that is opened now; nothing of it is about a blockchain. */
export function newException({
  evidence,
  amount = null,
  asset = null,
  ...opened
}: OpenedException): Row<'exceptions'> {
  return {
    ...opened,
    state: 'open',
    chain: null,
    transaction_id: null,
    amount,
    asset,
    sender: null,
    evidence_json: JSON.stringify(evidence),
    resolved_at: null,
    resolution: null,
    resolved_by: null,
    resolution_reason: null,
    resolution_evidence: null,
    revision: 1,
  }
}
