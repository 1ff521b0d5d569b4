/** A node on a bad day of its operator's, with those who use it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from './node.ts'
import { type Operator, operatorOf } from './operations.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const payOuts = '/api/v1/merchants/orders/pay-out/'
let tick = 0

export interface World {
  node: TestNode
  operator: Operator
  /** A funded pay-out. */
  ready(overrides?: Record<string, unknown>): Promise<{ id: string; code: string }>
  create(overrides?: Record<string, unknown>): ReturnType<TestNode['request']>
  act(code: string, action: string, as?: 'pk_a' | 'pk_b'): ReturnType<TestNode['request']>
  statusOf(id: string): Promise<string>
  readyz(): Promise<{ status: string; reasons?: Record<string, string> }>
}

/** Each day has a node of its own. */
export function onABadDay(name: string, play: (world: World) => Promise<void>): void {
  test(name, async () => {
    const node = await startTestNode()
    try {
      await play(worldOf(node))
    } finally {
      await stopTestNode(node)
    }
  })
}

export function worldOf(node: TestNode): World {
  const create: World['create'] = (overrides = {}) =>
    node.request({ as: 'mk_shop', path: payOuts, body: payOutBody(overrides), at: ++tick / 1000 })
  const find = async (id: string) => (await node.core.orders.find(id))?.order
  return {
    node,
    operator: operatorOf({ ...node.core, clock: node.clock }),
    create,
    async ready(overrides) {
      const { json, status } = await create(overrides)
      assert.is(status, 201)
      await node.until(async () => (await find(json.id))?.status === 'READY')
      return { id: json.id, code: (await find(json.id))?.code ?? '' }
    },
    act: (code, action, as = 'pk_a') =>
      node.request({
        as,
        path: `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`,
        body: { network_id: as === 'pk_a' ? '0001' : '0002' },
        at: ++tick / 1000,
      }),
    statusOf: async (id) => (await find(id))?.status ?? '',
    readyz: async () => (await node.request({ path: '/readyz' })).json,
  }
}
