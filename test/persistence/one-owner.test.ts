/**
 * One process owns a database, whatever name it knows the file by. This file is also the program that owns it:
 * `node one-owner.test.ts own FILE` opens it, says so, and holds it until it is killed; `only-lock` and `only-file` hold a part.
 * `node one-owner.test.ts all` plays everything with processes and mount namespaces of their own; without, what another store of
 * this process shows as well is played with one.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseOpenElsewhere, DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openReader } from '../../persistence/index.ts'
import { migrations } from '../../persistence/migrations/index.ts'
import { journalEnd } from '../../persistence/queries/anchors.ts'
import { openAlone } from '../../persistence/sqlite/claim.ts'
import { openDatabase } from '../../persistence/sqlite/database.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { lockDatabase } from '../../persistence/sqlite/lock.ts'
import { ventanilla } from '../support/terminal.ts'

const clock = { now: () => 1000 }
const [role, owned = ''] = process.argv.slice(2)
const isLong = role === 'all'

interface Owner {
  /** `open`, or why not. */
  said: string
  kill(): Promise<void>
}

const folder = role === undefined || isLong ? mkdtempSync(join(tmpdir(), 'one-owner-')) : ''
const mounted: string[] = []
const running = new Set<ChildProcess>()
let names = 0
const newFolder = () => {
  const made = join(folder, String(names++))
  mkdirSync(made)
  return made
}

/** @param inNamespace a command that runs first, in a mount namespace of the process's own. */
async function start(file: string, part = 'own', inNamespace: string | null = null): Promise<Owner> {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const command = [process.execPath, import.meta.filename, part, file]
  const [program = '', ...args] =
    inNamespace === null
      ? command
      : ['unshare', '--mount', 'sh', '-c', `${inNamespace} && exec "$@"`, 'sh', ...command]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  running.add(child)
  const ended = once(child, 'exit')
  const [said] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [''])])
  return {
    said: String(said).trim(),
    async kill() {
      child.kill('SIGKILL')
      await ended
      running.delete(child)
    },
  }
}

/** A second owner: a process, or for an everyday run another store of this one. */
async function second(file: string): Promise<Owner> {
  if (isLong) return start(file)
  try {
    await openSqliteStore({ file, clock }).close()
    return { said: 'open', kill: async () => {} }
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    return { said: `${error.name}: ${error.message}`, kill: async () => {} }
  }
}

/** While this process owns the database, another one that opens it is refused. */
async function assertSecondIsRefused(file: string, by: () => Promise<Owner>, says: RegExp): Promise<void> {
  const first = openSqliteStore({ file, clock })
  try {
    const refused = await by()
    await refused.kill()
    assert.match(refused.said, says)
  } finally {
    await first.close()
  }
}

const owns = /^DatabaseLocked: database \S+: another process owns it \(it holds \S+\.lock\)/
const isOpen =
  /^DatabaseOpenElsewhere: database \S+: another process has this file open, under this name or another/

if (role === 'own' || role === 'only-lock' || role === 'only-file') own(role)
else runTests()

function own(part: 'own' | 'only-lock' | 'only-file'): void {
  try {
    const opened =
      part === 'own'
        ? openSqliteStore({ file: owned, clock })
        : part === 'only-lock'
          ? lockDatabase(owned)
          : openDatabase(owned)
    process.stdout.write('open\n')
    // What nobody refers to any more is closed by the garbage collector.
    setInterval(() => assert.ok(opened), 60_000)
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    process.stdout.write(`${error.name}: ${error.message}\n`)
  }
}

function testNames(): void {
  test('a second owner by the same path is refused', async () => {
    const file = join(newFolder(), 'node.db')
    await assertSecondIsRefused(file, () => start(file), owns)
  })

  test('a second owner by a symbolic link is refused', async () => {
    const file = join(newFolder(), 'node.db')
    const link = join(newFolder(), 'link.db')
    symlinkSync(file, link)
    await assertSecondIsRefused(file, () => second(link), owns)
  })

  test('a second owner by a hard link is refused', async () => {
    const file = join(newFolder(), 'node.db')
    const link = join(newFolder(), 'link.db')
    const byLink = async () => {
      linkSync(file, link)
      const refused = await second(link)
      rmSync(link)
      return refused
    }
    await assertSecondIsRefused(file, byLink, /^DatabaseUnusable: .*2 names \(hard links\)/)
  })
}

function testMount(): void {
  test('a second owner by a bind mount of the file is refused, and a command in one line, with 3', async () => {
    const file = join(newFolder(), 'node.db')
    const other = newFolder()
    const name = join(other, 'mounted.db')
    const mountedToo = async () => {
      openDatabase(name).close()
      assert.is(spawnSync('mount', ['--bind', file, name]).status, 0)
      mounted.push(name)
      const env = { VENTANILLA_DATABASE: `sqlite:${name}`, VENTANILLA_HTTP_PORT: '0' }
      const { code, err } = await ventanilla({ cwd: other, env }, 'serve')
      assert.is(code, 3)
      assert.match(err, /another process has this file open, .*mount the folder, not the file/)
      return start(name)
    }
    await assertSecondIsRefused(file, mountedToo, isOpen)
  })
}

function testNamespaces(): void {
  test('a second owner by a bind mount in another mount namespace is refused', async () => {
    const file = join(newFolder(), 'node.db')
    const name = join(newFolder(), 'mounted.db')
    openDatabase(name).close()
    await assertSecondIsRefused(file, () => start(name, 'own', `mount --bind '${file}' '${name}'`), isOpen)
  })

  test('a second owner by the same path in another mount namespace is refused', async () => {
    const file = join(newFolder(), 'node.db')
    await assertSecondIsRefused(file, () => start(file, 'own', 'true'), owns)
  })

  test('a second owner by a bind mount of the folder is refused: it has the same lock', async () => {
    const place = newFolder()
    const other = newFolder()
    const inOther = () => start(join(other, 'node.db'), 'own', `mount --bind '${place}' '${other}'`)
    await assertSecondIsRefused(join(place, 'node.db'), inOther, owns)
  })
}

function testParts(): void {
  test('who holds only the lock, or only the file, keeps others out, and leaves nothing when it is killed', async () => {
    const file = join(newFolder(), 'node.db')
    for (const [part, says] of [
      ['only-lock', /another process owns it/],
      ['only-file', /another process has this file open/],
    ] as const) {
      const first = await start(file, part)
      assert.is(first.said, 'open')
      assert.throws(() => openSqliteStore({ file, clock }), says)
      await first.kill()
      await openSqliteStore({ file, clock }).close()
    }
  })

  test('what reads may come after the owner, and is named when it was there before', async () => {
    const file = join(newFolder(), 'node.db')
    const store = openSqliteStore({ file, clock })
    const reader = await openReader(`sqlite:${file}`)
    assert.equal(await reader.snapshot((query) => query(journalEnd, {})), [])
    const replicator = await start(file, 'only-file')
    assert.is(replicator.said, 'open')
    await reader.close()
    await store.close()
    assert.throws(
      () => openSqliteStore({ file, clock }),
      /What only reads \(a replicator, a backup, sqlite3\) starts after/,
    )
    await replicator.kill()
    await openSqliteStore({ file, clock }).close()
  })

  test('who was alone for a moment, and is not the last who was, does not go on', () => {
    const file = join(newFolder(), 'node.db')
    assert.throws(
      () => openAlone(file, { migrations, claimed: () => openAlone(file, { migrations }).close() }),
      (error: unknown) => error instanceof DatabaseOpenElsewhere,
    )
    openAlone(file, { migrations }).close()
  })
}

/** In CI, as root, there is no excuse. */
function whyNoMounts(place: string): string | null {
  if (process.platform !== 'linux') return `bind mounts are Linux's, not ${process.platform}'s`
  const tried = spawnSync('unshare', ['--mount', 'mount', '--bind', place, place], { encoding: 'utf8' })
  if (tried.status === 0) return null
  if (process.env.CI && process.getuid?.() === 0) throw new Error(`root cannot mount: ${tried.stderr}`)
  return 'bind mounts need root'
}

function runTests(): void {
  test.after(() => {
    for (const child of running) child.kill('SIGKILL')
    for (const name of mounted) spawnSync('umount', ['--lazy', name])
    rmSync(folder, { recursive: true, force: true })
  })
  testNames()
  const reason = whyNoMounts(newFolder())
  if (reason !== null) console.log(`SKIP ${reason}`)
  else testMount()
  if (isLong && reason === null) testNamespaces()
  testParts()
  test.run()
}
