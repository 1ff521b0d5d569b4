/**
 * Exceptions about webhooks that need a person: protocol 6.6 has the operator contact the
 * merchant.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import type { AttemptResult } from './sender.ts'

/** Tells the operator why: refused at once, or given up after all attempts. */
export type DeathReason = 'refused' | 'given_up'

/** The exception of one end of one webhook: a resend begins with as many attempts before it. */
export function deadLetterId(webhookId: string, attempts: number): string {
  return exceptionId('webhook_dead', webhookId, String(attempts))
}

/** @param webhook as it is after its last attempt */
export function openDeadLetter(
  webhook: Row<'webhooks'>,
  merchant: Row<'parties'> | null,
  reason: DeathReason,
  result: Pick<AttemptResult, 'outcome' | 'status' | 'error'>,
  at: Instant,
): Write {
  const { id, order_id, order_status, attempts, attempts_before, sequence, url } = webhook
  const whom = merchant === null ? 'the merchant' : `${merchant.name} (${merchant.contact})`
  const made = attempts - attempts_before
  const sentences = [
    `The webhook ${order_status} was not delivered: ${causeOf(result)}`,
    ...(reason === 'given_up' ? [`It was given up after ${made} attempts.`] : []),
    `Tell ${whom}; once its receiver works: webhook retry ${id}`,
  ]
  return {
    insert: 'exceptions',
    values: newException({
      id: deadLetterId(id, attempts),
      kind: 'webhook_dead',
      order_id,
      reason: sentences.join(' '),
      evidence: {
        webhook: id,
        sequence,
        orderStatus: order_status,
        url,
        reason,
        attempts: made,
        outcome: result.outcome,
        status: result.status,
        error: result.error,
        merchant: merchant?.name ?? null,
        contact: merchant?.contact ?? null,
      },
      opened_at: at,
    }),
  }
}

/** The resend has ended: where it is a dead letter itself, its own exception is the one that is open. */
export function resolveDeadLetter(
  { id, revision }: Row<'exceptions'>,
  ending: 'delivered' | 'dead',
  at: Instant,
): Write {
  return {
    update: 'exceptions',
    key: { id },
    set: {
      state: 'resolved',
      resolved_at: at,
      resolution: 'retry',
      resolution_reason:
        ending === 'delivered'
          ? 'The webhook was sent again, and delivered.'
          : 'The webhook was sent again, and not delivered: another exception is open.',
      revision: revision + 1,
    },
  }
}

/**
 * Says that a merchant has no live credential, so that its webhooks wait; once for the webhook that waits first.
 */
export async function openUnsigned(store: Store, webhook: Row<'webhooks'>): Promise<void> {
  const id = exceptionId('webhook_unsigned', webhook.id)
  await store.step({
    rows: { exception: row('exceptions', { id }), merchant: row('parties', { id: webhook.merchant_id }) },
    decide: ({ exception, merchant }, at): Decision<null> => {
      if (exception !== null) return { answer: null, writes: [] }
      const { name = '', contact = '' } = merchant ?? {}
      const reason =
        `${name} (${contact}) has no live credential to sign its webhooks with: they wait since ` +
        `${formatInstant(webhook.created_at)}. Give it one with key rotate.`
      const values = newException({
        id,
        kind: 'webhook_unsigned',
        order_id: webhook.order_id,
        reason,
        evidence: { webhook: webhook.id, merchant: name, contact },
        opened_at: at,
      })
      return { answer: null, writes: [{ insert: 'exceptions', values }], wake: ['exceptions'] }
    },
  })
}

function causeOf({ outcome, status, error }: Pick<AttemptResult, 'outcome' | 'status' | 'error'>): string {
  switch (outcome) {
    case 'refused':
    case 'unavailable':
      return `its receiver answered ${status}.`
    case 'forbidden':
      return `it may not be sent there, ${error}.`
    default:
      return `${outcome}${error === null ? '' : `, ${error}`}.`
  }
}
