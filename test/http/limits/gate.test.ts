/** The node asks everybody at its gate: strangers beyond their budget wait there, and parties pass them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLimits } from '../../../http/limits/limits.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { merchantPath } from '../../support/orders.ts'

let node: TestNode
test.after.each(() => stopTestNode(node))

const path = merchantPath('PAY_OUT', '0f8fad5b-d9cb-469f-a165-70867728950e')
const wrong = { 'Message-Date': '1', 'Message-Hash': 'f'.repeat(64) }

/** With a budget of two, and turns that come when the test says so. */
async function start() {
  const turns: (() => void)[] = []
  const strict = createLimits({ requestsPerMinute: 100, unauthenticatedPerMinute: 2 })
  let { stranger } = createLimits({ requestsPerMinute: 100, unauthenticatedPerMinute: 100 })
  const limits = {
    ...strict,
    stranger: (...given: Parameters<typeof stranger>) => stranger(...given),
    turnToBeTold: () => new Promise<void>((come) => turns.push(come)),
  }
  node = await startTestNode({ limits })
  // The API's document, which answers are held against, is asked for unsigned.
  assert.is((await node.request({ as: 'mk_shop', path })).status, 404)
  stranger = strict.stranger
  return { turns }
}

test('beyond its budget a stranger waits for its turn, and who signs does not', async () => {
  const { turns } = await start()
  const page = () => fetch(`${node.publicUrl}/checkout`).then(({ status }) => status)
  const within = [await page(), await page()]
  const answered: number[] = []
  const third = page().then((status) => answered.push(status))
  await node.until(async () => turns.length === 1)
  assert.is((await node.request({ as: 'mk_shop', path, at: 1 })).status, 404)
  assert.equal(answered, [])
  turns[0]?.()
  await third
  assert.equal([...within, ...answered], Array(3).fill(within[0]))
})

test('beyond its budget of refused signatures an address waits, but for keys that signed rightly from it', async () => {
  const { turns } = await start()
  const refused = () => node.request({ path, headers: { 'Merchant-Key': 'mk_nobody', ...wrong } })
  for (let count = 0; count < 2; count++) assert.is((await refused()).status, 403)
  const third = refused()
  await node.until(async () => turns.length === 1)
  assert.is((await node.request({ as: 'mk_shop', path, at: 1 })).status, 404)
  turns[0]?.()
  // Once more before it is told, as it is over its budget.
  await node.until(async () => turns.length === 2)
  turns[1]?.()
  assert.is((await third).status, 429)
})

test.run()
