/**
 * The node that is killed under load: the real program on the real clock, with settings from the environment. It
 * tells its parent where it listens, what code an order has, and does an operator's cancel for it.
 */
import pino from 'pino'
import { OperationError } from '../../actors/foundation/operation.ts'
import { orderCancel } from '../../actors/orders/change-operations.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import { startNode } from '../../node/node.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'
import { latestFront } from '../support/fronts.ts'
import { testParties } from '../support/node.ts'

/** What the parent asks. */
export type Question =
  | { question: number; kind: 'code'; id: string }
  | { question: number; kind: 'cancel'; id: string; force: boolean }
  /** Ends the thread of the public listener, and nothing else. */
  | { question: number; kind: 'kill front' }

/** What is answered while the database is out of reach. */
export type Unanswered = 'unanswered'

export type Message =
  | { kind: 'listening'; url: string }
  /** A code, or how the cancelling ended. */
  | { kind: 'answer'; question: number; answer: string }

/** The database was out of reach: whether anything was done is not known. */
const unanswered: Unanswered = 'unanswered'
const isUnanswered = (error: unknown) => error instanceof StoreUnavailable || error instanceof OutcomeUnknown

const tell = (message: Message) => process.send?.(message)

const settings = loadSettings({ cwd: process.cwd(), env: process.env })
// A log so short that it is nearly always being moved when the node is killed.
const options = { ballastBytes: 1024 * 1024, logPages: 100 }
const node = await startNode({ settings, log: pino({ level: 'silent' }), ...options })
const { orders } = node.core
const context = { ...node.core, clock: systemClock, operator: 'ana' }
await apply.run(context, testParties)
// Hundreds of orders a second, for minutes.
const deposits = [{ currency: 'MXN', amount: '10000000.00', reference: 'for the load' }]
await apply.run(context, { merchants: [{ name: 'Shop', deposits }] })

process.on('message', async (asked: Question) => {
  tell({ kind: 'answer', question: asked.question, answer: await answerTo(asked) })
})
process.once('SIGTERM', () => node.stop().then(() => process.exit(0)))
// The parent is gone: nobody would end this otherwise.
process.on('disconnect', () => process.exit(0))
tell({ kind: 'listening', url: node.publicUrl })

async function answerTo(asked: Question): Promise<string> {
  try {
    if (asked.kind === 'kill front') return String(await latestFront().terminate())
    if (asked.kind === 'code') return (await orders.find(asked.id))?.order.code ?? ''
    return (await orderCancel.run(context, { id: asked.id, reason: 'test', force: asked.force })).status
  } catch (error) {
    if (error instanceof OperationError) return `refused: ${error.message}`
    if (isUnanswered(error)) return unanswered
    throw error
  }
}
