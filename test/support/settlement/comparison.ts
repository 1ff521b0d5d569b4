/** Every account, every statement and what is due, held against what the bookkeeper says. */
import * as assert from 'uvu/assert'
import { paymentOutstanding } from '../../../actors/settlement/runs.ts'
import { dayAt, minor, plusDays, written } from '../model/figures.ts'
import { total } from '../model/ledger.ts'
import { markets, names, parties } from './terms.ts'
import type { Play } from './world.ts'

export async function compare(play: Play): Promise<void> {
  await compareBalances(play)
  const statements = await play.rows('statements')
  const lines = await play.rows('statement_lines')
  for (const { id, name } of parties)
    for (const { currency } of markets) {
      const text = (minor: bigint) => written(minor, currency)
      const isOwn = (one: { party_id: string; currency: string }) =>
        one.party_id === id && one.currency === currency
      const found = statements.filter(isOwn).map((one) => ({
        number: one.number,
        days: `${one.from_day} to ${one.to_day}`,
        opening: text(one.opening_minor),
        closing: text(one.closing_minor),
        due: text(one.due_minor),
        dueOn: one.due_on,
        swept: text(one.swept_minor),
        open: text(one.due_minor - one.allocated_minor),
        lines: lines
          .filter((line) => isOwn(line) && line.number === one.number)
          .map((line) => [
            line.day,
            line.order_id,
            text(line.amount_minor),
            text(line.fee_minor),
            text(line.tax_minor),
            text(line.balance_minor),
          ]),
      }))
      assert.equal(found, reckoned(play, name, currency), `the statements of ${name} in ${currency}`)
    }
  await compareDue(play)
}

function reckoned({ books }: Play, party: string, currency: string) {
  const text = (minor: bigint) => written(minor, currency)
  return books.statements(party, currency).map((one) => {
    assert.is(one.closing, one.opening + total(one.lines))
    return {
      number: one.number,
      days: `${one.from} to ${one.to}`,
      opening: text(one.opening),
      closing: text(one.closing),
      due: text(one.due),
      dueOn: one.dueOn,
      swept: text(one.swept),
      open: text(one.open),
      lines: one.lines.map((line, index) => [
        line.day,
        line.order,
        ...[line.amount, line.fee, line.tax, one.opening + total(one.lines.slice(0, index + 1))].map(text),
      ]),
    }
  })
}

async function compareBalances({ rows, books }: Play): Promise<void> {
  const sums = new Map<string, bigint>()
  const found: [string, string][] = []
  for (const { kind, owner_id, currency, balance_minor } of await rows('accounts')) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance_minor)
    if (balance_minor === 0n) continue
    found.push([`${kind} ${names.get(owner_id) ?? owner_id} ${currency}`, written(balance_minor, currency)])
  }
  for (const [currency, sum] of sums) assert.is(sum, 0n, `the sum of ${currency}`)
  const expected = [...books.balances()].map(([place, minor]) => [
    place,
    written(minor, place.split(' ').at(-1) ?? ''),
  ])
  assert.equal(found.toSorted(byName), expected.toSorted(byName), 'the balances')
}

function byName([one = '']: readonly string[], [other = '']: readonly string[]): number {
  return one < other ? -1 : 1
}

async function compareDue({ operator, books, clock, rows }: Play): Promise<void> {
  const day = plusDays(dayAt(clock.now(), 'UTC', '24:00'), 1)
  const { due } = await operator.ask(paymentOutstanding, { on: day })
  const found = due.map(({ party, currency, pay, collect }) => {
    const [toPay, toCollect] = [minor(pay, currency), minor(collect, currency)]
    return [`${party} ${currency}`, written(toPay, currency), written(toCollect, currency)]
  })
  const expected = parties.flatMap(({ name, kind }) =>
    markets.flatMap(({ currency }) => {
      const net = books.due(name, currency, day)
      const aside = books.balances().get(`payable ${name} ${currency}`) ?? 0n
      const pay = kind === 'merchant' && aside < net ? aside : net
      const open = books
        .statements(name, currency)
        .some(({ dueOn, open }) => open !== 0n && (dueOn ?? '9') <= day)
      if (!open) return []
      const collect = written(net < 0n ? -net : 0n, currency)
      return [[`${name} ${currency}`, written(pay > 0n ? pay : 0n, currency), collect]]
    }),
  )
  assert.equal(found.toSorted(byName), expected.toSorted(byName), 'what is due')
  assert.ok(await rows('banks'))
}
