/**
 * Power cuts: a node's writes, syncs and answers are logged, and the disk is built as it may be found after a
 * cut at many of their moments. `node test/durability/power-cut.test.ts IMAGES` plays more of them.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Disk, eachForItself, everything, type Fate, type Image, nothing, upTo } from './disk.ts'
import { problemsAfter } from './kept.ts'
import { type Random, seededRandom } from './random.ts'
import type { Told } from './story.ts'
import { buildShim, type LogRecord, readLog, watching } from './write-log.ts'

const images = Number(process.argv[2] ?? 24)
const orders = images > 24 ? 120 : 24

const folder = mkdtempSync(join(tmpdir(), 'power-cut-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, 'root')
const control = join(folder, 'control')
const log = join(folder, 'log')

function play(library: string, ...phase: string[]): SpawnSyncReturns<string> {
  const story = join(import.meta.dirname, 'power-cut-story.ts')
  return spawnSync(process.execPath, ['--conditions=development', story, ...phase], {
    env: watching({ library, root, control, log }),
    encoding: 'utf8',
  })
}

interface Cut {
  /** So many records of the log had happened. */
  after: number
  seed: number
  /** Nothing but what was synced is there: the least that a disk may keep. */
  isBare: boolean
}

/**
 * Half of the cuts follow an answer at once: that is when the most can be lost. A quarter follow the answers of
 * the start after the kill, which are about what the killed process wrote.
 */
function chooseCuts(records: readonly LogRecord[], restart: number, random: Random): Cut[] {
  const marks = records.flatMap(({ kind }, index) => (kind === 'mark' ? [index + 1] : []))
  const afterRestart = marks.filter((mark) => mark > restart)
  const looks = afterRestart.filter((mark, index) => mark - index === afterRestart[0])
  const choices = [marks, looks, marks, Array.from(records, (_, index) => index)]
  return Array.from({ length: images }, (_, number) => {
    const among = choices[number % choices.length] ?? marks
    return {
      after: among[random.below(among.length)] ?? 0,
      seed: random.below(2 ** 31),
      isBare: number % 8 < 2,
    }
  }).sort((one, other) => one.after - other.after)
}

/** Right after answers, evenly spread, with nothing on the disk but what was synced. */
function bareCuts(records: readonly LogRecord[], count: number): Cut[] {
  const marks = records.flatMap(({ kind }, index) => (kind === 'mark' ? [index + 1] : []))
  return Array.from({ length: count }, (_, number) => ({
    after: marks[Math.floor((number * marks.length) / count)] ?? 0,
    seed: number,
    isBare: true,
  }))
}

function fateOf(cut: Cut, random: Random): Fate {
  if (cut.isBare) return nothing
  switch (random.below(5)) {
    case 0:
      return everything
    case 1:
      // What was not synced is rarely older than this.
      return upTo(cut.after - random.below(100), random)
    case 2:
      return eachForItself(0.1, random)
    case 3:
      return eachForItself(0.5, random)
    default:
      return eachForItself(0.9, random)
  }
}

/** Builds the disk of each cut and looks at it. @returns what is wrong with each that something is wrong with. */
async function lookAtImages(
  records: readonly LogRecord[],
  cuts: readonly Cut[],
  isSyncIgnored?: (path: string) => boolean,
): Promise<string[]> {
  const disk = new Disk(isSyncIgnored)
  const acknowledged = new Map<string, Told>()
  const problems: string[] = []
  let at = 0
  for (const [number, cut] of cuts.entries()) {
    if (number > 0 && number % 100 === 0) console.log(`… ${number} of ${cuts.length} images`)
    for (const record of records.slice(at, cut.after)) {
      disk.apply(record)
      if (record.kind !== 'mark') continue
      const told: Told = JSON.parse(record.text)
      const known = acknowledged.get(told.id)
      if (known === undefined || known.revision < told.revision) acknowledged.set(told.id, told)
    }
    at = cut.after
    const random = seededRandom(cut.seed)
    const place = join(folder, `image-${cut.seed}`)
    writeImage(disk.image(fateOf(cut, random), random), place)
    const found = await problemsAfter(join(place, 'data/node.db'), [...acknowledged.values()]).catch(
      (error: unknown) => [`it does not open: ${String(error)}`],
    )
    rmSync(place, { recursive: true })
    if (found.length > 0)
      problems.push(`cut after ${cut.after}, seed ${cut.seed}: ${found.slice(0, 5).join('; ')}`)
  }
  return problems
}

function writeImage({ files, folders }: Image, place: string): void {
  mkdirSync(place)
  for (const name of folders) mkdirSync(place + name.slice(root.length))
  for (const [path, bytes] of files) {
    const name = place + path.slice(root.length)
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, bytes)
  }
}

const library = buildShim(test)
if (library !== null) {
  let records: LogRecord[] = []
  let cuts: Cut[] = []
  let restart = 0

  test('a story is logged to its last byte', () => {
    mkdirSync(root)
    writeFileSync(control, '')
    const killed = play(library, 'play', String(orders))
    assert.is(killed.signal, 'SIGKILL', killed.stderr)
    restart = readLog(log).length
    const ended = play(library, 'go on', String(orders))
    assert.is(ended.status, 0, ended.stderr)
    records = readLog(log)
    cuts = chooseCuts(records, restart, seededRandom(20260301))
    const disk = new Disk()
    for (const record of records) disk.apply(record)
    const { files } = disk.image(everything, seededRandom(1))
    for (const [path, bytes] of files) assert.ok(bytes.equals(readFileSync(path)), path)
    assert.ok(files.has(join(root, 'data/node.db')))
  })

  test('after a power cut everything that was acknowledged is there, and all is sound', async () => {
    const problems = await lookAtImages(records, cuts)
    console.log(
      `${cuts.length} images of ${records.length} records, ${records.filter(({ kind }) => kind === 'mark').length} ` +
        `answers and ${records.filter(({ kind }) => kind === 'sync').length} syncs: ${problems.length} with a problem`,
    )
    assert.equal(problems, [])
  })

  test('were the log not synced, as with synchronous=NORMAL, the loss would be noticed', async () => {
    // Before the kill: the start after it moves the log into the database, and syncs that.
    const some = bareCuts(records.slice(0, restart), Math.ceil(images / 3))
    const problems = await lookAtImages(records, some, (path) => path.endsWith('-wal'))
    const losses = problems.filter((problem) => problem.includes('lost: '))
    console.log(`without the syncs of the log: ${losses.length} of ${some.length} images lost something`)
    assert.ok(losses.length > some.length / 4, losses.join('\n'))
  })
}

test.run()
