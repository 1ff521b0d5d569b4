/** Files that are sent: what a form leaves behind is gone before its answer, however late it is written. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createUploads, type OwnUploads } from '../../node/uploads.ts'

let place = ''
let uploads: OwnUploads
test.before.each(() => {
  place = mkdtempSync(join(tmpdir(), 'uploads-test-'))
  uploads = createUploads({ maxBytes: 10, maxFiles: 1, keepMs: 60_000 }, place)
})
test.after.each(() => {
  uploads.close()
  rmSync(place, { recursive: true })
})

const left = () =>
  readdirSync(place, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())

test('a form’s folder is gone once it was read, with all that nobody took out of it', async () => {
  let folder = ''
  const said = await uploads.inFolder(async (at) => {
    folder = at
    writeFileSync(join(at, 'sent'), 'half of')
    return 'refused'
  })
  assert.is(said, 'refused')
  assert.is(existsSync(folder), false)
  const late = await writeFile(join(folder, 'late'), 'more').catch(({ code }) => code)
  assert.is(late, 'ENOENT', 'who still writes has nowhere to')
})

test('a folder goes where reading fails, and while files still come into it', async () => {
  for (let round = 0; round < 20; round += 1) {
    const writing: Promise<unknown>[] = []
    const failed = uploads.inFolder(async (at) => {
      for (let file = 0; file < 20; file += 1)
        writing.push(writeFile(join(at, String(file)), 'late').catch(() => {}))
      throw new Error('cut off')
    })
    assert.is(await failed.catch(({ message }) => message), 'cut off')
    await Promise.all(writing)
    assert.equal(left(), [])
  }
})

test('what is adopted is kept, until there are too many', async () => {
  const adopt = (text: string) =>
    uploads.inFolder(async (at) => {
      const path = join(at, 'sent')
      writeFileSync(path, text)
      return uploads.adopt({ path, bytes: text.length, sha256: 'of it' })
    })
  const [first, second] = [await adopt('one'), await adopt('two')]
  if (!first.ok) throw new Error('there is room for one')
  assert.equal(second, { ok: false, reason: 'too_many' })
  assert.is(readFileSync(first.upload.path, 'utf8'), 'one')
  assert.equal(
    left().map(({ parentPath }) => parentPath),
    [dirname(first.upload.path)],
  )
  await uploads.drop(first.upload.id)
  assert.equal(left(), [])
})

test.run()
