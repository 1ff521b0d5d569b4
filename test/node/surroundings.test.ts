/** What the doctor is told of settings and host. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadSettings } from '../../node/settings/config.ts'
import { surroundingsOf } from '../../node/surroundings.ts'

const folder = mkdtempSync(join(tmpdir(), 'surroundings-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const own = (env: Record<string, string> = {}) =>
  surroundingsOf(
    loadSettings({ cwd: folder, env: { VENTANILLA_DATABASE: `sqlite:${join(folder, 'node.db')}`, ...env } }),
  )

test('the files that are private are key, database, token, and those of the newest backup', async () => {
  for (const name of [
    'ventanilla-2026-01-01T02-23-00-000Z',
    'ventanilla-2026-01-02T02-23-00-000Z',
    'notes',
  ]) {
    mkdirSync(join(folder, 'backups', name), { recursive: true })
    writeFileSync(join(folder, 'backups', name, 'ventanilla.db'), '')
  }
  const files = await own({ VENTANILLA_BACKUPS_FOLDER: 'backups' }).privateFiles()
  assert.equal(files.map((file) => file.slice(folder.length + 1)).toSorted(), [
    'backups/ventanilla-2026-01-02T02-23-00-000Z/ventanilla.db',
    'node.db',
    'node.db-wal',
    'node.db.anchors',
    'node.db.key',
    'node.db.token',
  ])
})

test('a disk is measured, and nothing is left on it', async () => {
  const before = readdirSync(folder)
  const { freeBytes, syncMs } = await own().disk(folder)
  assert.ok(freeBytes > 0 && syncMs > 0, `${freeBytes} ${syncMs}`)
  assert.equal(readdirSync(folder), before)
  const error = await own()
    .disk(join(folder, 'nowhere'))
    .catch((thrown: unknown) => thrown)
  assert.match(String(error), /ENOENT/)
})

test('a disk is not slow because one write was held up', async () => {
  const handle = await open(join(folder, 'any'), 'w')
  const files: Pick<typeof handle, 'datasync'> = Object.getPrototypeOf(handle)
  await handle.close()
  const { datasync } = files
  files.datasync = async function (this: typeof handle) {
    files.datasync = datasync
    await delay(2_000)
    return datasync.call(this)
  }
  const { syncMs } = await own().disk(folder)
  assert.is(files.datasync, datasync, 'one was held up')
  assert.ok(syncMs < 2_000, `${syncMs} ms`)
})

test('hosts are resolved as the node does', async () => {
  const found = await own().resolve('localhost')
  assert.ok(found.includes('127.0.0.1') || found.includes('::1'), found.join())
})

test('endpoints are those of the chains that are on', () => {
  assert.equal(own().endpoints, [])
  const env = {
    VENTANILLA_CHAINS_STELLAR_TREASURY: 'GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI',
    VENTANILLA_CHAINS_STELLAR_HORIZON: 'https://horizon.example',
  }
  assert.equal(own(env).endpoints, ['https://horizon.example/'])
})

test('the pause between backups follows their schedule', () => {
  assert.is(own({ VENTANILLA_BACKUPS_SCHEDULE: '0 */6 * * *' }).backupPauseMs >= 6 * 3_600_000, true)
})

test.run()
