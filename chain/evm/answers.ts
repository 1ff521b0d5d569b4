/** What an endpoint answers, checked: blocks, transfers among logs, transactions, numbers. */
import type { Address, Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { Instant } from '../../machines/time.ts'
import { memberOf, RpcFailed, unreadable } from './json-rpc.ts'

export interface BlockHeader {
  readonly height: number
  readonly hash: string
  readonly at: Instant
  /** Of the next block; `null` where the endpoint does not say. */
  readonly baseFee: bigint | null
}

/** A `Transfer` of an ERC-20 token. */
export interface TransferLog {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  /** Raw units, as the token says. */
  readonly units: bigint
  readonly height: number
  readonly blockHash: string
  readonly transactionId: string
  /** What the endpoint numbers it by: it tells a log that is listed twice, and names nothing. */
  readonly logIndex: number
  /** Chain time; `null` where the endpoint leaves it out. */
  readonly at: Instant | null
}

/** What became of a transaction, and what it moved. */
export interface Receipt {
  readonly transactionId: string
  readonly height: number
  readonly blockHash: string
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  readonly isDone: boolean
  /** Each once, in the order of the answer. */
  readonly transfers: readonly TransferLog[]
}

export interface IncludedTransaction {
  readonly blockHash: string
  /** `null` creates a contract. */
  readonly to: Address | null
  readonly from: Address
  readonly input: Hex
}

export function readQuantity(value: unknown, what: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw unreadable(what)
}

export function readCount(value: unknown, what: string): number {
  const count = Number(readQuantity(value, what))
  if (!Number.isSafeInteger(count)) throw unreadable(what)
  return count
}

/** `null` when the endpoint does not know the block. */
export function readHeader(value: unknown): BlockHeader | null {
  if (value === null) return null
  const baseFee = memberOf(value, 'baseFeePerGas') ?? null
  return {
    height: readCount(memberOf(value, 'number'), 'a block without a number'),
    hash: readHash(memberOf(value, 'hash'), 'a block without a hash'),
    at: readCount(memberOf(value, 'timestamp'), 'a block without a time') * 1000,
    baseFee: baseFee === null ? null : readQuantity(baseFee, 'a base fee'),
  }
}

/** A block with the ids of its transactions; `null` when the endpoint does not know it. */
export function readBlock(
  value: unknown,
): (BlockHeader & { readonly transactionIds: ReadonlySet<string> }) | null {
  const header = readHeader(value)
  if (header === null) return null
  const transactions = memberOf(value, 'transactions')
  if (!Array.isArray(transactions)) throw unreadable('a block without transactions')
  const ids = transactions.map((id: unknown) => readHash(id, 'a block with a transaction without an id'))
  return { ...header, transactionIds: new Set(ids) }
}

/** A block that the endpoint names itself, and so has to know. */
export function readKnownHeader(value: unknown): BlockHeader {
  const header = readHeader(value)
  if (header === null) throw new RpcFailed('inconsistent', 'does not have a block that it has named.')
  return header
}

/** Which event is meant, and whether a token is one of the settings: of those no log may be passed over. */
export interface TransferFilter {
  readonly topic: Hex
  readonly isAccepted: (token: Address) => boolean
}

/** The ERC-20 transfers among logs; other tokens' events have the same name and another shape. */
export function readTransfers(value: unknown, filter: TransferFilter): readonly TransferLog[] {
  if (!Array.isArray(value)) throw unreadable('logs that are no list')
  return value.flatMap((log: unknown) => readTransfer(log, filter))
}

function readTransfer(log: unknown, { topic, isAccepted }: TransferFilter): readonly TransferLog[] {
  const [topics, data] = [memberOf(log, 'topics'), memberOf(log, 'data')]
  if (!Array.isArray(topics) || !topics.every(isWord)) throw unreadable('a log without topics')
  if (!isHex(data)) throw unreadable('a log without data')
  const [event, from, to, ...more] = topics
  if (event !== topic) return []
  const token = readAddress(memberOf(log, 'address'), 'a log without an address')
  if (from === undefined || to === undefined || more.length > 0 || !isWord(data)) {
    if (isAccepted(token)) throw unreadable(`a transfer of ${token} without all it consists of`)
    return []
  }
  if (memberOf(log, 'removed') === true)
    throw new RpcFailed('inconsistent', 'has taken back a block that it has named.')
  const timestamp = memberOf(log, 'blockTimestamp') ?? null
  return [
    {
      token,
      from: addressIn(from),
      to: addressIn(to),
      units: BigInt(data),
      height: readCount(memberOf(log, 'blockNumber'), 'a log without a block'),
      blockHash: readHash(memberOf(log, 'blockHash'), 'a log without a block'),
      transactionId: readHash(memberOf(log, 'transactionHash'), 'a log without a transaction'),
      logIndex: readCount(memberOf(log, 'logIndex'), 'a log without an index'),
      at: timestamp === null ? null : readCount(timestamp, 'the time of a log') * 1000,
    },
  ]
}

/** `null` when the endpoint does not know the transaction, or has it in no block. */
export function readReceipt(value: unknown, filter: TransferFilter): Receipt | null {
  if (value === null || (memberOf(value, 'blockHash') ?? null) === null) return null
  const status = memberOf(value, 'status')
  if (status !== '0x1' && status !== '0x0') throw unreadable('a receipt without a status')
  const to = memberOf(value, 'to') ?? null
  // Only what creates a contract goes to nobody.
  if (to === null && (memberOf(value, 'contractAddress') ?? null) === null)
    throw unreadable('a receipt without a target')
  const receipt = {
    transactionId: readHash(memberOf(value, 'transactionHash'), 'a receipt without a transaction'),
    height: readCount(memberOf(value, 'blockNumber'), 'a receipt without a block'),
    blockHash: readHash(memberOf(value, 'blockHash'), 'a receipt without a block'),
    from: readAddress(memberOf(value, 'from'), 'a receipt without a sender'),
    to: to === null ? null : readAddress(to, 'the target of a receipt'),
    isDone: status === '0x1',
  }
  const transfers = readTransfers(memberOf(value, 'logs'), filter)
  for (const { transactionId, blockHash, height } of transfers)
    if (
      transactionId !== receipt.transactionId ||
      blockHash !== receipt.blockHash ||
      height !== receipt.height
    )
      throw new RpcFailed('inconsistent', `has logs of another transaction in ${receipt.transactionId}.`)
  return { ...receipt, transfers: withoutRepeats(transfers) }
}

/** A log that is listed twice is one log: it has the same number, and says the same. */
function withoutRepeats(transfers: readonly TransferLog[]): readonly TransferLog[] {
  const kept = new Map(transfers.map((transfer) => [keyOf(transfer), transfer]))
  return [...kept.values()]
}

function keyOf({ logIndex, ...transfer }: TransferLog): string {
  return [logIndex, ...contentOf(transfer)].join(' ')
}

/** What a transfer says of itself, whoever lists it. */
export function contentOf({ token, from, to, units }: Omit<TransferLog, 'logIndex'>): readonly string[] {
  return [token, from, to, units.toString()]
}

/** `null` when the endpoint does not know the transaction, or has it in no block. */
export function readTransaction(value: unknown): IncludedTransaction | null {
  if (value === null || (memberOf(value, 'blockHash') ?? null) === null) return null
  const [to, input] = [memberOf(value, 'to') ?? null, memberOf(value, 'input')]
  if (!isHex(input)) throw unreadable('a transaction without input')
  return {
    blockHash: readHash(memberOf(value, 'blockHash'), 'a transaction without a block'),
    to: to === null ? null : readAddress(to, 'the target of a transaction'),
    from: readAddress(memberOf(value, 'from'), 'a transaction without a sender'),
    input,
  }
}

/** The one 32-byte word that a call answers with, `null` for anything else. */
export function readWord(value: unknown): bigint | null {
  return isWord(value) ? BigInt(value) : null
}

export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value)
}

function isWord(value: unknown): value is Hex {
  return isHex(value) && value.length === 66
}

/** Topics hold addresses in words of 32 bytes. */
function addressIn(word: Hex): Address {
  return getAddress(`0x${word.slice(26)}`)
}

function readHash(value: unknown, what: string): string {
  if (isWord(value)) return value.toLowerCase()
  throw unreadable(what)
}

function readAddress(value: unknown, what: string): Address {
  if (isHex(value) && value.length === 42) return getAddress(value)
  throw unreadable(what)
}
