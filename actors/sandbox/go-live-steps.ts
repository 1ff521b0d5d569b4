/** What an integration has to have done in a sandbox before it handles money: what it is, how it is done, and when it was done. */
import type { Instant } from '../../machines/time.ts'
import { goLiveStepsOf } from '../../persistence/queries/sandbox-receivers.ts'
import { type Decision, type Row, row, rows, type Store } from '../../persistence/store.ts'

/** What, and how in one line. */
type Words = readonly [what: string, how: string]

export const merchantSteps = {
  webhook_verified: [
    'A webhook arrived, and its signature was verified.',
    'GET /sandbox/inbox/ gives you a notify_url for it; or let the node ping your receiver: POST /merchants/webhooks/ping/',
  ],
  webhook_acknowledged: [
    'Your own receiver acknowledged the webhook of an order with 200 or 201.',
    'Create an order with your notify_url, then POST /sandbox/orders/ID/simulate/ with {"step":"confirm"}',
  ],
  pay_in_completed: [
    'A pay-in was completed, and your receiver acknowledged it.',
    'POST /merchants/orders/pay-in/, then POST /sandbox/orders/ID/simulate/ with {"step":"confirm"}',
  ],
  pay_out_completed: [
    'A pay-out was completed, and your receiver acknowledged it.',
    'POST /merchants/orders/pay-out/, then POST /sandbox/orders/ID/simulate/ with {"step":"confirm"}',
  ],
  duplicate_acknowledged: [
    'The same webhook came twice, and your receiver acknowledged both.',
    'POST /sandbox/faults/ with {"fault":"duplicate"}, then a ping or an order',
  ],
  retry_acknowledged: [
    'An attempt failed, and your receiver acknowledged the next one.',
    'POST /sandbox/faults/ with {"fault":"status"}, then an order with a confirm; or stop your receiver for a second',
  ],
  bad_signature_refused: [
    'Your receiver refused a wrong signature with 400, 401 or 403.',
    'POST /sandbox/faults/ with {"fault":"bad_signature"}, then a ping or an order',
  ],
  expiry_acknowledged: [
    'An order expired, and your receiver acknowledged it.',
    'Create an order whose expiry is a minute ahead, and wait.',
  ],
  cancellation_acknowledged: [
    'An order was cancelled, and your receiver acknowledged it.',
    'Create an order; whoever runs the node cancels it: ventanilla order cancel ID --reason test',
  ],
  request_repeated: [
    'A creation was sent again with the same Idempotency-Key, and got the same answer.',
    'Send a creation with an Idempotency-Key, and the very same again.',
  ],
  conflict_handled: [
    'A request was answered 409, and you went on.',
    'POST /sandbox/faults/ with {"fault":"hang"}, then an order with a confirm; resend its webhook while it hangs: POST /merchants/webhooks/ID/resend/. Then send any other request.',
  ],
  limit_handled: [
    'A request was answered 429, and you went on once Retry-After was over.',
    'Ping eleven times within a minute, wait as long as Retry-After says, and ping again.',
  ],
} as const satisfies Record<string, Words>

export const providerSteps = {
  code_looked_up: [
    'An order was looked up by its code.',
    'GET /providers/orders/pay-in/CODE/ with the code of an order that a merchant has created here',
  ],
  unknown_code_handled: [
    'A code that nobody has was looked up.',
    'GET /providers/orders/pay-in/123456789012347/ is answered 404: tell the customer.',
  ],
  pay_in_confirmed: [
    'A pay-in was confirmed.',
    'POST start-payment, then confirm-payment, below /providers/orders/pay-in/CODE/',
  ],
  pay_out_confirmed: [
    'A pay-out was confirmed.',
    'POST start-payment, then confirm-payment, below /providers/orders/pay-out/CODE/',
  ],
  payment_cancelled: [
    'A payment was released without cash.',
    'POST start-payment, then cancel-payment, below /providers/orders/pay-in/CODE/',
  ],
  confirmation_repeated: [
    'A confirmation was sent again, and got the same answer.',
    'POST confirm-payment of an order that you have confirmed.',
  ],
  conflict_handled: [
    'A request was answered 409, and you went on.',
    'Start a pay-out that another provider holds; then send any other request.',
  ],
  limit_handled: [
    'A request was answered 429, and you went on once Retry-After was over.',
    'Send more requests than RateLimit-Policy allows, wait as long as Retry-After says, and go on.',
  ],
} as const satisfies Record<string, Words>

export type MerchantStep = keyof typeof merchantSteps
export type ProviderStep = keyof typeof providerSteps
export type GoLiveStep = MerchantStep | ProviderStep

export interface GoLiveLine {
  step: GoLiveStep
  what: string
  how: string
  /** `null` for never. */
  doneAt: Instant | null
  evidence: string | null
}

/** All steps of a party of this kind, in the order in which they are done best. */
export async function goLiveOf(
  store: Pick<Store, 'query'>,
  { id, kind }: Pick<Row<'parties'>, 'id' | 'kind'>,
): Promise<GoLiveLine[]> {
  const done = new Map((await store.query(goLiveStepsOf, { partyId: id })).map((one) => [one.step, one]))
  const steps: readonly [string, Words][] = Object.entries(
    kind === 'merchant' ? merchantSteps : providerSteps,
  )
  return steps.map(([name, [what, how]]) => {
    const found = done.get(name)
    return {
      step: name as GoLiveStep,
      ...{ what, how },
      doneAt: found?.done_at ?? null,
      evidence: found?.evidence ?? null,
    }
  })
}

export interface GoLive {
  /** Writes down what was done for the first time; what is known costs nothing. */
  note(partyId: string, steps: readonly GoLiveStep[], evidence: string): Promise<void>
}

/** Parties are registered by the operator. */
const maxKnown = 10_000

export function createGoLive(store: Store): GoLive {
  const known = new Set<string>()
  return {
    async note(partyId, steps, evidence) {
      const open = steps.filter((step) => !known.has(`${partyId} ${step}`))
      if (open.length === 0) return
      await store.step({
        rows: {
          party: row('parties', { id: partyId }),
          found: rows(
            'go_live_steps',
            open.map((step) => ({ party_id: partyId, step })),
          ),
        },
        decide: ({ found }, at): Decision<null> => ({
          answer: null,
          writes: open
            .filter((_, index) => found[index] === null)
            .map((step) => ({
              insert: 'go_live_steps',
              values: { party_id: partyId, step, done_at: at, evidence },
            })),
        }),
        // What is left of a full disk is for orders.
        isEssential: false,
      })
      if (known.size > maxKnown) known.clear()
      for (const step of open) known.add(`${partyId} ${step}`)
    },
  }
}
