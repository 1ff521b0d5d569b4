/** What comes and goes on chains: orders that are paid there, what of them is sent back, and what is sold. */
import * as assert from 'uvu/assert'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { conversionRecord, conversionSell } from '../../../actors/settlement/conversion-operations.ts'
import { assetOf, currencyOn, leave } from '../exchanged.ts'
import { chainDepositFor } from '../foreign-orders.ts'
import { written } from '../model/figures.ts'
import { hourMs } from '../order-world.ts'
import { markets } from './terms.ts'
import { amountIn, look, newReference, type Play, pick } from './world.ts'

const reason = 'as agreed'
const assets = [
  { chain: 'SOLANA', symbol: 'USDC' },
  { chain: 'SOLANA', symbol: 'EURC' },
  { chain: 'STELLAR', symbol: 'USDC' },
] as const
const bought = [markets[0], markets[1]] as const

/** An order from a quote. @returns its id, once what was sent for it has come; null where that is not all */
export async function foreign(play: Play): Promise<string | null> {
  const { random } = play
  const [market, { chain, symbol }] = [pick(play, bought), pick(play, assets)]
  const { id: asset_id, decimals } = assetOf(chain, symbol)
  const asset = currencyOn(chain, symbol)
  const send = 1n + BigInt(random.below(10 ** decimals * 40))
  const side = await play.foreign(
    { expiryAt: play.clock.now() + (2 + random.below(70)) * hourMs },
    {
      ...{ blockchain: chain, send_currency: symbol, asset_id, asset_decimals: decimals },
      ...{ send_minor: send, fee_minor: random.chance(0.7) ? send / 40n : 0n },
      ...{ target_country: market.country, target_currency: market.currency },
      order_price_minor: amountIn(play, market),
      rounding_minor: BigInt(random.below(3) * 20),
    },
  )
  await look(play)
  const isPart = random.chance(0.2)
  const amounts = isPart || random.chance(0.3) ? [send / 3n, isPart ? 0n : send - send / 3n] : [send]
  for (const amount of amounts.filter((one) => one > 0n)) {
    const now = play.clock.now()
    const deposit = chainDepositFor(side, now, { blockchain: chain, symbol, amount })
    await play.read([deposit], now, chain)
    play.books.tell({ is: 'chainDeposit', at: now, order: side.order_id, amount: written(amount, asset) })
    await look(play)
  }
  return play.statuses.get(side.order_id) === 'READY' ? side.order_id : null
}

/** What of an order's asset waits was sent back, or stays the operator's. */
export async function endAsset(play: Play, id: string, order: string): Promise<void> {
  const as = play.random.chance(0.6) ? 'refunded' : 'dismiss'
  await play.operator.ask(exceptionResolve, { id, as, reason, evidence: newReference(play) })
  play.books.tell({ is: 'assetEnds', at: play.clock.now(), order, as })
}

/** A part of what was exchanged leaves to be sold, and some of the fees with it. */
export async function convert(play: Play): Promise<void> {
  const places = assets.flatMap((one) =>
    bought.map(({ currency }) => ({ ...one, currency, asset: currencyOn(one.chain, one.symbol) })),
  )
  const full = places.filter((one) => mostOf(play, one) > 0n)
  if (full.length === 0) return
  const { chain, symbol, currency, asset } = pick(play, full)
  const [most, fees] = [mostOf(play, { asset, currency }), play.books.balances().get(`fee  ${asset}`) ?? 0n]
  const part = play.random.chance(0.3) ? most : someOf(play, most)
  const feePart = fees > 0n && play.random.chance(0.4) ? someOf(play, fees) : 0n
  const units = part + feePart
  const transaction = newReference(play)
  await leave(play, transaction, { chain, symbol, units })
  const told = { at: play.clock.now(), asset, amount: written(units, asset) }
  play.books.tell({ is: 'outflow', ...told })
  const { conversion } = await play.operator.ask(conversionRecord, { transaction, reason })
  play.books.tell({ is: 'conversion', ...told })
  play.unsold.push({ id: conversion.id, asset, currency, units, feePart })
  if (play.random.chance(0.7)) await sell(play)
}

/** The bank has the proceeds; what was exchanged may have become less meanwhile. */
export async function sell(play: Play): Promise<void> {
  const sale = play.unsold.pop()
  if (sale === undefined) return
  const { id, asset, currency, units, feePart } = sale
  const reference = newReference(play)
  const amount = written(BigInt(1 + play.random.below(400_000)), currency)
  const line = { bank: `bank ${currency}`, amount }
  const told = { ...line, direction: 'in', kind: 'conversion', currency }
  const input = { id, ...line, reference, reason, feePart: written(feePart, asset) }
  const fees = play.books.balances().get(`fee  ${asset}`) ?? 0n
  if (units - feePart > mostOf(play, { asset, currency }) || feePart > fees) {
    const { message } = await play.operator.refusal('conversion.sell', input)
    assert.match(message, /was exchanged|is more than there is/)
    play.unsold.unshift(sale)
    return
  }
  await play.operator.ask(conversionSell, input)
  const part = { asset, amount: written(units, asset), feePart: written(feePart, asset) }
  play.books.tell({ is: 'sale', at: play.clock.now(), ...part, line: told })
}

function mostOf({ books }: Play, { asset, currency }: { asset: string; currency: string }): bigint {
  const [there, inPair] = [
    books.balances().get(`exchange  ${asset}`) ?? 0n,
    books.exchangedFor(asset, currency),
  ]
  return there < inPair ? there : inPair
}

function someOf({ random }: Play, most: bigint): bigint {
  const some = (most * BigInt(1 + random.below(1_000))) / 1_000n
  return some > 0n ? some : most
}
