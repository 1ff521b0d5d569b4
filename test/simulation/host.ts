/** The machine a node lives on: its lives one after the other, and what a kill or a power cut leaves of its disk. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { verify } from '../../actors/verification/verify.ts'
import { openReader } from '../../persistence/index.ts'
import { readLines } from '../../persistence/line-log.ts'
import type { Random } from '../durability/random.ts'
import { SimulatedChain } from './chain.ts'
import type { Platform } from './platform.ts'
import { type Beside, type NodeProcess, settingsIn, startProcess } from './process.ts'
import { Reader } from './view.ts'

const memory = '/dev/shm'
const root = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'ventanilla-simulation-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

export type Mode = 'sandbox' | 'production'

/** What a node has on its disk; SQLite makes the rest of its own. */
const files = ['data/node.db', 'data/node.db-wal', 'data/node.db.anchors', 'keys/node.key']
const log = 'data/node.db-wal'

/** Of a node that is gone: its connections would keep their memory until somebody looks for it. */
const connections = new Set<Database.Database>()
const { pragma } = Database.prototype
Database.prototype.pragma = function (this: Database.Database, ...args) {
  connections.add(this)
  return pragma.apply(this, args)
}

/** Every simulated chain has the same addresses. */
const config = join(root, 'ventanilla.json')
writeFileSync(config, JSON.stringify({ chains: new SimulatedChain(() => 0, 0).settings }))

let folders = 0

function newFolder(): string {
  const folder = join(root, String(++folders))
  for (const part of ['data', 'keys']) mkdirSync(join(folder, part), { recursive: true, mode: 0o700 })
  return folder
}

function copy(from: string, to: string): void {
  for (const name of files) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
}

export class Host {
  readonly platform: Platform
  readonly #mode: Mode
  readonly #beside: () => Beside
  #folder: string
  process: NodeProcess | null = null
  #reader: Reader | null = null

  constructor(platform: Platform, options: { mode: Mode; beside: () => Beside; from?: string }) {
    this.platform = platform
    this.#mode = options.mode
    this.#beside = options.beside
    this.#folder = newFolder()
    if (options.from !== undefined) copy(options.from, this.#folder)
    else
      writeFileSync(join(this.#folder, 'keys/node.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, {
        mode: 0o600,
      })
  }

  get folder(): string {
    return this.#folder
  }

  /** What is in the database, whether or not a node lives. */
  get reader(): Reader {
    this.#reader ??= new Reader(join(this.#folder, 'data/node.db'))
    return this.#reader
  }

  async start(): Promise<void> {
    // A node begins only on a database that nobody else has open.
    this.#reader?.close()
    this.#reader = null
    const settings = settingsIn(this.#folder, this.#mode, config)
    this.process = await this.drive(startProcess(this.platform, settings, this.#beside()))
  }

  /** It is asked to stop, and ends what it has. */
  async stop(): Promise<void> {
    const { process } = this
    this.process = null
    if (process !== null) await this.drive(process.stop())
    this.#letGo()
  }

  /** Whoever has the machine writes while no node lives. */
  write(sql: string, ...args: unknown[]): void {
    if (this.process !== null) throw new Error('a node lives')
    this.#letGo()
    const database = new Database(join(this.#folder, 'data/node.db'))
    database.prepare(sql).run(...args)
    database.close()
  }

  /** It is gone from one moment to the next; the disk has what was written. */
  kill(): void {
    this.#take(this.#image())
  }

  /**
   * One turn of the program, in which it may commit; then it is gone before anybody is answered. Of what the turn wrote
   * without having synced it the disk may have all, nothing or a part, some of it torn.
   * @returns whether something was written in that turn
   */
  async cutInNextCommit(random: Random): Promise<boolean> {
    for (let turns = 0; turns < 50; turns++) {
      const before = this.#image()
      const had = await this.platform.turn()
      const after = this.#image()
      const isWritten = !this.#isSame(before, after)
      if (isWritten || !had) {
        this.#take(isWritten ? this.#torn(before, after, random) : after, [before, after])
        return isWritten
      }
      for (const folder of [before, after]) rmSync(folder, { recursive: true, force: true })
    }
    this.kill()
    return false
  }

  /** Until it is done, however many turns and timers of the program that takes. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    for (let count = 0; count < 1_000; count++) {
      await this.platform.rest()
      if (isDone) return work
      const wait = this.platform.untilTimer
      if (wait === null) break
      this.platform.pass(wait)
      this.platform.fire()
    }
    throw new Error('what the program was asked for does not end')
  }

  /** @returns what the program's own check of the whole database finds */
  async verify(): Promise<string[]> {
    const { process } = this
    if (process === null) throw new Error('there is no node to ask for its key')
    const file = join(this.#folder, 'data/node.db')
    const reader = await openReader(`sqlite:${file}`)
    const { journalKey } = process.core
    const { checks } = await this.drive(verify({ reader, journalKey, anchors: readLines(`${file}.anchors`) }))
    await reader.close()
    return checks.filter(({ ok }) => !ok).map(({ name, detail }) => `verify: ${name}: ${detail}`)
  }

  remove(): void {
    this.#letGo()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #image(): string {
    const folder = newFolder()
    copy(this.#folder, folder)
    return folder
  }

  #isSame(one: string, other: string): boolean {
    const [a, b] = [one, other].map((folder) => {
      const file = join(folder, log)
      return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    })
    return a !== undefined && b !== undefined && a.equals(b)
  }

  #torn(before: string, after: string, random: Random): string {
    const chosen = random.below(4)
    if (chosen === 0) return before
    if (chosen === 1) return after
    const [was, is] = [join(before, log), join(after, log)]
    const length = existsSync(was) ? statSync(was).size : 0
    const isAppended = length > 0 && readFileSync(is).subarray(0, length).equals(readFileSync(was))
    if (!isAppended) return random.chance(0.5) ? before : after
    const written = statSync(is).size - length
    if (chosen === 2) truncateSync(is, length + random.below(written))
    else {
      // Sectors reach the disk in any order: some have, some have not.
      const bytes = readFileSync(is)
      for (let at = length; at < bytes.length; at += 512) {
        if (random.chance(0.5)) bytes.fill(0, at, Math.min(at + 512, bytes.length))
      }
      writeFileSync(is, bytes)
    }
    return after
  }

  #take(image: string, made: readonly string[] = []): void {
    const gone = [this.#folder, ...made].filter((folder) => folder !== image)
    this.platform.forget()
    this.process = null
    this.#folder = image
    this.#letGo()
    for (const folder of gone) rmSync(folder, { recursive: true, force: true })
  }

  #letGo(): void {
    // What only reads is the last: another one would move the log into a database that is gone.
    const ofNode = [...connections].filter(({ readonly }) => !readonly)
    for (const connection of [...ofNode, ...connections]) if (connection.open) connection.close()
    connections.clear()
    this.#reader?.close()
    this.#reader = null
  }
}
