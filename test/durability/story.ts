/** Orders played on a node over signed HTTP, and what the node acknowledged of each. */
import { randomUUID } from 'node:crypto'
import { orderCancel } from '../../actors/orders/change-operations.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'
import { payOutBody, type TestAnswer, type TestNode, type TestRequest } from '../support/node.ts'

/** What somebody was told: after so many accepted events the order is in this status. */
export interface Told {
  id: string
  status: string
  revision: number
}

type Step = ['start' | 'confirm' | 'cancel', 'A' | 'B'] | ['operator cancels']

/** Each ends in another way; a waiting one is dearer than any balance. */
const scripts: readonly { direction: 'pay-out' | 'pay-in'; price?: string; steps: readonly Step[] }[] = [
  {
    direction: 'pay-out',
    steps: [
      ['start', 'A'],
      ['confirm', 'A'],
    ],
  },
  {
    direction: 'pay-out',
    steps: [
      ['start', 'B'],
      ['cancel', 'B'],
      ['start', 'A'],
      ['confirm', 'A'],
    ],
  },
  {
    direction: 'pay-in',
    steps: [
      ['start', 'A'],
      ['confirm', 'A'],
    ],
  },
  { direction: 'pay-out', steps: [['start', 'A'], ['cancel', 'A'], ['operator cancels']] },
  { direction: 'pay-out', price: '50000.00', steps: [] },
  { direction: 'pay-out', steps: [['start', 'B']] },
]

const statusAfter = { start: 'PAYMENT_STARTED', confirm: 'COMPLETED', cancel: 'READY' }
const keys = { A: { key: 'pk_a', network: '0001' }, B: { key: 'pk_b', network: '0002' } }

/** The node did not answer: it said so (503), or has stopped. */
class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Plays orders on some connections at once. @returns how many were played to their end. */
export async function playOrders(
  node: TestNode,
  { count, connections }: { count: number; connections: number },
  tell: (told: Told) => void,
): Promise<number> {
  let next = 0
  let finished = 0
  const connection = async () => {
    while (next < count) {
      const index = next++
      try {
        await playOrder(node, index, tell)
        finished++
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return finished
}

async function playOrder(node: TestNode, index: number, tell: (told: Told) => void): Promise<void> {
  const {
    direction,
    price = '100.00',
    steps,
  } = scripts[index % scripts.length] ?? { direction: 'pay-out', steps: [] }
  const path = `/api/v1/merchants/orders/${direction}/`
  // The other shop has no money: its orders wait.
  const as = steps.length === 0 ? 'mk_other' : 'mk_shop'
  const created = await ask(
    node,
    { as, path, body: payOutBody({ price, merchant_order_id: randomUUID() }) },
    201,
  )
  const { id } = created.json
  const told = { id, status: created.json.status, revision: 1 }
  const accept = (status: string) => {
    told.status = status
    told.revision++
    tell({ ...told })
  }
  tell({ ...told })
  if (steps.length === 0) return
  if (direction === 'pay-out') {
    await untilReady(node, { as, path: `${path}${id}/` })
    accept('READY')
  }
  const code = created.json.code ?? (await codeOf(node, id))
  for (const [number, step] of steps.entries()) {
    if (step[0] === 'operator cancels') {
      await cancel(node, id)
      accept('CANCELLED')
      continue
    }
    const [action, till] = step
    const { key, network } = keys[till]
    const body = { network_id: network, price, price_currency: 'MXN' }
    const stepPath = `/api/v1/providers/orders/${direction}/${code}/${action}-payment/`
    const answer = await ask(node, { as: key, path: stepPath, body, at: number / 1000 }, 200)
    if (answer.json.status !== statusAfter[action]) throw new Error(`wrong answer: ${answer.text}`)
    accept(answer.json.status)
  }
}

/** Asks once more after a 503: nothing was written then, so the second time has to succeed like the first. */
async function ask(node: TestNode, request: TestRequest, expected: number): Promise<TestAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await node.request({ ...request, at: (request.at ?? 0) + attempt / 1e5 }).catch(() => {
      throw new Unanswered('nobody listens')
    })
    if (answer.status === expected) return answer
    if (answer.status !== 503)
      throw new Error(`wrong answer to ${request.path}: ${answer.status} ${answer.text}`)
    if (attempt === 2) throw new Unanswered(answer.text)
  }
}

async function untilReady(node: TestNode, request: TestRequest): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await ask(node, request, 200)
    if (answer.json.status === 'READY') return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Unanswered('it is not funded')
}

async function codeOf(node: TestNode, id: string): Promise<string> {
  const found = await answered(node.core.orders.find(id))
  if (found === null) throw new Error(`wrong answer: there is no order ${id}`)
  return found.order.code
}

async function cancel(node: TestNode, id: string): Promise<void> {
  const context = { ...node.core, clock: node.clock, operator: 'ana' }
  await answered(orderCancel.run(context, { id, reason: 'fraud' }))
}

async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown)
      throw new Unanswered(error.message)
    throw error
  }
}
