/** Transfers to and from the treasury in a range of final blocks, as the endpoint's logs tell them. */
import type { Address } from 'viem'
import { encodeEventTopics, numberToHex, parseAbi } from 'viem/utils'
import { type BlockHeader, readHeader, readKnownHeader, readTransfers, type TransferLog } from './answers.ts'
import { type Answer, type Call, failed, failureKindOf, RpcFailed, resultOf } from './json-rpc.ts'
import { blockCall, type MonadEndpoint, type MonadNetwork } from './network.ts'

export interface Transfers {
  readonly from: BlockHeader
  readonly to: BlockHeader
  /** To the treasury, of any token, in the chain's order. */
  readonly incoming: readonly TransferLog[]
  /** Of the accepted tokens only. */
  readonly outgoing: readonly TransferLog[]
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * As many blocks from `from` on as the endpoint searches at once. Asked in one request, which one back end of a
 * pool answers: Monad's own server cuts a range at its last block without a word, so it has to prove that it
 * has come that far, and that it still keeps the beginning.
 */
export async function readTransfersFrom(
  network: MonadNetwork,
  endpoint: MonadEndpoint,
  head: BlockHeader,
  from: number,
): Promise<Transfers> {
  const { rpc, logRange } = endpoint
  let onlyAssets = false
  for (;;) {
    const to = Math.min(head.height, from + logRange.blocks - 1)
    const [final, first, last, incoming, outgoing] = await rpc.ask([
      // The first question: an answer that is given earlier than that about logs proves less, not more.
      blockCall('finalized'),
      blockCall(from),
      blockCall(to),
      incomingCall(network, { from, to }, onlyAssets),
      outgoingCall(network, { from, to }),
    ])
    if (!final || !first || !last || !incoming || !outgoing) throw new Error('five questions, five answers')
    const ends = endsOf({ final, first, last }, { from, to })
    if (to === head.height && ends.to.hash !== head.hash)
      throw new RpcFailed('inconsistent', `names two blocks ${to} (a pool whose members disagree).`)
    const refusal = [incoming, outgoing].find(({ ok }) => !ok)
    if (refusal === undefined) {
      logRange.served(to - from + 1)
      return { ...ends, ...transfersOf(network, { incoming, outgoing }, { from, to }) }
    }
    if (!refusal.ok && failureKindOf(refusal.failure) === 'rate_limited') throw failed(refusal.failure)
    if (to > from) logRange.refused(to - from + 1)
    // Anybody may flood one block with transfers of a token of his own; the accepted ones are read all the same.
    else if (!onlyAssets) onlyAssets = true
    else resultOf(refusal)
  }
}

/** The blocks at both ends. Throws when this back end has not come so far, or forgot the beginning. */
function endsOf(
  answers: { readonly final: Answer; readonly first: Answer; readonly last: Answer },
  { from, to }: Range,
): { readonly from: BlockHeader; readonly to: BlockHeader } {
  const final = readKnownHeader(resultOf(answers.final))
  if (final.height < to)
    throw new RpcFailed(
      'inconsistent',
      `is behind a block that it has named: ${final.height} of ${to} (a pool whose members disagree).`,
    )
  const [first, last] = [answers.first, answers.last].map((answer) => readHeader(resultOf(answer)))
  if (!first || !last)
    throw new RpcFailed(
      'history_missing',
      `no longer has the blocks from ${from} on. Add an endpoint that keeps them to chains.MONAD.rpc.`,
    )
  if (first.height !== from || last.height !== to)
    throw new RpcFailed('inconsistent', 'answers with another block than the one asked for.')
  return { from: first, to: last }
}

function transfersOf(
  { treasury }: MonadNetwork,
  answers: { readonly incoming: Answer; readonly outgoing: Answer },
  { from, to }: Range,
): Pick<Transfers, 'incoming' | 'outgoing'> {
  const read = (answer: Answer): readonly TransferLog[] => {
    const transfers = readTransfers(resultOf(answer), transferTopic)
    if (transfers.some(({ height }) => height < from || height > to))
      throw new RpcFailed('inconsistent', 'answers with logs of other blocks than those asked for.')
    // Nothing moves where both are the treasury, nor where the amount is zero.
    return transfers.filter((transfer) => transfer.from !== transfer.to && transfer.units > 0n)
  }
  return {
    incoming: read(answers.incoming)
      .filter((transfer) => transfer.to === treasury)
      .toSorted((a, b) => a.height - b.height || a.index - b.index),
    outgoing: read(answers.outgoing).filter((transfer) => transfer.from === treasury),
  }
}

/** Blocks that are not final yet; the endpoint's newest is the last. */
export async function readNewTransfers(
  network: MonadNetwork,
  { rpc }: MonadEndpoint,
  { from, to }: Range,
): Promise<readonly TransferLog[]> {
  const [incoming] = await rpc.results([incomingCall(network, { from, to }, false)])
  return readTransfers(incoming, transferTopic).filter(
    (transfer) =>
      transfer.to === network.treasury && transfer.from !== network.treasury && transfer.units > 0n,
  )
}

const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const [transferTopic] = encodeEventTopics({ abi, eventName: 'Transfer' })

/** Of any token: one of an accepted one's name may be what a user was made to pay. */
function incomingCall(network: MonadNetwork, range: Range, onlyAssets: boolean): Call {
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { to: network.treasury } })
  return logsCall(range, topics, onlyAssets ? network.assets.map(({ id }) => id) : null)
}

function outgoingCall({ treasury, assets }: MonadNetwork, range: Range): Call {
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
