/**
 * `kill -9` and power cuts while days close and are sealed, and payments are ordered, sent, booked and come back: no line
 * twice, none lost, nothing paid twice. `node test/durability/settlement-kill.test.ts KILLS IMAGES` plays more of both.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderWorlds } from '../support/order-world.ts'
import { Disk, eachForItself, everything, type Fate, nothing, upTo } from './disk.ts'
import { type Random, seededRandom } from './random.ts'
import { endOfSettlement, problemsOfSettlement, withdrawnEnd } from './settled.ts'
import { addWithdrawer, playDays, type SettlementTold, settleDays } from './settlement-story.ts'
import { isLargeShare } from './share.ts'
import { buildShim, type LogRecord, readLog, readReport, watching } from './write-log.ts'

const kills = Number(process.argv[2] ?? (isLargeShare ? 8 : 2))
const images = Number(process.argv[3] ?? (isLargeShare ? 30 : 2))

const folder = mkdtempSync(join(tmpdir(), 'settlement-kill-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, 'root')
const file = join(root, 'data/node.db')
const control = join(folder, 'control')
const log = join(folder, 'log')
const template = join(folder, 'template.db')
const inWorld = orderWorlds(test)

interface Life extends SpawnSyncReturns<string> {
  told: SettlementTold[]
}

function live(library: string, operation: string, place: number, logged: { log?: string } = {}): Life {
  writeFileSync(control, '')
  const node = join(import.meta.dirname, 'settlement-node.ts')
  const args = ['--conditions=development', node, template, operation, String(place)]
  const env = watching({ library, root, control, ...logged })
  const ended = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const told = ended.stdout.split('\n').slice(0, -1)
  return { ...ended, told: told.map((line) => JSON.parse(line)) }
}

function anew(): void {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
}

/** Evenly over all writes and all syncs; in the middle of each where there are two. */
function placesOf(counts: { writes: number; syncs: number }): [string, number][] {
  const each = Math.ceil(kills / 2)
  const spread = (operation: string, count: number) =>
    Array.from({ length: Math.min(each, count) }, (_, index): [string, number] => [
      operation,
      Math.ceil(((index + 0.5) * count) / Math.min(each, count)),
    ])
  return [...spread('write', counts.writes), ...spread('sync', counts.syncs)]
}

/** It holds, goes on, and comes to what it has to. */
async function assertGoesOn(place: string, told: SettlementTold[], what: string): Promise<void> {
  assert.equal([what, await problemsOfSettlement(place, told)], [what, []])
  await settleDays(place, (one) => told.push(one), { withdraws: true })
  assert.equal([what, await problemsOfSettlement(place, told)], [what, []])
  assert.equal([what, await endOfSettlement(place, told)], [what, withdrawnEnd])
}

function fateOf(number: number, after: number, random: Random): Fate {
  if (number % 4 === 0) return nothing
  const fates = [everything, upTo(after - random.below(50), random), eachForItself(0.5, random)]
  return fates[random.below(fates.length)] ?? nothing
}

function writeImage(files: ReadonlyMap<string, Buffer>, place: string): void {
  for (const [path, bytes] of files) {
    const name = place + path.slice(root.length)
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, bytes)
  }
}

const library = buildShim(test)
if (library !== null) {
  let counts = { writes: 0, syncs: 0 }

  test('days close, are sealed and paid, as worked out by hand', async () => {
    await inWorld(async (world) => {
      await playDays(world)
      await addWithdrawer(world)
      await world.store.close()
      copyFileSync(world.url.replace('sqlite:', ''), template)
    })
    anew()
    const whole = live(library, 'write', 0, { log })
    assert.is(whole.status, 0, whole.stderr)
    counts = readReport(control)
    assert.equal(await problemsOfSettlement(file, whole.told), [])
    assert.equal(await endOfSettlement(file, whole.told), withdrawnEnd)
  })

  test('killed before any write or sync, it goes on, and nothing is closed or paid twice', async () => {
    const random = seededRandom(kills)
    let killed = 0
    for (const [operation, place] of placesOf(counts)) {
      const what = `before ${operation} ${place}`
      anew()
      const first = live(library, operation, place)
      assert.is(first.signal, 'SIGKILL', `${what}: ${first.stderr}`)
      assert.equal([what, await problemsOfSettlement(file, first.told)], [what, []])
      // Some are killed once more, on what the first kill left.
      const again = kills > 2 ? live(library, 'sync', 1 + random.below(20)) : null
      killed += again?.signal === 'SIGKILL' ? 2 : 1
      await assertGoesOn(file, [...first.told, ...(again?.told ?? [])], what)
    }
    console.log(`settlement: ${killed} kills over ${counts.writes} writes and ${counts.syncs} syncs`)
  })

  test('after a power cut what was told is there, and it goes on', async () => {
    const records: readonly LogRecord[] = readLog(log)
    const random = seededRandom(20260306)
    // The template is on the disk before anything is told or done.
    const begun = records.findIndex(({ kind }) => kind === 'sync folder') + 3
    const marks = records.flatMap(({ kind }, index) => (kind === 'mark' ? [index + 1] : []))
    const cuts = Array.from({ length: images }, (_, number) => {
      const anywhere = begun + Math.floor(((number + 0.5) * (records.length - begun)) / images)
      return number % 2 === 0 ? (marks.find((mark) => mark >= anywhere) ?? records.length) : anywhere
    }).toSorted((one, other) => one - other)
    const disk = new Disk()
    const told: SettlementTold[] = []
    let at = 0
    for (const [number, after] of cuts.entries()) {
      for (const record of records.slice(at, after)) {
        disk.apply(record)
        if (record.kind === 'mark') told.push(JSON.parse(record.text))
      }
      at = after
      const place = join(folder, `image-${number}`)
      writeImage(disk.image(fateOf(number, after, random), random).files, place)
      await assertGoesOn(join(place, 'data/node.db'), [...told], `cut ${number} after ${after}`)
      rmSync(place, { recursive: true })
    }
    console.log(`settlement: ${images} images of ${records.length} records with ${marks.length} answers`)
  })
}

test.run()
