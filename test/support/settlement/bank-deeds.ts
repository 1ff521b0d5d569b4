/** What banks do: deposits, payments in and out, bounces, charges, taxes, and money that nobody knows. */
import * as assert from 'uvu/assert'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { bankRecord } from '../../../actors/settlement/bank-entries.ts'
import {
  paymentBook,
  paymentIdentify,
  paymentOrder,
  paymentReceive,
  paymentReturn,
  paymentSent,
} from '../../../actors/settlement/payment-operations.ts'
import { minor, written } from '../model/figures.ts'
import { otherShop, shop, tills } from '../order-world.ts'
import { markets } from './terms.ts'
import { amountIn, newReference, type Play, pick, tellPayment } from './world.ts'

const reason = 'as agreed'

export async function deposit(play: Play): Promise<void> {
  const market = pick(play, markets)
  const { currency } = market
  const amount = written(amountIn(play, market) * 3n, currency)
  const told = { merchant: market.merchant.name, currency, amount, reference: newReference(play) }
  await play.operator.ask(depositAdd, { ...told, reason })
  play.wires.push(told)
  play.books.tell({ is: 'deposit', at: play.clock.now(), ...told })
}

export async function reverse(play: Play): Promise<void> {
  if (play.wires.length === 0) return
  const told = pick(play, play.wires)
  play.wires = play.wires.filter((one) => one !== told)
  await play.operator.ask(depositReverse, { merchant: told.merchant, reference: told.reference, reason })
  play.books.tell({ is: 'reversal', at: play.clock.now(), ...told })
}

export async function receive(play: Play): Promise<void> {
  const market = pick(play, markets)
  const { currency } = market
  const provider = play.random.chance(0.5) ? tills.A.name : tills.B.name
  const party = play.random.chance(0.3) ? market.merchant.name : provider
  const amount = written(amountIn(play, market), currency)
  const line = { bank: `bank ${currency}`, reference: newReference(play), amount, reason }
  const { change } = await play.operator.ask(paymentReceive, { party, ...line })
  if (change !== null) tellPayment(play, change.payment)
}

/** All of what is due, a part of it, or of one statement: what may be ordered is what the bookkeeper says. */
export async function order(play: Play): Promise<void> {
  const places = [shop.name, otherShop.name, tills.A.name].flatMap((party) =>
    markets.map(({ currency }) => ({ party, currency })),
  )
  const due = places.filter((one) =>
    play.books.statements(one.party, one.currency).some(({ open }) => open > 0n),
  )
  const { party, currency } = pick(play, due.length > 0 && play.random.chance(0.9) ? due : places)
  const open = play.books.statements(party, currency).filter(({ open }) => open !== 0n)
  const left = open.reduce((sum, one) => sum + one.open, 0n)
  const held = (kind: string) => play.books.balances().get(`${kind} ${party} ${currency}`) ?? 0n
  const aside = held('payable') + held('debt')
  const least = party === tills.A.name || left < aside ? left : aside
  const bank = `bank ${currency}`
  if (least <= 0n) {
    const refused = await play.operator.refusal('payment.order', { party, bank, reason })
    assert.match(
      refused.message,
      /^Nothing is due to|has no account for/,
      `${party} ${currency}: ${refused.message}`,
    )
    return
  }
  const above = { party, bank, amount: written(least + 1n, currency), reason }
  assert.match((await play.operator.refusal('payment.order', above)).message, 'is above what is due')
  const one = play.random.chance(0.2) ? pick(play, open) : undefined
  const isNamed = one !== undefined && one.open > 0n && one.open <= least
  const part = play.random.chance(0.4) ? 1n + BigInt(play.random.below(Number(least))) : null
  const amount = isNamed || part === null ? {} : { amount: written(part, currency) }
  const statement = isNamed ? { statement: one.number } : {}
  const { payment } = await play.operator.ask(paymentOrder, { party, bank, reason, ...amount, ...statement })
  const expected = isNamed ? one.open : (part ?? least)
  assert.is(minor(payment.amount, currency), expected, `what is ordered for ${party}`)
  tellPayment(play, payment, isNamed ? one.number : undefined)
}

export async function tellBank(play: Play): Promise<void> {
  const going = play.paymentIds.filter(({ state }) => state !== 'returned')
  if (going.length === 0) return
  const { id, state } = pick(play, going)
  const { ask } = play.operator
  const chosen = play.random.below(10)
  const told = { id, reason }
  if (chosen < 2 && state === 'ordered') tellPayment(play, (await ask(paymentSent, told)).payment)
  else if (chosen < 7 && state !== 'booked') {
    tellPayment(play, (await ask(paymentBook, { ...told, reference: newReference(play) })).payment)
  } else if (chosen > 6) {
    const reference = state === 'booked' ? { reference: newReference(play) } : {}
    tellPayment(play, (await ask(paymentReturn, { ...told, ...reference })).payment)
  }
}

/** It is ordered and booked, and comes back now and then. */
export async function payWhole(play: Play): Promise<void> {
  await order(play)
  const last = play.paymentIds.at(-1)
  if (last?.state !== 'ordered') return
  const { ask } = play.operator
  const { id } = last
  tellPayment(play, (await ask(paymentBook, { id, reason, reference: newReference(play) })).payment)
  if (play.random.chance(0.4)) {
    tellPayment(play, (await ask(paymentReturn, { id, reason, reference: newReference(play) })).payment)
  }
}

const ownLines = [
  ['charge', 'out'],
  ['interest', 'in'],
  ['tax_payment', 'out'],
  ['tax_refund', 'in'],
  ['capital', 'in'],
  ['capital', 'out'],
  ['unidentified', 'in'],
  ['unidentified', 'in'],
  ['unidentified', 'out'],
] as const

export async function bankLine(play: Play): Promise<void> {
  const { currency } = pick(play, markets)
  const [kind, direction] = pick(play, ownLines)
  const bank = `bank ${currency}`
  const amount = written(BigInt(1 + play.random.below(9_000)), currency)
  const line = { kind, direction, bank, reference: newReference(play), amount, reason } as const
  const { exception } = await play.operator.ask(bankRecord, line)
  if (exception !== null) play.strays.push({ exception, bank, direction, currency, amount })
  play.books.tell({ is: 'bankLine', at: play.clock.now(), line: { ...line, currency } })
  if (exception !== null && play.random.chance(0.5)) await identify(play)
}

/** Of money that nobody knew it turns out whose it is, or it is sent back. */
export async function identify(play: Play): Promise<void> {
  const stray = play.strays.pop()
  if (stray === undefined) return
  const { exception, bank, direction, currency, amount } = stray
  const at = play.clock.now()
  const line = { bank, direction, currency, amount }
  if (direction === 'in' && play.random.chance(0.6)) {
    const merchant = currency === 'KWD' ? otherShop : shop
    const party = pick(play, [tills.A, tills.B, merchant]).name
    const { payment } = await play.operator.ask(paymentIdentify, { exception, party, reason })
    play.books.tell({ is: 'identified', at, line: { ...line, kind: 'unidentified' } })
    tellPayment(play, payment)
    return
  }
  const back = { kind: 'sent_back', bank, reference: newReference(play), amount, exception, reason } as const
  const way = direction === 'in' ? 'out' : 'in'
  await play.operator.ask(bankRecord, { ...back, direction: way })
  play.books.tell({ is: 'bankLine', at, line: { ...line, kind: 'sent_back', direction: way } })
}
