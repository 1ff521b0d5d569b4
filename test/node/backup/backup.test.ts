/** Backups of a node under load, and what is restored from them. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookResume } from '../../../actors/webhooks/delivery-operations.ts'
import { createBackups } from '../../../node/backup/backups.ts'
import { removeOldBackups } from '../../../node/backup/keep.ts'
import { longestPauseMs } from '../../../node/backup/pause.ts'
import { scheduleBackups } from '../../../node/backup-schedule.ts'
import { loadSettings } from '../../../node/settings/config.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-backup-'))
const backups = join(folder, 'backups')
let node: TestNode
let backup = ''
/** Orders that were acknowledged before the backup was begun, and those that came while it was made. */
const before: string[] = []
let later = 0
let isMade = false

const worldOf = (database: string) => ({
  cwd: folder,
  env: {
    VENTANILLA_DATABASE: `sqlite:${database}`,
    VENTANILLA_KEYS_FILE: join(node.directory, 'node.db.key'),
  },
  clock: node.clock,
})
const source = () => worldOf(join(node.directory, 'node.db'))
const path = '/api/v1/merchants/orders/pay-out/'

async function create(index: number): Promise<{ id: string }> {
  const made = await node.request({ as: 'mk_shop', path, body: payOutBody(), at: index })
  assert.is(made.status, 201, made.text)
  return made.json
}

async function codeOf(world: ReturnType<typeof source>, id: string): Promise<string> {
  return (await ventanilla(world, 'order', 'show', id, '--json')).json.code
}

test.before(async () => {
  node = await startTestNode()
  for (let index = 0; index < 20; index++) before.push((await create(index)).id)
  const load = (async () => {
    while (!isMade) {
      await create(100 + later)
      later += 1
    }
  })()
  const made = await ventanilla(source(), 'backup', backups, '--json')
  isMade = true
  await load
  assert.is(made.code, 0, made.err)
  backup = made.json.folder
})
test.after(async () => {
  await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

test('a backup under load is a folder with a verified copy, its anchors and what it says of itself', () => {
  assert.ok(later > 0, 'orders were created meanwhile')
  assert.equal(readdirSync(backup).toSorted(), ['backup.json', 'ventanilla.db', 'ventanilla.db.anchors'])
  const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'))
  assert.ok(manifest.orders >= before.length)
  assert.is(manifest.keyFingerprint, node.core.vault.fingerprint)
  assert.equal(readdirSync(backups).length, 1, 'no draft is left')
})

test('what was acknowledged before the backup is restored, verified, quarantined and paused', async () => {
  const world = worldOf(join(folder, 'elsewhere/node.db'))
  const restored = await ventanilla(world, 'restore', backup, '--json')
  assert.is(restored.code, 0, restored.err)
  assert.is(restored.json.lost, null)
  assert.is(restored.json.quarantined, restored.json.manifest.orders)
  assert.is(restored.json.paused, 2)
  assert.is((await ventanilla(world, 'verify')).code, 0)
  const { json } = await ventanilla(world, 'order', 'quarantined', '--json')
  const quarantined = json.orders.map(({ id }: { id: string }) => id)
  for (const id of before) assert.ok(quarantined.includes(id), id)
})

test('no payment of a quarantined order is started until it is cleared; the webhooks wait for the operator', async () => {
  const directory = join(folder, 'elsewhere')
  copyFileSync(join(node.directory, 'node.db.key'), join(directory, 'node.db.key'))
  const [first = '', second = ''] = before
  const again = await startTestNode({ directory, clock: node.clock, parties: null })
  try {
    await again.until(async () => (await again.core.orders.find(first))?.order.status === 'READY')
    const world = worldOf(join(directory, 'node.db'))
    const start = async (id: string, at: number) =>
      again.request({
        as: 'pk_a',
        path: `/api/v1/providers/orders/pay-out/${await codeOf(world, id)}/start-payment/`,
        body: { network_id: '0001', price: payOutBody().price, price_currency: 'MXN' },
        at,
      })
    const refused = await start(first, 1)
    assert.equal([refused.status, refused.json.errors[0].code], [422, 'order_quarantined'])
    const cleared = await ventanilla(
      world,
      'order',
      'clear',
      first,
      '--reason',
      'not in the report',
      '--json',
    )
    assert.equal(cleared.json, { cleared: [first] })
    assert.is((await start(first, 2)).status, 200)
    assert.is((await start(second, 3)).status, 422)
    const all = await ventanilla(world, 'order', 'clear', '--all', '--reason', 'all reports are in', '--json')
    assert.ok(all.json.cleared.includes(second))
    assert.is((await start(second, 4)).status, 200)
    assert.match((await ventanilla(world, 'order', 'quarantined')).out, /No order is quarantined/)
    const resumed = await webhookResume.run(
      { ...again.core, clock: node.clock, operator: 'test' },
      { merchant: 'Shop' },
    )
    assert.is(resumed.paused, null)
  } finally {
    await again.stop()
  }
})

test('nothing is overwritten, and no other key will do', async () => {
  const there = await ventanilla(source(), 'restore', backup)
  assert.is(there.code, 3)
  assert.match(there.err, /a restore overwrites nothing/)
  const world = worldOf(join(folder, 'other/node.db'))
  const key = join(folder, 'other.key')
  writeFileSync(key, `${Buffer.alloc(32, 7).toString('base64')}\n`)
  const wrong = await ventanilla(
    { ...world, env: { ...world.env, VENTANILLA_KEYS_FILE: key } },
    'restore',
    backup,
  )
  assert.is(wrong.code, 4)
  assert.match(wrong.err, /was made under master key/)
  assert.not.ok(existsSync(join(folder, 'other')))
})

test('a backup that was changed is refused', async () => {
  const changed = join(folder, 'changed')
  mkdirSync(changed)
  for (const name of readdirSync(backup)) copyFileSync(join(backup, name), join(changed, name))
  appendFileSync(join(changed, 'ventanilla.db'), 'x')
  const refused = await ventanilla(worldOf(join(folder, 'x/node.db')), 'restore', changed)
  assert.is(refused.code, 3)
  assert.match(refused.err, /it has changed since it was written/)
  const none = await ventanilla(worldOf(join(folder, 'x/node.db')), 'restore', folder)
  assert.is(none.code, 2)
  assert.match(none.err, /it is not a backup/)
})

test('the log of a database that is gone is not taken for the restored one, and its anchors say what is lost', async () => {
  const place = join(folder, 'place')
  mkdirSync(place)
  const database = join(place, 'node.db')
  writeFileSync(`${database}-wal`, 'of another database')
  const anchor = { at: '2026-03-01T12:00:00.000Z', position: 1_000_000, entries: 5, digest: 'x'.repeat(43) }
  writeFileSync(`${database}.anchors`, `${JSON.stringify(anchor)}\n`)
  const { json, code, err } = await ventanilla(worldOf(database), 'restore', backup, '--json')
  assert.is(code, 0, err)
  assert.is(json.lost.entries, 1_000_000 - json.manifest.journal)
  assert.is(json.lost.until, '2026-03-01T12:00:00.000Z')
  assert.not.ok(existsSync(`${database}-wal`))
  assert.ok(existsSync(json.oldAnchors))
  assert.is((await ventanilla(worldOf(database), 'verify')).code, 0)
})

test('the node makes backups by itself, in a thread, and a failure degrades it', async () => {
  const target = join(folder, 'scheduled')
  const settings = {
    ...node.settings,
    backups: { folder: target, schedule: '23 2 * * *', encryptTo: [], keepDays: 30 },
  }
  const { core, clock } = node
  const log = pino({ level: 'silent' })
  const own = createBackups(settings, { ...core, clock })
  const schedule = scheduleBackups(settings.backups, { backups: own }, clock, log)
  assert.ok(schedule)
  try {
    const both = [schedule.backUp(), schedule.backUp()]
    await Promise.all(both)
    const made = readdirSync(target, { withFileTypes: true }).filter((one) => one.isDirectory())
    assert.is(made.length, 1, 'one that is under way is waited for')
    assert.is(own.lastAt(), clock.now())
    const reasons = () => core.condition.getSnapshot().context.reasons
    assert.is(reasons().backups, undefined)
    // The same moment again: its folder is there.
    await schedule.backUp()
    assert.match(reasons().backups ?? '', /No backup was made/)
  } finally {
    schedule.stop()
  }
})

test('a backup whose minute was missed is made as soon as the node is awake again, and once', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: new Date(2026, 1, 1, 2, 22) })
  const made: string[] = []
  let isRunning = false
  const make = () => {
    made.push(new Date(Date.now()).toTimeString().slice(0, 5))
    isRunning = true
    return new Promise<never>(() => {})
  }
  const progress = () => (isRunning ? { since: 0, told: 'copying' } : null)
  const backups = { ...node.core.backups, folder, isServers: false, make, progress }
  const settings = { ...node.settings.backups, folder, schedule: '23,33 2 * * *' }
  const schedule = scheduleBackups(settings, { backups }, { now: Date.now }, pino({ level: 'silent' }))
  try {
    // The timer fires late, as it does behind a suspend or a busy event loop: both minutes have gone by.
    mock.timers.tick(18 * 60_000)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(made, ['02:40'])
  } finally {
    schedule?.stop()
    mock.timers.reset()
  }
})

for (const [schedule, hours] of [
  ['23 2 * * *', 24],
  ['0 */6 * * *', 6],
  ['23 2 * * 1-5', 72],
] as const) {
  test(`between two backups of ${schedule} there are ${hours} hours at most`, () => {
    assert.is(longestPauseMs(schedule) / 3_600_000, hours)
  })
}

test('old backups are removed, but never the newest three, and nothing else', () => {
  const kept = join(folder, 'kept')
  const names = [1, 2, 3, 4, 5].map((day) => `ventanilla-2026-01-0${day}T02-23-00-000Z`)
  for (const name of [...names, 'notes']) mkdirSync(join(kept, name), { recursive: true })
  const now = Date.parse('2026-01-06T02:23:00.000Z')
  assert.equal(removeOldBackups(kept, now, 30), [])
  assert.equal(removeOldBackups(kept, now, 1).toSorted(), names.slice(0, 2))
  assert.equal(readdirSync(kept).toSorted(), ['notes', ...names.slice(2)])
})

test('a schedule that no clock understands stops the start', () => {
  assert.throws(
    () => loadSettings({ cwd: folder, env: { VENTANILLA_BACKUPS_SCHEDULE: 'every night' } }),
    /backups\.schedule: must be five fields/,
  )
})

test.run()
