/** Sample files of a sandbox: what `reconcile` finds in them is every kind of difference there is. */
import { Readable } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SampleFile } from '../../../actors/sandbox/sample-file.ts'
import { dispatchOf } from '../../support/console.ts'
import { mapping } from '../../support/network-files.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, newOrder } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const ask = (name: string, input: object) => dispatchOf(node)(name, input, 'ana')

async function pay(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const order = await newOrder(node, 'PAY_IN', 'mk_shop')
    for (const action of ['start', 'confirm'] as const)
      assert.is((await call(node, order, action)).status, 200)
  }
}

interface Run {
  run: string
  state: string
  problem: string | null
  faults: object[]
  outcomes: Record<string, number>
  missing: { shown: object[] }
}

async function read(file: SampleFile, day: string): Promise<Run> {
  const uploaded = await node.core.uploads.receive(Readable.from([Buffer.from(file.text, file.encoding)]))
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { run } = (await ask('reconciliation.read', {
    file: uploaded.upload.id,
    network: '0001',
    day,
  })) as Run
  const show = async () => (await ask('reconciliation.progress', { run })) as Run
  await node.until(async () => (await show()).state !== 'reading')
  const shown = await show()
  assert.equal([shown.state, shown.problem, shown.faults], ['ready', null, []])
  return shown
}

const all = ['matched', 'amount', 'twice', 'reversed', 'day', 'status', 'only_theirs', 'only_ours']

for (const [name, network] of [
  ['without terms of its own', { id: '0001', name: 'A', currency: 'MXN' }],
  ['as the network writes it', { id: '0001', name: 'A', currency: 'MXN', report: mapping }],
] as const)
  test(`a network’s report ${name}: each kind of difference is found`, async () => {
    await node.apply({ providers: [{ name: 'Network A', networks: [network] }] })
    await pay(1)
    node.clock.advance(3 * 86_400_000)
    await pay(6)
    await newOrder(node, 'PAY_IN', 'mk_shop')
    const day = new Date(node.clock.now()).toISOString().slice(0, 10)
    const file = (await ask('sandbox.sampleReport', { network: '0001', day })) as SampleFile
    assert.equal([file.has.toSorted(), file.lacks], [all.toSorted(), []])
    const found = await read(file, day)
    for (const outcome of all.filter((one) => one !== 'only_ours'))
      assert.ok((found.outcomes[outcome] ?? 0) > 0, outcome)
    assert.is(found.missing.shown.length, 1)
  })

test('what a report cannot have is said, and what it takes', async () => {
  node.clock.advance(60 * 86_400_000)
  const day = new Date(node.clock.now()).toISOString().slice(0, 10)
  const file = (await ask('sandbox.sampleReport', { network: '0001', day })) as SampleFile
  assert.ok(file.lacks.some(({ outcome, needs }) => outcome === 'matched' && needs.includes('confirm')))
  assert.ok(file.has.includes('only_theirs'))
})

test.run()
