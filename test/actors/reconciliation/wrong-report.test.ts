/** A report that is another day's, or another network's: protocol 16.2. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findReportedDay } from '../../../actors/reconciliation/report-day.ts'
import { maxDifferences } from '../../../actors/reconciliation/report-lines.ts'
import { commit, inOrderWorld, tills } from '../../support/order-world.ts'
import { addNetworks, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const day = '2026-03-01'
const payment = (index: number) => `,paid,1.00,2026-03-01T12:00:00Z,F-${index}`
const file = (lines: readonly string[]) =>
  ['order,outcome,amount,paid_at,reference', ...lines, ''].join('\r\n')

play(
  'a file that is hardly the day’s is not applied: nobody looks at thousands of exceptions',
  async (world) => {
    await addNetworks(world)
    const reports = reportsOf(world)
    const lines = Array.from({ length: maxDifferences + 1 }, (_, index) => payment(index))
    const looked = await reports.look(file(lines), day)
    assert.equal([looked.state, looked.outcomes], ['ready', { only_theirs: maxDifferences + 1 }])
    const error = await reports.runs.apply(looked.run, 'ana').catch((thrown: unknown) => thrown)
    assert.match(String(error), /2001 lines differ: it is hardly this network’s report/)
    assert.equal([await world.rows('report_files'), await world.rows('exceptions')], [[], []])
  },
)

play('a network without a currency is meant only where it is said, or is the only one', async (world) => {
  await addNetworks(world)
  const named = async (network?: string) => {
    const found = findReportedDay(world.store, { provider: tills.A.name, network, day })
    return found.then(({ reported }) => reported.networkId).catch(String)
  }
  const add = (network_id: string, currency: string | null) =>
    commit(world.store, [{ insert: 'networks', values: { network_id, provider_id: tills.A.id, currency } }])
  assert.is(await named(), '000A')
  await add('shops', null)
  assert.is(await named(), '000A')
  assert.match(await named('shops'), /The network shops has no currency/)
  await add('000C', 'MXN')
  assert.match(await named(), /Network A has 3 networks: say which/)
  assert.is(await named('000C'), '000C')
})

test.run()
