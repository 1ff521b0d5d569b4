/** What an endpoint answers, checked: blocks, transfers among logs, transactions, numbers. */
import type { Address, Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { Instant } from '../../machines/time.ts'
import { memberOf, RpcFailed, unreadable } from './json-rpc.ts'

export interface BlockHeader {
  readonly height: number
  readonly hash: string
  readonly at: Instant
  readonly baseFee: bigint
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
  /** Its place among all logs of the block. */
  readonly index: number
  /** Chain time; `null` where the endpoint leaves it out. */
  readonly at: Instant | null
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
  return {
    height: readCount(memberOf(value, 'number'), 'a block without a number'),
    hash: readHash(memberOf(value, 'hash'), 'a block without a hash'),
    at: readCount(memberOf(value, 'timestamp'), 'a block without a time') * 1000,
    baseFee: readQuantity(memberOf(value, 'baseFeePerGas') ?? '0x0', 'a base fee'),
  }
}

/** A block that the endpoint names itself, and so has to know. */
export function readKnownHeader(value: unknown): BlockHeader {
  const header = readHeader(value)
  if (header === null) throw new RpcFailed('inconsistent', 'does not have a block that it has named.')
  return header
}

/** The ERC-20 transfers among logs; other tokens' events have the same name and another shape. */
export function readTransfers(value: unknown, topic: Hex): readonly TransferLog[] {
  if (!Array.isArray(value)) throw unreadable('logs that are no list')
  return value.flatMap((log: unknown) => readTransfer(log, topic))
}

function readTransfer(log: unknown, topic: Hex): readonly TransferLog[] {
  const [topics, data] = [memberOf(log, 'topics'), memberOf(log, 'data')]
  if (!Array.isArray(topics)) throw unreadable('a log without topics')
  const [event, from, to, ...more]: unknown[] = topics
  if (event !== topic || more.length > 0 || !isWord(from) || !isWord(to) || !isWord(data)) return []
  if (memberOf(log, 'removed') === true)
    throw new RpcFailed('inconsistent', 'has taken back a block that it has named.')
  const timestamp = memberOf(log, 'blockTimestamp') ?? null
  return [
    {
      token: readAddress(memberOf(log, 'address'), 'a log without an address'),
      from: addressIn(from),
      to: addressIn(to),
      units: BigInt(data),
      height: readCount(memberOf(log, 'blockNumber'), 'a log without a block'),
      blockHash: readHash(memberOf(log, 'blockHash'), 'a log without a block'),
      transactionId: readHash(memberOf(log, 'transactionHash'), 'a log without a transaction'),
      index: readCount(memberOf(log, 'logIndex'), 'a log without an index'),
      at: timestamp === null ? null : readCount(timestamp, 'the time of a log') * 1000,
    },
  ]
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
