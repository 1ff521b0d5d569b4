/** What of a treasury, its books and its orders does not agree, and nobody is told of. */

import { explainedParts } from '../../actors/chains/outflows.ts'
import { assetCurrency } from '../../machines/money.ts'
import type { Row } from '../../persistence/store.ts'
import type { TreasuryWorld } from './treasury-world.ts'

/** Those that are open, in an order that is the same each time: their ids are random. */
export async function openExceptions(world: TreasuryWorld): Promise<Row<'exceptions'>[]> {
  const keyOf = ({ opened_at, kind, amount }: Row<'exceptions'>) => `${opened_at} ${kind} ${amount}`
  return (await world.rows('exceptions'))
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

export class TreasuryProblems {
  readonly #world: TreasuryWorld
  readonly #paid: ReadonlyMap<string, bigint>
  readonly #explained: bigint

  /**
   * @param paid what was sent for each order
   * @param explained what operators have explained of differences
   */
  constructor(world: TreasuryWorld, paid: ReadonlyMap<string, bigint>, explained: bigint) {
    this.#world = world
    this.#paid = paid
    this.#explained = explained
  }

  /** What does not hold. Movements of blocks that no look has counted yet are a problem that time solves. */
  async all(): Promise<readonly string[]> {
    const { chain } = this.#world
    const [count] = await this.#world.rows('treasury_counts')
    if (count === undefined) return ['nothing was counted']
    const last = chain.ledger.movements.at(-1)?.height ?? 0
    if (count.book_height < last) return [`counted up to ${count.book_height}, and ${last} moved something`]
    return [
      ...(await this.#countProblems(count)),
      ...(await this.#movementProblems(count)),
      ...(await this.#ledgerProblems(count)),
      ...(await this.#world.verifyTreasury()),
      ...(await this.#orderProblems()),
    ]
  }

  /**
   * What is there beyond what was there at the first look, is on record and was explained by an operator. What an
   * endpoint's lie about a balance has made of a deposit, a token that keeps a part, is on record as that.
   */
  async #inexplicable({ opened_height, opened_units }: Row<'treasury_counts'>): Promise<bigint> {
    const sum = (units: readonly bigint[]) => units.reduce((total, one) => total + one, 0n)
    const isLater = ({ height }: { height: number | string }) => Number(height) > opened_height
    const deposits = (await this.#world.rows('deposits')).filter(isLater)
    const outflows = (await this.#world.rows('treasury_outflows')).filter(isLater)
    return (
      this.#world.chain.balance -
      BigInt(opened_units) -
      sum(deposits.map(({ amount }) => BigInt(amount))) +
      sum(outflows.map(({ units }) => BigInt(units))) -
      this.#explained
    )
  }

  async #countProblems(count: Row<'treasury_counts'>): Promise<string[]> {
    const { balance } = this.#world.chain
    const pending = (await this.#world.rows('treasury_movements')).map(({ id }) => id)
    const told = (await openExceptions(this.#world)).filter(({ kind }) => kind === 'treasury_differs')
    const problems = pending.map((id) => `${id} is not in the books`)
    const said = BigInt(count.told_units)
    if (BigInt(count.book_units) + said !== balance)
      problems.push(`the books say ${count.book_units} and ${said} is told, but it holds ${balance}`)
    if (said !== 0n && !told.some(({ id }) => id === count.exception_id))
      problems.push(`a difference of ${said} is told nowhere`)
    if (said === 0n && told.length > 0) problems.push('a difference is told that is none')
    const inexplicable = await this.#inexplicable(count)
    if (said !== inexplicable) problems.push(`${inexplicable} cannot be explained, and ${said} is told`)
    return problems
  }

  /** What an endpoint tells of sooner or later is on record, once. */
  async #movementProblems({ opened_height }: Row<'treasury_counts'>): Promise<string[]> {
    const deposits = Map.groupBy(await this.#world.rows('deposits'), (one) => one.transaction_id)
    const outflows = Map.groupBy(await this.#world.rows('treasury_outflows'), (one) => one.transaction_id)
    return this.#world.chain.ledger.movements.flatMap(({ id, units, height, isSilent }) => {
      const found =
        units > 0n
          ? (deposits.get(id) ?? []).map(({ amount }) => BigInt(amount))
          : (outflows.get(id) ?? []).map((one) => -BigInt(one.units))
      if (isSilent || (found.length === 0 && height <= opened_height)) return []
      const [only = 0n] = found
      // More than arrived is on record nowhere; less is what the count tells of.
      const isRight = found.length === 1 && (units > 0n ? only <= units && only > 0n : only === units)
      return isRight
        ? []
        : [`${units} in ${id.slice(0, 8)} is on record as ${found.join(' and ') || 'nothing'}`]
    })
  }

  /** The treasury of the ledger holds what is there, but for what was sent back and not said to be. */
  async #ledgerProblems(count: Row<'treasury_counts'>): Promise<string[]> {
    const { blockchain, asset } = this.#world.chain
    const currency = assetCurrency(asset.symbol, blockchain, asset.decimals)
    const accounts = (await this.#world.rows('accounts')).filter((one) => one.currency === currency)
    const problems: string[] = []
    const sum = accounts.reduce((total, { balance_minor }) => total + balance_minor, 0n)
    if (sum !== 0n) problems.push(`the ledger sums to ${sum}`)
    const treasury = accounts.find(({ kind }) => kind === 'treasury')
    const open = new Set((await openExceptions(this.#world)).map(({ id }) => id))
    let unsaid = 0n
    for (const outflow of await this.#world.rows('treasury_outflows'))
      for (const { exception, units } of explainedParts(outflow))
        if (open.has(exception)) unsaid += BigInt(units)
    const held = -(treasury?.balance_minor ?? 0n)
    if (held - unsaid + BigInt(count.told_units) !== this.#world.chain.balance)
      problems.push(
        `the ledger holds ${held} (${unsaid} of it sent back, ${count.told_units} told), it is ${this.#world.chain.balance}`,
      )
    return problems
  }

  /** Money that no order was credited with waits for a person; what an order was paid with is that, or its own. */
  async #orderProblems(): Promise<string[]> {
    const waiting = new Map(
      (await this.#world.rows('deposits'))
        .filter(({ order_id }) => order_id === null)
        .map((one) => [one.references_json, one.outcome]),
    )
    const recorded = new Map(
      (await this.#world.rows('deposits')).map((one) => [one.references_json, BigInt(one.amount)]),
    )
    const foreign = new Map((await this.#world.rows('foreign_orders')).map((one) => [one.order_id, one]))
    const orders = new Map((await this.#world.rows('orders')).map((one) => [one.id, one]))
    return [...this.#paid].flatMap(([id, sent]) => {
      const side = foreign.get(id)
      if (side === undefined) return [`the order ${id} has no foreign side`]
      const { received_minor, expected_minor, reference } = side
      // In the eyes of a lying endpoint the balance did not rise by it: somebody has to look.
      if (received_minor === 0n && waiting.get(JSON.stringify([reference])) === 'unexplained') return []
      const paid = recorded.get(JSON.stringify([reference])) ?? sent
      const status = orders.get(id)?.status
      const isRight = received_minor === paid && (paid < expected_minor || status !== 'CREATED')
      return isRight ? [] : [`an order paid with ${paid} has ${received_minor} and is ${status}`]
    })
  }
}
