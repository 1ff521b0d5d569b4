/** Transfers to and from the treasury in a range of final blocks, as the endpoint's logs tell them. */
import type { Address } from 'viem'
import { encodeEventTopics, numberToHex, parseAbi } from 'viem/utils'
import type { Instant } from '../../machines/time.ts'
import {
  type BlockHeader,
  readHeader,
  readKnownHeader,
  readTransfers,
  type TransferFilter,
  type TransferLog,
} from './answers.ts'
import type { EvmChain } from './chains.ts'
import { type Answer, type Call, failed, failureKindOf, RpcFailed, resultOf } from './json-rpc.ts'
import { blockCall, type EvmEndpoint, type EvmNetwork } from './network.ts'

export interface Transfers {
  /** The last final block of the back end that answered, as far as it was asked for. */
  readonly head: BlockHeader
  readonly from: BlockHeader
  readonly to: BlockHeader
  /** To the treasury, of any token, in the chain's order. */
  readonly incoming: readonly TransferLog[]
  /** Of the accepted tokens only. */
  readonly outgoing: readonly TransferLog[]
}

/** Where reading goes on: behind the last block that was read. */
export interface Place {
  readonly read: number
  readonly settled: { readonly at: Instant }
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * As many blocks behind `place` as the endpoint searches at once; `null` when there are none. Asked in one
 * request, which one back end of a pool answers: a server may cut a range at its last block without a word
 * (Monad's own does), so it has to prove how far it has come, and that it still keeps the beginning.
 */
export async function readTransfersFrom(
  network: EvmNetwork,
  endpoint: EvmEndpoint,
  head: BlockHeader,
  place: Place,
): Promise<Transfers | null> {
  const { rpc, logRange } = endpoint
  const from = place.read + 1
  let onlyAssets = false
  for (;;) {
    const to = Math.min(head.height, from + logRange.blocks - 1)
    const [final, first, last, incoming, outgoing] = await rpc.ask([
      // The first question: an answer given before those about logs proves less than it could, never more.
      blockCall(network.settings.finality),
      blockCall(from),
      blockCall(to),
      incomingCall(network, { from, to }, onlyAssets),
      outgoingCall(network, { from, to }),
    ])
    if (!final || !first || !last || !incoming || !outgoing) throw new Error('five questions, five answers')
    const ends = endsOf(
      network,
      head,
      { final, first, last },
      { from, to, isOld: isOlder(network.chain, place.settled, head) },
    )
    if (ends === null) return null
    const refusal = [incoming, outgoing].find(({ ok }) => !ok)
    if (refusal === undefined) {
      logRange.served(to - from + 1)
      return { ...ends, ...transfersOf(network, { incoming, outgoing }, { from, to: ends.to.height }) }
    }
    if (!refusal.ok && failureKindOf(refusal.failure) === 'rate_limited') throw failed(refusal.failure)
    if (to > from) logRange.refused(to - from + 1)
    // Anybody may flood a block with transfers of his own token; the accepted ones are read all the same.
    else if (!onlyAssets) onlyAssets = true
    else resultOf(refusal)
  }
}

/** By more than back ends disagree about. */
export function isOlder(
  { disagreementMs }: EvmChain,
  block: { readonly at: Instant },
  head: { readonly at: Instant },
): boolean {
  return head.at - block.at > disagreementMs
}

interface Ends {
  readonly head: BlockHeader
  readonly from: BlockHeader
  readonly to: BlockHeader
}

/** The blocks at both ends of what this back end can tell; `null` when it has not come as far as that. */
function endsOf(
  network: EvmNetwork,
  head: BlockHeader,
  answers: { readonly final: Answer; readonly first: Answer; readonly last: Answer },
  { from, to, isOld }: Range & { readonly isOld: boolean },
): Ends | null {
  const final = readKnownHeader(resultOf(answers.final))
  if (isOlder(network.chain, final, head))
    throw new RpcFailed(
      'inconsistent',
      `is at block ${final.height}, and has named block ${head.height} (a pool whose members disagree).`,
    )
  if (final.height < from) return null
  const [first, asked] = [answers.first, answers.last].map((answer) => readHeader(resultOf(answer)))
  const last = final.height < to ? final : asked
  if ((!first || !last) && !isOld)
    throw new RpcFailed('inconsistent', `does not have the blocks from ${from} on yet.`)
  if (!first || !last)
    throw new RpcFailed(
      'history_missing',
      `no longer has the blocks from ${from} on. Add an endpoint that keeps them to ${network.setting('rpc')}.`,
    )
  if (first.height !== from || last.height > to)
    throw new RpcFailed('inconsistent', 'answers with another block than the one asked for.')
  if (last.height === head.height && last.hash !== head.hash)
    throw new RpcFailed('inconsistent', `names two blocks ${last.height} (a pool whose members disagree).`)
  return { head: final.height < head.height ? final : head, from: first, to: last }
}

function transfersOf(
  network: EvmNetwork,
  answers: { readonly incoming: Answer; readonly outgoing: Answer },
  { from, to }: Range,
): Pick<Transfers, 'incoming' | 'outgoing'> {
  // Behind the last final block a server adds what is not final.
  const read = (answer: Answer): readonly TransferLog[] =>
    readTransfers(resultOf(answer), transferFilter(network)).filter(
      ({ height }) => height >= from && height <= to,
    )
  return {
    incoming: incomingOf(network, read(answers.incoming)).toSorted(
      (a, b) => a.height - b.height || a.logIndex - b.logIndex,
    ),
    outgoing: outgoingOf(network, read(answers.outgoing)),
  }
}

export function transferFilter(network: EvmNetwork): TransferFilter {
  return { topic: transferTopic, isAccepted: (token) => network.assetOf(token) !== null }
}

/** To the treasury. Nothing moves where the treasury is on both sides, nor where the amount is zero. */
export function incomingOf(
  { treasury }: EvmNetwork,
  transfers: readonly TransferLog[],
): readonly TransferLog[] {
  return transfers.filter(({ from, to, units }) => to === treasury && from !== treasury && units > 0n)
}

/** Of an accepted token, out of the treasury. */
export function outgoingOf(network: EvmNetwork, transfers: readonly TransferLog[]): readonly TransferLog[] {
  const { treasury } = network
  return transfers.filter(
    ({ token, from, to, units }) =>
      from === treasury && to !== treasury && units > 0n && network.assetOf(token) !== null,
  )
}

/** Blocks that are not final yet; the endpoint's newest is the last. */
export async function readNewTransfers(
  network: EvmNetwork,
  { rpc }: EvmEndpoint,
  { from, to }: Range,
): Promise<readonly TransferLog[]> {
  const [incoming] = await rpc.results([incomingCall(network, { from, to }, false)])
  return incomingOf(network, readTransfers(incoming, transferFilter(network)))
}

const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const [transferTopic] = encodeEventTopics({ abi, eventName: 'Transfer' })

/** Of any token: one of an accepted one's name may be what a user was made to pay. */
function incomingCall(network: EvmNetwork, range: Range, onlyAssets: boolean): Call {
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { to: network.treasury } })
  return logsCall(range, topics, onlyAssets ? network.assets.map(({ id }) => id) : null)
}

function outgoingCall({ treasury, assets }: EvmNetwork, range: Range): Call {
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { from: treasury } })
  return logsCall(
    range,
    topics,
    assets.map(({ id }) => id),
  )
}

function logsCall({ from, to }: Range, topics: readonly unknown[], address: Address[] | null): Call {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  return { method: 'eth_getLogs', params: [{ ...range, topics, ...(address === null ? {} : { address }) }] }
}
