import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'scripts/check-node.cjs')

/** Runs the check as if under another version of Node; gives its exit and what it said. */
function checkAs(version: string) {
  const said: string[] = []
  const exits: number[] = []
  runInNewContext(readFileSync(file, 'utf8'), {
    process: {
      version: `v${version}`,
      versions: { node: version },
      execPath: '/usr/bin/node',
      exit: (code: number) => exits.push(code),
    },
    console: { error: (line: string) => said.push(line) },
  })
  return { said, exits }
}

test('an old Node is refused with one line that says what to do', () => {
  for (const version of ['8.17.0', '20.20.2', '23.11.1']) {
    const { said, exits } = checkAs(version)
    assert.equal(exits, [1])
    assert.is(said.length, 1)
    assert.match(
      said[0] ?? '',
      `needs Node 24 or newer, and this is v${version} (/usr/bin/node). Install Node 24`,
    )
  }
})

test('Node 24 and newer pass in silence', () => {
  for (const version of ['24.0.0', '26.1.0']) assert.equal(checkAs(version), { said: [], exits: [] })
})

test('every script that runs TypeScript runs the check first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands: string[] = Object.values(scripts)
  const ours = commands.filter((command) => command.includes('.ts'))
  assert.ok(ours.length > 0)
  for (const command of ours) assert.match(command, /^([A-Z_]+=\w+ )*node -r \.\/scripts\/check-node\.cjs /)
})

// Where the system has an old Node, the check is tried on that too.
const [oldNode] = ['/usr/bin/node', '/usr/local/bin/node'].filter((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) < 24
})
if (oldNode) {
  test('the check answers on a Node that cannot run the sources', () => {
    const { status, stderr } = spawnSync(oldNode, ['-r', file, 'scripts/test.ts'], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.is(status, 1)
    assert.match(stderr, /^Ventanilla needs Node 24 or newer[^\n]*\n$/)
  })
}

test.run()
