/** The counter of one treasury, over a chain that says what a test has moved. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TreasuryBooks } from '../../../actors/chains/treasury-books.ts'
import { TreasuryCounter } from '../../../actors/chains/treasury-counter.ts'
import { openTreasuryWorld, type TreasuryWorld } from '../../durability/treasury-world.ts'
import { lightStellar } from '../../support/chains/light/light-stellar.ts'
import { ScriptedTreasury } from '../../support/chains/scripted-treasury.ts'
import { minuteMs } from '../../support/order-world.ts'

const blockchain = 'STELLAR'

async function counted(
  work: (world: TreasuryWorld, treasury: ScriptedTreasury, minute: () => Promise<void>) => Promise<void>,
  scanner = { isBehind: false },
) {
  const world = await openTreasuryWorld((clock) =>
    lightStellar({ clock: () => clock.now(), opening: 0n, endpoints: 1 }),
  )
  const { clock, store, chain } = world
  const { asset } = chain
  const treasury = new ScriptedTreasury({ blockchain, asset, clock, address: 'T', opening: 1_000n })
  const counter = new TreasuryCounter({
    chain: treasury.chain,
    clock,
    books: new TreasuryBooks(store, blockchain),
    standing: { failed: () => clock.now() + minuteMs, answered: () => {} },
    log: { warn: () => {}, error: () => {} },
    scannedTo: async () => (scanner.isBehind ? 0 : clock.now() + 1),
    record: async () => 0,
  })
  const minute = async () => {
    clock.advance(minuteMs)
    while ((await counter.pass()).more);
  }
  try {
    await work(world, treasury, minute)
  } finally {
    await world.close()
  }
}

test('what was told is looked for after 2, 4, 8, 16 minutes, and so on', () =>
  counted(async (world, treasury, minute) => {
    for (let count = 0; count < 3; count += 1) await minute()
    treasury.move(-10n, { isSilent: true })
    for (let count = 0; count < 2; count += 1) await minute()
    const [told] = await world.rows('treasury_counts')
    assert.is(told?.told_units, '-10')
    const searched: number[] = []
    for (let count = 1; count <= 40; count += 1) {
      treasury.readAgainFrom.length = 0
      await minute()
      if (treasury.readAgainFrom.includes(told?.missing_since_height ?? -1)) searched.push(count)
    }
    // In the first minute every block since is read its second time, which begins there, too.
    assert.equal(searched, [1, 2, 6, 14, 30])
  }))

test('a difference that could not be judged is looked for from where the books agreed, whatever was read twice since', () => {
  const scanner = { isBehind: false }
  return counted(async (world, treasury, minute) => {
    for (let count = 0; count < 3; count += 1) await minute()
    const [agreed] = await world.rows('treasury_counts')
    treasury.move(-10n, { isSilent: true })
    // The look at it lapses, and the second reading comes by.
    scanner.isBehind = true
    for (let count = 0; count < 25; count += 1) await minute()
    scanner.isBehind = false
    for (let count = 0; count < 25; count += 1) await minute()
    const [told] = await world.rows('treasury_counts')
    assert.is(told?.told_units, '-10')
    const since = told?.missing_since_height ?? Number.POSITIVE_INFINITY
    assert.ok(since <= (agreed?.book_height ?? 0), `${since} is behind ${agreed?.book_height}`)
    assert.ok((told?.read_twice_height ?? 0) > since, 'what was told keeps no reading back')
  }, scanner)
})

test.run()
