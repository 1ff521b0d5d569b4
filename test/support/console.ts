/** The console with something in it: orders in every status, an exception, a dead letter, an operator of each role. */

import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Role, roles } from '../../actors/foundation/roles.ts'
import { createDispatch, type Dispatch } from '../../actors/operations/dispatch.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import { newPerson } from '../../actors/people/accounts.ts'
import { hashPassword } from '../../actors/people/passwords.ts'
import { readTokenFile } from '../../node/token-file.ts'
import { partyByName } from '../../persistence/queries/provisioning.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode, type TestNodeOptions } from './node.ts'

export const password = 'eine lange Nacht'

export interface ConsoleWorld {
  node: TestNode
  ask: Dispatch
  /** Ids by what the orders are for. */
  orders: Readonly<Record<OrderName, string>>
  stop(): Promise<void>
}

export type OrderName =
  | 'ready'
  | 'started'
  | 'completed'
  | 'cancelled'
  | 'stranded'
  | 'undelivered'
  | 'waiting'

/** A person of each role, whose name is the role’s; their passwords are hashed for nothing, as tests are many. */
export async function addOperators(node: TestNode): Promise<void> {
  for (const role of roles) await addOperator(node, role, role)
}

export async function addOperator({ core }: TestNode, name: string, role: Role): Promise<void> {
  const passwordHash = await hashPassword(password, { N: 2 ** 4, r: 8, p: 1 })
  const values = newPerson({ name, role, party_id: null, passwordHash, at: core.clock.now() })
  await core.store.step({
    rows: {},
    decide: () => ({ answer: null, writes: [{ insert: 'people', values }] }),
  })
}

/** What stays of an order of the shop that was archived. */
export async function addArchivedOrder({ core }: TestNode): Promise<string> {
  const id = '01912d5a-0000-7000-8000-00000abcdef1'
  const [shop] = await core.store.query(partyByName, { kind: 'merchant', name: 'Shop' })
  await core.store.step({
    rows: {},
    decide: (_, at) => ({
      answer: null,
      writes: [
        {
          insert: 'archived_orders',
          values: {
            ...{ id, code: '123456789012345', merchant_id: shop?.id ?? '', merchant_order_id: 'old-1' },
            ...{ direction: 'PAY_OUT', status: 'COMPLETED', created_at: at, archived_at: at },
            ...{ file: '2025-01.jsonl', digest: 'd'.repeat(64), journal_count: 4, journal_head: 'h' },
            ...{ reference: null, personal_key: null, email_digest: null, phone_digest: null, erased_at: at },
          },
        },
      ],
    }),
  })
  return id
}

export function dispatchOf(node: TestNode): Dispatch {
  return createDispatch(operationsOf(node.settings.mode), node.core)
}

/** For tests that need the node's token: it is beside a database file, whatever engine the others run on. */
export function onSqlite(): Pick<TestNodeOptions, 'directory' | 'env'> {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-test-'))
  return { directory, env: { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` } }
}

/** The token of a node on SQLite. */
export function tokenOf({ settings }: TestNode): string {
  const { database } = settings
  const address = database.engine === 'sqlite' ? readTokenFile(database.file) : null
  if (address === null) throw new Error('there is no token beside the database')
  return address.token
}

export async function startConsoleWorld(options: TestNodeOptions = {}): Promise<ConsoleWorld> {
  const receiver = await startReceiver()
  const node = await startTestNode(options)
  const ask = dispatchOf(node)
  await addOperators(node)
  const place = receiver.address() as AddressInfo
  const hook = (path: string) => `http://127.0.0.1:${place.port}${path}`
  let made = 0
  const make = async (fields: Record<string, unknown> = {}) => {
    // Not numbered over the whole process, so that each world shows the same.
    const merchant_order_id = `A-${1000 + ++made}`
    const body = payOutBody({ notify_url: hook('/ok'), merchant_order_id, ...fields })
    const { json } = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
    return json.id as string
  }
  const statusOf = async (id: string) => (await node.core.orders.find(id))?.order.status
  const ready = async (id: string) => {
    await node.until(async () => (await statusOf(id)) === 'READY')
    return id
  }
  const tell = async (id: string, step: string, as = 'pk_a') => {
    const code = (await node.core.orders.find(id))?.order.code
    const base = `/api/v1/providers/orders/pay-out/${code}`
    const payment = { network_id: as === 'pk_a' ? '0001' : '0002', price: '1000.00', price_currency: 'MXN' }
    const answer = await node.request({ as, path: `${base}/${step}/`, body: payment })
    if (answer.status !== 200) throw new Error(`${step}: ${answer.status} ${answer.text}`)
  }
  const stranded = await ready(await make({ expiry: '2026-03-01T12:30:00Z' }))
  await tell(stranded, 'start-payment')
  node.clock.advance(3_600_000)
  await node.core.orders.expire(stranded)
  const orders = {
    stranded,
    completed: await ready(await make()),
    cancelled: await ready(await make({ description: 'Refund of a pair of shoes' })),
    undelivered: await ready(await make({ notify_url: hook('/gone') })),
    started: await ready(await make()),
    ready: await ready(await make({ description: 'Second refund of order 1234' })),
    waiting: await make({ price: '40000.00' }),
  }
  await tell(orders.completed, 'start-payment')
  await tell(orders.completed, 'confirm-payment')
  await tell(orders.started, 'start-payment', 'pk_b')
  await ask('order.cancel', { id: orders.cancelled, reason: 'Asked for by the shop' }, 'ana')
  await ask('order.cancel', { id: orders.undelivered, reason: 'Made twice' }, 'ana')
  await node.until(async () => {
    const { webhooks } = (await ask('webhook.list', { state: 'dead' }, 'test')) as { webhooks: unknown[] }
    return webhooks.length > 0
  })
  return {
    node,
    ask,
    orders,
    async stop() {
      await stopTestNode(node)
      receiver.close()
      receiver.closeAllConnections()
    },
  }
}

/** Merchants’ receivers: `/gone` answers 404, which is a dead letter at once. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/gone' ? 404 : 200).end('thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

export interface ConsoleAnswer {
  status: number
  headers: Headers
  text: string
}

/** A browser without scripts: it keeps its cookies, and fills in the forms of the page it last saw. */
export class ConsoleVisitor {
  readonly url: string
  cookie: string | null = null
  /** What tells that somebody has signed in with this browser. */
  browser: string | null = null
  /** The last page. */
  page = ''

  constructor(url: string) {
    this.url = url
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.#send(path, { headers })
  }

  /** Sends fields together with the form token of the last page; as a list, one may be there twice. */
  async post(
    path: string,
    fields: Record<string, string> | [name: string, value: string][],
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer> {
    const token = /name="form_token" value="([^"]*)"/.exec(this.page)?.[1] ?? ''
    const members: [string, string][] = Array.isArray(fields)
      ? [['form_token', token], ...fields]
      : Object.entries({ form_token: token, ...fields })
    const body = new URLSearchParams(members).toString()
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: this.url }
    return this.#send(path, { method: 'POST', body, headers: { ...type, ...headers } })
  }

  /** The same with a file, as a form that has one is sent. */
  async upload(
    path: string,
    fields: Record<string, string>,
    file: { name: string; bytes: Uint8Array | string },
  ): Promise<ConsoleAnswer> {
    const body = new FormData()
    for (const [name, value] of Object.entries({ form_token: this.formToken, ...fields }))
      body.append(name, value)
    body.append(file.name, new Blob([Buffer.from(file.bytes)]), 'report.csv')
    return this.#send(path, { method: 'POST', body, headers: { Origin: this.url } })
  }

  /** The token that this visitor’s forms carry. */
  get formToken(): string {
    return /name="form_token" value="([^"]+)"/.exec(this.page)?.[1] ?? ''
  }

  async signIn(name: string, secret = password): Promise<ConsoleAnswer> {
    return this.post('/sign-in', { name, password: secret, to: '/' })
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<ConsoleAnswer> {
    const kept = [this.cookie, path.startsWith('/sign-in') ? this.browser : null]
    const sent = kept.filter((one) => one !== null).join('; ')
    const cookie = sent === '' ? {} : { Cookie: sent }
    const response = await fetch(`${this.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...cookie, ...init.headers },
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      if (pair.startsWith('ventanilla_browser')) this.browser = pair
      else this.cookie = /Max-Age=0/.test(set) ? null : pair
    }
    const text = await response.text()
    if (text !== '') this.page = text
    return { status: response.status, headers: response.headers, text }
  }
}

/** A visitor who is signed in and has seen the first page. */
export async function visitorAs(node: TestNode, name: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(node.operatorUrl)
  const answer = await visitor.signIn(name)
  if (answer.status !== 303) throw new Error(`${name} was not let in: ${answer.status}`)
  await visitor.get('/')
  return visitor
}
