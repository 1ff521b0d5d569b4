import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-test-runner-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

test.after(() => rmSync(folder, { recursive: true }))

const uvu = "import { suite, test } from 'uvu'"

/** Writes test files into an empty `test` folder, runs the runner on them, and gives its lines and its exit. */
function run(files: Record<string, string[]>, patterns: string[] = [], environment: NodeJS.ProcessEnv = {}) {
  rmSync(join(folder, 'test'), { recursive: true, force: true })
  for (const [name, lines] of Object.entries(files)) {
    const file = join(folder, 'test', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
  }
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...patterns], {
    cwd: folder,
    encoding: 'utf8',
    // Coverage of the planted files is of no interest.
    env: { PATH: process.env.PATH, TEST_LIMIT_MS: '120000', ...environment },
  })
  const lines = stdout.trimEnd().split('\n')
  return { stdout, status, lastLine: lines.at(-1) }
}

const passing = [uvu, "test('holds', () => {})", "test('holds too', () => {})", 'test.run()']

/** Starts a process that would run on, and would hold the file's output open. */
const startsProcess = [
  "import { spawn } from 'node:child_process'",
  "const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })",
  "console.log('child', child.pid)",
  'child.unref()',
]

/** What may be wrong with a file: its lines, what is counted, and the sentence that says it. */
const failures: Record<string, [lines: string[], counted: string, complaint: string]> = {
  'failing.test.ts': [
    [...passing.slice(0, -1), "test('breaks', () => { throw new Error('no') })", 'test.run()'],
    '2 passed, 1 failed',
    'FAIL  "breaks"',
  ],
  'alone.test.ts': [
    [
      '// In a process of its own: it says so.',
      ...passing.slice(0, -1),
      "test('breaks too', () => { throw new Error('no') })",
      'test.run()',
    ],
    '2 passed, 1 failed',
    'FAIL  "breaks too"',
  ],
  'before.test.ts': [
    [uvu, "test.before(() => { throw new Error('no') })", "test('holds', () => {})", 'test.run()'],
    '0 passed, 1 failed',
    'test/before.test.ts a before hook threw, or what a test threw cannot be printed',
  ],
  'after.test.ts': [
    [uvu, "test.after(() => { throw new Error('no') })", "test('holds', () => {})", 'test.run()'],
    '0 passed, 1 failed',
    'test/after.test.ts exited with 1 and without a summary',
  ],
  'forgotten.test.ts': [
    [uvu, "test('holds', () => {})"],
    '0 passed, 1 failed',
    'test/forgotten.test.ts does not end with test.run()',
  ],
  'forgotten-second.test.ts': [
    [
      "import { suite } from 'uvu'",
      "const first = suite('first')",
      "first('holds', () => {})",
      'first.run()',
      "const second = suite<{ a: number }>('second', { a: 1 })",
      "second('never runs', () => { throw new Error('no') })",
    ],
    '1 passed, 1 failed',
    'test/forgotten-second.test.ts does not end with second.run()',
  ],
  'after-the-run.test.ts': [
    [uvu, "test('holds', () => {})", 'test.run()', "test('never runs', () => {})"],
    '1 passed, 1 failed',
    'test/after-the-run.test.ts does not end with test.run()',
  ],
  'empty.test.ts': [
    ["import { test } from 'uvu'", 'test.run()'],
    '0 passed, 1 failed',
    'test/empty.test.ts ran no tests',
  ],
  'crash.test.ts': [
    [...passing, 'process.abort()'],
    '0 passed, 1 failed',
    'test/crash.test.ts was ended by SIGABRT',
  ],
  'early.test.ts': [
    [uvu, "test('leaves', () => process.exit(0))", 'test.run()'],
    '0 passed, 1 failed',
    'Exiting early',
  ],
  'exit.test.ts': [
    [
      '// In a process of its own: it changes what the process exits with.',
      ...passing,
      "process.on('exit', () => { process.exitCode = 3 })",
    ],
    '2 passed, 1 failed',
    'test/exit.test.ts exited with 3',
  ],
  'environment.test.ts': [
    [...passing, "process.env.LEFT = 'there'"],
    '2 passed, 1 failed',
    'test/environment.test.ts changes process.env.LEFT for the files after it',
  ],
  'listener.test.ts': [
    [...passing, "process.on('SIGTERM', () => {})"],
    '2 passed, 1 failed',
    'test/listener.test.ts changes listeners for SIGTERM for the files after it',
  ],
  'never.test.ts': [
    [uvu, "test('waits', () => new Promise(() => {}))", 'test.run()'],
    '0 passed, 1 failed',
    'Exiting early',
  ],
  'rejection.test.ts': [
    [...passing, "setTimeout(() => Promise.reject(new Error('late')), 300)"],
    '2 passed, 1 failed',
    'Error: late',
  ],
  'syntax.test.ts': [['const = 1'], '0 passed, 1 failed', 'SyntaxError'],
}

test('fails on each thing that may be wrong with a file, and says what', () => {
  const files = Object.fromEntries(Object.entries(failures).map(([file, [lines]]) => [file, lines]))
  const { stdout, status, lastLine } = run(files)
  for (const [file, [, counted, complaint]] of Object.entries(failures)) {
    assert.match(stdout, `FAIL test/${file}: ${counted},`)
    assert.match(stdout, complaint)
  }
  assert.is(stdout.match(/a before hook threw/g)?.length, 1)
  assert.is(lastLine, '14 passed, 16 failed')
  assert.is(status, 1)
})

test('runs what the patterns name, a folder, a file or a glob, and fails on one that names nothing', () => {
  const files = {
    'one/a.test.ts': passing,
    'one/deep/b.test.ts': [...passing, "console.log('quiet')"],
    'two/c.test.ts': passing,
    'two/d.test.ts': failures['failing.test.ts']?.[0] ?? [],
  }
  const good = run(files, ['test/one/', 'test/two/c.test.ts', 'test/*/{a,c}.test.ts'])
  assert.is(good.lastLine, '6 passed, 0 failed')
  assert.is(good.status, 0)
  assert.match(good.stdout, /^ok {3}test\/one\/deep\/b\.test\.ts: 2 passed, \d+ ms$/m)
  assert.not.match(good.stdout, 'quiet')

  const unmatched = run(files, ['test/one/a.test.ts', 'test/three'])
  assert.is(unmatched.lastLine, '2 passed, 1 failed')
  assert.is(unmatched.status, 1)
  assert.match(unmatched.stdout, 'No test files match test/three.')
})

test('fails where there are no files at all', () => {
  const { status, lastLine } = run({})
  assert.is(lastLine, '0 passed, 1 failed')
  assert.is(status, 1)
})

test('runs files one after the other in a process, but not those that ask for their own or come after a failure', () => {
  const tells = "import('node:fs').then((fs) => fs.appendFileSync('processes', process.pid + ' '))"
  const files = {
    'a.test.ts': [...passing, tells],
    'b.test.ts': [...passing, tells],
    'c.test.ts': ['/** In a process of its own: it says so. */', ...passing, tells],
    'd.test.ts': [...(failures['failing.test.ts']?.[0] ?? []), tells],
    'e.test.ts': [...passing, tells],
    'f.test.ts': [...passing, tells],
  }
  const { lastLine } = run(files, [], { TEST_FILES_AT_ONCE: '1' })
  assert.is(lastLine, '12 passed, 1 failed')
  const [c, a, b, d, e, f] = readFileSync(join(folder, 'processes'), 'utf8').trimEnd().split(' ')
  assert.equal([b, d, f], [a, a, e])
  assert.is(new Set([a, c, e]).size, 3)
})

test('fails where a process exits with an error once all its files are over', () => {
  const files = { 'exit.test.ts': [...passing, "process.on('exit', () => { process.exitCode = 3 })"] }
  const { stdout, status, lastLine } = run(files)
  assert.match(stdout, 'A process exited with 3 after its files.')
  assert.is(lastLine, '2 passed, 1 failed')
  assert.is(status, 1)
})

test('ends a file that hangs, with the processes it started', () => {
  const files = { 'hangs.test.ts': [...startsProcess, ...passing, 'setInterval(() => {}, 1000)'] }
  const { stdout, status, lastLine } = run(files, [], { TEST_LIMIT_MS: '15000' })
  assert.is(lastLine, '2 passed, 1 failed')
  assert.is(status, 1)
  assert.match(stdout, 'did not end within 15000 ms')
  assert.ok(isGone(Number(/^child (\d+)$/m.exec(stdout)?.[1])))
})

test('does not wait for processes that a file leaves behind, and shows what was skipped, with the reason', () => {
  const files = {
    'leaves.test.ts': [...startsProcess, ...passing],
    'only.test.ts': [uvu, "test.only('this', () => {})", "test('holds', () => {})", 'test.run()'],
    'skip.test.ts': [uvu, "console.log('SKIP no browser here')", 'test.run()'],
  }
  const { stdout, status, lastLine } = run(files)
  assert.is(lastLine, '3 passed, 0 failed, 2 skipped')
  assert.is(status, 0)
  assert.match(stdout, /^ {5}skipped: no browser here$/m)
  assert.match(stdout, /^ {5}skipped: no reason given \(\.skip or \.only\)$/m)

  const strict = run(files, [], { CI: 'true' })
  assert.is(strict.lastLine, '3 passed, 2 failed, 2 skipped')
  assert.is(strict.status, 1)
})

/** Whether a process ends that was told to; one that nobody has collected yet has ended too. */
function isGone(pid: number): boolean {
  for (let looks = 0; looks < 1_000; looks++) {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    if (stdout.trim() === '' || stdout.startsWith('Z')) return true
  }
  return false
}

test.run()
