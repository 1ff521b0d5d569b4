/**
 * On every node: a refund that was said to be sent, and of which the chain shows nothing or less once it has been read
 * past an hour after that, is told. What comes to light later resolves it.
 */
import { blockchains } from '../../machines/blockchains.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { chainCursor } from '../../persistence/queries/foreign-orders.ts'
import {
  openUnseenRefunds,
  outflowsMentioning,
  refundsOfChain,
  treasuryCounts,
} from '../../persistence/queries/treasuries.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { refundUnseenId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { stakeOf } from '../exceptions/stake.ts'
import { explainedParts } from './outflows.ts'

/** Longer than an endpoint that leaves something out usually does so, and than the second reading of a block takes. */
export const unseenAfterMs = 3_600_000

/** The latest of a chain that are looked at. */
const maxRefunds = 1_000

/** @returns a pass over all refunds; what it has seen leave in full it does not look at again. */
export function createRefundWatch(store: Store): () => Promise<void> {
  const settled = new Set<string>()

  async function look(refund: Row<'exceptions'>): Promise<void> {
    const stake = stakeOf(refund.evidence_json)
    if (stake === null) return
    const sent = (await store.query(outflowsMentioning, { part: `%${refund.id}%` }))
      .flatMap(explainedParts)
      .reduce((sum, { exception, units }) => (exception === refund.id ? sum + BigInt(units) : sum), 0n)
    await judgeRefund(store, refund, { ...stake, sent })
    settled.add(refund.id)
  }

  return async () => {
    const counts = await store.query(treasuryCounts, {})
    for (const chain of blockchains) {
      const [cursor] = await store.query(chainCursor, { blockchain: chain })
      const readTo = cursor?.scanned_to_at ?? null
      const open = await store.query(openUnseenRefunds, { chain })
      for (const { evidence_json } of open) settled.delete(JSON.parse(evidence_json).refund)
      if (readTo === null) continue
      for (const refund of await store.query(refundsOfChain, { chain, limit: maxRefunds }))
        if (!settled.has(refund.id) && isOverdue(refund, counts, readTo)) await look(refund)
    }
  }
}

/** Before the count of its asset began nobody read what left. */
function isOverdue(
  { chain, resolved_at, evidence_json }: Row<'exceptions'>,
  counts: readonly Row<'treasury_counts'>[],
  readTo: Instant,
): boolean {
  const currency = stakeOf(evidence_json)?.currency
  const count = counts.find((one) => one.blockchain === chain && one.currency === currency)
  if (count === undefined || resolved_at === null) return false
  return resolved_at >= count.opened_at && readTo > resolved_at + unseenAfterMs
}

async function judgeRefund(
  store: Store,
  refund: Row<'exceptions'>,
  { currency, minor, sent }: { currency: string; minor: bigint; sent: bigint },
): Promise<void> {
  const id = refundUnseenId(refund.id)
  const rest = minor - sent
  await store.step({
    rows: { told: row('exceptions', { id }) },
    decide: ({ told }, at): Decision<null> => {
      const nothing = { answer: null, writes: [] }
      if (told?.state === 'resolved' || (told === null && rest <= 0n)) return nothing
      const amount = formatPrice(rest, currency)
      if (told === null) return { answer: null, writes: [{ insert: 'exceptions', values: opened(at) }], wake }
      if (told.amount === amount) return nothing
      const changed = rest <= 0n ? found(at) : { amount, reason: reason(), evidence_json: evidence() }
      const set = { ...changed, revision: told.revision + 1 }
      return { answer: null, writes: [{ update: 'exceptions', key: { id }, set }], wake }
    },
  })

  function opened(at: Instant): Row<'exceptions'> {
    const { chain, asset, order_id } = refund
    return newException({
      ...{ id, kind: 'refund_unseen', order_id, reason: reason(), evidence: JSON.parse(evidence()) },
      ...{ opened_at: at, amount: formatPrice(rest, currency), asset, chain },
    })
  }

  function evidence(): string {
    const { id, resolution_evidence: said, evidence_json } = refund
    const { assetId }: { assetId?: string } = JSON.parse(evidence_json)
    const figures = { due: `${minor}`, sent: `${sent}`, rest: `${rest}` }
    return JSON.stringify({ refund: id, said, assetId, currency, ...figures })
  }

  function reason(): string {
    const left = sent === 0n ? 'nothing of it' : `only ${formatPrice(sent, currency)} of it`
    return (
      `${formatPrice(minor, currency)} ${refund.asset} were said to be sent back (exception ${refund.id}), and ` +
      `${left} has left the treasury on ${refund.chain} an hour later. Look the transaction up with a block ` +
      `explorer: if it failed, send what is missing now; if it was sent from elsewhere, dismiss this with the reason.`
    )
  }
}

const wake = ['exceptions'] as const

function found(at: Instant) {
  const reason = 'It has left the treasury.'
  return { state: 'resolved', resolved_at: at, resolution: 'found', resolution_reason: reason } as const
}
