/** A backup that somebody asks the node for. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { backupList, backupMake } from '../../../actors/condition/backup-operations.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { addOperators, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { operatorOf } from '../../support/operations.ts'
import { ventanilla } from '../../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-backup-now-'))
const backups = join(folder, 'backups')
let node: TestNode

test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_BACKUPS_FOLDER: backups } })
  await addOperators(node)
})
test.after(async () => {
  await node.stop()
  for (const each of [node.directory, folder]) rmSync(each, { recursive: true, force: true })
})

const operator = () => operatorOf({ ...node.core, clock: node.clock })
const reasons = () => node.core.condition.getSnapshot().context.reasons

test('a backup is made while orders go on, a second is refused meanwhile, and the audit log tells of it', async () => {
  const { ask, refusal } = operator()
  const made = ask(backupMake, {})
  const second = await refusal('backup.make', {})
  assert.is(second.code, 'refused')
  assert.match(second.message, /A backup is being made since 2026-.*: cop/)
  assert.ok((await ask(backupList, {})).running)
  const path = '/api/v1/merchants/orders/pay-out/'
  const created = await node.request({ as: 'mk_shop', path, body: payOutBody() })
  assert.is(created.status, 201)
  assert.ok((await ask(backupList, {})).running, 'it is still being made')
  const { folder: written } = await made
  node.clock.advance(90_000)
  const list = await ask(backupList, {})
  assert.is(list.running, null)
  assert.is(written, join(backups, list.backups[0]?.name ?? ''))
  assert.equal([list.backups[0]?.ageSeconds, list.backups[0]?.verified], [90, true])
  const { entries } = await ask(auditList, { operation: 'backup.make' })
  const outcomes = entries.map(({ outcome }) => outcome).toSorted()
  assert.match(outcomes[0] ?? '', /^done: .*ventanilla-2026.*, \d+ orders$/)
  assert.match(outcomes[1] ?? '', /^refused: A backup is being made/)
})

test('the command asks the running node, and lists what is there', async () => {
  const world = {
    cwd: folder,
    env: {
      VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}`,
      VENTANILLA_BACKUPS_FOLDER: backups,
    },
    clock: node.clock,
  }
  const made = await ventanilla(world, 'backup', '--json')
  assert.is(made.code, 0, made.err)
  assert.is(node.core.backups.lastAt(), node.clock.now(), 'the node made it')
  assert.match(made.json.folder, /backups\/ventanilla-2026/)
  const { out } = await ventanilla(world, 'backup', '--list')
  assert.match(out, /BACKUP +AGE +MIB +ORDERS +VERIFIED\n/)
  assert.is(out.split('\n').filter((line) => line.startsWith('ventanilla-')).length, 2)
})

test('the console shows the backups and makes one; viewers see none', async () => {
  node.clock.advance(60_000)
  const visitor = await visitorAs(node, 'operator')
  const { text } = await visitor.get('/health')
  assert.match(text, /Back up now/)
  assert.match(text, /ventanilla-2026-[^<]*Z/)
  const done = await visitor.post('/backup/make', { form_page: '/health' })
  assert.match(done.headers.get('location') ?? '', /^\/health\?done=(backup\.make|unfinished)\*/)
  await node.until(async () => node.core.backups.progress() === null)
  assert.is(readdirSync(backups).length, 3)
  const viewer = await visitorAs(node, 'viewer')
  assert.not.match((await viewer.get('/health')).text, /Backups|Back up now/)
  assert.is((await viewer.post('/backup/make', {})).status, 403)
})

test('what stops a backup is told, and degrades the node until there is one', async () => {
  // The same moment again: its folder is there.
  const { message } = await operator().refusal('backup.make', {})
  assert.match(message, /^No backup was made: .* is there already\.$/)
  assert.match(reasons().backups ?? '', /is there already/)
  node.clock.advance(1_000)
  await operator().ask(backupMake, {})
  assert.is(reasons().backups, undefined)
})

test('a folder that says nothing of itself is listed as no backup', async () => {
  writeFileSync(join(backups, 'ventanilla-2026-01-01T00-00-00-000Z'), '')
  const { backups: listed } = await operator().ask(backupList, {})
  assert.not.ok(listed.some(({ name }) => name.startsWith('ventanilla-2026-01-01')))
})

test('without a place, and on a server’s database, it is said what to do instead', async () => {
  const { core, clock } = node
  const asked = (other: object) =>
    operatorOf({ ...core, clock, backups: { ...core.backups, ...other } }).refusal('backup.make', {})
  assert.match((await asked({ folder: null })).message, /No backup folder is configured/)
  assert.match((await asked({ isServers: true })).message, /backed up and restored by its own tools/)
})

test.run()
