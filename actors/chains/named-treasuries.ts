/**
 * Which treasuries open orders name. What is offered names one, and may be paid as long as the order is open: a treasury
 * that is no longer in the settings would be paid without anybody reading it.
 */
import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import { chainCursor, treasuriesOfOpenOrders } from '../../persistence/queries/foreign-orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { namesTreasuries, treasuryName } from './treasuries.ts'

/** As in the settings. */
export interface TreasurySettings {
  readonly treasury: string
  readonly formerTreasuries: readonly string[]
}

export type TreasuriesOfChains = Readonly<Record<Blockchain, TreasurySettings | null>>

export interface UnreadTreasury {
  readonly blockchain: Blockchain
  readonly treasury: string
  /** Open orders that name it. */
  readonly orders: number
}

type Naming = Pick<Row<'foreign_orders'>, 'treasuries_json'>

export function treasuriesNamed({ treasuries_json }: Naming): readonly string[] {
  return JSON.parse(treasuries_json)
}

/** @returns the column with one treasury more. */
export function withTreasury(order: Naming, name: string): string {
  return JSON.stringify([...new Set([...treasuriesNamed(order), name])])
}

/** Treasuries of chains that are on, that open orders name and the settings do not. */
export async function unreadTreasuries(
  store: Pick<Store, 'query'>,
  settings: TreasuriesOfChains,
): Promise<UnreadTreasury[]> {
  const unread: UnreadTreasury[] = []
  for (const blockchain of blockchains) {
    const chain = settings[blockchain]
    if (chain === null) continue
    const read = new Set([chain.treasury, ...chain.formerTreasuries].map(treasuryName))
    for (const [treasury, orders] of await openOrdersByTreasury(store, blockchain))
      if (!read.has(treasury)) unread.push({ blockchain, treasury, orders })
  }
  return unread
}

/** How many open orders name each treasury. */
export async function openOrdersByTreasury(
  store: Pick<Store, 'query'>,
  blockchain: Blockchain,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { treasuries_json, orders } of await store.query(treasuriesOfOpenOrders, { blockchain }))
    for (const name of treasuriesNamed({ treasuries_json }))
      counts.set(name, (counts.get(name) ?? 0) + Number(orders))
  return counts
}

/** Chains whose former treasuries are listed while their database does not say yet whose deposits it has read. */
export async function unknownReading(
  store: Pick<Store, 'query'>,
  settings: TreasuriesOfChains,
): Promise<Blockchain[]> {
  const unknown: Blockchain[] = []
  for (const blockchain of blockchains) {
    if ((settings[blockchain]?.formerTreasuries.length ?? 0) === 0) continue
    const [stored] = await store.query(chainCursor, { blockchain })
    if (stored !== undefined && !namesTreasuries(stored.cursor)) unknown.push(blockchain)
  }
  return unknown
}

/** One line for an operator: the setting, how many orders, and what to do. */
export function unreadLine({ blockchain, treasury, orders }: UnreadTreasury): string {
  const named = orders === 1 ? '1 open order names' : `${orders} open orders name`
  return (
    `chains.${blockchain}.treasury: ${named} the former treasury ${treasury}. ` +
    `List it in chains.${blockchain}.formerTreasuries until they have ended, so that payments to it are read.`
  )
}
