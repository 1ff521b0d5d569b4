/** Plays the steps of the scenario with one client, against a node with a faulty network before it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as assert from 'uvu/assert'
import { webhookRotateSecret } from '../../actors/operations/webhook-secrets.ts'
import type signatureVectors from '../../docs/signature-vectors.json'
import { unreachableSolana } from '../support/chains/unreachable.ts'
import { fakeClock } from '../support/clock.ts'
import { dispatchOf } from '../support/console.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode, testParties } from '../support/node.ts'
import { operatorOf } from '../support/operations.ts'
import { closerOf } from '../support/statement-world.ts'
import { type ReceivedWebhook, type Receiver, startReceiver } from '../support/webhook-receivers.ts'
import { type Fault, type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts'
import type { Command, DriverAnswer } from './scenario-commands.ts'

/** A step as the file has it: a call, or something that the node's side does. */
interface Step {
  name: string
  as?: string
  secret?: string
  url?: string
  call?: string
  input?: object
  idempotencyKey?: string
  attempts?: number
  maxPause?: number
  faults?: readonly Fault[]
  expect?: unknown
  expectText?: string
  until?: unknown
  error?: object
  /** Part of its message. */
  errorText?: string
  keep?: string | Record<string, string>
  sent?: number
  same?: readonly string[]
  differ?: readonly string[]
  pauses?: readonly number[]
  codeOf?: string
  operator?: string
  seal?: boolean
}

interface WebhookChange {
  change: string
  path?: string
  /** `null` takes all of them away. */
  headers?: Record<string, string> | null
  append?: string
  /** In seconds. */
  later?: number
  /** What is said by our own signature, and by the standard's. */
  own?: string
  standard?: string
}

interface Scenario {
  payOut: object
  steps: readonly Step[]
  webhook: { order: string; status: string; changes: readonly WebhookChange[] }
  standard: { secret: string; now: number; headers: Record<string, string>; body: string }
  /** A file of the project. */
  vectors: string
}

export const scenario: Scenario = JSON.parse(
  readFileSync(new URL('../../client/scenario.json', import.meta.url), 'utf8'),
)

const settles = [
  {
    currency: 'MXN',
    timeZone: 'UTC',
    every: 'request',
    afterBankingDays: 1,
    minimum: '5.00',
    account: 'CLABE 1',
  },
]
const rate = { send: 'USDC', country: 'MX', target: 'MXN', rate: '17.25', feeFixed: '0.50', feeBps: 100 }

async function startNode(): Promise<TestNode> {
  const node = await startTestNode({
    clock: fakeClock(Date.UTC(2026, 10, 29, 12)),
    env: unreachableSolana,
    parties: { ...testParties, rates: [{ blockchains: ['SOLANA'], ...rate }] },
  })
  await node.apply({
    merchants: [{ name: 'Shop', settles }],
    providers: [
      {
        name: 'Network A',
        networks: [{ id: '0001', currency: 'MXN' }],
        settles: [{ currency: 'MXN', timeZone: 'UTC', every: 'day' }],
      },
    ],
  })
  return node
}

/** A client of some language, which does what it is told. */
class Driver {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor([program, ...args]: readonly [string, ...string[]]) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    if (this.#process.stdout === null) throw new Error('a driver says nothing')
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  async tell(command: Command): Promise<DriverAnswer> {
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`)
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error('the driver has ended')
    return JSON.parse(value)
  }

  end(): void {
    this.#process.stdin?.end()
    this.#process.kill()
  }
}

export async function startPlay(command: readonly [string, ...string[]]): Promise<Play> {
  const receiver = await startReceiver((response) => response.end())
  const node = await startNode()
  const operator = operatorOf({ ...node.core, clock: node.clock })
  const { secret } = await operator.ask(webhookRotateSecret, { merchant: 'Shop' })
  const network = await startFaultyNetwork(node.publicUrl)
  return new Play({ node, network, receiver, driver: new Driver(command), standardSecret: secret })
}

interface Stage {
  node: TestNode
  network: FaultyNetwork
  receiver: Receiver
  driver: Driver
  standardSecret: string
}

export class Play {
  readonly #stage: Stage
  readonly #kept = new Map<string, unknown>()

  constructor(stage: Stage) {
    this.#stage = stage
    const now = new Date(stage.node.clock.now())
    this.#kept.set('url', stage.network.url)
    this.#kept.set('notifyUrl', `http://127.0.0.1:${stage.receiver.port}/hooks/cash?shop=7`)
    this.#kept.set('now', now.toISOString())
    this.#kept.set('today', now.toISOString().slice(0, 10))
    this.#kept.set('tomorrow', new Date(now.getTime() + 86_400_000).toISOString())
  }

  async step(step: Step): Promise<void> {
    const { node } = this.#stage
    // No two messages of a till are made at the same moment.
    node.clock.advance(1)
    if (step.codeOf !== undefined) {
      const found = await node.core.orders.find(String(this.#filled(step.codeOf)))
      this.#kept.set(String(step.keep), found?.order.code)
    } else if (step.operator !== undefined) {
      await dispatchOf(node)(step.operator, step.input, 'ana')
    } else if (step.seal === true) {
      await closerOf({ ...node.core, clock: node.clock }).pass()
    } else if (step.until !== undefined) {
      await node.until(async () => matches(this.#filled(step.until), (await this.#call(step)).answer))
    } else {
      await this.#assertCall(step)
    }
  }

  async #call(step: Step): Promise<DriverAnswer> {
    const { node, network, driver } = this.#stage
    const { as = '', call = '', secret = secretOf(as), url = '$url', idempotencyKey = null } = step
    network.sent.length = 0
    network.faults.splice(0, Number.POSITIVE_INFINITY, ...(step.faults ?? []))
    return driver.tell({
      do: 'call',
      party: as.startsWith('mk') ? 'merchant' : 'provider',
      url: String(this.#filled(url)),
      ...{ key: as, secret, attempts: step.attempts ?? 4, maxPause: step.maxPause ?? 60 },
      ...{ operation: call, input: this.#filled(step.input ?? {}) as object, idempotencyKey },
      now: node.clock.now() / 1000,
    })
  }

  async #assertCall(step: Step): Promise<void> {
    const { answer, error, pauses } = await this.#call(step)
    const told = `${step.name}: ${JSON.stringify(error ?? answer)}`
    if (step.error !== undefined) assert.ok(matches(this.#filled(step.error), error), told)
    else assert.is(error, undefined, told)
    if (step.errorText !== undefined) assert.match(error?.message ?? '', step.errorText, told)
    if (step.expect !== undefined) assert.ok(matches(this.#filled(step.expect), answer), told)
    if (step.expectText !== undefined) assert.match(String(answer), step.expectText, told)
    const { sent } = this.#stage.network
    if (step.sent !== undefined) assert.is(sent.length, step.sent, told)
    for (const name of step.same ?? []) {
      assert.is(new Set(sent.map(({ headers }) => headers[name])).size, 1, `${told}: ${name}`)
    }
    for (const name of step.differ ?? []) {
      assert.is(new Set(sent.map(({ headers }) => headers[name])).size, sent.length, `${told}: ${name}`)
    }
    if (step.pauses !== undefined) assert.equal(pauses, step.pauses, told)
    for (const [kept, name] of typeof step.keep === 'object' ? Object.entries(step.keep) : []) {
      const value = name.split('.').reduce(memberOf, answer)
      assert.ok(value !== undefined && value !== null, `${told}: ${name}`)
      this.#kept.set(kept, typeof value === 'number' ? String(value) : value)
    }
  }

  /** The order's webhook, as it came, and with each of the changes. */
  async webhook({ order, status, changes }: Scenario['webhook']): Promise<void> {
    const { node, receiver, driver, standardSecret } = this.#stage
    const id = this.#filled(order)
    const find = () => receiver.received.find(({ body }) => matches({ id, status }, JSON.parse(body))) ?? null
    await node.until(async () => find() !== null)
    const received = find()
    if (received === null) throw new Error('no webhook came')
    const signedAt = Number(received.headers['message-date'])
    for (const change of changes) {
      const changed = changedBy(change, received)
      const now = signedAt + (change.later ?? 0)
      const secrets = { mk_shop: secretOf('mk_shop') }
      const own = await driver.tell({ do: 'verify', ...changed, secrets, now })
      const standard = await driver.tell({
        do: 'verifyStandard',
        ...{ headers: changed.headers, body: changed.body, secrets: [standardSecret], now },
      })
      const expected = { own: 'genuine', standard: 'genuine', ...change }
      assert.equal([ending(own), ending(standard)], [expected.own, expected.standard], change.change)
      if (ending(own) === 'genuine') {
        assert.ok(matches({ order: { id, status }, attempt: 1, sequence: 1 }, own.answer), change.change)
      }
    }
  }

  /** The example that the standard has published. */
  async standard({ secret, headers, body, now }: Scenario['standard']): Promise<void> {
    const encoded = Buffer.from(body).toString('base64')
    const told = await this.#stage.driver.tell({
      do: 'verifyStandard',
      ...{ headers, body: encoded, secrets: ['whsec_AAAA', secret], now },
    })
    assert.is(ending(told), 'genuine')
  }

  async vectors({ key, secret, date, webhooks }: typeof signatureVectors): Promise<void> {
    const { driver } = this.#stage
    for (const { path, body, hash, notify_url } of webhooks) {
      const now = Number(date)
      const signed = await driver.tell({
        do: 'sign',
        key,
        messageDate: date,
        method: 'post',
        path,
        body,
        secret,
        now,
      })
      assert.is(signed.answer, hash, notify_url)
      const headers = { 'Merchant-Key': key, 'Message-Date': date, 'Message-Hash': hash }
      const lowerCase = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const encoded = Buffer.from(body).toString('base64')
      const verified = await driver.tell({
        do: 'verify',
        ...{ path, headers: lowerCase, body: encoded, secrets: { [key]: secret }, now },
      })
      assert.is(ending(verified), body === '' ? 'Its body is not JSON.' : 'genuine', notify_url)
    }
    assert.ok(webhooks.length > 10)
  }

  async end(): Promise<void> {
    const { node, network, receiver, driver } = this.#stage
    driver.end()
    network.close()
    await stopTestNode(node)
    await receiver.close()
  }

  /** With what was kept in the place of `$name`; a body may begin with the scenario's order. */
  #filled(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\$(\w+)$/.exec(value)?.[1]
      if (whole !== undefined && this.#kept.has(whole)) return this.#kept.get(whole)
      return value.replace(/\$(\w+)/g, (text, name: string) => String(this.#kept.get(name) ?? text))
    }
    if (Array.isArray(value)) return value.map((one) => this.#filled(one))
    if (typeof value !== 'object' || value === null) return value
    const { $: base, ...members } = value as Record<string, unknown>
    const begun = base === 'payOut' ? scenario.payOut : {}
    return Object.fromEntries(
      Object.entries({ ...begun, ...members }).map(([name, member]) => [name, this.#filled(member)]),
    )
  }
}

function changedBy(change: WebhookChange, { target, headers, body }: ReceivedWebhook) {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const signature = texts['webhook-signature'] ?? ''
  const replaced = Object.entries(change.headers ?? {}).map(([name, value]) => [
    name,
    value.replace('$signature', signature).replace('$bare', signature.replace('v1,', '')),
  ])
  return {
    path: change.path ?? target.split('?')[0] ?? '',
    headers: change.headers === null ? {} : { ...texts, ...Object.fromEntries(replaced) },
    body: Buffer.from(body + (change.append ?? '')).toString('base64'),
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

/** `genuine`, or why it is refused. */
function ending({ error }: DriverAnswer): string {
  return error === undefined ? 'genuine' : error.message
}

/** Whether all that is expected is so; lists are of one length. */
function matches(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual || (typeof actual === 'number' && String(actual) === expected)
  }
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((one, index) => matches(one, actual[index]))
    )
  }
  const members = new Map(Object.entries(actual))
  return Object.entries(expected).every(([name, one]) => matches(one, members.get(name)))
}
