/** The thread that sends webhooks: it resolves, judges, connects and reads, and knows nothing of orders. */
import { parentPort, workerData } from 'node:worker_threads'
import { createResolver } from '../actors/outbound/resolver.ts'
import { interfaceAddresses } from '../actors/outbound/target.ts'
import { type AttemptResult, createWebhookSender } from '../actors/webhooks/sender.ts'
import type { FromSender, PlainMessage, SenderTask, ToSender } from './sender-thread.ts'

const { totalMs }: SenderTask = workerData
const sender = createWebhookSender({ resolve: createResolver(), limits: { totalMs } })
const underWay = new Map<number, AbortController>()
let ended: [number: number, result: AttemptResult][] = []

async function send(number: number, { isInbox, rules, ...message }: PlainMessage): Promise<void> {
  const stop = new AbortController()
  underWay.set(number, stop)
  const judging = { ...rules, isInbox: () => isInbox, ownAddresses: interfaceAddresses }
  const result = await sender.send({ ...message, rules: judging }, stop.signal)
  underWay.delete(number)
  // What was answered in one turn of the loop is told in one message.
  if (ended.length === 0) setImmediate(tell)
  ended.push([number, result])
}

function tell(): void {
  parentPort?.postMessage(ended satisfies FromSender)
  ended = []
}

parentPort?.on('message', (asked: ToSender) => {
  switch (asked.kind) {
    case 'send':
      for (const [number, message] of asked.messages) void send(number, message)
      return
    case 'abort':
      return underWay.get(asked.number)?.abort()
    case 'close':
      sender.close()
      parentPort?.close()
  }
})
