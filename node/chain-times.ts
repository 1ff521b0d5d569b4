/**
 * Chains as a sandbox sees them whose clock is ahead: their time is the world's, and what they tell is told on the sandbox's clock, so
 * that an order's deadline and a block's time can be compared.
 */
import type { Clock, WorldClock } from '../actors/foundation/clock.ts'
import type { ChainAdapter, ChainReader, KeptValues, Outcome } from '../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage } from '../chain/chain-deposits.ts'
import type { Instant } from '../machines/time.ts'

/** The adapter itself where there is one clock. */
export function chainOnClock(chain: ChainAdapter, { world }: Clock): ChainAdapter {
  if (world === undefined) return chain
  const shown = shownOn(world)
  return {
    ...chain,
    async readNetwork() {
      return mapped(await chain.readNetwork(), shown.values)
    },
    async readWallets(requests) {
      return (await chain.readWallets(requests)).map((read) => mapped(read, shown.values))
    },
    assemble({ deadline, ...request }, { network, wallet }, at) {
      const kept = { network: ofWorld(world, network), wallet: ofWorld(world, wallet) }
      const asked = { ...request, deadline: world.of(deadline) }
      return mapped(chain.assemble(asked, kept, world.of(at)), (assembled) => ({
        ...assembled,
        signableUntil: world.shownAt(assembled.signableUntil),
        landsUntil: shown.at(assembled.landsUntil),
      }))
    },
    async deposits(cursor) {
      return mapped(await chain.deposits(cursor), shown.page)
    },
    async unfinalizedChainDeposits() {
      return mapped(await chain.unfinalizedChainDeposits(), (deposits) => deposits.map(shown.deposit))
    },
    reader: (turn) => readerOnClock(chain.reader(turn), world),
    async refund(request) {
      return mapped(await chain.refund(request), (refund) => ({
        ...refund,
        signableUntil: world.shownAt(refund.signableUntil),
      }))
    },
    async health() {
      const health = await chain.health()
      return { ...health, headAt: shown.at(health.headAt) }
    },
  }
}

function readerOnClock(reader: ChainReader, world: WorldClock): ChainReader {
  const shown = shownOn(world)
  return {
    async look() {
      return mapped(await reader.look(), (look) => ({ ...look, at: world.shownAt(look.at) }))
    },
    cursorAt: (height) => reader.cursorAt(height),
    async deposits(cursor) {
      return mapped(await reader.deposits(cursor), shown.page)
    },
    close: () => reader.close(),
  }
}

function mapped<Value, Failure>(
  outcome: Outcome<Value, Failure>,
  change: (value: Value) => Value,
): Outcome<Value, Failure> {
  return outcome.ok ? { ...outcome, value: change(outcome.value) } : outcome
}

function ofWorld(world: WorldClock, kept: KeptValues): KeptValues {
  return { ...kept, readAt: world.of(kept.readAt) }
}

/** What a chain tells, with its times as the sandbox's clock has shown them. */
function shownOn(world: WorldClock) {
  const at = (instant: Instant | null) => (instant === null ? null : world.shownAt(instant))
  const deposit = (found: ChainDeposit): ChainDeposit => ({ ...found, at: at(found.at) })
  const page = (found: ChainDepositPage): ChainDepositPage => ({
    ...found,
    deposits: found.deposits.map(deposit),
    ...(found.outflows === undefined
      ? {}
      : { outflows: found.outflows.map((outflow) => ({ ...outflow, at: at(outflow.at) })) }),
    scannedTo: at(found.scannedTo),
  })
  const values = (kept: KeptValues): KeptValues => ({ ...kept, readAt: world.shownAt(kept.readAt) })
  return { at, deposit, page, values }
}
