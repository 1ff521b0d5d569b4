/**
 * Steps a second of the SQLite store with 64 concurrent callers, with and without group commit, beside what one
 * fsync of the same disk takes. Run it alone: `node test/bench/store-steps.ts [folder] [seconds]`.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type SqliteStore } from '../../persistence/sqlite/engine.ts'
import { row } from '../../persistence/store.ts'
import { accountsOf, newOrder, provision } from '../persistence/rows.ts'

const callers = 64
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'store-steps-'))
const durationMs = Number(process.argv[3] ?? 3) * 1000

/** Median milliseconds to append 4 KiB and have it on the disk. */
function fsyncMs(): number {
  const file = openSync(join(folder, 'fsync'), 'a')
  const block = Buffer.alloc(4096)
  const times = Array.from({ length: 200 }, () => {
    const started = performance.now()
    writeSync(file, block)
    fsyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  return times.sort((a, b) => a - b)[100] ?? Number.NaN
}

/** One event of an order as the node writes it: the order, its journal, a webhook and a posting. */
async function advance(store: SqliteStore, orderId: string, count: number): Promise<void> {
  const result = await store.step({
    rows: { order: row('orders', { id: orderId }) },
    decide: ({ order }, at) => {
      if (!order) throw new Error(`${orderId} is not there`)
      const sequence = order.journal_count + 1
      return {
        answer: order.status,
        writes: [
          {
            update: 'orders',
            key: { id: orderId },
            set: { modified_at: at, revision: order.revision + 1, journal_count: sequence },
          },
          {
            insert: 'journal',
            values: {
              order_id: orderId,
              sequence,
              entry_at: at,
              actor: 'provider:Demo Network',
              credential_key: 'pk_demo',
              event_json: JSON.stringify({ type: 'payment.start', count }),
              from_status: order.status,
              to_status: order.status,
              outcome: 'accepted',
              hash: 'f'.repeat(64),
            },
          },
          { post: { kind: 'bench', ...accountsOf('MXN'), amountMinor: 1n, orderId, reference: null } },
        ],
        wake: ['webhooks'],
      }
    },
  })
  if (result.outcome !== 'committed') throw new Error(`violated ${result.constraint}`)
}

async function measure(groupCommit: boolean): Promise<void> {
  const file = join(folder, `${groupCommit}.db`)
  const store = openSqliteStore({ file, clock: { now: () => Date.now() }, groupCommit })
  await provision(store)
  for (let caller = 0; caller < callers; caller++) {
    await store.step({
      rows: {},
      decide: (_, at) => ({ answer: null, writes: [newOrder(`o${caller}`, at)] }),
    })
  }
  const before = { ...store.statistics }
  const started = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let count = 0; performance.now() - started < durationMs; count++) {
        await advance(store, `o${caller}`, count)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const steps = store.statistics.steps - before.steps
  const commits = store.statistics.commits - before.commits
  console.log(
    `group commit ${groupCommit ? 'on ' : 'off'}: ${(steps / seconds).toFixed(0)} steps/s, ` +
      `${(commits / seconds).toFixed(0)} commits/s, ${(steps / commits).toFixed(1)} steps a commit`,
  )
  await store.close()
}

try {
  console.log(`fsync of 4 KiB: ${fsyncMs().toFixed(3)} ms (median)`)
  await measure(false)
  await measure(true)
} finally {
  rmSync(folder, { recursive: true })
}
