/** Reading a chain again from any block on, by an operator's word. */

import type { ChainFailure } from '../../chain/chain.ts'
import type { ChainDeposit, Outflow } from '../../chain/chain-deposits.ts'
import { blockchains } from '../../machines/blockchains.ts'
import { formatUnits } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { choice, flag, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { ChainDepositBook, type ChainOfDeposits } from './chain-deposits.ts'
import type { ChainContext } from './operations.ts'
import { TreasuryReading, treasuryName } from './treasuries.ts'

export interface RescanContext extends ChainContext {
  /** Which treasuries are the node's own. */
  surroundings: Pick<Surroundings, 'treasuries'>
  orders: OrderRegistry
}

export interface RescanMovement {
  direction: 'in' | 'out'
  transactionId: string
  height: string
  at: string | null
  amount: string
  asset: string
  /** Who sent or got it, as far as the chain says. */
  wallet: string | null
}

export interface RescanDocument {
  chain: string
  from: string
  /** False when it has read as much as one asking may; ask again from `next`. */
  isDone: boolean
  next: string | null
  pages: number
  dryRun: boolean
  /** What was not known: recorded now, or that would be. */
  found: RescanMovement[]
  /** Orders that were credited. */
  credited: string[]
}

/** One asking reads no more than this, so that it answers within a minute or so. */
const maxPages = 100

export const chainRescan = defineOperation({
  name: 'chain.rescan',
  summary: 'Read a blockchain again from a block, and record chain deposits that were missed.',
  fields: {
    chain: choice(blockchains, { form: { label: 'Chain' } }),
    from: text({
      description: 'The block, slot or ledger to read from.',
      pattern: '^[0-9]{1,15}$',
      option: ['--from <height>', 'the block, slot or ledger to read from'],
      form: { label: 'From block, slot or ledger', maxLength: 15 },
    }),
    endpoint: optional(
      wholeNumber({
        description: 'Which endpoint of the settings is asked first; 1 is the first of them.',
        minimum: 1,
        option: ['--endpoint <number>', 'which of the configured endpoints to ask first (1)'],
        form: { label: 'Endpoint of the settings', hint: '1 is the first of them.' },
      }),
    ),
    dryRun: optional(
      flag({
        description: 'Show what would be recorded, and record nothing.',
        option: ['--dry-run', 'show what would be recorded, and record nothing'],
      }),
    ),
  },
  arguments: ['chain'],
  isRead: false,
  async run(
    { store, chains, orders, surroundings }: RescanContext,
    { chain: name, from, endpoint = 1, dryRun = false },
  ): Promise<RescanDocument> {
    const known = blockchains.find((one) => one === name)
    const chain = known && chains.get(known)
    if (chain === undefined) {
      const hint =
        'Only a running node with this chain configured can read it: chain lag shows which chains are on.'
      throw new OperationError('refused', `The chain ${name} is not available.`, { hint })
    }
    const book = new ChainDepositBook({ store, ...orders.context })
    const reader = chain.reader(endpoint - 1)
    const former = surroundings.treasuries[chain.blockchain]?.formerTreasuries ?? []
    const treasuries = new TreasuryReading({
      current: { name: treasuryName(surroundings.treasuries[chain.blockchain]?.treasury ?? ''), chain },
      former: former.map((address) => ({ name: treasuryName(address), chain })),
    })
    const found: RescanMovement[] = []
    const credited = new Set<string>()
    try {
      const start = await reader.cursorAt((BigInt(from) - 1n).toString())
      if (!start.ok) throw unreadable(start.failure)
      let [cursor, pages, isDone, last] = [start.value, 0, false, from]
      while (!isDone && pages < maxPages) {
        const page = await reader.deposits(cursor)
        if (!page.ok) throw unreadable(page.failure)
        const sorted = treasuries.sorted(page.value)
        const news = await book.unknownOf(chain, sorted)
        found.push(...news.deposits.map((one) => movement(chain, 'in', one)))
        found.push(...news.outflows.map((one) => movement(chain, 'out', one)))
        if (!dryRun) for (const id of (await book.recordFound(chain, sorted)).credited) credited.add(id)
        last = page.value.deposits.at(-1)?.height ?? last
        cursor = page.value.cursor
        pages += 1
        isDone = !page.value.more
      }
      const next = isDone ? null : last
      return { chain: chain.blockchain, from, isDone, next, pages, dryRun, found, credited: [...credited] }
    } finally {
      await reader.close()
    }
  },
})

function movement(
  { assets }: ChainOfDeposits,
  direction: RescanMovement['direction'],
  moved: ChainDeposit | Outflow,
): RescanMovement {
  const asset = assets.find(({ id }) => id === moved.assetId)
  return {
    direction,
    transactionId: moved.transactionId,
    height: moved.height,
    at: moved.at === null ? null : formatInstant(moved.at),
    amount: asset === undefined ? moved.amount.toString() : formatUnits(moved.amount, asset.decimals),
    asset: asset?.symbol ?? moved.assetId,
    wallet: 'to' in moved ? moved.to : moved.sender,
  }
}

function unreadable({ message }: ChainFailure): OperationError {
  return new OperationError('refused', message, { hint: 'Try again, or use another endpoint: --endpoint 2' })
}
