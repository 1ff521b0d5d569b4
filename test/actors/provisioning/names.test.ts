import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { calendarImport } from '../../../actors/terms/calendar-operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const name = 'Almacén Peñaloza'
const pair = { country: 'MX', currency: 'MXN', min: '1.00', max: '5000.00' }
const deposit = { currency: 'MXN', amount: '100.00', reference: 'first' }

const merchant = (its: string, more: object = {}) => ({ merchants: [{ name: its, ...more }] })

async function refusal(asked: Promise<unknown>): Promise<readonly string[]> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.instance(error, OperationError)
  return error instanceof OperationError
    ? [...error.details, ...(error.details.length > 0 ? [] : [error.message])]
    : []
}

const namesOf = async (world: OrderWorld) => (await world.rows('parties')).map((it) => it.name).toSorted()

/** Older versions took any name without control characters. */
async function keepParty(world: OrderWorld, id: string, its: string): Promise<void> {
  const values = { id, kind: 'merchant', name: its, contact: '', requests_per_minute: null } as const
  const others = { frozen_at: null, frozen_reason: null, created_at: world.clock.now() } as const
  await world.store.step({
    rows: {},
    decide: () => ({ answer: null, writes: [{ insert: 'parties', values: { ...values, ...others } }] }),
  })
}

const slips: [what: string, slip: string][] = [
  ['case', 'almacén peñaloza'],
  ['accents', 'Almacen Penaloza'],
  ['blanks', 'AlmacénPeñaloza'],
  ['width', 'Ａlmacén Peñaloza'],
]

for (const [what, slip] of slips)
  play(`a new name that differs only by ${what} asks for --new, and books nothing`, async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, merchant(name, { pairs: [pair] }))
    const before = await namesOf(world)
    const [line = ''] = await refusal(ask(apply, merchant(slip, { deposits: [deposit] })))
    assert.match(
      line,
      /^merchants\[0\]\.name: ".+" is new, and differs only by .+ from merchant Almacén Peñaloza\. .+ --new$/,
    )
    assert.equal(await namesOf(world), before)
    assert.equal(await world.rows('account_deposits'), [])
    await ask(apply, { ...merchant(slip), new: true })
    assert.is((await namesOf(world)).length, before.length + 1)
    await ask(apply, merchant(slip, { contact: 'again@shop.example' }))
  })

play('spellings of one name are one merchant', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, merchant(name, { pairs: [pair] }))
  const before = await namesOf(world)
  for (const spelling of [name.normalize('NFD'), ` ${name}  `, name.replace(' ', '\u00a0 ')]) {
    const applied = await ask(apply, merchant(spelling, { deposits: [{ ...deposit, reference: spelling }] }))
    assert.is(applied.merchants[0]?.name, name)
  }
  assert.equal(await namesOf(world), before)
  assert.is((await world.rows('account_deposits')).length, 1, 'and so is a reference')
  assert.is((await ask(merchantShow, { name: name.normalize('NFD') })).name, name)
})

const odd = ['Alma\ufffdn', 'Alma\u202en', 'Alma\u200bn', 'Alma\u00adn', 'Alma\ue000n', '..', '\ud800']

for (const bad of odd)
  play(`a name like ${JSON.stringify(bad)} makes no party and books nothing`, async (world) => {
    const { ask } = operatorOf(world)
    const before = await namesOf(world)
    const [line = ''] = await refusal(ask(apply, merchant(bad, { deposits: [deposit] })))
    assert.match(line, /^merchants\[0\]\.name: /)
    assert.equal(await namesOf(world), before)
  })

play('a party that an older version gave an odd name goes on under it', async (world) => {
  const { ask } = operatorOf(world)
  const kept = ['Alma\ufffdn Pe\ufffdaloza', 'Kiosk\u200b', 'Cafe\u0301', 'Demo  Twice', '..']
  for (const [at, its] of kept.entries()) await keepParty(world, `odd-${at}`, its)
  const before = await namesOf(world)
  for (const its of kept) {
    await ask(apply, merchant(its, { pairs: [pair], deposits: [{ ...deposit, reference: 'kept' }] }))
    assert.is((await ask(merchantShow, { name: its })).balances[0]?.available, '100.00', its)
  }
  assert.equal(await namesOf(world), before)
})

play('names in one file that look alike, and networks, ask for --new, too', async (world) => {
  const { ask } = operatorOf(world)
  const file = {
    merchants: [{ name: 'Kiosco Ábaco' }, { name: 'kiosco abaco' }],
    providers: [
      { name: 'Tills', networks: ['shops_mx'] },
      { name: 'Others', networks: ['SHOPS_MX'] },
    ],
  }
  const lines = await refusal(ask(apply, file))
  assert.equal(
    lines.map((line) => line.split(' ')[0]),
    ['merchants[1].name:', 'providers[1].networks[0]:'],
  )
  await ask(apply, { ...file, new: true })
  const [line] = await refusal(ask(apply, { providers: [{ name: 'Tills', networks: ['Shops_MX'] }] }))
  assert.match(line ?? '', /from network (shops_mx|SHOPS_MX) of provider (Tills|Others)\./)
})

play(
  'banks and calendars whose names look alike ask for --new, in one file and beside those there are',
  async (world) => {
    const { ask } = operatorOf(world)
    const currency = 'MXN'
    const differs = 'is new, and differs only by accents, case, blanks or width of letters from'
    const instead = "Write that one's name as it is, or say --new"
    await ask(apply, { banks: [{ name: 'main', currency }], calendars: [{ name: 'mx-banks' }] })
    const slips = {
      banks: [
        { name: 'Main', currency },
        { name: 'México', currency },
        { name: 'mexico', currency },
      ],
      calendars: [{ name: 'mx-banks', weekend: ['SUN'] }, { name: 'MX-Banks' }],
    }
    assert.equal(await refusal(ask(apply, slips)), [
      `banks[0].name: "Main" ${differs} bank main. ${instead}`,
      `banks[2].name: "mexico" ${differs} bank México. ${instead}`,
      `calendars[1].name: "MX-Banks" ${differs} calendar mx-banks. ${instead}`,
    ])
    const imported = ask(calendarImport, { name: 'MX-BANKS', text: 'date\n2026-12-25\n' })
    assert.equal(await refusal(imported), [`"MX-BANKS" ${differs} calendar mx-banks.`])
    assert.equal([(await world.rows('banks')).length, (await world.rows('calendars')).length], [1, 1])
    await ask(apply, { ...slips, new: true })
    assert.equal((await ask(apply, slips)).changes, [], 'once there they are known')
    assert.is((await ask(calendarImport, { name: 'MX-Banks', text: 'date\n2026-12-25\n' })).isNew, false)
  },
)

play(
  'a deposit that is booked by hand has one spelling, and nothing unseen in its reference',
  async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, merchant(name, { pairs: [pair] }))
    const given = { merchant: name, amount: '5.00', currency: 'MXN', reason: 'r' }
    await ask(depositAdd, { ...given, reference: 'Depo\u0301sito 1' })
    const [twice = ''] = await refusal(ask(depositAdd, { ...given, reference: 'Depósito  1' }))
    assert.match(twice, /booked already/)
    const [unseen = ''] = await refusal(ask(depositAdd, { ...given, reference: 'Depósito\u200b 1' }))
    assert.match(unseen, /U\+200B/)
    const taken = await ask(depositReverse, { merchant: name, reason: 'r', reference: 'Depo\u0301sito 1' })
    assert.is(taken.reference, 'Depósito 1')
  },
)

test.run()
