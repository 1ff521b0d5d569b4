/** A restoration that is practised: on command, by the node each week, and what the doctor says of it. */
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { doctor } from '../../../actors/operations/doctor.ts'
import { scheduleBackups } from '../../../node/backup-schedule.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { operatorOf } from '../../support/operations.ts'
import { ventanilla } from '../../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-drill-'))
const backups = join(folder, 'backups')
const dayMs = 86_400_000
let node: TestNode

test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_BACKUPS_FOLDER: backups } })
  await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body: payOutBody() })
})
test.after(async () => {
  await node.stop()
  for (const each of [node.directory, folder]) rmSync(each, { recursive: true, force: true })
})

const world = () => ({
  cwd: folder,
  env: {
    VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}`,
    VENTANILLA_KEYS_FILE: join(node.directory, 'node.db.key'),
    VENTANILLA_BACKUPS_FOLDER: backups,
  },
  clock: node.clock,
})

const reasons = () => node.core.condition.getSnapshot().context.reasons

async function drillCheck(): Promise<string> {
  const { checks } = await operatorOf({ ...node.core, clock: node.clock }).ask(doctor, {})
  const found = checks.find(({ name }) => name === 'drill')
  return `${found?.ok}: ${found?.detail}`
}

/** Folders that hold what a drill has opened, whatever became of it. */
const left = () => readdirSync(backups).filter((name) => name.startsWith('.'))

test('without a backup there is nothing to try', async () => {
  const { code, err } = await ventanilla(world(), 'backup', 'drill')
  assert.is(code, 1)
  assert.match(err, /there is no backup.*\n.*`ventanilla backup` makes one/)
  assert.match(await drillCheck(), /^true: none was tried yet/)
})

test('the newest backup is restored, verified and thrown away, and the node that serves is not touched', async () => {
  await node.core.backups.make()
  assert.match(await drillCheck(), /^true: none was tried yet/)
  node.clock.advance(2 * dayMs + 1)
  assert.match(await drillCheck(), /^false: no backup was ever restored/)
  const before = readdirSync(node.directory).toSorted()
  const { code, out, err } = await ventanilla(world(), 'backup', 'drill')
  assert.is(code, 0, err)
  assert.match(out, /restored and verified in \d+ s, then thrown away: 1 orders, .*\n.*quarantine 1 orders/)
  assert.equal(left(), [])
  assert.equal(readdirSync(node.directory).toSorted(), before)
  assert.match(await drillCheck(), /^true: ventanilla-.* was restored and verified in \d+ s$/)
  const asJson = await ventanilla(world(), 'backup', 'drill', '--json')
  assert.equal([asJson.json.ok, asJson.json.isOpened, asJson.json.orders], [true, true, 1])
})

test('after ten days without one the doctor asks for it', async () => {
  node.clock.advance(10 * dayMs + 1)
  assert.match(await drillCheck(), /^false: .*, and none was tried since /)
})

test('one backup is tried where it lies, and it may be another than the newest', async () => {
  const [newest = ''] = readdirSync(backups).filter((name) => name.startsWith('ventanilla-'))
  const other = join(folder, 'other')
  cpSync(join(backups, newest), join(other, newest), { recursive: true })
  const { code, out } = await ventanilla(world(), 'backup', 'drill', join(other, newest), '--json')
  assert.is(code, 0, out)
  assert.ok(existsSync(join(other, 'drill.json')))
})

test('a backup that cannot be restored is told of: exit code, condition, doctor', async () => {
  node.clock.advance(1_000)
  const { folder: written } = await node.core.backups.make()
  appendFileSync(join(written, 'ventanilla.db'), 'x')
  const { code, out } = await ventanilla(world(), 'backup', 'drill')
  assert.is(code, 1)
  assert.match(out, /could not be restored: .*it has changed since it was written/)
  assert.match(await drillCheck(), /^false: .* could not be restored/)
  const drilled = await node.core.backups.drill()
  assert.is(drilled.ok, false)
  assert.match(reasons().drill ?? '', /could not be restored/)
  rmSync(written, { recursive: true })
  assert.is((await node.core.backups.drill()).ok, true)
  assert.is(reasons().drill, undefined)
})

test('the node tries the backup of the night once a week, and each night while the last one failed', async () => {
  const log = pino({ level: 'silent' })
  const schedule = scheduleBackups(
    { ...node.settings.backups, schedule: '23 5 * * *' },
    node.core,
    node.clock,
    log,
  )
  const tried = async () => {
    node.clock.advance(dayMs)
    const before = node.core.backups.lastDrill()?.at
    await schedule?.backUp()
    return node.core.backups.lastDrill()?.at !== before
  }
  try {
    const nights: boolean[] = []
    for (let night = 0; night < 9; night++) nights.push(await tried())
    assert.is(nights.filter(Boolean).length, 1)
    writeFileSync(
      join(backups, 'drill.json'),
      JSON.stringify({ ...node.core.backups.lastDrill(), ok: false, problem: 'x' }),
    )
    assert.ok(await tried())
    assert.not.ok(await tried())
  } finally {
    schedule?.stop()
  }
})

for (const [name, text] of [
  ['no JSON', '{'],
  ['of another shape', '{"at":"yesterday"}'],
  [
    'that contradicts itself',
    '{"at":"2026-03-01T00:00:00Z","backup":"x","ok":true,"isOpened":true,"problem":"y"}',
  ],
] as const) {
  test(`what is kept of the last drill, ${name}, is none`, () => {
    writeFileSync(join(backups, 'drill.json'), text)
    assert.is(node.core.backups.lastDrill(), null)
  })
}

test('an encrypted backup is opened by who has the identity; the node looks at its digests', async () => {
  const identity = await generateX25519Identity()
  const file = join(folder, 'backups.key')
  writeFileSync(file, `${identity}\n`)
  const sealed = join(folder, 'sealed')
  const encryptTo = JSON.stringify([await identityToRecipient(identity)])
  const env = { VENTANILLA_BACKUPS_FOLDER: sealed, VENTANILLA_BACKUPS_ENCRYPTTO: encryptTo }
  const own = await startTestNode({ env })
  try {
    await own.core.backups.make()
    const blind = await own.core.backups.drill()
    assert.equal([blind.ok, blind.isOpened], [true, false])
    const there = {
      cwd: folder,
      env: {
        ...env,
        VENTANILLA_DATABASE: `sqlite:${join(own.directory, 'node.db')}`,
        VENTANILLA_KEYS_FILE: join(own.directory, 'node.db.key'),
      },
      clock: own.clock,
    }
    assert.match((await ventanilla(there, 'backup', 'drill')).out, /encrypted and was not opened/)
    const opened = await ventanilla(there, 'backup', 'drill', '--identity', file)
    assert.is(opened.code, 0, opened.err)
    assert.match(opened.out, /restored and verified/)
    const others = join(folder, 'others.key')
    writeFileSync(others, `${await generateX25519Identity()}\n`)
    const refused = await ventanilla(there, 'backup', 'drill', '--identity', others)
    assert.is(refused.code, 1)
    assert.match(refused.out, /is encrypted to others/)
  } finally {
    await own.stop()
    rmSync(own.directory, { recursive: true, force: true })
  }
})

test.run()
