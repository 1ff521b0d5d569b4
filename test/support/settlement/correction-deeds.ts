/** Lines that turn out to be wrong, and are corrected by others: up to what the line is, and never beyond. */
import * as assert from 'uvu/assert'
import { adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import { written } from '../model/figures.ts'
import { total } from '../model/ledger.ts'
import { markets, parties } from './terms.ts'
import { newReference, type Play, pick } from './world.ts'

export async function correct(play: Play): Promise<void> {
  const lines = parties.flatMap(({ name: party }) =>
    markets.flatMap(({ currency }) =>
      play.books
        .statements(party, currency)
        .flatMap((statement) =>
          statement.lines.flatMap((line, index) =>
            line.isByBank || total([line]) === 0n
              ? []
              : [{ party, currency, statement: statement.number, number: index + 1, line }],
          ),
        ),
    ),
  )
  if (lines.length === 0) return
  const { party, currency, statement, number, line } = pick(play, lines)
  const key = `${party} ${currency} ${statement} ${number}`
  const before = play.corrected.get(key) ?? 0n
  const size = absolute(total([line]))
  const way = play.random.chance(0.5) ? 1n : -1n
  const whole = way * (1n + (size * BigInt(play.random.below(1_100))) / 1_000n)
  const tax = play.random.chance(0.4) && absolute(whole) > 1n ? whole / 5n : 0n
  const named = (await isNamedByOrder(play, line.order))
    ? { order: line.order ?? '' }
    : { statement, line: number }
  const reference = newReference(play)
  const input = {
    ...{ party, currency, because: 'dispute' as const, reference, reason: 'as agreed', ...named },
    amount: written(whole - tax, currency),
    ...(tax === 0n ? {} : { tax: written(tax, currency) }),
  }
  if (absolute(before + whole) > size) {
    assert.match((await play.operator.refusal('adjustment.record', input)).message, /cannot be corrected by/)
    return
  }
  await play.operator.ask(adjustmentRecord, input)
  play.corrected.set(key, before + whole)
  const told = { party, currency, amount: written(whole - tax, currency), tax: written(tax, currency) }
  play.books.tell({ is: 'adjustment', at: play.clock.now(), ...told })
}

/** One that is paid on a chain has two lines with its merchant, and one in the archive is not there to be named. */
async function isNamedByOrder(play: Play, order: string | null): Promise<boolean> {
  if (order === null || play.random.chance(0.6)) return false
  const found = (await play.rows('orders')).find(({ id }) => id === order)
  return found !== undefined && found.machine !== 'payOutForeign'
}

function absolute(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}
