/** Webhooks by Standard Webhooks, beside the protocol's own signature: begun, given a new secret, and ended. */
import { formatInstant } from '../../machines/time.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import type { Row } from '../../persistence/store.ts'
import { auditReason, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { findParty } from '../parties/operations.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { noStandardSecret, withStandardSecret } from '../provisioning/plan-webhooks.ts'
import type { NodeContext } from './context.ts'

const merchantName = text({ description: "A merchant's name." })
const defaultOverlapHours = 24

export interface RotatedWebhookSecret {
  merchant: string
  /** `whsec_…`, shown only once. */
  secret: string
  /** Until when webhooks are signed with the former secret, too; null where there is none. */
  formerUntil: string | null
}

export const webhookRotateSecret = defineOperation({
  name: 'webhook.rotateSecret',
  summary:
    "Sign a merchant's webhooks by Standard Webhooks, too: make its secret, or a new one; it is shown only once.",
  fields: {
    merchant: merchantName,
    overlapHours: optional(
      wholeNumber({
        description: 'For how long the former secret signs beside the new one: 24 unless it is said.',
        minimum: 0,
        maximum: 720,
        option: ['--overlap-hours <hours>', 'how long the former secret signs, too; 24 by default'],
        form: { label: 'Hours of overlap', hint: '24 if empty; 0 ends the former secret at once.' },
      }),
    ),
    reason: optional(auditReason),
  },
  arguments: ['merchant'],
  isRead: false,
  concluded: ({ formerUntil }: RotatedWebhookSecret) =>
    formerUntil === null
      ? 'a secret was made'
      : `a secret was made; the former one signs until ${formerUntil}`,
  async run(
    { store, vault }: NodeContext,
    { merchant, overlapHours = defaultOverlapHours },
  ): Promise<RotatedWebhookSecret> {
    return changeMerchant({ store }, merchant, (party, at) => {
      const { secret, set } = withStandardSecret(party, { vault, at, overlapHours })
      const until = set.former_webhook_secret_until_at
      const formerUntil = until === null ? null : formatInstant(until)
      return { answer: { merchant: party.name, secret, formerUntil }, set }
    })
  },
})

export const webhookDropSecret = defineOperation({
  name: 'webhook.dropSecret',
  summary: "Stop signing a merchant's webhooks by Standard Webhooks; its secrets are deleted.",
  done: 'Webhooks are signed in the protocol’s way alone.',
  fields: { merchant: merchantName, reason: optional(auditReason) },
  arguments: ['merchant'],
  isRead: false,
  async run({ store }: NodeContext, { merchant }): Promise<{ merchant: string }> {
    return changeMerchant({ store }, merchant, (party) => {
      if (party.webhook_secret_ciphertext === null) {
        throw new OperationError(
          'conflict',
          `The webhooks of ${party.name} are not signed by Standard Webhooks.`,
        )
      }
      return { answer: { merchant: party.name }, set: noStandardSecret }
    })
  },
})

async function changeMerchant<Answer>(
  { store }: Pick<NodeContext, 'store'>,
  name: string,
  decide: (party: Row<'parties'>, at: number) => { answer: Answer; set: Partial<Row<'parties'>> },
): Promise<Answer> {
  const { id } = await findParty(store, name, 'merchant')
  return changeProvisioning(store, {
    read: async () => (await store.query(partyById, { id }))[0],
    decide(party, at) {
      if (party === undefined) throw new Error(`Party ${id} is gone.`)
      const { answer, set } = decide(party, at)
      return { answer, writes: [{ update: 'parties', key: { id }, set }], wake: ['provisioning'] }
    },
  })
}
