/**
 * Moves orders with which nobody has anything to do any more out of the database: each is written down whole, on the
 * disk, and only then removed. A crash between the two leaves a line too many, never one too few.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { archivableOrders } from '../../persistence/queries/archive.ts'
import { consumerOfOrder } from '../../persistence/queries/orders.ts'
import { noPersonalData } from '../../persistence/schema.ts'
import { LeadershipLost, type Row, type Store, StoreUnavailable } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { StuckOrders } from '../orders/stuck-orders.ts'
import { problemsOf } from './order-problems.ts'
import { readOrderRows } from './order-rows.ts'
import {
  factsOf,
  formatRecord,
  newPersonalKey,
  personalDataOf,
  sealPersonalData,
  withoutPersonalData,
} from './record.ts'
import { removeOrder } from './removal.ts'

/** The files that lines are added to. */
export interface ArchiveFiles {
  /** The name of a month's file, from `2026-03`. */
  nameOf(month: string): string
  /** Durable when it resolves; not in the file when it rejects. */
  append(name: string, line: string): Promise<void>
  /** Lets the files go until the next line. */
  close(): Promise<void>
}

export interface ArchivingOptions {
  /** Orders are kept so long after their last change. */
  ordersDays: number
  journalKey: string
  files: ArchiveFiles
  condition: Condition
  stuck: Pick<StuckOrders, 'report'>
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nothing is old. */
  isTrusted: () => boolean
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void }
}

class ArchiveUnwritable extends Error {
  override readonly name = 'ArchiveUnwritable'
}

/** Few at a time, and then a rest, so that whoever is served does not notice. */
const ordersPerPass = 20
const restMs = 1_000
const dayMs = 86_400_000

/** A pass goes on where the one before ended, so that an order that cannot be archived keeps no other from it. */
export function createArchiving(options: ArchivingOptions): (store: Store) => Promise<PassResult> {
  const { ordersDays, clock, files, isTrusted, log, stuck } = options
  const beginning = { afterAt: 0, afterId: '' }
  let place = beginning
  const failed = new Set<string>()

  async function attempt(store: Store, order: Listed, before: Instant): Promise<boolean> {
    const { id } = order
    try {
      const isArchived = await archiveOrder(store, order, before, options)
      failed.delete(id)
      return isArchived
    } catch (error) {
      // These are not the order's, and would be the same for the next one.
      if (error instanceof StoreUnavailable || error instanceof LeadershipLost) throw error
      if (error instanceof ArchiveUnwritable) throw error
      log.error({ err: error, order: id }, 'an order could not be archived')
      // Something may have come in between; what fails again is no chance.
      if (failed.has(id))
        await stuck.report('archive', id, error instanceof Error ? error.message : String(error))
      failed.add(id)
      return false
    }
  }

  return async (store) => {
    if (!isTrusted()) return { more: false }
    const before = clock.now() - ordersDays * dayMs
    const found = await store.query(archivableOrders, { before, ...place, limit: ordersPerPass })
    let archived = 0
    if (found.length > 0) await askForRoom(store)
    try {
      for (const order of found) if (await attempt(store, order, before)) archived += 1
    } finally {
      await files.close()
    }
    if (archived > 0) log.info({ orders: archived }, 'orders archived')
    const last = found.at(-1)
    const isLast = last === undefined || found.length < ordersPerPass
    place = isLast ? beginning : { afterAt: last.created_at, afterId: last.id }
    return { more: false, nextAt: isLast ? null : clock.now() + restMs, seen: { archived } }
  }
}

/**
 * A full disk has room that is kept for orders under way: no line goes there.
 * @throws StoreUnavailable while it is full
 */
async function askForRoom(store: Store): Promise<void> {
  await store.step({ rows: {}, isEssential: false, decide: () => ({ answer: null, writes: [] }) })
}

type Listed = Pick<Row<'orders'>, 'id' | 'created_at'>

/**
 * Whether an order is still one with which nobody has anything to do: something may have come since it was listed. To be asked once its
 * rows are read: what comes later changes them, and then they are not removed.
 */
async function isStillDone(store: Store, { id, created_at: afterAt }: Listed, before: Instant) {
  const justBefore = { afterAt, afterId: id.slice(0, -1) }
  const [found] = await store.query(archivableOrders, { before, ...justBefore, limit: 1 })
  return found?.id === id
}

/** @returns whether it is in the archive now. */
async function archiveOrder(
  store: Store,
  order: Listed,
  before: Instant,
  { journalKey, files, clock, condition, log, stuck }: ArchivingOptions,
): Promise<boolean> {
  const { id } = order
  const [rows, [consumer]] = [
    await readOrderRows(store, id),
    await store.query(consumerOfOrder, { orderId: id }),
  ]
  if (rows === null || !(await isStillDone(store, order, before))) return false
  const problems = problemsOf(factsOf(rows), journalKey)
  if (problems.length > 0) {
    log.error({ order: id, problems }, 'an order is not archived, because it does not verify')
    await stuck.report('archive', id, `It does not verify: ${problems.join('; ')}.`)
    return false
  }
  const archived = formatInstant(clock.now())
  const personalKey = newPersonalKey()
  const personal = personalDataOf(rows, consumer ?? noPersonalData)
  const { line, digest } = formatRecord(journalKey, {
    format: 1,
    id,
    archived,
    rows: withoutPersonalData(rows),
    personal: sealPersonalData(personalKey, id, personal),
  })
  const file = files.nameOf(archived.slice(0, 'YYYY-MM'.length))
  try {
    await files.append(file, line)
  } catch (error) {
    const reason = `The archive's ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`
    condition.send({ type: 'degrade', part: 'archive', reason })
    throw new ArchiveUnwritable(reason, { cause: error })
  }
  condition.send({ type: 'recover', part: 'archive' })
  return removeOrder(store, { rows, consumer: consumer ?? null, file, digest, personalKey, journalKey })
}
