/** What an operator commits after a request was looked at, and before its step: it is refused all the same. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PartyKind } from '../../../actors/parties/party-limits.ts'
import { recordFact } from '../../../persistence/queries/node.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import type { Store } from '../../../persistence/store.ts'
import { endpointsOf } from '../../support/endpoints.ts'
import {
  changedStore,
  commit,
  inOrderWorld,
  type OrderWorld,
  readyOrder,
  registryOf,
  shop,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

type Deed = (store: Store) => Promise<unknown>

const freeze =
  (kind: PartyKind): Deed =>
  (store) => {
    const { id } = kind === 'merchant' ? shop : tills.A
    const set = { frozen_at: 1, frozen_reason: 'stolen' }
    return commit(store, [{ update: 'parties', key: { id }, set }])
  }
const drain: Deed = (store) => store.execute(recordFact, { name: 'drained', value: '{"since":1}' })
const quarantine: Deed = (store) => store.execute(quarantineOpenOrders, { at: 1 })

/** Endpoints over a store on which the deed is committed when all looks are done, right before the next step. */
function endpointsBefore(world: OrderWorld, deed: Deed) {
  let isDone = false
  const store = changedStore(world.store, {
    step: async (step) => {
      if (!isDone) await deed(world.store)
      isDone = true
      return world.store.step(step)
    },
  })
  return endpointsOf(world, registryOf(store, world.clock))
}

const outcomeOf = ({ status, body }: { status: number; body: string }) => [
  status,
  JSON.parse(body).errors?.[0]?.code,
]

const starts: [name: string, deed: Deed, answer: [number, string]][] = [
  ['a freeze of the provider', freeze('provider'), [422, 'provider_frozen']],
  ['a freeze of the merchant', freeze('merchant'), [422, 'merchant_frozen']],
  ['a restore that sets orders aside', quarantine, [422, 'order_quarantined']],
  ['a drain', drain, [503, 'service_unavailable']],
]

for (const [name, deed, answer] of starts) {
  play(`${name} between the look and the step refuses a start`, async (world) => {
    const { id, code } = await readyOrder(world)
    const { act } = await endpointsBefore(world, deed)
    assert.equal(outcomeOf(await act(code, 'start')), answer)
    const { status, lock_provider_id } = await world.row(id)
    assert.equal([status, lock_provider_id], ['READY', null])
  })

  play(`${name} between the look and the step refuses no confirmation`, async (world) => {
    const { id, code } = await readyOrder(world)
    await world.start(id, 'A')
    const { act } = await endpointsBefore(world, deed)
    assert.is((await act(code, 'confirm')).status, 200)
    assert.is((await world.row(id)).status, 'COMPLETED')
  })
}

const creations: [name: string, deed: Deed, answer: [number, string]][] = [
  ['a freeze', freeze('merchant'), [403, 'permission_denied']],
  ['a drain', drain, [503, 'service_unavailable']],
]

for (const [name, deed, answer] of creations) {
  play(`${name} between the look and the step refuses a creation`, async (world) => {
    const { create } = await endpointsBefore(world, deed)
    assert.equal(outcomeOf(await create()), answer)
    assert.equal(await world.rows('orders'), [])
  })
}

test.run()
