/** An archive beside a world of orders. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type ArchiveFiles, createArchiving } from '../../actors/archive/archiving.ts'
import { type ArchiveCheck, checkArchive } from '../../actors/archive/check.ts'
import { type ArchivedOrder, readArchivedOrder } from '../../actors/archive/show.ts'
import { type Condition, createCondition } from '../../actors/condition/condition.ts'
import { type Check, verify } from '../../actors/verification/verify.ts'
import { listArchiveFiles, openArchiveFiles } from '../../node/archive-files.ts'
import { openReader } from '../../persistence/index.ts'
import type { Reader, Store, Write } from '../../persistence/store.ts'
import { commit, hourMs, journalKey, type OrderWorld } from './order-world.ts'
import { stuckOrdersOf } from './stuck-orders.ts'

export const dayMs = 24 * hourMs

export interface ArchiveWorld {
  folder: string
  /** What the worker wrote to its log at level error. */
  errors: object[]
  condition: Condition
  /** Every webhook was delivered. */
  deliver(): Promise<void>
  /** Waits until what is over now is old, and archives until there is no more. */
  archive(changes?: {
    store?: Store
    files?: Partial<ArchiveFiles>
    isTrusted?: boolean
    waitMs?: number
  }): Promise<void>
  /** What does not hold in the database. */
  problems(): Promise<Check[]>
  check(): Promise<ArchiveCheck>
  show(idOrCode: string): Promise<ArchivedOrder | null>
  lines(): string[]
  /** Puts others in the place of all lines. */
  rewrite(lines: readonly string[]): void
  close(): void
}

/** @param place the folder in which the archive's own is made. */
export function archiveOf(
  world: OrderWorld,
  place: string = mkdtempSync(join(tmpdir(), 'archive-')),
  ordersDays = 30,
): ArchiveWorld {
  const folder = join(place, 'database.archive')
  const errors: object[] = []
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const reading = async <Result>(read: (reader: Reader) => Promise<Result>) => {
    const reader = await openReader(world.url)
    try {
      return await read(reader)
    } finally {
      await reader.close()
    }
  }
  const names = () => readdirSync(folder).sort()
  return {
    folder,
    errors,
    condition,
    async deliver() {
      const pending = (await world.rows('webhooks')).filter(({ state }) => state === 'pending')
      const set = { state: 'delivered', settled_at: world.clock.now(), attempts: 1 } as const
      await commit(
        world.store,
        pending.flatMap(({ id }): Write[] => [
          { update: 'webhooks', key: { id }, set },
          { insert: 'webhook_attempts', values: attemptOf(id, world.clock.now()) },
        ]),
      )
    },
    async archive({
      store = world.store,
      files = {},
      isTrusted = true,
      waitMs = (ordersDays + 1) * dayMs,
    } = {}) {
      world.clock.advance(waitMs)
      const pass = createArchiving({
        ordersDays,
        journalKey,
        files: { ...openArchiveFiles(folder, null), ...files },
        condition,
        stuck: stuckOrdersOf(store, world.clock, condition),
        clock: world.clock,
        isTrusted: () => isTrusted,
        log: { info() {}, error: (facts) => errors.push(facts) },
      })
      while ((await pass(store)).nextAt != null);
    },
    problems: () =>
      reading(async (reader) => {
        const { checks } = await verify({ reader, journalKey })
        return checks.filter(({ ok }) => !ok)
      }),
    check: () => reading((reader) => checkArchive({ reader, journalKey }, listArchiveFiles(folder))),
    show: (idOrCode) =>
      reading((reader) => readArchivedOrder({ reader, journalKey }, listArchiveFiles(folder), idOrCode)),
    lines: () => names().flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)),
    rewrite(lines) {
      const [name = ''] = names()
      assert.is(names().length, 1)
      writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''))
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  }
}

function attemptOf(webhook_id: string, at: number) {
  return {
    ...{ webhook_id, attempt: 1, started_at: at, ended_at: at, milliseconds: 1, status: 200 },
    ...{ outcome: 'acknowledged', answer: 'thanks, ana@example.com', answer_bytes: 24, is_cut: 0 as const },
  }
}
