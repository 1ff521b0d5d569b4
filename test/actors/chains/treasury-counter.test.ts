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
    scannedTo: async () => clock.now() + 1,
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

test.run()
