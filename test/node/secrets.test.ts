/** Settings that hold passwords and keys, and everything that is printed of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listLeaves } from '../../node/settings/check.ts'
import { variableOf } from '../../node/settings/config.ts'
import { shownSettings } from '../../node/settings/shown.ts'
import { unreachableMonad, unreachableSolana, unreachableStellar } from '../support/chains/unreachable.ts'
import { onSqlite, tokenOf } from '../support/console.ts'
import { startTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

const secret = 'hunter2-of-the-node'
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-secrets-'))
const treasuries = { ...unreachableSolana, ...unreachableMonad, ...unreachableStellar }

test.after(() => rmSync(folder, { recursive: true }))

/** The names of all commands, as their help tells them; those that run until they are stopped are not among them. */
async function allCommands(): Promise<string[][]> {
  const namesIn = (help: string) =>
    [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)[ \n]/gm)].map(([, name = '']) => name)
  const helpOf = async (...args: string[]) => (await ventanilla({ cwd: folder }, ...args, '--help')).out
  const commands: string[][] = []
  for (const name of namesIn(await helpOf())) {
    if (['help', 'demo', 'install'].includes(name)) continue
    const help = await helpOf(name)
    const below = help.includes('\nCommands:') ? namesIn(help).filter((inner) => inner !== 'help') : []
    commands.push(...(below.length === 0 ? [[name]] : below.map((inner) => [name, inner])))
  }
  return commands
}

/** With every argument and option that it has to have. */
async function withArguments(command: string[]): Promise<string[]> {
  const help = (await ventanilla({ cwd: folder }, ...command, '--help')).out
  const usage = /Usage: .*/.exec(help)?.[0] ?? ''
  const values = [...usage.matchAll(/<[a-z-]+>/g)].map(() => '1')
  const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+) <[a-z]+>/gm)].map(([, name = '']) => name)
  const needed = ['--to', '--reason', '--rate', '--as', '--public-url', '--role', '--until', '--amount']
  return [
    ...command,
    ...values,
    ...options.filter((name) => needed.includes(name)).flatMap((name) => [name, sampleOf(name)]),
  ]
}

function sampleOf(option: string): string {
  return { '--to': 'sqlite:x.db', '--public-url': 'https://pay.example' }[option] ?? '1'
}

test('no command prints what a database URL holds, whether it can be read, reached or neither', async () => {
  const commands = await Promise.all((await allCommands()).map(withArguments))
  assert.ok(commands.length > 40, `${commands.length}`)
  const urls = [
    `postgres://${secret}:${secret}@127.0.0.1:1/orders?password=${secret}`,
    `postgres://me:${secret}@s/${secret}@127.0.0.1:1/orders`,
    `postgres://me:p@s/${secret}@127.0.0.1:1/orders`,
  ]
  let reached = 0
  for (const [index, url] of urls.entries()) {
    const env = {
      ...treasuries,
      VENTANILLA_DATABASE: url,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
    }
    // What cannot be read is judged in one place, before any command looks at it.
    const some = index === 0 ? commands : commands.slice(0, 5)
    for (const args of some) {
      const { code, out, err } = await ventanilla({ cwd: folder, env }, ...args)
      assert.not.match(out + err, secret, args.join(' '))
      assert.not.match(err, /^ +at /m, `${args.join(' ')}: ${err}`)
      if (code === 3) reached += 1
    }
  }
  assert.ok(reached > 25, `${reached} looked for the database`)
})

/** Answers badly in every way, and always quotes what it was asked for. */
function startEcho(): Promise<Server> {
  let asked = 0
  const server = createServer((request, response) => {
    const words = `no such key: http://127.0.0.1${request.url} ${secret} ${secret}`
    const answers = [
      () => response.writeHead(500).end(words),
      () => response.writeHead(403).end(words),
      () => response.writeHead(302, { location: `http://127.0.0.1:1${request.url}` }).end(),
      () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -32099, message: words } })),
      () => response.end(JSON.stringify({ jsonrpc: '2.0', id: '1', error: { code: 1, message: words } })),
      () => response.end(words),
      () => request.socket.destroy(),
    ]
    answers[asked++ % answers.length]?.()
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

test('a node with keys in its addresses shows them nowhere', async () => {
  const echo = await startEcho()
  const { port } = echo.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/${secret}?api-key=${secret}`
  const logged: string[] = []
  const { directory, env } = onSqlite()
  let node: TestNode | null = null
  try {
    const secrets = {
      ...treasuries,
      VENTANILLA_CHAINS_SOLANA_RPC: JSON.stringify([url]),
      VENTANILLA_CHAINS_MONAD_RPC: JSON.stringify([url]),
      VENTANILLA_CHAINS_STELLAR_HORIZON: url,
      VENTANILLA_CHAINS_STELLAR_RPC: url,
    }
    node = await startTestNode({
      ...(directory === undefined ? {} : { directory }),
      env: { ...env, ...secrets },
      log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    })
    const { operatorUrl, publicUrl } = node
    for (let round = 0; round < 8; round++) {
      node.clock.advance(70_000)
      for (const id of ['chain.SOLANA', 'chain.STELLAR', 'chain.MONAD'])
        node.workers.send({ type: 'worker.wake', id })
      const checked = await ventanilla(
        { cwd: node.directory, clock: node.clock, env: { ...env, ...secrets } },
        'chain',
        'check',
      )
      assert.match(checked.out, `127.0.0.1:${port}`)
      assert.not.match(checked.out + checked.err, secret)
    }
    const headers = { authorization: `Bearer ${tokenOf(node)}` }
    const pages = [`${publicUrl}/readyz`, `${publicUrl}/api/v1/openapi.json`, `${operatorUrl}/metrics`]
    const texts = await Promise.all(pages.map(async (page) => (await fetch(page, { headers })).text()))
    for (const args of [
      ['doctor'],
      ['chain', 'lag'],
      ['alarm', 'list'],
      ['exception', 'list'],
      ['node', 'status'],
    ]) {
      const ran = await ventanilla(
        { cwd: node.directory, clock: node.clock, env: { ...env, ...secrets } },
        ...args,
      )
      texts.push(ran.out + ran.err)
    }
    texts.push(JSON.stringify(shownSettings(node.settings)), logged.join(''))
    assert.ok(logged.length > 3, 'something was logged')
    for (const text of texts) assert.not.match(text, secret)
  } finally {
    await node?.stop()
    echo.closeAllConnections()
    echo.close()
    rmSync(directory ?? folder, { recursive: true, force: true })
  }
})

test('no setting that is refused is shown where it may hold a secret', async () => {
  for (const { path, leaf } of listLeaves()) {
    if (!leaf.isSecret) continue
    for (const text of [
      `https://me:${secret}@x.example`,
      `postgres://me:${secret}@${secret}@x`,
      `["x://${secret}"]`,
    ]) {
      const { out, err } = await ventanilla(
        { cwd: folder, env: { [variableOf(path)]: `\u200b${text}\u200b x` } },
        'order',
        'list',
      )
      assert.not.match(out + err, secret, path)
    }
  }
})

test.run()
