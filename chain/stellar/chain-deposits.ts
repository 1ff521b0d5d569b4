/**
 * Final deposits page by page. Horizon lists the operations an account takes part in, in the order of the
 * chain, and a ledger is final when it closes: the token of the last operation is all that is to be kept.
 * What needs proof is that nothing is missing before it, because Horizon answers a cursor that is older than
 * its history with what it still has, and a pool answers with any of its members.
 */

import type { ChainFailure, Outcome } from '../chain.ts'
import type { ChainDeposit, ChainDepositPage, Outflow } from '../chain-deposits.ts'
import { chainDepositsOf, isAbout, type Movement, movementsOf } from './credits.ts'
import { type Anchor, type Cursor, endOf, ledgerOf, readCursor, writeCursor } from './cursor.ts'
import { isBorneOut } from './envelope.ts'
import { ChainFailed } from './failed.ts'
import { type Fields, recordsOf } from './fields.ts'
import type { Horizon, Root } from './horizon.ts'
import { lookUp } from './look-up.ts'
import { type HorizonNetwork, poolLedgers } from './network.ts'
import { outflowsOf } from './outflows.ts'

export async function startCursor(network: HorizonNetwork): Promise<Outcome<string, ChainFailure>> {
  return await network.ask(async (horizon) => {
    const { head, headAt } = await horizon.root()
    const [newest] = await operations(horizon, network, { order: 'desc', limit: '1' })
    const anchor = newest === undefined ? null : anchorOf(newest)
    const after = later(endOf(head), BigInt(anchor?.token ?? '0')).toString()
    return writeCursor({ after, anchor, ledger: head, readTo: null, head: { ledger: head, at: headAt } })
  })
}

export async function chainDepositPage(
  network: HorizonNetwork,
  cursorText: string,
): Promise<Outcome<ChainDepositPage, ChainFailure>> {
  const cursor = readCursor(cursorText)
  return await network.ask(async (horizon) => {
    const root = await horizon.root()
    if (root.head < cursor.ledger)
      throw new ChainFailed(
        'inconsistent',
        `names ledger ${root.head} as its last one, after ledger ${cursor.ledger} had been read. ` +
          'After the reset of a test network, begin with a new database.',
      )
    const news = await newOperations(horizon, network, cursor)
    const deposits: ChainDeposit[] = []
    const outflows: Outflow[] = []
    for (const operation of news.filter((one) => isAfter(one, cursor))) {
      deposits.push(...(await creditsOf(horizon, network, operation)))
      const losses = outflowsOf(operation, network.settings.treasury)
      outflows.push(...losses.filter(({ assetId }) => network.symbolOf(assetId) !== null))
    }
    const next = advance(cursor, root, news)
    // Only an answer without anything new says that there is no more: some endpoints give short pages.
    return { deposits, outflows, cursor: writeCursor(next), more: news.length > 0, scannedTo: next.readTo }
  })
}

/** Operations behind the anchor, with proof that none is missing between the two. */
async function newOperations(
  horizon: Horizon,
  network: HorizonNetwork,
  cursor: Cursor,
): Promise<readonly Fields[]> {
  const { anchor } = cursor
  const from = anchor === null ? cursor.after : (BigInt(anchor.token) - 1n).toString()
  const limit = (network.pageSize + 1).toString()
  const records = await operations(horizon, network, { order: 'asc', cursor: from, limit })
  const [first] = records
  if (anchor !== null && first?.digits('paging_token') === anchor.token) {
    if (anchorOf(first).transactionId === anchor.transactionId) return records.slice(1)
    throw new ChainFailed('inconsistent', `has another operation ${anchor.token} than it had before.`)
  }
  await proveHistory(horizon, cursor)
  return records
}

/** Horizon cuts off its history while it serves: what it says afterwards holds for the answer before. */
async function proveHistory(horizon: Horizon, { anchor, ledger }: Cursor): Promise<void> {
  const { elder } = await horizon.root()
  if (elder > ledger + 1)
    throw new ChainFailed(
      'history_missing',
      `keeps nothing before ledger ${elder}, and chain deposits have been read up to ledger ${ledger} only. ` +
        'Use a server with an older history for chains.STELLAR.horizon.',
    )
  if (anchor !== null && ledgerOf(anchor.token) >= elder)
    throw new ChainFailed('inconsistent', `does not list operation ${anchor.token} that it has listed.`)
}

/** Operations that the treasury takes part in, as the source, as the receiver or inside a contract. */
async function operations(
  horizon: Horizon,
  { settings }: HorizonNetwork,
  query: Readonly<Record<string, string>>,
): Promise<readonly Fields[]> {
  const path = `/accounts/${settings.treasury}/operations`
  // An account without history is not found.
  const page = await horizon.find(path, { ...query, join: 'transactions' }, 'operations')
  if (page === null) return []
  const records = withoutRepeats(recordsOf(page))
  for (const record of records) assertPlaced(record)
  const tokens = records.map((record) => BigInt(record.digits('paging_token')))
  if (tokens.some((token, index) => index > 0 && token <= (tokens[index - 1] ?? 0n)))
    throw new ChainFailed('inconsistent', 'lists operations out of their order.')
  return records
}

/** An operation that is listed twice is one operation. */
function withoutRepeats(records: readonly Fields[]): readonly Fields[] {
  return [...new Map(records.map((record) => [record.digits('paging_token'), record])).values()]
}

/** A token says where in the chain an operation stands; its transaction says so, too. */
function assertPlaced(operation: Fields): void {
  const transaction = operation.object('transaction')
  const token = BigInt(operation.digits('paging_token'))
  const place = token - BigInt(transaction.digits('paging_token'))
  const isPlaced =
    operation.digits('id') === token.toString() &&
    ledgerOf(token.toString()) === transaction.integer('ledger') &&
    place >= 1n &&
    place <= BigInt(transaction.integer('operation_count')) &&
    transaction.text('hash') === operation.text('transaction_hash')
  if (!isPlaced)
    throw new ChainFailed('inconsistent', `lists operation ${token} elsewhere than its transaction has it.`)
}

async function creditsOf(
  horizon: Horizon,
  network: HorizonNetwork,
  operation: Fields,
): Promise<readonly ChainDeposit[]> {
  // Failed transactions are not listed unless they are asked for; they move nothing.
  if (!operation.truth('transaction_successful')) return []
  const { treasury, passphrase } = network.settings
  const said = movementsOf(operation, treasury)
  const movements = typeof said === 'string' ? await lookUp(horizon, operation, said, treasury) : said
  const isSigned = movements.length === 0 || isBorneOut(operation, passphrase)
  if (!isSigned || !isAbout(operation, treasury)) doubt(horizon, network, operation, movements)
  return chainDepositsOf(operation, movements, (assetId) => network.symbolOf(assetId))
}

/** What the record leaves out may stand in another answer. */
function doubt(
  { host }: Horizon,
  { doubts }: HorizonNetwork,
  operation: Fields,
  movements: readonly Movement[],
): void {
  const id = operation.digits('id')
  const said = movements.map(({ amount, references }) => [amount, ...references].join(' ')).join(', ')
  if (!doubts.isBelieved(id, host, said))
    throw new ChainFailed(
      'inconsistent',
      `lists operation ${id} otherwise than its transaction was signed. It is asked again.`,
    )
  doubts.settle(id)
}

function advance(cursor: Cursor, root: Root, news: readonly Fields[]): Cursor {
  const newest = news.at(-1)
  if (newest !== undefined) {
    const anchor = anchorOf(newest)
    return {
      after: later(BigInt(cursor.after), BigInt(anchor.token)).toString(),
      anchor,
      // The rest of its own ledger may be on the next page.
      ledger: Math.max(cursor.ledger, ledgerOf(anchor.token) - 1),
      readTo: isAfter(newest, cursor)
        ? Math.max(cursor.readTo ?? 0, newest.instant('created_at'))
        : cursor.readTo,
      head: cursor.head,
    }
  }
  const { head } = cursor
  if (root.head < head.ledger + poolLedgers) return cursor
  return {
    ...cursor,
    ledger: Math.max(cursor.ledger, head.ledger),
    readTo: Math.max(cursor.readTo ?? 0, head.at),
    head: { ledger: root.head, at: root.headAt },
  }
}

function isAfter(operation: Fields, { after }: Cursor): boolean {
  return BigInt(operation.digits('paging_token')) > BigInt(after)
}

function anchorOf(operation: Fields): Anchor {
  return { token: operation.digits('paging_token'), transactionId: operation.text('transaction_hash') }
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
