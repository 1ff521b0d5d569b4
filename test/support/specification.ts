/** Rows of the protocol: a request, and its very answer. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, startTestNode, stopTestNode, type TestAnswer, type TestNode } from './node.ts'
import { merchantPath } from './orders.ts'

export let node: TestNode

/** Files of one process share this module, and each needs its own: a file calls it once. */
export function onANode(): void {
  test.before(async () => {
    node = await startTestNode()
  })
  test.after(() => stopTestNode(node))
}

export const now = '2026-03-01T12:00:00.000Z'
export const later = '2026-03-01T12:01:00.000Z'
export const money = { price: '1000.00', price_currency: 'MXN' }
export const body = { network_id: '0001', ...money }

export const created = (overrides: Record<string, unknown> = {}, path = merchantPath('PAY_OUT')) =>
  node.request({ as: 'mk_shop', path, body: payOutBody(overrides) })

export interface Row {
  name: string
  ask(): Promise<TestAnswer>
  status: number
  /** The whole body, in the order of its fields; or a check of it. */
  body: object | ((answer: TestAnswer) => void)
}

export const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(payOutBody()).filter(([name]) => !names.includes(name)))

export const fieldErrors = (...errors: [attr: string, code: string, detail: string][]) => ({
  type: 'validation_error',
  errors: errors.map(([attr, code, detail]) => ({ attr, code, detail })),
})

export const businessRule = (detail: string) => ({
  detail,
  type: 'validation_error',
  errors: [{ attr: null, code: 'invalid', detail }],
})

export const refusal = (code: string, detail: string) => ({
  detail,
  type: 'client_error',
  errors: [{ attr: null, code, detail }],
})

export const permissionDenied = refusal(
  'permission_denied',
  'You do not have permission to perform this action.',
)

/** A test of each row; the file that has them calls `test.run()` itself. */
export function testRows(rows: readonly Row[]): void {
  for (const row of rows)
    test(row.name, async () => {
      const answer = await row.ask()
      assert.is(answer.status, row.status, answer.text)
      assert.is(answer.headers.get('content-type'), 'application/json')
      if (typeof row.body === 'function') row.body(answer)
      else assert.is(answer.text, JSON.stringify(row.body))
    })
}
