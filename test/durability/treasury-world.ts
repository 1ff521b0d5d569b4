/** A node's scanner and counter beside a light network, on a database of their own, as fast as thousands need it. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { ChainDepositBook } from '../../actors/chains/chain-deposits.ts'
import type { RescanContext } from '../../actors/chains/rescan-operation.ts'
import { type TreasuryReader, treasuryName } from '../../actors/chains/treasuries.ts'
import { createChainWorkers } from '../../actors/chains/workers.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import type { PassResult } from '../../actors/foundation/worker.ts'
import { resolveException } from '../../actors/resolutions/resolve.ts'
import { readTreasuryFacts, treasuryProblems } from '../../actors/verification/treasury.ts'
import type { ChainAdapter } from '../../chain/chain.ts'
import { blockchains, perBlockchain } from '../../machines/blockchains.ts'
import { openReader, openStore } from '../../persistence/index.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { LightChain } from '../support/chains/light/light-chain.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import {
  checkoutUrl,
  commit,
  hourMs,
  journalKey,
  minuteMs,
  operator,
  partyOf,
  refOf,
  registryOf,
  shop,
  tills,
} from '../support/order-world.ts'

/** What is written there is gone with the machine, and needs no disk. */
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'ventanilla-treasury-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

let databases = 0
let template: Promise<string> | null = null

async function makeTemplate(): Promise<string> {
  const file = join(folder, 'template.db')
  const store = await openStore(`sqlite:${file}`, { clock: fakeClock() })
  await commit(store, [shop, tills.A].flatMap(partyOf))
  await store.close()
  return file
}

/** A treasury that nothing comes to, and nothing leaves. */
function silent(clock: FakeClock): TreasuryReader {
  return {
    startCursor: async () => ({ ok: true, value: '0' }),
    deposits: async () => ({
      ok: true,
      value: { deposits: [], cursor: '0', more: false, scannedTo: clock.now() },
    }),
    unfinalizedChainDeposits: async () => ({ ok: true, value: [] }),
  }
}

export class TreasuryWorld {
  readonly clock: FakeClock
  readonly chain: LightChain
  readonly store: Store
  /** Names of former treasuries; they count from the next restart on. */
  former: readonly string[] = []
  readonly #file: string
  #adapter: ChainAdapter
  #pass: () => Promise<PassResult>

  constructor(made: { clock: FakeClock; chain: LightChain; store: Store; file: string }) {
    this.clock = made.clock
    this.chain = made.chain
    this.store = made.store
    this.#file = made.file
    this.#adapter = this.#open()
    this.#pass = this.#workers()
  }

  #open(): ChainAdapter {
    return this.chain.open({ clock: () => this.clock.now(), pageSize: 5 })
  }

  #workers(): () => Promise<PassResult> {
    const { store, clock, chain } = this
    const adapter = this.#adapter
    const workers = createChainWorkers({
      store,
      clock,
      chains: new Map([[chain.blockchain, adapter]]),
      treasuriesOf: () => ({
        current: { name: treasuryName(chain.treasury), chain: adapter },
        former: this.former.map((name) => ({ name, chain: silent(clock) })),
      }),
      book: new ChainDepositBook({ store, journalKey, checkoutUrl }),
      condition: createCondition(),
      clockWatch: { hear: async () => {} },
      log: pino({ level: process.env.STORY_LOG ?? 'silent' }),
      journalKey,
      checkoutUrl,
      pollMs: () => 5_000,
    })
    const deposits = workers.passes.find(({ id }) => id === `deposits:${chain.blockchain}`)
    if (deposits === undefined) throw new Error('nobody reads deposits')
    return deposits.pass
  }

  /** Nothing is remembered but what is stored. */
  async restart(): Promise<void> {
    await this.#adapter.close()
    this.#adapter = this.#open()
    this.#pass = this.#workers()
  }

  /** Passes until there is nothing more at once. */
  async work(): Promise<void> {
    for (let count = 0; count < 200; count += 1) if (!(await this.#pass()).more) return
    throw new Error('the passes do not end')
  }

  rows<T extends Parameters<typeof allRows>[1]>(table: T): Promise<Row<T>[]> {
    return allRows(this.store, table) as Promise<Row<T>[]>
  }

  /** An order for this many units from a new wallet. */
  async order(units: bigint): Promise<Row<'foreign_orders'>> {
    const { store, clock, chain } = this
    const at = clock.now()
    const wallet = chain.newWallet()
    const quote: Row<'quotes'> = {
      id: randomUUID(),
      merchant_id: shop.id,
      blockchain: chain.blockchain,
      send_currency: chain.asset.symbol,
      asset_id: chain.asset.id,
      asset_decimals: chain.asset.decimals,
      send_minor: units,
      fee_minor: 0n,
      target_country: 'MX',
      target_currency: 'MXN',
      order_price_minor: 1_000n,
      rounding_minor: 0n,
      rate: '17',
      rate_source: 'fixed',
      rate_at: at,
      evidence_json: '{}',
      created_at: at,
      expires_at: at + 5 * minuteMs,
      order_id: null,
    }
    await commit(store, [{ insert: 'quotes', values: quote }])
    const chains = new Map([[chain.blockchain, this.#adapter]])
    const created = await registryOf(store, clock, () => true, { chains }).create({
      merchant: shop,
      orderType: 'ForeignCurrencyOrder',
      quoteId: quote.id,
      wallet,
      merchantOrderId: randomUUID(),
      description: 'Money for Ana',
      notifyUrl: 'https://shop.example/hooks',
      returnUrl: 'https://shop.example/done',
      consumerEmail: 'ana@example.com',
      consumerPhoneNumber: '',
      expiryAt: at + 24 * hourMs,
    })
    if (created.outcome !== 'created') throw new Error(created.outcome)
    const foreign = (await this.rows('foreign_orders')).find(({ order_id }) => order_id === created.order.id)
    if (foreign === undefined) throw new Error('an order without its foreign side')
    return foreign
  }

  async cancel(orderId: string): Promise<void> {
    await registryOf(this.store, this.clock).tell({
      order: await refOf(this.store, orderId),
      actor: operator,
      type: 'operator.cancel',
      reason: 'a story',
      force: false,
    })
  }

  async resolve(exceptionId: string, as: 'refunded' | 'dismiss', evidence: string | null): Promise<string> {
    const context = { store: this.store, ...registryOf(this.store, this.clock).context }
    const resolved = await resolveException(context, {
      exceptionId,
      as,
      reason: 'a story',
      evidence,
      operator,
    })
    return resolved.outcome
  }

  /** What an operation on this chain is given. */
  rescanContext(condition: RescanContext['condition']): RescanContext {
    const { store, clock, chain } = this
    const chains = new Map([[chain.blockchain, this.#adapter]])
    const orders = registryOf(store, clock)
    const off = perBlockchain(blockchains, () => null)
    const own = { treasury: chain.treasury, formerTreasuries: this.former }
    const surroundings = { treasuries: { ...off, [chain.blockchain]: own } }
    return { store, clock, chains, condition, orders, surroundings, journalKey, operator: operator.name }
  }

  /** What `verify` has to say of books and ledger. */
  async verifyTreasury(): Promise<readonly string[]> {
    const reader = await openReader(`sqlite:${this.#file}`)
    try {
      return treasuryProblems(await readTreasuryFacts(reader))
    } finally {
      await reader.close()
    }
  }

  async close(): Promise<void> {
    await this.#adapter.close()
    await this.store.close()
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${this.#file}${suffix}`, { force: true })
  }
}

export async function openTreasuryWorld(make: (clock: FakeClock) => LightChain): Promise<TreasuryWorld> {
  const clock = fakeClock()
  template ??= makeTemplate()
  const file = join(folder, `${databases++}.db`)
  copyFileSync(await template, file)
  const store = await openStore(`sqlite:${file}`, { clock })
  return new TreasuryWorld({ clock, store, file, chain: make(clock) })
}
