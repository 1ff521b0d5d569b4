/** What each resolution of each kind of exception does: one total table, pure. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { move, postingOf, type Settlement, takeBack } from '../orders/postings.ts'
import { resend } from '../webhook-resend.ts'
import type { ExceptionKind, ResolutionOf } from './kinds.ts'

/** What an exception is about, as its step holds it. */
export interface Subject {
  order: Row<'orders'> | null
  webhook: Row<'webhooks'> | null
  /** What the order's merchant has available, in the order's currency. */
  availableMinor: bigint
  at: Instant
}

export interface Effects {
  writes: readonly Write[]
  wake: readonly Topic[]
  /** It says where an order's money is, and belongs into the order's journal. */
  settles: Row<'orders'> | null
}

/** Why it cannot be done, as a sentence. */
export class Impossible {
  readonly problem: string
  constructor(problem: string) {
    this.problem = problem
  }
}

type Resolve = (subject: Subject) => Effects | Impossible

type Resolutions = {
  [Kind in ExceptionKind]: { [As in ResolutionOf<Kind>]: Resolve }
}

const nothing: Resolve = () => ({ writes: [], wake: [], settles: null })

const endedWhileLocked = { honour: settle('honour'), return: settle('return') }

export const resolutions: Resolutions = {
  expired_while_locked: endedWhileLocked,
  cancelled_while_locked: endedWhileLocked,
  confirmed_after_return: { honour: settle('reclaim'), dismiss: nothing },
  webhook_dead: { retry, dismiss: nothing },
  webhook_unsigned: { dismiss: nothing },
}

function settle(settlement: Settlement): Resolve {
  return ({ order, availableMinor }) => {
    if (order === null) throw new Error(`Nothing to ${settlement}: the exception has no order.`)
    const posting = postingOf(order, settlement)
    if (posting === null) return { writes: [], wake: [], settles: order }
    if (posting.debit.kind === 'available') {
      return { writes: takeBack(posting, availableMinor), wake: [], settles: order }
    }
    return { ...move(posting), settles: order }
  }
}

/** The retries begin anew. */
function retry({ webhook, at }: Subject): Effects | Impossible {
  if (webhook === null) return new Impossible('The webhook is gone.')
  const { state, pruned_at } = webhook
  if (pruned_at !== null) {
    return new Impossible(
      `The webhook's body was removed at ${formatInstant(pruned_at)}; it cannot be sent again.`,
    )
  }
  if (state !== 'dead') return new Impossible(`The webhook is ${state}, not dead.`)
  return { writes: [resend(webhook, at)], wake: ['webhooks'], settles: null }
}
