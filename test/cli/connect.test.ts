import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderList } from '../../actors/orders/list-operations.ts'
import { connect } from '../../cli/connect.ts'
import { CommandError } from '../../node/exit-codes.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { readTokenFile, writeTokenFile } from '../../node/token-file.ts'
import { lockDatabase } from '../../persistence/sqlite/lock.ts'
import { fakeClock } from '../support/clock.ts'
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'connect-test-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

let databases = 0

function settingsOfNewDatabase() {
  const file = join(folder, `${databases++}.db`)
  return { file, settings: loadSettings({ cwd: folder, env: { VENTANILLA_DATABASE: `sqlite:${file}` } }) }
}

const options = { clock: fakeClock(), operator: 'ana', mayCreate: true, patienceMs: 300 }

async function failure(work: Promise<unknown>): Promise<CommandError> {
  try {
    await work
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
  throw new Error('it did not fail')
}

async function running(play: (node: TestNode) => Promise<void>): Promise<void> {
  const node = await startTestNode()
  try {
    await play(node)
  } finally {
    await stopTestNode(node)
  }
}

test('a command calls the running node, which owns its database', async () => {
  await running(async (node) => {
    const operations = await connect(node.settings, options)
    assert.is(operations.publicUrl, node.publicUrl)
    assert.equal(await operations.perform(orderList, {}), { orders: [], next: null })
    await operations.close()
  })
})

test('the token file is the owner’s alone, and goes with the node', async () => {
  const node = await startTestNode()
  const tokenFile = join(node.directory, 'node.db.token')
  assert.is(statSync(tokenFile).mode & 0o777, 0o600)
  const { url, token } = JSON.parse(readFileSync(tokenFile, 'utf8'))
  assert.is(url, node.operatorUrl)
  assert.match(token, /^[\w-]{43}$/)
  await node.stop()
  assert.not.ok(existsSync(tokenFile))
  rmSync(node.directory, { recursive: true })
})

test('with the node stopped a command works on the database itself', async () => {
  const { settings } = settingsOfNewDatabase()
  const operations = await connect(settings, options)
  assert.is(operations.publicUrl, null)
  assert.equal(await operations.perform(orderList, {}), { orders: [], next: null })
  await operations.close()
  const again = await connect(settings, { ...options, mayCreate: false })
  await again.close()
})

test('a database that is not there is made only by who may', async () => {
  const { settings, file } = settingsOfNewDatabase()
  const error = await failure(connect(settings, { ...options, mayCreate: false }))
  assert.equal([error.exitCode, error.message], [3, `database ${file}: there is none.`])
  assert.not.ok(existsSync(file))
})

test('what a killed node left behind confuses nobody', async () => {
  const { settings, file } = settingsOfNewDatabase()
  const stale = ['{"url":"http://127.0.0.1:1","token":"gone"}', '{"url":', '[]', '{"url":7,"token":"x"}', '']
  for (const text of stale) {
    writeFileSync(`${file}.token`, text)
    const operations = await connect(settings, options)
    assert.is(operations.publicUrl, null, text)
    await operations.close()
  }
})

test('a stranger at the address of a dead node is told nothing', async () => {
  const { settings, file } = settingsOfNewDatabase()
  const heard: string[] = []
  const stranger = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('Content-Type', 'application/json')
    response.end('{"proof":"trust me","publicUrl":"http://127.0.0.1:1"}')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const { port } = stranger.address() as AddressInfo
  writeTokenFile(file, { url: `http://127.0.0.1:${port}`, token: 'the dead node’s token' })
  const operations = await connect(settings, options)
  assert.is(operations.publicUrl, null)
  await operations.close()
  assert.is(heard.length, 1)
  assert.match(heard[0] ?? '', /^GET \/api\/hello/)
  assert.not.match(heard[0] ?? '', /token|Bearer/i)
  stranger.close()
})

test('a database that another process owns, without a node that answers, is told as such', async () => {
  const { settings, file } = settingsOfNewDatabase()
  const lock = lockDatabase(file)
  const error = await failure(connect(settings, options))
  assert.is(error.exitCode, 3)
  assert.match(error.message, /another process owns it, and no node answers/)
  lock.release()
})

test('a command waits for another that is at work on the database', async () => {
  const { settings, file } = settingsOfNewDatabase()
  const first = await connect(settings, options)
  const second = connect(settings, { ...options, patienceMs: 20_000 })
  assert.equal(await first.perform(orderList, {}), { orders: [], next: null })
  await first.close()
  const operations = await second
  assert.is(operations.publicUrl, null)
  await operations.close()
  assert.is(readTokenFile(file), null)
})

test('a token file that cannot be read names the cause and the next step', async () => {
  const { settings, file } = settingsOfNewDatabase()
  mkdirSync(`${file}.token`)
  const error = await failure(connect(settings, options))
  assert.equal([error.exitCode, error.message], [3, `${file}.token: it cannot be read (EISDIR).`])
  assert.match(error.hint ?? '', /as the user that runs the node/)
})

test.run()
