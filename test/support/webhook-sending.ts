/** Attempts over real connections to receivers on loopback; what a test has opened is closed after it. */
import type { Socket } from 'node:net'
import type { Test } from 'uvu'
import type { TargetRules } from '../../actors/outbound/target.ts'
import {
  type AttemptResult,
  createWebhookSender,
  type SenderOptions,
  type WebhookMessage,
  type WebhookSender,
} from '../../actors/webhooks/sender.ts'
import type { TlsIdentity } from './self-signed-certificate.ts'
import { type Answering, type Receiver, startRawReceiver, startReceiver } from './webhook-receivers.ts'

export const anywhere: TargetRules = {
  allowPrivate: true,
  ports: [443],
  exemptOrigins: [],
  ownAddresses: () => [],
}
export const publicOnly: TargetRules = { ...anywhere, allowPrivate: false }
/** For receivers that hang, once they are connected; all others have the usual time, however busy the machine is. */
export const impatient = { totalMs: 2_000 }

export const body = '{"id":"a","description":"Café — 50 %"}'

export function message(url: string, rest: Partial<WebhookMessage> = {}): WebhookMessage {
  const headers = { 'Content-Type': 'application/json', 'Webhook-Id': 'w1' }
  return { url, body, headers, rules: anywhere, ...rest }
}

/** Receivers and senders for the tests of a file. */
export function webhookSending(test: Test) {
  const open = new Set<Receiver | WebhookSender>()
  test.after.each(async () => {
    for (const each of open) await each.close()
    open.clear()
  })
  function opened<T extends Receiver | WebhookSender>(it: T): T {
    open.add(it)
    return it
  }
  const createSender = (options: Partial<SenderOptions> = {}) =>
    opened(createWebhookSender({ resolve: async () => ['127.0.0.1'], ...options }))
  const sendingTo = ({ port }: Receiver, limits: SenderOptions['limits'] = {}): Promise<AttemptResult> =>
    createSender({ limits }).send(message(`http://127.0.0.1:${port}/hooks`))
  const receiving = async (answer: Answering, identity?: TlsIdentity) =>
    opened(await startReceiver(answer, identity))
  const receivingRaw = async (handle: (socket: Socket) => void) => opened(await startRawReceiver(handle))
  return {
    createSender,
    receiving,
    receivingRaw,
    /** Sends one webhook to a receiver that answers so. */
    sendTo: async (answer: Answering, limits = {}) => sendingTo(await receiving(answer), limits),
    sendToRaw: async (handle: (socket: Socket) => void, limits = {}) =>
      sendingTo(await receivingRaw(handle), limits),
  }
}
