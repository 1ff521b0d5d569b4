import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { damagedLine, LineLog, readLines } from '../../persistence/line-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'line-log-'))
test.after(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, String(files++))

async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(file)) lines.push(line)
  return lines
}

test('lines are added one after the other, also by the next process', async () => {
  const file = newFile()
  assert.equal(await linesOf(file), [])
  const log = new LineLog(file)
  assert.equal(await log.last(2), [])
  for (const line of ['one', 'two', 'three']) await log.append(line)
  assert.equal(await log.last(2), ['two', 'three'])
  await log.close()
  const next = new LineLog(file)
  await next.append('four')
  assert.equal(await next.last(9), ['one', 'two', 'three', 'four'])
  await next.close()
  assert.equal(await linesOf(file), ['one', 'two', 'three', 'four'])
  assert.is(statSync(file).mode & 0o777, 0o600)
})

test('what a crash has cut off is no line, and the next one does not continue it', async () => {
  for (const [kept, cut] of [
    ['', 'half a li'],
    ['one\ntwo\n', 'half a li'],
    [`${'x'.repeat(100_000)}\n`, 'y'.repeat(100_000)],
  ] as const) {
    const file = newFile()
    writeFileSync(file, kept + cut)
    const whole = kept.split('\n').slice(0, -1)
    assert.equal(await linesOf(file), whole)
    const log = new LineLog(file)
    assert.equal(await log.last(1), whole.slice(-1))
    await log.append('next')
    await log.close()
    assert.is(readFileSync(file, 'utf8'), `${kept}next\n`)
  }
})

test('the last lines are found in a file of many', async () => {
  const file = newFile()
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(index % 97)}`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const log = new LineLog(file)
  assert.equal(await log.last(2), lines.slice(-2))
  assert.equal(await log.last(4000), lines.slice(-4000))
  await log.close()
})

test('a line that is not UTF-8 is given as damaged, and no other line as what it is not', async () => {
  const file = newFile()
  const letters = 'ñ中🥑'
  const lines = Array.from({ length: 9000 }, (_, index) => `${index} ${letters.repeat(1 + (index % 5))}`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const log = new LineLog(file)
  assert.equal(await linesOf(file), lines)
  assert.equal(await log.last(9000), lines)
  assert.equal(await log.last(2), lines.slice(-2))
  await log.close()
  for (const [at, bytes] of [
    [0, [0xff]],
    [4000, [0xc3]],
    [8999, [0xed, 0xa0, 0x80]],
    [8999, [0xf0, 0x9f]],
  ] as const) {
    const parts = lines.map((line) => Buffer.from(`${line}\n`))
    parts[at] = Buffer.concat([Buffer.from('x'), Buffer.from(bytes), Buffer.from('y\n')])
    writeFileSync(file, Buffer.concat(parts))
    const expected = lines.with(at, damagedLine)
    assert.equal(await linesOf(file), expected)
    assert.equal(await new LineLog(file).last(9000), expected)
  }
})

test('a line that could not be written whole is not in the file', async () => {
  // Every write to it ends with ENOSPC.
  if (!existsSync('/dev/full')) return
  const log = new LineLog('/dev/full')
  let failed: unknown
  await log.append('one').catch((error: unknown) => {
    failed = error
  })
  assert.is(failed instanceof Error && 'code' in failed && failed.code, 'ENOSPC')
  await log.close()
})

test('a disk that takes only a part of a line takes none of it', () => {
  if (process.platform === 'win32') return
  const file = newFile()
  const module = new URL('../../persistence/line-log.ts', import.meta.url).href
  const program = `
    const { LineLog } = await import(${JSON.stringify(module)})
    const log = new LineLog(${JSON.stringify(file)})
    await log.append('one')
    await log.append('x'.repeat(9000)).catch(({ code }) => console.log(code))
    await log.append('two')`
  // Two or four kilobytes, by the shell: the first write beyond is cut short, and the second fails.
  const command = 'ulimit -f 4 && exec "$0" --input-type=module --eval "$1"'
  const told = execFileSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' })
  assert.is(told, 'EFBIG\n')
  assert.is(readFileSync(file, 'utf8'), 'one\ntwo\n')
})

test.run()
