/** The real application on a real database file, with a fake clock and a party of each kind. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { sign } from '../../actors/keys/signature.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import { followKept } from '../../actors/sandbox/advancing.ts'
import { sandboxClock } from '../../actors/sandbox/clock.ts'
import { changeKeptClock } from '../../actors/sandbox/kept-clock.ts'
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import { type Node, type NodeOptions, startNode } from '../../node/node.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { isOnPostgres, makeSqliteDatabase } from './database.ts'
import { documented } from './documented.ts'
import { dropPostgresDatabase, newPostgresDatabase } from './postgres.ts'

export interface TestNode extends Node {
  clock: FakeClock
  directory: string
  settings: NodeOptions['settings']
  /** Provisions more; the shape is that of an `apply` file. */
  apply(file: Record<string, unknown>): Promise<void>
  /** Fails on an answer that the API's document does not describe. */
  request(request: TestRequest): Promise<TestAnswer>
  /** Waits until a condition holds, as seen by asking again. */
  until(condition: () => Promise<boolean>): Promise<void>
}

export interface TestRequest {
  as?: string
  method?: string
  path: string
  /** Sent, but not signed. */
  query?: string
  /** An object is sent as JSON; a text as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** Seconds added to the Message-Date, so that two equal requests are two messages. */
  at?: number
  /** Gives up waiting. */
  signal?: AbortSignal
}

export interface TestAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test looks at
  json: any
}

export const secretOf = (key: string) => `secret of ${key} with enough characters`

export const testParties = {
  merchants: [
    {
      name: 'Shop',
      contact: 'ops@shop.example',
      credentials: [{ key: 'mk_shop', secret: secretOf('mk_shop') }],
      pairs: [
        { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' },
        { country: 'CL', currency: 'CLP', min: '1000', max: '5000000' },
      ],
      deposits: [{ currency: 'MXN', amount: '100000.00', reference: 'opening' }],
    },
    {
      name: 'Other Shop',
      contact: 'ops@other.example',
      credentials: [{ key: 'mk_other', secret: secretOf('mk_other') }],
      pairs: [{ country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }],
    },
  ],
  providers: [
    {
      name: 'Network A',
      credentials: [{ key: 'pk_a', secret: secretOf('pk_a') }],
      networks: ['0001', 'a_shops'],
    },
    { name: 'Network B', credentials: [{ key: 'pk_b', secret: secretOf('pk_b') }], networks: ['0002'] },
  ],
}

export interface TestNodeOptions {
  env?: Record<string, string>
  clock?: FakeClock
  directory?: string
  parties?: Record<string, unknown> | null
  log?: NodeOptions['log']
  /** None is kept unless a test is about it. */
  ballastBytes?: number
  logPages?: number
  limits?: NonNullable<NodeOptions['limits']>
  onFailure?: NonNullable<NodeOptions['onFailure']>
  /** Its clock is so far ahead of the one that it is given, from the beginning on. */
  aheadMs?: number
  /** It makes its database itself, where a test is about that; otherwise its tables are copied. */
  makesDatabase?: boolean
}

export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const clock = options.clock ?? fakeClock()
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'ventanilla-test-'))
  const settings = loadSettings({
    cwd: directory,
    env: {
      VENTANILLA_DATABASE: await testDatabase(directory),
      VENTANILLA_KEYS_FILE: join(directory, 'node.db.key'),
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true',
      // Another thread writes no log of this one.
      VENTANILLA_HTTP_THREADS: options.log === undefined ? (process.env.TEST_HTTP_THREADS ?? '0') : '0',
      ...options.env,
    },
  })
  const { database } = settings
  // A folder that is not there is the node's to make, with all that is in it.
  const isToCopy = database.engine === 'sqlite' && existsSync(directory) && !existsSync(database.file)
  if (isToCopy && options.makesDatabase !== true) await makeSqliteDatabase(database.file)
  const node = await startNode({
    settings,
    log: options.log ?? pino({ level: 'silent' }),
    clock,
    ballastBytes: options.ballastBytes ?? 0,
    // What a small file comes to is in the answer, however busy the machine is.
    patienceMs: 60_000,
    ...(options.logPages === undefined ? {} : { logPages: options.logPages }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.onFailure ? { onFailure: options.onFailure } : {}),
  })
  if (options.aheadMs !== undefined) await moveAhead(node, options.aheadMs)
  const applyFile = async (file: Record<string, unknown>) => {
    await apply.run({ ...node.core, operator: 'test' }, file)
  }
  if (options.parties !== null) await applyFile(options.parties ?? testParties)
  return {
    ...node,
    clock,
    directory,
    settings,
    apply: applyFile,
    async request(request) {
      const answer = await send(node.publicUrl, clock, request)
      const { method = request.body === undefined ? 'GET' : 'POST', path } = request
      const check = await documentCheck(node.publicUrl)
      check({
        method,
        path,
        status: answer.status,
        text: answer.text,
        type: answer.headers.get('content-type'),
      })
      return answer
    },
    until,
  }
}

/** As if somebody had moved the clock long ago. */
async function moveAhead({ core }: Node, aheadMs: number): Promise<void> {
  const clock = sandboxClock(core.clock)
  if (clock === null) throw new Error('Only the clock of a sandbox is moved.')
  const kept = await changeKeptClock(core.store, (present) => ({ ...present, spans: [{ from: 0, aheadMs }] }))
  followKept({ store: core.store, clock }, kept)
}

let check: Promise<ReturnType<typeof documented>> | undefined

/** The document is the same for every node, so one of them is asked for it. */
function documentCheck(publicUrl: string): Promise<ReturnType<typeof documented>> {
  check ??= fetch(`${publicUrl}/api/v1/openapi.json`).then(async (response) =>
    documented((await response.json()) as ApiDocument),
  )
  return check
}

/** The database that belongs to a folder, on the engine that VENTANILLA_TEST_DATABASE names. */
async function testDatabase(directory: string): Promise<string> {
  if (!isOnPostgres) return `sqlite:${join(directory, 'node.db')}`
  const file = join(directory, 'postgres-url')
  if (!existsSync(file)) writeFileSync(file, await newPostgresDatabase())
  return readFileSync(file, 'utf8')
}

/** Stops a node and removes its files. */
export async function stopTestNode(node: TestNode): Promise<void> {
  await node.stop()
  const { database } = node.settings
  if (database.engine === 'postgres') await dropPostgresDatabase(database.url)
  rmSync(node.directory, { recursive: true, force: true })
}

export async function send(
  baseUrl: string,
  clock: { now(): number },
  request: TestRequest,
): Promise<TestAnswer> {
  const { as, method = request.body === undefined ? 'GET' : 'POST', path, query = '', at = 0 } = request
  const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
  const response = await fetch(`${baseUrl}${path}${query}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as === undefined ? {} : signedHeaders(as, clock.now() / 1000 + at, method, path, body ?? '')),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const json = isJson && text !== '' ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, json }
}

export function signedHeaders(
  key: string,
  seconds: number,
  method: string,
  path: string,
  body: string | Uint8Array,
) {
  const messageDate = seconds.toFixed(6)
  return {
    [key.startsWith('pk') ? 'Provider-Key' : 'Merchant-Key']: key,
    'Message-Date': messageDate,
    'Message-Hash': sign({ key, messageDate, method, path, body }, secretOf(key)),
  }
}

/** @throws where it does not come for so long that no busy machine is the reason */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('what a test waits for did not come')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

let orderCount = 0

/** A valid body of a local pay-out. */
export function payOutBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '1000.00',
    price_currency: 'MXN',
    description: 'Refund of order 1234',
    merchant_order_id: `order-${++orderCount}`,
    notify_url: 'http://127.0.0.1:9/hooks',
    return_url: 'https://shop.example/done',
    expiry: '2026-03-03T12:00:00Z',
    consumer_email: 'ana@example.com',
    ...overrides,
  }
}
