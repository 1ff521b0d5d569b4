/** What each resolution of each kind of exception does: one total table, pure. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import type { ExceptionKind, ResolutionOf } from '../exceptions/kinds.ts'
import { foreignPostings } from '../orders/foreign-postings.ts'
import { refundDue } from '../orders/order-exceptions.ts'
import { moveAll, postingsOf, type Settlement } from '../orders/postings.ts'
import { claimAfter } from '../orders/refunds.ts'
import { takeAllBack } from '../orders/taking-back.ts'
import { resend } from '../webhooks/resend.ts'
import { accept, keep, refunded } from './chain-deposit-resolutions.ts'
import { done, type Effects, type Impossible, impossible, type Resolve, type Subject } from './resolution.ts'
import { followTreasury, keepUnsent } from './treasury-resolutions.ts'

type Resolutions = {
  [Kind in ExceptionKind]: { [As in ResolutionOf<Kind>]: Resolve }
}

const nothing: Resolve = () => done()

const endedWhileLocked = { honour: settle('honour'), return: settle('return') }

export const resolutions: Resolutions = {
  expired_while_locked: endedWhileLocked,
  cancelled_while_locked: endedWhileLocked,
  confirmed_after_return: { honour: settle('reclaim'), dismiss: nothing },
  webhook_dead: { retry, dismiss: nothing },
  webhook_unsigned: { dismiss: nothing },
  deposit_unmatched: { accept, refunded, dismiss: keep },
  deposit_clawed_back: { dismiss: keep },
  treasury_outflow: { dismiss: keep },
  treasury_differs: { dismiss: followTreasury },
  refund_unseen: { dismiss: keepUnsent },
  bank_unidentified: { dismiss: keep },
  payment_lost: { dismiss: nothing },
  report_difference: { dismiss: nothing },
  refund_due: { refunded, dismiss: keep },
  chain_outage: { dismiss: nothing },
  chain_place_lost: { dismiss: nothing },
  transaction_blocked: { dismiss: nothing },
  order_stuck: { dismiss: nothing },
}

function settle(settlement: Settlement): Resolve {
  return ({ order, foreign, refundable, takeable, at }) => {
    if (order !== null && foreign !== null) return settleForeign(order, foreign, settlement, at)
    if (order === null) throw new Error(`Nothing to ${settlement}: the exception has no order.`)
    const postings = postingsOf(order, settlement)
    const claims = claimAfter(settlement, order, refundable)
    if (order.direction === 'PAY_OUT' && settlement === 'reclaim') {
      return done({ writes: [...takeAllBack(postings, takeable, at), ...claims], settles: order })
    }
    const { writes, wake } = moveAll(postings)
    return done({ writes: [...writes, ...claims], wake, settles: order })
  }
}

/** Its asset goes its own way: what comes back is not its merchant's but its end user's. */
function settleForeign(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  settlement: Settlement,
  at: Instant,
): Effects {
  const writes: Write[] = foreignPostings(order, foreign, settlement).map((post) => ({ post }))
  if (settlement === 'return') writes.push({ insert: 'exceptions', values: refundDue(order, foreign, at) })
  return done({ writes, settles: order })
}

/** The retries begin anew. */
function retry({ webhook, at }: Subject): Effects | Impossible {
  if (webhook === null) return impossible('The webhook is gone.')
  const { state, pruned_at } = webhook
  if (pruned_at !== null) {
    return impossible(
      `The webhook's body was removed at ${formatInstant(pruned_at)}; it cannot be sent again.`,
    )
  }
  if (state !== 'dead') return impossible(`The webhook is ${state}, not dead.`)
  return done({ writes: [resend(webhook, at)], wake: ['webhooks'] })
}
