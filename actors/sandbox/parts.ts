/** What a node has in a sandbox alone, besides simulations. */
import { trimDeliveries } from '../../persistence/queries/sandbox-receivers.ts'
import type { Store } from '../../persistence/store.ts'
import type { Clock } from '../foundation/clock.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { MessageAbout, WebhookSender } from '../webhooks/sender.ts'
import { createGoLive, type GoLive } from './go-live-steps.ts'
import { createInbox, inboxKeyOf, inboxUrl, isInboxUrl } from './inbox.ts'
import { createReceiverFaults, type ReceiverFaults } from './receiver-faults.ts'
import type { RequestLog } from './request-log.ts'
import { createSandboxSender, type SentRequest } from './sandbox-sender.ts'
import { stepsSeen } from './seen-deliveries.ts'
import { createWatchedRequestLog } from './seen-requests.ts'

export interface SandboxParts {
  faults: ReceiverFaults
  goLive: GoLive
  requests: RequestLog
  receive: ReturnType<typeof createInbox>
  /** What the tokens of inboxes are made with. */
  inboxKey: string
  inboxOf(merchantId: string): string
  isInbox(url: string): boolean
  /** The same sender, for webhooks of merchants: with what is to go wrong, and what is kept. */
  around(sender: WebhookSender, timeoutMs: number): WebhookSender
}

export interface SandboxPartsOptions {
  store: Store
  clock: Clock
  credentials: Pick<Credentials, 'webhookCredential'>
  journalKey: string
  publicUrl: string
}

/** Of each merchant so many requests to its receivers are kept. */
const keptDeliveries = 500
/** Looked at each so many requests: until then some more are there. */
const trimEvery = 50

export function createSandboxParts(options: SandboxPartsOptions): SandboxParts {
  const { store, clock, credentials, journalKey, publicUrl } = options
  const goLive = createGoLive(store)
  const faults = createReceiverFaults(store, clock)
  const inboxKey = inboxKeyOf(journalKey)
  const isInbox = (url: string) => isInboxUrl(publicUrl, inboxKey, url)
  /** By merchant, since they were last trimmed. */
  const untrimmed = new Map<string, number>()

  async function seen(about: MessageAbout, sent: SentRequest): Promise<void> {
    const { merchantId, orderId, webhookId } = about
    const steps = await stepsSeen(store, about, sent, !isInbox(sent.url))
    const what = orderId === null ? 'ping' : `order ${orderId}, webhook`
    await goLive.note(merchantId, steps, `${what} ${webhookId}`)
    const count = (untrimmed.get(merchantId) ?? 0) + 1
    untrimmed.set(merchantId, count % trimEvery)
    if (count < trimEvery) return
    // No delivery waits for it; what cannot be trimmed now is trimmed with what follows.
    store.execute(trimDeliveries, { merchantId, keep: keptDeliveries }).catch(() => {})
  }

  return {
    faults,
    goLive,
    requests: createWatchedRequestLog(goLive),
    receive: createInbox({ store, clock, credentials, goLive }),
    inboxKey,
    inboxOf: (merchantId) => inboxUrl(publicUrl, inboxKey, merchantId),
    isInbox,
    around: (sender, timeoutMs) =>
      createSandboxSender(sender, { store, clock, faults, credentials, timeoutMs, isInbox, onSent: seen }),
  }
}
