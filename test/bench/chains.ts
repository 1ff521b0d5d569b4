/**
 * Deposits scanned a second on each local network: read by the adapter, page after page, with the proof that none
 * is missing; and the same with each recorded in a step of its own on a SQLite file, as one that no order is found
 * for. The networks answer from this same process, behind a gate, and are a good part of the work.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { ChainDepositBook } from '../../actors/chains/chain-deposits.ts'
import type { ChainAdapter } from '../../chain/chain.ts'
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'
import { type Blockchain, evmBlockchains, perBlockchain } from '../../machines/blockchains.ts'
import { systemClock } from '../../node/system-clock.ts'
import { openStore } from '../../persistence/index.ts'
import { startEvm } from '../support/chains/evm/local.ts'
import type { LocalChain, LocalWallet } from '../support/chains/local-chain.ts'
import { startSolana } from '../support/chains/solana/local.ts'
import { startStellar } from '../support/chains/stellar/local.ts'
import { printTable, spread } from './figures.ts'

interface Bench {
  readonly chain: LocalChain
  /** One deposit for each reference. */
  pay(from: LocalWallet, references: readonly string[]): Promise<void>
}

/** Each network tells its own time, so that a minute passes at once. */
const benches: Readonly<Record<Blockchain, () => Promise<Bench>>> = {
  SOLANA: async () => oneByOne(await startSolana()),
  STELLAR: async () => oneByOne(await startStellar()),
  ...perBlockchain(evmBlockchains, (name) => async () => {
    const chain = await startEvm(name)
    const to = getAddress(chain.asset.id)
    return {
      chain,
      // As on a busy day: many in one block.
      pay: async (from, references) => {
        const calls = references.map((reference) => ({ from, to, data: chain.transferData(1n, [reference]) }))
        for (let first = 0; first < calls.length; first += perBlock)
          await chain.sendTogether(calls.slice(first, first + perBlock))
      },
    }
  }),
}

const perBlock = 25

function oneByOne(chain: LocalChain): Bench {
  return {
    chain,
    async pay(from, references) {
      for (const reference of references) await chain.pay(from, { units: 1n, references: [reference] })
    },
  }
}

export async function benchChains({ rounds = 5, deposits = 1000 } = {}): Promise<void> {
  console.log(`${rounds} rounds of ${deposits} deposits to one treasury, pages of at most 100 transactions`)
  const rows: string[][] = []
  for (const [name, start] of Object.entries(benches)) {
    const { chain, pay } = await start()
    try {
      const rates: number[] = []
      const recorded: number[] = []
      const requests: number[] = []
      for (let round = 0; round < rounds; round++) {
        const measured = await measure(chain, pay, deposits)
        rates.push(deposits / measured.readSeconds)
        recorded.push(deposits / measured.recordSeconds)
        requests.push(measured.requests / deposits)
      }
      rows.push([name, spread(rates), spread(recorded), spread(requests, 2)])
    } finally {
      await chain.close()
    }
  }
  printTable(['network', 'read a second', 'read and recorded a second', 'requests a deposit'], rows)
}

async function measure(chain: LocalChain, pay: Bench['pay'], deposits: number) {
  const adapter = chain.open({ clock: () => chain.now() })
  const start = await adapter.startCursor()
  if (!start.ok) throw new Error(start.failure.message)
  const wallet = await chain.newWallet(BigInt(deposits))
  await pay(
    wallet,
    Array.from({ length: deposits }, () => randomBytes(32).toString('hex')),
  )
  await chain.pass(60_000)
  const asked = chain.gate.requests
  const readSeconds = await secondsOf(() => readAll(adapter, start.value), deposits)
  const requests = chain.gate.requests - asked
  await adapter.close()
  // Another one: an adapter remembers what it has read.
  const again = chain.open({ clock: () => chain.now() })
  const recordSeconds = await recording(again, start.value, deposits)
  await again.close()
  return { readSeconds, recordSeconds, requests }
}

async function secondsOf(work: () => Promise<number>, deposits: number): Promise<number> {
  const startedAt = performance.now()
  const found = await work()
  const seconds = (performance.now() - startedAt) / 1000
  if (found !== deposits) throw new Error(`${found} of ${deposits} deposits were found`)
  return seconds
}

/** How many deposits there are, each counted once: recent blocks are read again. */
async function readAll(
  adapter: ChainAdapter,
  start: string,
  take: (page: ChainDepositPage, from: string) => Promise<unknown> = async () => {},
): Promise<number> {
  const found = new Set<string>()
  let cursor = start
  for (;;) {
    const page = await adapter.deposits(cursor)
    if (!page.ok) throw new Error(page.failure.message)
    await take(page.value, cursor)
    for (const { transactionId, index, assetId } of page.value.deposits)
      if (adapter.assets.some(({ id }) => id === assetId)) found.add(`${transactionId} ${index}`)
    cursor = page.value.cursor
    if (!page.value.more) return found.size
  }
}

async function recording(adapter: ChainAdapter, start: string, deposits: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  const store = await openStore(`sqlite:${join(folder, 'bench.db')}`, { clock: systemClock })
  try {
    const book = new ChainDepositBook({ store, journalKey: '', checkoutUrl: '' })
    await book.begin(adapter.blockchain, start)
    const take = (page: ChainDepositPage, from: string) => book.recordPage(adapter, from, page)
    return await secondsOf(() => readAll(adapter, start, take), deposits)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}
