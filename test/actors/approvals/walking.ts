/** Every operation that takes two people, asked for in one of the ways there are: none is done by one, and each once by two. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { isJudged } from '../../../actors/operations/approval-rules.ts'
import { authorityOf } from '../../../actors/operations/authority.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import type { TableName } from '../../../persistence/schema.ts'
import { isLargeShare } from '../../durability/share.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { commit, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { filesOf } from '../../support/reported-day.ts'
import { agreed } from '../claims/claimed.ts'
import { judged } from './judged.ts'
import { addPeople, twoPeople } from './two-people.ts'

/** All that an operation of these may change, but for what nobody is to approve: audit, approvals, sums. */
const tables: readonly TableName[] = [
  ...(['postings', 'exceptions', 'claims', 'payments', 'conversions', 'account_deposits', 'orders'] as const),
  ...(['people', 'invitations', 'passkeys', 'recovery_codes', 'credentials', 'approval_thresholds'] as const),
  ...(['parties', 'pairs', 'networks', 'rates', 'fee_terms', 'settlement_terms', 'exposure_limits'] as const),
  ...(['calendars', 'calendar_days', 'banks', 'bank_entries'] as const),
]

async function state(world: OrderWorld): Promise<string> {
  const all = await Promise.all(tables.map((table) => world.rows(table)))
  return JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/** Whatever it moves, in whatever currency, takes two. */
async function nothingAlone(world: OrderWorld): Promise<void> {
  const currencies = new Set((await world.rows('accounts')).map(({ currency }) => currency))
  const set = { amount_minor: 0n, set_at: 1, set_by: 'ana', revision: 1 }
  await commit(
    world.store,
    [...currencies.add('MXN')].map((currency) => ({
      insert: 'approval_thresholds',
      values: { operation: '*', currency, ...set },
    })),
  )
}

export interface Asking {
  /** Signed in; `null` is whoever has the token, or the machine. */
  asker: 'ana' | null
  /** On the database itself, without a node. */
  isDirect: boolean
}

export function walk(test: Test, { asker, isDirect }: Asking): void {
  const play = inOrderWorld(test)
  const all = operationsOf('sandbox').filter(isJudged)
  // A person asks for each; in the other ways `npm run test:durability` asks for each, and `npm test` for some.
  const walked = isLargeShare || asker !== null ? all : all.filter((_, index) => index % 4 === 0)
  for (const operation of walked) {
    const { name } = operation
    const { prepare, movesNothing = false } = judged[name]
    // What only whoever has the machine may ask for.
    if (asker !== null && authorityOf(operation).factor === 'machine') continue
    play(`${name} ${movesNothing ? 'moves nothing, and takes one' : 'takes two'}`, async (bare) => {
      const world = { ...bare, ...filesOf(bare) }
      await agreed(world)
      await addPeople(world.store, ['eva', 'olga'])
      await commit(world.store, [{ update: 'people', key: { name: 'olga' }, set: { disabled_at: 1 } }])
      const input = await prepare(world)
      const people = await twoPeople(world, null, isDirect)
      await nothingAlone(world)
      const before = await state(world)
      if (movesNothing) {
        const postings = (await world.rows('postings')).length
        await people.as(asker, name, input)
        assert.is((await world.rows('postings')).length, postings)
        return
      }
      const number = await people.asks(asker, name, input)
      assert.is(await people.asks(asker, name, input), number, 'the same waits once')
      assert.is(await state(world), before, 'nothing was done')
      const { preview_json } = await people.approval(number)
      const { postings, changes } = JSON.parse(preview_json)
      assert.ok(postings.length + changes.length > 0, 'whoever approves sees something')
      await people.as('luis', 'approval.approve', { number })
      if ((await people.approval(number)).carried_by === 'asker') {
        assert.is(await state(world), before, 'it waits for whoever asked')
        await people.as(asker, name, input)
        if ('run' in input) await world.reports.finish()
      }
      assert.is((await people.approval(number)).state, 'carried_out')
      const after = await state(world)
      assert.is.not(after, before)
      // Neither of them does it again alone.
      await people.refused('luis', 'approval.approve', { number })
      await Promise.allSettled([people.as(asker, name, input)])
      assert.is(await state(world), after)
      // Statements of a world of payments are none that verify knows.
      if (!name.startsWith('payment.')) assert.equal(await problemsIn(world), [])
    })
  }
}
