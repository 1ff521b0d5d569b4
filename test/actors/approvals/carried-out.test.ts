/** What is carried out is what was approved, by those who still may, however much waits. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { maxWaiting } from '../../../actors/approvals/asking.ts'
import { tellApprovalRow } from '../../../actors/approvals/telling.ts'
import { createApprovalWork } from '../../../actors/operations/approval-work.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { contextOver, dispatchOver } from '../../support/operations.ts'
import {
  changedStore,
  commit,
  inOrderWorld,
  journalKey,
  type OrderWorld,
  shop,
} from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { addPeople, peopleOver, type TwoPeople, twoPeople } from './two-people.ts'

const play = inOrderWorld(test)
const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1000.01', currency: 'MXN', reason: 'seen' }
const available = (world: OrderWorld) => world.balance({ ownerId: shop.id })

function pass(world: OrderWorld) {
  const onError = (error: unknown) => assert.unreachable(String(error))
  return createApprovalWork({ context: contextOver(world), isTrusted: () => true, onError })(world.store)
}

/** As a node leaves it that is killed behind the approval. */
function approveOnly({ store }: OrderWorld, number: number, by = 'luis') {
  return tellApprovalRow({ store, journalKey }, { number, said: { type: 'approval.approve', by }, actor: by })
}

async function previewOf(people: TwoPeople, number: number) {
  const { preview_json, input_json } = await people.approval(number)
  return { ...JSON.parse(preview_json), input: JSON.parse(input_json) }
}

play(
  'what is approved and not carried out yet is refused by anybody, or withdrawn by whoever asked',
  async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    await addPeople(world.store, ['eva'], 'operator')
    const refused = await people.asks('ana', 'deposit.add', deposit)
    await approveOnly(world, refused)
    await people.as(
      'eva',
      'approval.refuse',
      { number: refused, reason: 'the invoice is another one' },
      'operator',
    )
    const withdrawn = await people.asks('ana', 'deposit.add', { ...deposit, reference: 'SPEI 2' })
    await approveOnly(world, withdrawn)
    await people.as('ana', 'approval.withdraw', { number: withdrawn, reason: 'twice' })
    await pass(world)
    assert.is(await available(world), 0n)
    const { state, decided_by } = await people.approval(refused)
    assert.equal([state, decided_by], ['refused', 'eva'])
    assert.equal(await problemsIn(world), [])
  },
)

const changes: readonly (readonly [
  what: string,
  name: string,
  set: { role?: 'operator'; disabled_at?: number },
])[] = [
  ['whoever asked is disabled', 'ana', { disabled_at: 1 }],
  ['whoever asked is an administrator no more', 'ana', { role: 'operator' }],
  ['whoever approved is disabled', 'luis', { disabled_at: 1 }],
  ['whoever approved is an administrator no more', 'luis', { role: 'operator' }],
]
for (const [what, name, set] of changes) {
  play(`nothing is carried out where ${what} meanwhile`, async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    const number = await people.asks('ana', 'deposit.add', deposit)
    await approveOnly(world, number)
    await commit(world.store, [{ update: 'people', key: { name }, set }])
    await pass(world)
    assert.is(await available(world), 0n)
    const { state, reason } = await people.approval(number)
    assert.is(state, 'void')
    assert.match(reason ?? '', new RegExp(`^${name}, who .* may not do it any more`))
  })
}

play('nothing is carried out where both are known to be one person since', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const number = await people.asks('ana', 'deposit.add', deposit)
  await approveOnly(world, number)
  await commit(world.store, [{ update: 'people', key: { name: 'luis' }, set: { let_in_by: 'person:ana' } }])
  await pass(world)
  assert.equal([(await people.approval(number)).state, await available(world)], ['void', 0n])
})

play('whoever has too many waiting asks for no more, and others do', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  for (let index = 0; index < maxWaiting; index++)
    await people.asks('ana', 'deposit.add', { ...deposit, reference: `SPEI ${index}` })
  const more = { ...deposit, reference: 'one more' }
  assert.match(
    await people.refused('ana', 'deposit.add', more),
    /^refused: 50 approvals that you have asked for/,
  )
  await people.asks('luis', 'deposit.add', more)
  await people.asks(null, 'deposit.add', more)
  await people.as('ana', 'approval.withdraw', { number: 1, reason: 'too many' })
  await people.asks('ana', 'deposit.add', more)
})

play('the very same that is asked for twice at once waits once', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const numbers = await Promise.all([1, 2, 3].map(() => people.asks('ana', 'deposit.add', deposit)))
  assert.equal(numbers, [1, 1, 1])
})

play('however many wait, what is approved is carried out', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const names = ['p1', 'p2', 'p3', 'p4', 'p5']
  await addPeople(world.store, names)
  for (const name of names)
    for (let index = 0; index < maxWaiting; index++)
      await people.asks(name, 'deposit.add', { ...deposit, reference: `${name} ${index}` })
  const number = await people.asks('ana', 'deposit.add', deposit)
  await approveOnly(world, number)
  await pass(world)
  assert.is((await people.approval(number)).state, 'carried_out')
  assert.is(await available(world), 100_001n)
})

play('a secret is kept nowhere, and another one is another request', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const added = { name: 'joe', role: 'operator', password: 'a long and quiet night' }
  const number = await people.asks('ana', 'operator.add', added)
  const kept = JSON.stringify([await people.approval(number), await world.rows('approval_events')])
  assert.not.match(kept, /quiet night/)
  await people.as('luis', 'approval.approve', { number })
  const other = await people.asks('ana', 'operator.add', { ...added, password: 'a short and loud morning' })
  assert.is.not(other, number)
  await people.as('ana', 'operator.add', added)
  assert.is((await people.approval(number)).state, 'carried_out')
})

play('stars that somebody has typed are no secret', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const number = await people.asks('ana', 'deposit.add', { ...deposit, reason: '***' })
  await people.as('luis', 'approval.approve', { number })
  assert.is(await available(world), 100_001n)
})

play(
  'a key that is imported with its secret is looked at without it, and carried out with it',
  async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    const secret = Buffer.alloc(32, 9).toString('base64url')
    const file = { merchants: [{ name: 'Shop', credentials: [{ key: 'mk_imported', secret }] }] }
    const number = await people.asks('ana', 'apply', file)
    assert.not.match(JSON.stringify(await people.approval(number)), new RegExp(secret))
    assert.equal((await previewOf(people, number)).changes, ['merchant Shop: key mk_imported added'])
    await people.as('luis', 'approval.approve', { number })
    assert.is((await people.approval(number)).state, 'approved')
    assert.match(await people.refused('ana', 'approval.carryOut', { number }), /was not kept/)
    await people.as('ana', 'apply', file)
    assert.is((await people.approval(number)).state, 'carried_out')
  },
)

play('days of a calendar are shown, and imported by the node', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const text = 'date,note\n2026-12-25,Navidad\n'
  const number = await people.asks('ana', 'calendar.import', { name: 'mx', text })
  const { changes, input } = await previewOf(people, number)
  assert.equal([changes, input.text], [['calendar mx is made', '2026-12-25: Navidad'], text])
  await people.as('luis', 'approval.approve', { number })
  assert.is((await people.approval(number)).state, 'carried_out')
  assert.equal(
    (await world.rows('calendar_days')).map(({ day, note }) => [day, note]),
    [['2026-12-25', 'Navidad']],
  )
})

play('a merchant that comes with a deposit is one request, named as it will be called', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const deposits = [{ reference: 'first', amount: '500.00', currency: 'MXN' }]
  const file = { merchants: [{ name: 'Newcomer', deposits }] }
  const number = await people.asks('ana', 'apply', file)
  assert.is(await people.asks('ana', 'apply', file), number)
  const { postings } = await previewOf(people, number)
  assert.match(JSON.stringify(postings), /Newcomer/)
  assert.not.match(JSON.stringify(postings), /[0-9a-f]{8}-[0-9a-f]{4}-/)
  await people.as('luis', 'approval.approve', { number })
  await people.as('ana', 'apply', file)
  assert.is((await people.approval(number)).state, 'carried_out')
  const [made] = (await world.rows('parties')).filter(({ name }) => name === 'Newcomer')
  assert.is(await world.balance({ ownerId: made?.id ?? '' }), 50_000n)
})

const shown: readonly (readonly [
  operation: string,
  input: Record<string, unknown>,
  changes: readonly string[],
])[] = [
  ['operator.change', { name: 'eva', role: 'operator' }, ['eva: administrator → operator']],
  ['operator.disable', { name: 'eva' }, ['eva: disabled']],
  ['operator.reset', { name: 'eva' }, ['eva: another password']],
  ['operator.add', { name: 'joe', role: 'viewer' }, ['joe is let in: viewer']],
  ['operator.invite', { name: 'joe', role: 'viewer' }, ['joe is invited: viewer']],
  ['approval.setThreshold', { currency: 'MXN', amount: '5.00', reason: 'x' }, ['* MXN: 1000.00 → 5.00']],
  ['approval.removeThreshold', { currency: 'MXN', reason: 'x' }, ['* MXN: 1000.00 → –']],
  ['key.rotate', { party: 'Shop' }, ['another key']],
]
for (const [operation, input, lines] of shown) {
  play(`whoever approves ${operation} reads what it changes`, async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    await addPeople(world.store, ['eva'])
    const number = await people.asks('ana', operation, input)
    assert.equal((await previewOf(people, number)).changes, lines)
  })
}

play('what changes nothing when it is looked at, and does in its step, takes two', async (bare) => {
  await settle(bare)
  // Somebody else’s change comes between the two.
  let steps = 0
  const revision = { insert: 'facts', values: { name: 'provisioning', value: '77' } } as const
  const contact = { contact: 'new@shop.example' }
  const store = changedStore(bare.store, {
    async step(step) {
      steps += 1
      if (steps === 2)
        await commit(bare.store, [{ update: 'parties', key: { id: shop.id }, set: contact }, revision])
      return bare.store.step(step)
    },
  })
  await twoPeople(bare)
  const people = peopleOver(store, bare.clock, dispatchOver({ ...bare, store }))
  await people.asks('ana', 'apply', { merchants: [{ name: 'Shop', contact: 'ops@shop.example' }] })
  const [party] = (await bare.rows('parties')).filter(({ id }) => id === shop.id)
  assert.is(party?.contact, contact.contact)
})

play('nobody is signed out by what is void', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await addPeople(world.store, ['eva', 'olga'])
  const session = {
    id: 's',
    created_at: 1,
    seen_at: 1,
    address: '',
    agent: '',
    factor_at: null,
    pending_json: null,
  }
  await commit(world.store, [{ insert: 'sessions', values: { ...session, digest: 'd', person_name: 'eva' } }])
  const number = await people.asks('ana', 'operator.disable', { name: 'eva' })
  await approveOnly(world, number)
  await commit(world.store, [{ update: 'people', key: { name: 'eva' }, set: { role: 'operator' } }])
  await pass(world)
  assert.is((await people.approval(number)).state, 'void')
  assert.is((await world.rows('sessions')).length, 1)
})

test.run()
