/** What docs/try-it.md has to paste on the node of `npm start` works as it stands there, and ends as it says. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import demoParties from '../../data/demo.json' with { type: 'json' }
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/try-it.md'), 'utf8')

function scriptOf(title: string): string {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  const blocks = [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  assert.ok(blocks.length > 2, title)
  return blocks.join('')
}

/**
 * The shell asks us instead of starting a program for each command: its words, each ended by a NUL, and behind an
 * empty one what it reads. The node's clock stands still, so no day ends meanwhile.
 */
const commands = `
npm() {
  shift 4
  { printf '%s\\0' "$@"; printf '\\0'; case $* in *' -' | *' - '*) cat ;; esac; } | command curl -sf --data-binary @- "$COMMANDS"
}
node() { echo 2026-03-02T12:00:00Z; }
curl() { :; }
`

async function paste(node: TestNode, script: string): Promise<string> {
  const { directory: cwd, clock } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(cwd, 'node.db')}` }
  const errors: string[] = []
  const server = createServer(async (request, response) => {
    const sent = await buffer(request)
    const end = sent.indexOf('\0\0')
    const args = sent.subarray(0, end).toString().split('\0')
    const ran = await ventanilla({ cwd, env, clock, input: sent.subarray(end + 2) }, ...args)
    if (ran.code !== 0) errors.push(`${args.join(' ')}: ${ran.err}`)
    response.writeHead(ran.code === 0 ? 200 : 500).end(ran.out)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const shell = spawn('sh', ['-e'], { env: { ...process.env, COMMANDS: `http://127.0.0.1:${port}/` } })
    shell.stdin.end(commands + script)
    const [out, err, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise((resolve) => shell.on('close', resolve)),
    ])
    assert.is(code, 0, `${errors.join('\n')}\n${err}`)
    return out
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('a pay-in is paid in, and the shop is paid by its bank', async () => {
  const node = await startTestNode({ parties: demoParties })
  try {
    const payIn = await paste(node, scriptOf('A pay-in'))
    assert.match(payIn, /^status +COMPLETED$/m)
    assert.match(payIn, /^MXN +100291\.30 +0\.00 +0\.00 +0\.00 +0\.00 +0\.00$/m)
    const paid = await paste(node, scriptOf('The shop is paid'))
    assert.match(paid, /^ +2 +2026-03-01 +settle PAY_IN +purchase-\d+ +300\.00 +-7\.50 +-1\.20 +100291\.30$/m)
    assert.match(paid, /^Demo Shop +90291\.30 +0\.00 +MXN +1 +CLABE …5678 +–$/m)
    assert.match(paid, /^Demo Network +0\.00 +291\.42 +MXN +1 +CLABE …1234 +owes the operator$/m)
    assert.match(paid, /^"[0-9a-f-]{36}","Demo Shop","CLABE …5678",90291\.30,"MXN"\r?$/m)
    assert.match(paid, /^state +booked$/m)
    // Available, reserved, payable, in transit.
    assert.match(paid, /^MXN +10000\.00 +0\.00 +0\.00 +0\.00 +0\.00 +0\.00$/m)
    assert.match(paid, /^ledger +yes/m)
    assert.not.match(paid, /^\w+ +NO /m)
  } finally {
    await stopTestNode(node)
  }
})

test.run()
