import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Resolution } from '../../../actors/exceptions/kinds.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { isOpen } from '../../../machines/statuses.ts'
import { agree, problemsIn, shopFees } from '../../support/agreed-terms.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  graceMs,
  hourMs,
  minuteMs,
  type OrderWorld,
  operator,
  orderWorlds,
  type Till,
  tills,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

/** What somebody does to one of a few orders, or to the world around them. */
type Deed =
  | { do: 'create'; direction: 'PAY_OUT' | 'PAY_IN'; priceMinor: bigint; hours: number }
  | { do: 'deposit'; amountMinor: bigint }
  | { do: 'pass'; ms: number }
  | { do: 'trust clock'; mayExpire: boolean }
  | { do: 'fund' }
  | { do: 'start' | 'confirm' | 'give back'; order: number; till: Till; digest: string }
  | { do: 'cancel'; order: number; force: boolean }
  | { do: 'look' | 'expire'; order: number }
  | { do: 'take back'; amountMinor: bigint }
  | { do: 'resolve'; exception: number; as: Resolution }

const order = fc.nat(4)
const till = fc.constantFrom<Till>('A', 'B')
/** So few that messages are repeated. */
const digest = fc.constantFrom('one', 'two', 'three')

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<Deed & { do: 'create' }>({
      do: fc.constant('create'),
      direction: fc.constantFrom('PAY_OUT', 'PAY_OUT', 'PAY_IN'),
      priceMinor: fc.constantFrom(1n, 50_000n, 100_000n),
      hours: fc.constantFrom(1, 2, 24),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record<Deed & { do: 'deposit' }>({
      do: fc.constant('deposit'),
      amountMinor: fc.constantFrom(1n, 100_000n, 250_000n),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record<Deed & { do: 'pass' }>({
      do: fc.constant('pass'),
      ms: fc.constantFrom(1, minuteMs, graceMs, hourMs - 1, hourMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record<Deed & { do: 'trust clock' }>({
      do: fc.constant('trust clock'),
      mayExpire: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Deed>({ do: 'fund' }) },
  {
    weight: 12,
    arbitrary: fc.record<Deed & { do: 'start' }>({ do: fc.constant('start'), order, till, digest }),
  },
  {
    weight: 6,
    arbitrary: fc.record<Deed & { do: 'confirm' }>({ do: fc.constant('confirm'), order, till, digest }),
  },
  {
    weight: 6,
    arbitrary: fc.record<Deed & { do: 'give back' }>({ do: fc.constant('give back'), order, till, digest }),
  },
  {
    weight: 1,
    arbitrary: fc.record<Deed & { do: 'cancel' }>({ do: fc.constant('cancel'), order, force: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record<Deed & { do: 'look' }>({ do: fc.constant('look'), order }) },
  { weight: 2, arbitrary: fc.record<Deed & { do: 'expire' }>({ do: fc.constant('expire'), order }) },
  {
    weight: 1,
    arbitrary: fc.record<Deed & { do: 'take back' }>({
      do: fc.constant('take back'),
      amountMinor: fc.constantFrom(1n, 60_000n, 300_000n),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record<Deed & { do: 'resolve' }>({
      do: fc.constant('resolve'),
      exception: fc.nat(9),
      as: fc.constantFrom<Resolution>('honour', 'return', 'return', 'dismiss'),
    }),
  },
)

const resolved = new Set<string>()

async function perform(world: OrderWorld, ids: string[], one: Deed, hasTerms: boolean): Promise<void> {
  const orderId = 'order' in one ? (ids[one.order % Math.max(ids.length, 1)] ?? 'nobody') : ''
  switch (one.do) {
    case 'create': {
      if (ids.length >= 5) return
      const { direction, priceMinor, hours } = one
      const expiryAt = world.clock.now() + hours * hourMs
      const feeTerms = hasTerms ? shopFees : []
      const made = await world.create({ direction, priceMinor, expiryAt, feeTerms })
      if (made.outcome === 'created') ids.push(made.order.id)
      return
    }
    case 'deposit':
      return world.deposit(one.amountMinor)
    case 'pass':
      return world.clock.advance(one.ms)
    case 'trust clock':
      world.expiry.mayExpire = one.mayExpire
      return
    case 'fund':
      return world.fund()
    case 'take back':
      return world.takeBack(one.amountMinor)
    case 'resolve': {
      const exceptions = await world.rows('exceptions')
      const exceptionId = exceptions[one.exception % Math.max(exceptions.length, 1)]?.id ?? 'none'
      const resolving = { exceptionId, as: one.as, reason: 'chance', evidence: null, operator }
      const { outcome } = await resolveException({ store: world.store, ...world.orders.context }, resolving)
      resolved.add(`${one.as} ${outcome}`)
      return
    }
    case 'cancel':
      await world.cancel(orderId, one.force)
      return
    case 'look':
      await world.orders.find(orderId)
      return
    case 'expire':
      return world.orders.expire(orderId)
    case 'start':
    case 'confirm':
    case 'give back': {
      const guard = {
        partyId: tills[one.till].id,
        digest: `${one.do} ${orderId} ${one.digest}`,
        bindsRevision: true,
      }
      const terms = hasTerms ? ({ hasTerms } as const) : {}
      if (one.do === 'start') await world.start(orderId, one.till, { guard, ...terms })
      else if (one.do === 'give back') await world.giveBack(orderId, one.till, { guard })
      else await world.confirm(orderId, one.till)
    }
  }
}

/** How the finished orders ended: nothing of that may change any more, and only what settles them is counted. */
async function endings(world: OrderWorld): Promise<Map<string, unknown>> {
  const orders = await world.rows('orders')
  return new Map(
    orders
      .filter(({ status }) => !isOpen(status))
      .map(({ id, journal_count: _, journal_head: __, refusals: ___, revision: ____, ...rest }) => [
        id,
        rest,
      ]),
  )
}

const reached = new Map<string, number>()

test('whatever is done by whom, when and how much of it at once, money, journals and webhooks stay right', async () => {
  const together = fc.array(deed, { minLength: 1, maxLength: 4 })
  const story = fc.array(together, { minLength: 20, maxLength: 45 })
  await fc.assert(
    fc.asyncProperty(story, fc.boolean(), (steps, hasTerms) =>
      inWorld(async (world) => {
        if (hasTerms) await agree(world)
        const ids: string[] = []
        let ended = new Map<string, unknown>()
        for (const deeds of steps) {
          await Promise.all(deeds.map((one) => perform(world, ids, one, hasTerms)))
          await assertInvariants(world)
          const now = await endings(world)
          for (const [id, before] of ended) assert.equal(now.get(id), before, 'a finished order changed')
          ended = now
        }
        assert.equal(await problemsIn(world), [])
        for (const { direction, status } of await world.rows('orders')) {
          const what = `${direction} ${status}`
          reached.set(what, (reached.get(what) ?? 0) + 1)
        }
      }),
    ),
    { seed: 20_260_301, numRuns: 30, endOnFailure: false },
  )
})

test('these stories led to every status, so that they prove something', () => {
  const statuses = [...reached.keys()].toSorted()
  assert.equal(statuses, [
    'PAY_IN CANCELLED',
    'PAY_IN COMPLETED',
    'PAY_IN EXPIRED',
    'PAY_IN PAYMENT_STARTED',
    'PAY_IN READY',
    'PAY_OUT CANCELLED',
    'PAY_OUT COMPLETED',
    'PAY_OUT CREATED',
    'PAY_OUT EXPIRED',
    'PAY_OUT PAYMENT_STARTED',
    'PAY_OUT READY',
  ])
  for (const one of [
    'honour resolved',
    'return resolved',
    'return resolved_before',
    'dismiss no_such_resolution',
  ])
    assert.ok(resolved.has(one), `${one}: ${[...resolved].join(', ')}`)
})

test.run()
