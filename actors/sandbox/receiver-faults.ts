/**
 * What may go wrong between this node and a merchant's receiver, for the next deliveries of a sandbox: asked for beforehand, kept in
 * the database, and used up by what is sent.
 */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { faultsFor, faultsOf } from '../../persistence/queries/sandbox-receivers.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'

export const receiverFaults = [
  /** The receiver is not asked; its answer is this status. */
  'status',
  /** The request waits so long before it goes. */
  'delay',
  /** The receiver is not asked, and never answers. */
  'hang',
  /** The receiver is not asked; its answer leads elsewhere, which is not followed. */
  'redirect',
  /** The receiver is asked, and its answer is lost on the way. */
  'cut',
  /** The receiver is asked twice. */
  'duplicate',
  /** After this webhook comes one that was sent before it, once more. */
  'out_of_order',
  /** A request with a wrong signature comes first, which the receiver has to refuse. */
  'bad_signature',
] as const

export type ReceiverFault = (typeof receiverFaults)[number]

/** What each is to people. */
export const faultTexts: readonly (readonly [fault: ReceiverFault, text: string])[] = [
  ['status', 'It answers with a status'],
  ['delay', 'It is reached late'],
  ['hang', 'It never answers'],
  ['redirect', 'It answers with a redirect'],
  ['cut', 'It is reached, and its answer is lost'],
  ['duplicate', 'It is sent the same twice'],
  ['out_of_order', 'It is sent an earlier webhook after a later one'],
  ['bad_signature', 'It is sent a wrong signature first'],
]

export interface AskedFault {
  merchantId: string
  /** Of all orders where it is `null`. */
  orderId: string | null
  fault: ReceiverFault
  /** 503 for `status`, 302 for `redirect` where it is not said. */
  status?: number | undefined
  /** Of a delay; 5 where it is not said. */
  seconds?: number | undefined
  deliveries: number
  by: string
}

export const faultLimits = { deliveries: 1_000, seconds: 30, perMerchant: 50 } as const

export type Fault = Row<'receiver_faults'>

export type FaultSet = { ok: true; fault: Fault } | { ok: false; reason: 'too_many' }

/** Those of a merchant that are not used up, the newest first. */
export function faultsOfMerchant(store: Pick<Store, 'query'>, merchantId: string): Promise<Fault[]> {
  return store.query(faultsOf, { merchantId, limit: faultLimits.perMerchant })
}

export interface ReceiverFaults {
  /** The same once more takes the place of the one before. */
  set(asked: AskedFault): Promise<FaultSet>
  /** `false` where there is none of this id, or not of this merchant. */
  remove(asked: { merchantId?: string; id: string }): Promise<boolean>
  /** Takes the first that is for it, one delivery's worth; `null` where nothing is to go wrong. */
  take(about: { merchantId: string; orderId: string | null }): Promise<TakenFault | null>
}

export interface TakenFault {
  fault: ReceiverFault
  status: number
  seconds: number
}

const usualStatus: Readonly<Partial<Record<ReceiverFault, number>>> = { status: 503, redirect: 302 }

export function createReceiverFaults(store: Store, clock: { now(): Instant }): ReceiverFaults {
  return {
    async set({ merchantId, orderId, fault, status, seconds, deliveries, by }) {
      const { perMerchant } = faultLimits
      const known = await faultsOfMerchant(store, merchantId)
      const same = known.find((one) => one.fault === fault && one.order_id === orderId)
      if (same === undefined && known.length >= perMerchant) return { ok: false, reason: 'too_many' }
      const values: Row<'receiver_faults'> = {
        id: randomUUID(),
        merchant_id: merchantId,
        order_id: orderId,
        fault,
        status: status ?? usualStatus[fault] ?? null,
        seconds: fault === 'delay' ? (seconds ?? 5) : null,
        deliveries_left: deliveries,
        created_at: clock.now(),
        created_by: by,
      }
      await store.step({
        rows: { before: same === undefined ? undefined : row('receiver_faults', { id: same.id }) },
        decide: ({ before }) => ({
          answer: null,
          writes: [
            ...(before === null ? [] : [{ delete: 'receiver_faults', key: { id: before.id } } as const]),
            { insert: 'receiver_faults', values },
          ],
        }),
      })
      return { ok: true, fault: values }
    },

    async remove({ merchantId, id }) {
      const result = await store.step({
        rows: { fault: row('receiver_faults', { id }) },
        decide: ({ fault }): Decision<boolean> => {
          const isOther = merchantId !== undefined && fault?.merchant_id !== merchantId
          if (fault === null || isOther) return { answer: false, writes: [] }
          return { answer: true, writes: [{ delete: 'receiver_faults', key: { id } }] }
        },
      })
      return result.outcome === 'committed' && result.answer
    },

    async take({ merchantId, orderId }) {
      const [first] = await store.query(faultsFor, { merchantId, orderId: orderId ?? '' })
      return first === undefined ? null : takeOne(store, first.id)
    },
  }
}

async function takeOne(store: Store, id: string): Promise<TakenFault | null> {
  const result = await store.step({
    rows: { found: row('receiver_faults', { id }) },
    decide: ({ found }): Decision<TakenFault | null> => {
      const fault = receiverFaults.find((known) => known === found?.fault)
      // Somebody has removed it meanwhile, or used it up.
      if (found === null || fault === undefined) return { answer: null, writes: [] }
      const left = found.deliveries_left - 1
      return {
        answer: { fault, status: found.status ?? 503, seconds: found.seconds ?? 0 },
        writes: [
          left === 0
            ? { delete: 'receiver_faults', key: { id } }
            : { update: 'receiver_faults', key: { id }, set: { deliveries_left: left } },
        ],
      }
    },
  })
  return result.outcome === 'committed' ? result.answer : null
}
