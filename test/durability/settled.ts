/** Whether settlement that was cut off still is what whoever is outside was told, and what it has to be at its end. */
import { verify } from '../../actors/verification/verify.ts'
import { openReader } from '../../persistence/index.ts'
import { readLines } from '../../persistence/line-log.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import type { Store } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { journalKey, otherShop, shop, tills } from '../support/order-world.ts'
import type { SettlementTold } from './settlement-story.ts'

async function looking<Result>(file: string, look: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openSqliteStore({ file, clock: fakeClock() })
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** @returns what is wrong, one sentence each; what was lost begins with `lost`. */
export function problemsOfSettlement(file: string, told: readonly SettlementTold[]): Promise<string[]> {
  return looking(file, async (store) => {
    const reader = await openReader(`sqlite:${file}`)
    try {
      const { checks } = await verify({ reader, journalKey, anchors: readLines(`${file}.anchors`) })
      const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
      return [...(await lostOf(store, told)), ...failed]
    } finally {
      await reader.close()
    }
  })
}

async function lostOf(store: Store, told: readonly SettlementTold[]): Promise<string[]> {
  const states = (await allRows(store, 'payment_events')).map((one) => `${one.payment_id} ${one.to_state}`)
  const runs = (await allRows(store, 'payment_runs')).map((one) => `${one.id} ${one.file_digest}`)
  const lines = (await allRows(store, 'bank_entries')).map(({ reference }) => reference)
  const sealed = (await allRows(store, 'statements')).map(
    (one) => `${one.party_id} ${one.number} ${one.digest}`,
  )
  const answers = (await allRows(store, 'repeated_messages')).map(({ answer_json }) => answer_json)
  const isKept = (one: SettlementTold): boolean => {
    switch (one.is) {
      case 'payment':
        return states.includes(`${one.id} ${one.state}`)
      case 'file':
        return runs.includes(`${one.run} ${one.digest}`)
      case 'sealed':
        return sealed.includes(`${one.statement} ${one.digest}`)
      case 'withdrawn':
        return answers.some((json) => json.includes(one.answer))
      case 'received':
        return lines.includes(one.reference)
    }
  }
  return told.filter((one) => !isKept(one)).map((one) => `lost: ${JSON.stringify(one)}`)
}

/** What the three days come to, worked out by hand: the first payment to network A has come back, and it is paid again. */
export const settledEnd = {
  statements: [
    [tills.A.id, 1, -100_000n],
    [tills.A.id, 2, 300_000n],
    [tills.A.id, 3, 30_000n],
    [tills.B.id, 1, -60_000n],
    [tills.B.id, 2, -40_000n],
    // All that is left on the third day; what was more on the first is paid out since.
    [shop.id, 1, 370_000n],
    [shop.id, 2, 0n],
    [shop.id, 3, 0n],
  ],
  left: 0,
  payments: [
    [tills.A.id, 'booked', 230_000n],
    [tills.A.id, 'returned', 230_000n],
    [tills.B.id, 'booked', 100_000n],
    [shop.id, 'booked', 370_000n],
  ],
  atBank: [
    [tills.A.name, '2300.00'],
    [tills.A.name, '2300.00'],
    [shop.name, '3700.00'],
  ],
  lines: [
    ['bounce', 'in'],
    ['payment', 'in'],
    ['payment', 'out'],
    ['payment', 'out'],
    ['payment', 'out'],
  ],
  // 6000 have left it and 1000 have come; nobody is owed anything, and nobody owes.
  owed: [['bank:main:MXN', 500_000n]],
  sum: 0n,
}

/** Where the other shop withdraws 200.00 of its 300.00, too. */
export const withdrawnEnd = {
  ...settledEnd,
  statements: [...settledEnd.statements, [otherShop.id, 1, 20_000n]].toSorted(),
  payments: [...settledEnd.payments, [otherShop.id, 'booked', 20_000n]].toSorted(),
  atBank: [...settledEnd.atBank, [otherShop.name, '200.00']].toSorted(),
  lines: [...settledEnd.lines, ['payment', 'out']],
  owed: [
    ['available:other:MXN', 10_000n],
    ['bank:main:MXN', 520_000n],
  ],
}

/** @param told by all lives together: what the bank had of one that was cut off, it has. */
export function endOfSettlement(file: string, told: readonly SettlementTold[]) {
  return looking(file, async (store) => {
    const statements = await allRows(store, 'statements')
    const payments = await allRows(store, 'payments')
    const atBank = new Map(
      told.flatMap((one) => (one.is === 'file' ? one.payments : [])).map((one) => [one.id, one]),
    )
    const balances = await allRows(store, 'accounts')
    return {
      statements: statements
        .map(({ party_id, number, due_minor }) => [party_id, number, due_minor])
        .toSorted(),
      left: statements.filter(({ due_minor, allocated_minor }) => due_minor !== allocated_minor).length,
      payments: payments
        .map(({ party_id, state, amount_minor }) => [party_id, state, amount_minor])
        .toSorted(),
      atBank: [...atBank.values()].map(({ party, amount }) => [party, amount]).toSorted(),
      lines: (await allRows(store, 'bank_entries'))
        .map(({ kind, direction }) => [kind, direction])
        .toSorted(),
      owed: balances
        .filter(({ owner_id, balance_minor }) => owner_id !== '' && balance_minor !== 0n)
        .map(({ id, balance_minor }) => [id, balance_minor]),
      sum: balances.reduce((sum, { balance_minor }) => sum + balance_minor, 0n),
    }
  })
}
