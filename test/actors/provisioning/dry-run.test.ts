/** What a file would change, member by member, before it does; and that nothing else is applied than what was shown. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Beginning, type Difference, differencesOf } from '../../../actors/provisioning/differences.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { Applied } from '../../../actors/provisioning/plan.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { deposit, everything, merchant, pair, provider, rate, secret } from './file-members.ts'

const play = inOrderWorld(test)

/** The clock of a world says 2026-03-01, noon. */
const fees = [{ direction: 'PAY_OUT', from: '2026-03-01', fixed: '1.00', bps: 100 }]
const zoned = { currency: 'MXN', timeZone: 'America/Mexico_City' }

const stored = {
  merchants: [
    {
      name: 'Kiosk',
      contact: 'desk@kiosk.example',
      pairs: [{ ...pair, fees }],
      settles: [{ currency: 'MXN', every: 'day', account: 'MX 1' }],
      deposits: [deposit],
    },
  ],
  providers: [{ name: 'Tills', networks: ['0009'], exposure: [{ currency: 'MXN', limit: '500.00' }] }],
  rates: [rate({ feeBps: 100 }).rates].flat(),
  banks: [{ name: 'main', currency: 'MXN' }],
  calendars: [{ name: 'mx', closed: [{ date: '2026-12-25', note: 'Christmas' }] }],
}

/** What a file comes to over what is stored: lines as they would be printed, without cut-offs but their first. */
const rows: [what: string, file: Record<string, unknown>, shown: string[]][] = [
  ['what is so already', stored, []],
  [
    'a contact and a limit of requests',
    merchant({ contact: '', limits: { requestsPerMinute: 300 } }),
    [
      'merchant Kiosk: contact or limits set',
      'contact desk@kiosk.example → –',
      'limits.requestsPerMinute – → 300',
    ],
  ],
  [
    'a higher limit',
    merchant({ pairs: [{ country: 'MX', currency: 'MXN', max: '60000.00', directions: ['PAY_IN'] }] }),
    ['merchant Kiosk: MX MXN set', 'max 50000.00 MXN → 60000.00 MXN', 'directions PAY_OUT, PAY_IN → PAY_IN'],
  ],
  [
    'a fee from a later day, beside the one whose place it takes',
    merchant({
      pairs: [
        {
          country: 'MX',
          currency: 'MXN',
          fees: [{ direction: 'PAY_OUT', from: '2026-04-01', fixed: '2.00', bps: 100, max: '9.00' }],
        },
      ],
    }),
    [
      'merchant Kiosk: fee of MX MXN on PAY_OUT from 2026-04-01 added',
      'fixed 1.00 MXN → 2.00 MXN from 2026-04-01 UTC',
      'max – → 9.00 MXN from 2026-04-01 UTC',
    ],
  ],
  [
    'a fee of a direction that has none, by the zone that the same file brings',
    merchant({
      settles: [zoned],
      pairs: [
        {
          country: 'MX',
          currency: 'MXN',
          fees: [{ direction: 'PAY_IN', from: '2026-03-02', bps: 50, taxBps: 1600 }],
        },
      ],
    }),
    [
      'merchant Kiosk: settlement of MXN set',
      'timeZone UTC → America/Mexico_City',
      'merchant Kiosk: coming days of MXN planned',
      'end of 2026-03-02 2026-03-03T00:00:00.000Z → 2026-03-03T06:00:00.000Z',
      'merchant Kiosk: fee of MX MXN on PAY_IN from 2026-03-02 added',
      'fixed – → 0.00 MXN from 2026-03-02 America/Mexico_City',
      'bps – → 50 from 2026-03-02 America/Mexico_City',
      'taxBps – → 1600 from 2026-03-02 America/Mexico_City',
    ],
  ],
  [
    'another account, which waits, beside what holds at once',
    merchant({ settles: [{ currency: 'MXN', account: 'MX 2', keep: '5.00', every: ['MON', 'THU'] }] }),
    [
      'merchant Kiosk: settlement of MXN set, account MX 2 from 2026-03-02T12:00:00.000Z',
      'every day → MON, THU',
      'keep – → 5.00 MXN',
      'account MX 1 → MX 2 after 24 h',
    ],
  ],
  [
    'a deposit, by its posting',
    merchant({ deposits: [{ ...deposit, reference: 'two' }] }),
    [
      'merchant Kiosk: deposit two of 100.00 MXN booked at main',
      'amount – → 100.00 MXN',
      'reference – → two',
      'bank – → main',
      'deposit bank of main / available of Kiosk 100.00 MXN',
    ],
  ],
  [
    'keys, and never their secrets',
    merchant({ credentials: [{ key: 'mk_1' }, { key: 'mk_2', secret }] }),
    [
      'merchant Kiosk: key mk_1 added',
      'key – → mk_1',
      'secret – → made, and shown once',
      'merchant Kiosk: key mk_2 added',
      'key – → mk_2',
      'secret – → as given',
    ],
  ],
  [
    'a limit that is taken away, and a network that is described',
    provider({
      exposure: [{ currency: 'MXN', limit: null }],
      networks: [{ id: '0009', currency: 'MXN', min: '20.00', text: { es: 'En caja' } }],
    }),
    [
      'provider Tills: exposure in MXN without a limit',
      'limit 500.00 MXN → –',
      'warnAtPercent 80 → –',
      'provider Tills: network 0009 set',
      'currency – → MXN',
      'min – → 20.00 MXN',
      'text.es – → En caja',
    ],
  ],
  [
    'a rate that is read from now on',
    rate({ sources: [{ url: 'https://rates.example/mxn?key=hidden', pointer: '/price', spreadBps: 5 }] }),
    [
      'rate USDC to MX MXN on SOLANA: set',
      'rate 17.25 → –',
      'expected – → 17.25',
      'sources[0].url – → rates.example/mxn',
      'sources[0].pointer – → /price',
      'sources[0].inverse – → false',
      'sources[0].spreadBps – → 5',
      'sources[0].refreshSeconds – → 60',
      'sources[0].timeoutSeconds – → 5',
      'sources[0].maxAgeSeconds – → 300',
    ],
  ],
  [
    'days of a calendar, and a bank',
    {
      banks: [{ name: 'second', currency: 'COP' }],
      calendars: [
        {
          name: 'mx',
          weekend: ['SUN'],
          closed: [{ date: '2026-12-25', note: 'Navidad' }, { date: '2027-01-01' }],
        },
      ],
    },
    [
      'bank second: added',
      'currency – → COP',
      'calendar mx: weekend set',
      'weekend SAT, SUN → SUN',
      'calendar mx: 2 closed days set',
      'closed.2026-12-25 Christmas → Navidad',
      'closed.2027-01-01 – → closed',
    ],
  ],
]

for (const [what, file, expected] of rows) {
  play(`a dry run tells member by member, and changes nothing: ${what}`, async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, stored)
    const before = await everything(world)
    const { differences, changes, problems } = await ask(apply, { ...file, dryRun: true })
    assert.equal(differences.flatMap(linesOf), expected)
    assert.equal(problems, [])
    assert.equal(await everything(world), before)
    const applied = await ask(apply, file)
    assert.equal(applied.changes, changes)
    assert.equal(applied.differences, differences)
  })
}

play(
  'what a merchant owes is repaid by a deposit, and the posting of that is shown with it',
  async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, merchant({ deposits: [deposit] }))
    await reverse(world)
    const { differences } = await ask(apply, {
      ...merchant({ deposits: [{ ...deposit, amount: '150.00', reference: 'two' }] }),
      dryRun: true,
    })
    assert.equal(
      differences.flatMap(({ postings }) =>
        postings.map(({ debit, credit, amount }) => [debit, credit, amount]),
      ),
      [
        ['bank', 'available of Kiosk', '150.00'],
        ['available of Kiosk', 'debt of Kiosk', '60.00'],
      ],
    )
  },
)

/** As if sixty of a deposit that was spent had been taken back. */
async function reverse(world: OrderWorld): Promise<void> {
  const [kiosk] = (await world.rows('parties')).filter(({ name }) => name === 'Kiosk')
  const ownerId = kiosk?.id ?? ''
  const accounts = ['available', 'debt'] as const
  const [available, debt] = accounts.map((kind) => ({ kind, ownerId, currency: 'MXN' }) as const)
  if (available === undefined || debt === undefined) throw new Error('there are two')
  const bank = { kind: 'bank', ownerId: '', currency: 'MXN' } as const
  const post = { kind: 'deposit_reversal', orderId: null, reference: 'one' } as const
  const taken = { ...post, debit: available, credit: bank, amountMinor: 4000n }
  const owed = { ...post, debit: debt, credit: bank, amountMinor: 6000n }
  await world.store.step({
    rows: {},
    decide: () => ({ answer: null, writes: [{ post: taken }, { post: owed }] }),
  })
}

play('what is refused is told beside what would be changed, and nothing is', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, stored)
  const file = merchant({
    contact: 'new@kiosk.example',
    deposits: [{ ...deposit, amount: '7.00' }],
    credentials: [{ key: 'mk_1', secret: 'short' }],
  })
  const { differences, problems } = await ask(apply, { ...file, dryRun: true })
  assert.equal(differences.flatMap(linesOf), [
    'merchant Kiosk: contact or limits set',
    'contact desk@kiosk.example → new@kiosk.example',
    'merchant Kiosk: key mk_1 added',
    'key – → mk_1',
    'secret – → made, and shown once',
  ])
  assert.equal(problems, (await refusal('apply', file)).details)
  assert.is(problems.length, 2)
})

play('no secret that was made for a dry run is told, nor kept', async (world) => {
  const { ask } = operatorOf(world)
  const dry = await ask(apply, { ...merchant({ credentials: [{ key: 'mk_1' }] }), dryRun: true })
  assert.equal(dry.merchants, [{ name: 'Kiosk', credentials: [{ key: 'mk_1' }] }])
  assert.equal(
    (await world.rows('credentials')).filter(({ key }) => key === 'mk_1'),
    [],
  )
  assert.not.match(JSON.stringify(await world.rows('audit')), /"secret":"(?!\*)/)
})

play('the digest of a dry run applies what was shown, and nothing else', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, stored)
  const file = merchant({ pairs: [{ country: 'MX', currency: 'MXN', max: '60000.00' }] })
  const shown: Applied = await ask(apply, { ...file, dryRun: true })
  world.clock.advance(60_000)
  await ask(apply, provider({ contact: 'somebody else' }))
  assert.is((await ask(apply, { ...file, dryRun: true })).digest, shown.digest, 'another party is no matter')
  await ask(apply, merchant({ pairs: [{ country: 'MX', currency: 'MXN', max: '55000.00' }] }))
  const moved = await refusal('apply', { ...file, digest: shown.digest })
  assert.is(moved.code, 'conflict')
  assert.is((await world.rows('pairs')).find(({ merchant_id }) => merchant_id !== '')?.max_minor, 5_500_000n)
  const again = await ask(apply, { ...file, dryRun: true })
  const { changes } = await ask(apply, { ...file, digest: again.digest, reason: 'They asked' })
  assert.equal(changes, ['merchant Kiosk: MX MXN set'])
  assert.match(JSON.stringify((await world.rows('audit')).at(-1)), /They asked/)
})

test('each change of a long file is read as often as that of a short one', () => {
  const readsOf = (count: number) => {
    let reads = 0
    const changes = Array.from({ length: count }, (_, index) => ({
      what: `bank ${index}: added`,
      get writes() {
        reads++
        return [{ insert: 'banks' as const, values: { name: `${index}`, currency: 'MXN' } }]
      },
    }))
    differencesOf(changes, { known: nothing, at: 0, madeKeys: new Set() })
    return reads / count
  }
  assert.is(readsOf(200), readsOf(2))
})

const nothing = {
  parties: new Map(),
  keyOwners: new Map(),
  networkOwners: new Map(),
  names: [],
  networkIds: [],
  deposits: new Map(),
  rates: new Map(),
  banks: new Map(),
  balances: new Map(),
  terms: { parties: new Map(), banks: new Map(), statements: new Map(), calendars: new Map() },
}

function linesOf({ what, members, postings }: Difference): string[] {
  return [
    what,
    ...members.map(
      ({ name, before, after, begins }) => `${name} ${before ?? '–'} → ${after ?? '–'}${beginsText(begins)}`,
    ),
    ...postings.map(
      ({ kind, debit, credit, amount, currency }) => `${kind} ${debit} / ${credit} ${amount} ${currency}`,
    ),
  ]
}

function beginsText(begins: Beginning): string {
  if (begins.at === 'once') return ''
  return begins.at === 'day' ? ` from ${begins.day} ${begins.timeZone}` : ` after ${begins.hours} h`
}

test.run()
