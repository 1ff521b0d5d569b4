/** The demo's world: a real node on a throw-away database, parties that sign, and a shop that receives. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { formatMessageDate, sign } from '../../actors/keys/signature.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import demoParties from '../../data/demo.json' with { type: 'json' }
import { type Node, startNode } from '../../node/node.ts'
import { loadSettings, type Settings } from '../../node/settings/config.ts'
import { connect, type Operations } from '../connect.ts'
import { type DemoReceiver, type ReceivedWebhook, startDemoReceiver } from '../demo-receiver.ts'
import type { Terminal } from '../terminal.ts'
import { demoMerchant } from '../welcome.ts'

export interface Answer {
  status: number
  text: string
  /** The members of a JSON object; none for any other answer. */
  body: Readonly<Record<string, unknown>>
}

export interface RequestOptions {
  /** Whose signature it carries, by credential key. */
  as: string
  body?: object
  /** Breaks the signature. */
  forged?: boolean
}

export interface World {
  readonly receiver: DemoReceiver
  readonly publicUrl: string
  /** Through the node's operator listener. */
  readonly operations: Operations
  request(method: string, path: string, options: RequestOptions): Promise<Answer>
  /** The text of a page, as a browser gets it. */
  page(url: string): Promise<string>
  /** The webhooks about an order, once there are at least `count`, or after ten seconds. */
  webhooks(orderId: string, count: number): Promise<readonly ReceivedWebhook[]>
  /** Stops the node and starts it again on the same database. */
  restart(): Promise<void>
  close(): Promise<void>
}

const patienceMs = 10_000
const lookMs = 20

/** Parties beside those of the example file: a lock is only worth something when somebody else wants it. */
const secondProvider = {
  providers: [{ name: 'Corner Stores', credentials: [{ key: 'pk_corner' }], networks: ['corner'] }],
}

/** The day is closed when the story comes to it, whenever it is played: none ends in its middle. */
function onRequest<Party extends { settles: readonly object[] }>(parties: readonly Party[]) {
  return parties.map((party) => ({
    ...party,
    settles: party.settles.map((terms) => ({ ...terms, every: 'request' })),
  }))
}

const example = {
  ...demoParties,
  merchants: onRequest(demoParties.merchants),
  providers: onRequest(demoParties.providers),
}

/** @param chains the settings of the chains that are on */
export async function openWorld(terminal: Terminal, chains: object = {}): Promise<World> {
  const { clock } = terminal
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-demo-'))
  writeFileSync(join(directory, 'ventanilla.json'), JSON.stringify({ chains }))
  const secrets = new Map<string, string>()
  const receiver = await startDemoReceiver({
    port: 0,
    clock,
    // The shop knows its own secret: nothing of the node's is asked.
    secretOf: async (key) => secrets.get(key) ?? null,
    onReceived: () => {},
  })
  const settings = loadSettings({
    cwd: directory,
    env: {
      VENTANILLA_DATABASE: `sqlite:${join(directory, 'demo.db')}`,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
      VENTANILLA_LOG_LEVEL: 'error',
    },
  })
  let present = await start(terminal, settings, receiver)
  for (const file of [example, secondProvider]) {
    const { merchants, providers } = await present.operations.perform(apply, file)
    for (const { key, secret } of [...merchants, ...providers].flatMap((party) => party.credentials)) {
      if (secret !== undefined) secrets.set(key, secret)
    }
  }

  const request: World['request'] = async (method, path, { as, body, forged }) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const messageDate = formatMessageDate(clock.now())
    const secret = forged ? 'a secret that somebody made up' : (secrets.get(as) ?? '')
    const response = await fetch(`${present.node.publicUrl}${path}`, {
      method,
      headers: {
        [as.startsWith('pk_') ? 'Provider-Key' : 'Merchant-Key']: as,
        'Message-Date': messageDate,
        'Message-Hash': sign({ key: as, messageDate, method, path, body: text }, secret),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: text }),
    })
    return readAnswer(response)
  }

  return {
    receiver,
    get publicUrl() {
      return present.node.publicUrl
    },
    get operations() {
      return present.operations
    },
    request,
    page: async (url) => (await fetch(url)).text(),
    async webhooks(orderId, count) {
      const about = () => receiver.received.filter((webhook) => webhook.order === orderId)
      await patiently(async () => about().length >= count)
      return about()
    },
    async restart() {
      await present.stop()
      present = await start(terminal, settings, receiver)
    },
    async close() {
      await present.stop()
      await receiver.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface Running {
  node: Node
  operations: Operations
  stop(): Promise<void>
}

async function start(terminal: Terminal, settings: Settings, receiver: DemoReceiver): Promise<Running> {
  const { clock } = terminal
  const log = pino({ level: settings.log.level }, pino.destination({ dest: 2, sync: true }))
  const node = await startNode({ settings, log, clock, exemptOrigins: { [demoMerchant]: [receiver.url] } })
  const operations = await connect(settings, { clock, operator: 'demo', mayCreate: false })
  return {
    node,
    operations,
    async stop() {
      await operations.close()
      await node.stop()
    },
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const body: unknown = isJson ? JSON.parse(text) : null
  return { status: response.status, text, body: typeof body === 'object' && body !== null ? { ...body } : {} }
}

/** Looks again and again until something holds, or patience ends. */
export async function patiently(holds: () => Promise<boolean>): Promise<boolean> {
  const tries = patienceMs / lookMs
  for (let attempt = 0; attempt < tries; attempt++) {
    if (await holds()) return true
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return holds()
}
