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
  /** Money on a chain that no order could be credited with by itself. */
  | 'deposit_unmatched'
  /** An issuer took money back out of the treasury. */
  | 'deposit_clawed_back'
  /** Money left the treasury, and no refund explains it. */
  | 'treasury_outflow'
  /** The treasury holds something else than its books say. */
  | 'treasury_differs'
  /** A refund was said to be sent, and it, or a part of it, was not seen leaving the treasury. */
  | 'refund_unseen'
  /** How far a chain was read is not stored any more, and open orders may have been paid meanwhile. */
  | 'chain_place_lost'
  /** A line of a bank's statement that is nobody's as far as is known. */
  | 'bank_unidentified'
  /** A payment that was ordered after the backup that was restored. */
  | 'payment_lost'
  /** A claim that was opened or has ended after the backup that was restored. */
  | 'claim_lost'
  /** A network's report and the orders here say different things of a payment. */
  | 'report_difference'
  /** An order's transaction cannot be built before somebody does something. */
  | 'transaction_blocked'
  /** A pass of the node cannot work on an order. */
  | 'order_stuck'

/** What is done: `honour` has the cash handled, `return` not; `accept` credits an order, `refunded` tells of a refund. */
export type Resolution = 'honour' | 'return' | 'retry' | 'accept' | 'refunded' | 'dismiss'

/** What an order is, where that matters to what a resolution does. */
export type OrderSort = Direction | 'FOREIGN_PAY_OUT'

/** What a resolution does, for people; where it depends on the sort of order, for each. */
type Does = string | Record<OrderSort, string>

interface KindEntry {
  /** What its evidence holds, for people. */
  evidence: string
  resolutions: Partial<Record<Resolution, Does>>
}

const endedWhileLocked = {
  evidence: 'who held the order and since when; late confirmations: how many, when, by which key',
  resolutions: {
    honour: {
      PAY_OUT: 'The cash was handed over: the money goes to the provider.',
      PAY_IN: 'The cash was collected: the provider owes it, and it becomes available to the merchant.',
      FOREIGN_PAY_OUT: 'The cash was handed over: the money goes to the provider.',
    },
    return: {
      PAY_OUT: 'No cash was handed over: the money becomes available to the merchant again.',
      PAY_IN: 'No cash was collected: nothing moves.',
      FOREIGN_PAY_OUT:
        'No cash was handed over: what was sent on the blockchain has to be refunded, which opens another exception.',
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
          'The cash was handed over after all: the provider is paid from the merchant’s available ' +
          'money; any shortfall becomes the merchant’s debt.',
        PAY_IN:
          'The cash was collected after all: the provider owes it, and it becomes available to the merchant.',
        FOREIGN_PAY_OUT:
          "The cash was handed over after all: the provider is paid from the operator's own money.",
      },
      dismiss: 'The provider was wrong: the return stands.',
    },
  },
  webhook_dead: {
    evidence: 'the webhook, its target, the outcome of the last attempt, whom to contact',
    resolutions: {
      retry: 'The webhook is sent again, and its attempts are counted anew.',
      dismiss: 'The merchant has been told another way, or need not know.',
    },
  },
  deposit_unmatched: {
    evidence:
      'chain, transaction, amount, asset, sender, what it carried, why no order was credited, the proposed order and action',
    resolutions: {
      accept:
        'It is credited to the proposed order or the one you name, which must be waiting for money ' +
        'in this asset and not be past its expiry. Any excess opens another exception.',
      refunded:
        'It was refunded: give the transaction as evidence (--evidence). It is booked as leaving the treasury.',
      dismiss:
        "It belongs to the operator, for example its own transfer: it is booked as the operator's money.",
    },
  },
  deposit_clawed_back: {
    evidence: 'chain, transaction, amount, asset, what was seen',
    resolutions: { dismiss: "It is booked as the operator's loss." },
  },
  treasury_outflow: {
    evidence: 'chain, transaction, amount, asset, who got it, what it carried',
    resolutions: {
      dismiss:
        "It was the operator's own transfer or is its loss, and is booked as such. If it was a refund, resolve that " +
        'refund instead, with this transaction as evidence.',
    },
  },
  treasury_differs: {
    evidence:
      'what the treasury holds and what its books say, in smallest units, behind which block, and which blocks were ' +
      'read again to find what is missing',
    resolutions: {
      dismiss:
        "The cause is known: the books are set to what is there, and the difference is booked as the operator's.",
    },
  },
  refund_unseen: {
    evidence:
      'the exception it is the refund of, in which transaction it was said to be sent, how much was seen leaving',
    resolutions: {
      dismiss:
        "It was sent from elsewhere, or never will be: what stays in the treasury is booked as the operator's. A " +
        'later transfer for it is reported like any other.',
    },
  },
  refund_due: {
    evidence:
      'what was received for the order, from which wallet, in which asset, and every transaction it came by',
    resolutions: {
      refunded:
        'It was refunded: give the transaction as evidence (--evidence). It is booked as leaving the treasury.',
      dismiss: "It will not be refunded: it is booked as the operator's money.",
    },
  },
  chain_outage: {
    evidence: 'when the order expired, and how long it could be funded, by the time of its chain',
    resolutions: {
      dismiss: 'Noted. If money came for it, another exception opens once the chain is read again.',
    },
  },
  chain_place_lost: {
    evidence:
      'how many open orders it is about, when the oldest was made, behind which block it is read again',
    resolutions: { dismiss: 'The chain was read again from before the oldest of these orders was made.' },
  },
  bank_unidentified: {
    evidence: 'the bank account, whether it came or left, its reference and value day, what was said of it',
    resolutions: {
      dismiss:
        "It is the operator's: it is booked as the operator's fee. Where it is a party's, identify it instead: payment " +
        'identify; where it was sent back, record that line: bank record --kind sent_back.',
    },
  },
  payment_lost: {
    evidence: 'the payment and its party, its amount, the bank account and the run it was ordered with',
    resolutions: {
      dismiss:
        'The bank has not paid it and will not: what it was for can be ordered again. Where the bank has paid it, order it as ' +
        'what it is instead, and book it: payment order --lost.',
    },
  },
  claim_lost: {
    evidence:
      'the claim, its kind and parties, the order it is about, its amount, and how it has ended where it has',
    resolutions: {
      dismiss:
        'Noted. What is not here was opened anew (claim open), under another number; what was decided was decided again: claim accept, ' +
        'uphold or reject. Where the order is not here any more, what it comes to is a correction: adjustment record.',
    },
  },
  report_difference: {
    evidence:
      'the network, the day and the line of its report, what it says of the payment and what is booked here',
    resolutions: {
      dismiss:
        'Both sides agree by now, or what is booked here stands: nothing moves. Where the network sends a corrected report of the ' +
        'day, this is settled by that.',
    },
  },
  transaction_blocked: {
    evidence: "why the order's transaction cannot be built, its wallet and asset",
    resolutions: {
      dismiss: 'Noted. The node keeps trying, and resolves this itself once it succeeds.',
    },
  },
  order_stuck: {
    evidence: 'what could not be done, why, and by which version of its chart the order was stored',
    resolutions: {
      dismiss: 'Noted. The node keeps trying, and resolves this itself once it can process the order.',
    },
  },
  webhook_unsigned: {
    evidence: 'the first waiting webhook, whom to contact',
    resolutions: {
      dismiss: 'Noted. The webhooks resume by themselves once the merchant has a live key.',
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
  sort: OrderSort,
): { as: Resolution; does: string }[] {
  if (state !== 'open' || !isExceptionKind(kind)) return []
  const { resolutions }: KindEntry = exceptionKinds[kind]
  return resolutionNames.flatMap((as) => {
    const does = resolutions[as]
    return does === undefined ? [] : [{ as, does: typeof does === 'string' ? does : does[sort] }]
  })
}

export const resolutionNames = [
  'honour',
  'return',
  'retry',
  'accept',
  'refunded',
  'dismiss',
] as const satisfies Resolution[]

export type OpenedException = Pick<Row<'exceptions'>, 'id' | 'order_id' | 'reason' | 'opened_at'> & {
  kind: ExceptionKind
  evidence: object
  amount?: string | null
  asset?: string | null
  chain?: string | null
  transaction_id?: string | null
  sender?: string | null
}

/** The money at stake where an exception is about an order's. */
export function priceAtStake({ price_minor, currency }: Row<'orders'>): { amount: string; asset: string } {
  return { amount: formatPrice(price_minor, currency), asset: currency }
}

/** The row of an exception that is opened now. */
export function newException({
  evidence,
  amount = null,
  asset = null,
  chain = null,
  transaction_id = null,
  sender = null,
  ...opened
}: OpenedException): Row<'exceptions'> {
  return {
    ...opened,
    state: 'open',
    chain,
    transaction_id,
    amount,
    asset,
    sender,
    evidence_json: JSON.stringify(evidence),
    resolved_at: null,
    resolution: null,
    resolved_by: null,
    resolution_reason: null,
    resolution_evidence: null,
    revision: 1,
  }
}
