/** The commands that are killed, what each begins with, and what has to hold whatever it was killed at. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fakeClock } from '../support/clock.ts'
import { startTestNode } from '../support/node.ts'
import { orderIn } from '../support/orders.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'

export const killedCommands = ['move', 'restore', 'migrate', 'backup'] as const
export type KilledCommand = (typeof killedCommands)[number]

const clock = fakeClock()
const golden = join(import.meta.dirname, '../persistence/golden/0.1.0.db')
const source = (root: string) => join(root, 'data/node.db')
const target = (root: string) => join(root, 'moved.db')
const restored = (root: string) => join(root, 'restored/node.db')
const old = (root: string) => join(root, 'old.db')

/** A database with a READY and a COMPLETED order, a backup of it, and a database of an earlier version. */
export async function prepareTemplate(root: string): Promise<void> {
  mkdirSync(join(root, 'data'), { recursive: true })
  const node = await startTestNode({ directory: join(root, 'data') })
  await orderIn(node, 'PAY_OUT', 'READY')
  await orderIn(node, 'PAY_OUT', 'COMPLETED')
  await node.stop()
  await done(run(root, source(root), 'backup', join(root, 'backups')))
  writeFileSync(old(root), gunzipSync(readFileSync(`${golden}.gz`)))
}

/** Performs the command, for the first time or after it was killed. */
export function perform(command: KilledCommand, root: string): Promise<Ran> {
  switch (command) {
    case 'move':
      return run(root, source(root), 'move', '--to', `sqlite:${target(root)}`)
    case 'restore':
      return restoreTo(root, restored(root))
    case 'migrate':
      return run(root, old(root), 'migrate')
    case 'backup':
      return run(root, source(root), 'backup', join(root, 'more'))
  }
}

function restoreTo(root: string, database: string): Promise<Ran> {
  const folder = join(root, 'backups')
  return run(root, database, 'restore', join(folder, backupsIn(folder)[0] ?? ''))
}

/** What is wrong after the command was killed, one sentence each. */
export async function problemsAfterKill(command: KilledCommand, root: string): Promise<string[]> {
  const problems: string[] = []
  const expect = (isSo: boolean, what: string) => {
    if (!isSo) problems.push(what)
  }
  const ordersIn = async (file: string) => {
    if (!existsSync(file)) return 0
    const { code, json } = await run(root, file, 'order', 'list')
    return code === 0 ? json.orders.length : 0
  }
  const isSound = async (file: string) => (await run(root, file, 'verify')).json.ok === true

  if (command === 'move') {
    expect((await ordersIn(source(root))) + (await ordersIn(target(root))) <= 2, 'both have orders to serve')
    const again = await perform(command, root)
    // Everything was done, and only the last answer was not given.
    const isDone = again.code === 0 || /it was moved to/.test(again.out + again.err)
    expect(isDone, `it does not go on: ${again.out}${again.err}`)
    expect((await ordersIn(target(root))) === 2, 'the target has not all orders')
    expect((await ordersIn(source(root))) === 0, 'the source is still in use')
    expect(await isSound(target(root)), 'the target does not verify')
  }
  if (command === 'restore') {
    const elsewhere = join(root, 'restored/other.db')
    const again = await restoreTo(root, existsSync(restored(root)) ? elsewhere : restored(root))
    expect(again.code === 0, `it does not go on: ${again.out}${again.err}`)
    expect(draftsIn(join(root, 'restored')).length === 0, 'a draft is left')
    const quarantined = await run(root, restored(root), 'order', 'quarantined')
    expect(quarantined.json?.orders?.length === 1, 'an open order is not quarantined')
    expect(await isSound(restored(root)), 'what was restored does not verify')
  }
  if (command === 'migrate') {
    const again = await perform(command, root)
    expect(again.code === 0, `it does not go on: ${again.out}${again.err}`)
    const left = await run(root, old(root), 'migrate', '--dry-run')
    expect(left.json?.pending?.length === 0, 'migrations are missing')
    const copies = readdirSync(root).filter((name) => /^old\.db\.before-[^.]+$/.test(name))
    expect(copies.length === 1, `copies of what it was: ${copies.join(', ')}`)
  }
  if (command === 'backup') {
    const again = await perform(command, root)
    const isThere = /is there already/.test(again.out + again.err)
    expect(again.code === 0 || isThere, `it does not go on: ${again.out}${again.err}`)
    const [newest = ''] = backupsIn(join(root, 'more'))
    const { code, out } = await run(root, restored(root), 'restore', join(root, 'more', newest))
    expect(code === 0, `a backup that has its name cannot be restored: ${out}`)
    expect((await ordersIn(source(root))) === 2, 'the database has lost orders')
    expect(draftsIn(join(root, 'more')).length === 0, 'an unencrypted draft is left')
  }
  return problems
}

function run(root: string, database: string, ...args: string[]): Promise<Ran> {
  const env = { VENTANILLA_DATABASE: `sqlite:${database}`, VENTANILLA_KEYS_FILE: `${source(root)}.key` }
  return ventanilla({ cwd: root, env, clock }, ...args, '--json')
}

async function done(ran: Promise<Ran>): Promise<void> {
  const { code, out, err } = await ran
  if (code !== 0) throw new Error(out + err)
}

function draftsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.')) : []
}

function backupsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('ventanilla-')) : []
}
