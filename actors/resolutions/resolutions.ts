/** What each resolution of each kind of exception does: one total table, pure. */
import { formatInstant } from '../../machines/time.ts'
import type { ExceptionKind, ResolutionOf } from '../exceptions/kinds.ts'
import { settleEnded } from '../orders/ended-cash.ts'
import type { Settlement } from '../orders/postings.ts'
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
  claim_lost: { dismiss: nothing },
  report_difference: { dismiss: nothing },
  refund_due: { refunded, dismiss: keep },
  chain_outage: { dismiss: nothing },
  chain_place_lost: { dismiss: nothing },
  transaction_blocked: { dismiss: nothing },
  order_stuck: { dismiss: nothing },
}

function settle(settlement: Settlement): Resolve {
  return ({ order, foreign, refundable, takeable, at }) => {
    if (order === null) throw new Error(`Nothing to ${settlement}: the exception has no order.`)
    return done({ ...settleEnded({ order, foreign, refundable, takeable }, settlement, at), settles: order })
  }
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
