/**
 * What a killed backup or restore leaves is removed by the next one, and by a start; nothing else is. This file is also
 * the program that is killed: `node drafts.test.ts begin FOLDER` begins a draft of each kind, and waits.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { beginBackupDraft, beginRestoreDraft, removeLeftDrafts } from '../../../node/backup/drafts.ts'
import { startTestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

const name = 'ventanilla-2026-03-01T12-00-00-000Z'
const [role, place = ''] = process.argv.slice(2)

if (role === 'begin') {
  const begun = [beginBackupDraft(place, name), beginRestoreDraft(place)]
  for (const { folder } of begun) {
    for (const end of ['', '-wal', '.anchors']) writeFileSync(join(folder, `ventanilla.db${end}`), 'secret')
  }
  process.stdout.write('begun\n')
  setInterval(() => assert.is(begun.length, 2), 60_000)
} else runTests()

function runTests(): void {
  const root = mkdtempSync(join(tmpdir(), 'drafts-'))
  test.after(() => rmSync(root, { recursive: true }))
  let count = 0
  const newFolder = () => {
    const made = join(root, String(count++))
    mkdirSync(made)
    return made
  }
  const drafts = (folder: string) => readdirSync(folder).filter((entry) => entry.startsWith('.'))

  /** Drafts of a process that has begun them and works on, until `kill`. */
  async function atWork(folder: string) {
    const { NODE_V8_COVERAGE: _, ...env } = process.env
    const child = spawn(process.execPath, [import.meta.filename, 'begin', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    await once(child.stdout, 'data')
    return async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }

  /** What the test below finds after a kill. */
  function leave(folder: string): void {
    for (const left of [`.${name}.draft`, '.restore-0123456789abcdef']) {
      mkdirSync(join(folder, left))
      writeFileSync(join(folder, left, 'ventanilla.db'), 'secret')
      writeFileSync(join(folder, `${left}.lock`), '')
    }
  }

  test('drafts stay while somebody works on them, and go once they were killed', async () => {
    const folder = newFolder()
    const kill = await atWork(folder)
    const begun = drafts(folder)
    const [removed, left] = [removeLeftDrafts(folder), drafts(folder)]
    await kill()
    assert.is(begun.length, 4, 'each has its lock')
    assert.equal([removed, left], [[], begun])
    assert.is(removeLeftDrafts(folder).length, 2)
    assert.equal(drafts(folder), [])
  })

  test('one that ends leaves nothing, also when its folder has its own name by then', () => {
    const folder = newFolder()
    const draft = beginBackupDraft(folder, name)
    writeFileSync(join(draft.folder, 'ventanilla.db'), '')
    draft.end()
    assert.equal(drafts(folder), [])
  })

  test('what is not provably a draft of ours stays', async () => {
    const folder = newFolder()
    const others = ['.restore-me', '.restore-0123456789abcdef', `.${name}.draft`, '.notes.draft']
    for (const other of others) {
      mkdirSync(join(folder, other))
      writeFileSync(join(folder, other, 'ventanilla.db'), '')
    }
    writeFileSync(join(folder, '.notes.draft.lock'), '')
    // Ours by name and lock, with something of somebody else in it, or leading elsewhere.
    const elsewhere = newFolder()
    writeFileSync(join(elsewhere, 'ventanilla.db'), '')
    symlinkSync(elsewhere, join(folder, '.restore-00000000000000aa'))
    writeFileSync(join(folder, '.restore-00000000000000aa.lock'), '')
    mkdirSync(join(folder, '.restore-00000000000000bb'))
    writeFileSync(join(folder, '.restore-00000000000000bb', 'letter.txt'), '')
    writeFileSync(join(folder, '.restore-00000000000000bb.lock'), '')
    const before = readdirSync(folder)
    assert.equal(removeLeftDrafts(folder), [])
    assert.equal(readdirSync(folder), before)
    assert.ok(existsSync(join(elsewhere, 'ventanilla.db')))
  })

  test('a start, a backup and a restore remove what was left', async () => {
    const directory = newFolder()
    leave(directory)
    const node = await startTestNode({ directory })
    assert.equal(drafts(directory), [], 'a start')
    await node.stop()

    const backups = newFolder()
    leave(backups)
    const env = (database: string) => ({
      VENTANILLA_DATABASE: `sqlite:${database}`,
      VENTANILLA_KEYS_FILE: join(directory, 'node.db.key'),
    })
    const made = await ventanilla(
      { cwd: root, env: env(join(directory, 'node.db')) },
      'backup',
      backups,
      '--json',
    )
    assert.is(made.code, 0, made.err)
    assert.equal(readdirSync(backups).length, 1, 'a backup')

    const target = newFolder()
    leave(target)
    const into = { cwd: root, env: env(join(target, 'node.db')) }
    const restored = await ventanilla(into, 'restore', made.json.folder, '--json')
    assert.is(restored.code, 0, restored.err)
    assert.equal(drafts(target), [], 'a restore')
  })

  test.run()
}
