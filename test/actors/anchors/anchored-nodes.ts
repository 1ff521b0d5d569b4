/** Nodes that write anchors, and a few minutes of orders that they anchor. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { type Anchoring, createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { quarantinedOrders } from '../../../persistence/queries/quarantine.ts'
import { statement } from '../../../persistence/statement.ts'
import type { Store } from '../../../persistence/store.ts'
import { fakeClock } from '../../support/clock.ts'
import { testDatabases } from '../../support/database.ts'
import { journalKey, minuteMs, type OrderWorld, orderWorlds } from '../../support/order-world.ts'

const pausedMerchants = statement<Record<never, never>>()('test.paused', ({ db }) =>
  db.selectFrom('parties').select('id').where('webhooks_paused_at', 'is not', null),
)

interface Node extends Anchoring {
  /** What `/readyz` says of the anchors. */
  reason(): string | null
}

export async function anchoring(store: Store, clock: { now(): number }, file: string): Promise<Node> {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const log = { info: () => {} }
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(file)
  const made = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
  return {
    ...made,
    reason() {
      const ready = readiness(condition)
      return ready.status === 'degraded' ? (ready.reasons.anchors ?? null) : null
    },
  }
}

interface Story {
  /** A file of its own. */
  anchors: string
  /** URLs of its database before its last minute, and as it is. */
  older: string
  present: string
}

export interface Started {
  reason: string | null
  /** Of the anchors as they are now. */
  lines: number
  /** Orders and merchants that are set aside. */
  quarantined: number
  paused: number
  /** Where the anchors from before are. */
  kept: string | null
}

/** A start at some hour of the next day, and what it has left behind. */
export async function startedOn(database: string, anchors: string, hour = 0): Promise<Started> {
  const clock = fakeClock(Date.UTC(2026, 2, 2, hour))
  const store = await openStore(database, { clock })
  const node = await anchoring(store, clock, anchors)
  await node.begin()
  const quarantined = (await store.query(quarantinedOrders, { after: '', limit: 100 })).length
  const paused = (await store.query(pausedMerchants, {})).length
  const watch = await createRestoreWatch({ store, clock, condition: createCondition() })
  const { anchors: kept } = await watch.show()
  await node.finish()
  await store.close()
  const lines = existsSync(anchors) ? readFileSync(anchors, 'utf8').split('\n').length - 1 : 0
  return { reason: node.reason(), lines, quarantined, paused, kept }
}

/** What the tests of a file share: worlds, databases, files of anchors, and a story that is played once. */
export function anchorStories(test: Test) {
  const inWorld = orderWorlds(test)
  const databases = testDatabases(test)
  const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
  test.after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const newFile = () => join(folder, String(files++))

  /** Three minutes of orders, each with its anchor. */
  async function playThreeMinutes(world: OrderWorld): Promise<Story> {
    const anchors = newFile()
    const node = await anchoring(world.store, world.clock, anchors)
    await world.deposit(1_000_000n)
    let older = ''
    for (let minute = 1; minute <= 3; minute++) {
      older = await databases.copy(world.url)
      const { id } = await world.order()
      await world.start(id, 'A')
      await world.start(id, 'B')
      if (minute > 1) await world.confirm(id, 'A')
      world.clock.advance(minuteMs)
      await node.pass()
      await node.pass()
    }
    await node.finish()
    return { anchors, older, present: await databases.copy(world.url) }
  }

  let played: Promise<Story> | undefined

  /** They are played once for all who only look at them. */
  async function threeMinutes(): Promise<Story> {
    played ??= new Promise((resolve, reject) => {
      inWorld(async (world) => resolve(await playThreeMinutes(world))).catch(reject)
    })
    const { anchors, ...story } = await played
    const copy = newFile()
    copyFileSync(anchors, copy)
    return { anchors: copy, ...story }
  }
  return { inWorld, databases, newFile, playThreeMinutes, threeMinutes }
}
