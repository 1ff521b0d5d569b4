/**
 * A sandbox that lives some days twice from the same seed: once they pass, once its clock is moved over them. Whatever falls due has
 * to come about alike; what stands at the end is told as lines that can be compared.
 */

import type { SandboxClockDocument } from '../../actors/sandbox/clock-operations.ts'
import type { WebhookSender } from '../../actors/webhooks/sender.ts'
import { type Random, seededRandom } from '../durability/random.ts'
import { SimulatedChain } from './chain.ts'
import { Host } from './host.ts'
import { Platform } from './platform.ts'
import { deliver, signed } from './requests.ts'
import { templateFor } from './template.ts'
import { merchants } from './terms.ts'
import { beginsAt } from './world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface Beginning {
  seed: number
  orders: number
  hours: number
}

/** The clock is moved by a node that is killed so many times meanwhile. */
export type Way = { is: 'time passes'; stepMs: number } | { is: 'the clock is moved'; kills: number }

export interface End {
  /** What stands: each line names a thing and what has become of it, in an order of its own. */
  lines: readonly string[]
  /** When each order was told what, in ms since the beginning. */
  told: ReadonlyMap<string, number>
  /** How many orders have ended by themselves. */
  expired: number
  shown: SandboxClockDocument | null
}

export async function endOf(beginning: Beginning, way: Way): Promise<End> {
  const { template } = await templateFor('sandbox')
  const world = new MovedWorld(beginning, template)
  world.platform.install()
  try {
    await world.begin()
    if (way.is === 'time passes') await world.pass(way.stepMs)
    else await world.move(way.kills)
    return world.end()
  } finally {
    world.host.remove()
    world.platform.uninstall()
  }
}

class MovedWorld {
  readonly platform: Platform
  readonly host: Host
  readonly #beginning: Beginning
  readonly #random: Random
  readonly #names = new Map<string, string>()
  #stamps = 0
  #shown: SandboxClockDocument | null = null
  #attempts = new Map<string, number>()

  constructor(beginning: Beginning, template: string) {
    this.#beginning = beginning
    this.#random = seededRandom(beginning.seed)
    this.platform = new Platform(beginning.seed, beginsAt)
    const chain = new SimulatedChain(() => this.platform.trueTime, beginsAt)
    this.platform.connect((...asked) => chain.ask(...asked))
    const beside = () => ({
      sender: this.#sender,
      onFailure(error: Error) {
        throw error
      },
    })
    this.host = new Host(this.platform, { mode: 'sandbox', beside, from: template })
  }

  /** What a receiver says depends on what it is told and how often, and not on when. */
  get #sender(): WebhookSender {
    const { seed } = this.#beginning
    return {
      send: async ({ body }) => {
        const { id, status } = JSON.parse(body)
        const about = `${this.#names.get(id) ?? ''} ${status}`
        const attempt = (this.#attempts.get(about) ?? 0) + 1
        this.#attempts.set(about, attempt)
        const isTaken = seededRandom(seed + hashOf(`${about} ${attempt}`)).chance(0.55)
        return {
          ...{ status: isTaken ? 200 : 503, outcome: isTaken ? 'acknowledged' : 'unavailable' },
          ...{ address: '203.0.113.7', answer: '', answerBytes: 0, isCut: false, retryAfter: null },
          ...{ milliseconds: 20, error: null, wasSent: true },
        }
      },
      close() {},
    }
  }

  async begin(): Promise<void> {
    const { orders } = this.#beginning
    await this.host.start()
    await this.#ask('deposit.add', {
      ...{ merchant: 'Kiosk', reference: 'opening', amount: '900000.00', currency: 'MXN' },
      reason: 'It begins.',
    })
    const settles = { currency: 'MXN', every: 'day', account: 'CLABE 1', reason: 'It begins.' }
    await this.#ask('terms.setSettlement', { party: 'Shop', kind: 'merchant', ...settles, keep: '50.00' })
    await this.#ask('terms.setSettlement', { party: 'Network A', kind: 'provider', ...settles })
    for (let count = 0; count < orders; count++) await this.#order(count)
    await this.platform.rest()
  }

  async #order(count: number): Promise<void> {
    const random = this.#random
    const { hours } = this.#beginning
    const merchant = merchants[count % merchants.length] ?? merchants[0]
    const kind = random.below(8)
    const longestMs = Math.ceil((hours * 1.2) / 24) * dayMs
    const expiryAt = this.platform.trueTime + 10 * minuteMs + random.below(longestMs)
    const endings = ['-sim-confirm', '-sim-hold', '-sim-cancel', '-sim-start']
    const ending = kind < 4 ? `${endings[kind]}-${60 + random.below(hours * 3_600)}` : ''
    const merchantOrderId = `order-${count}${ending}`
    const common = {
      ...{ description: 'groceries', merchant_order_id: merchantOrderId },
      notify_url: `https://${merchant.name.toLowerCase()}.example/hooks`,
      return_url: `https://${merchant.name.toLowerCase()}.example/done`,
      ...{ expiry: new Date(expiryAt).toISOString(), consumer_email: 'ana@example.com' },
    }
    const path = `/api/v1/merchants/orders/${kind % 2 === 0 ? 'pay-in' : 'pay-out'}/`
    if (kind === 7) {
      const quote = await this.#say(merchant, '/api/v1/merchants/quotes/', {
        ...{ blockchain: 'MONAD', send: '12.50', send_currency: 'USDC' },
        ...{ target_country: 'MX', target_currency: 'MXN' },
      })
      // Every second quote is asked for, and nothing comes of it.
      if (random.chance(0.5)) return
      const wallet = `0x${'ab'.repeat(19)}${(16 + (count % 200)).toString(16)}`
      const foreign = { order_type: 'ForeignCurrencyOrder', quote: quote.id, wallet }
      this.#named(merchantOrderId, await this.#say(merchant, path, { ...foreign, ...common }))
      return
    }
    const price = `${100 + random.below(400)}.00`
    const local = { order_type: 'LocalCurrencyOrder', country: 'MX', price, price_currency: 'MXN' }
    const { id } = this.#named(merchantOrderId, await this.#say(merchant, path, { ...local, ...common }))
    const step = ['hold', 'confirm', 'start'][random.below(9)]
    if (kind === 4 && step !== undefined) await this.#ask('sandbox.simulate', { id, step })
  }

  #named<Made extends { id: string }>(name: string, made: Made): Made {
    this.#names.set(made.id, name)
    return made
  }

  async #say({ key }: (typeof merchants)[number], path: string, document: unknown): Promise<{ id: string }> {
    const { process } = this.host
    if (process === null) throw new Error('There is no node.')
    const at = this.platform.trueTime + (++this.#stamps % 1000) / 1000
    const answer = await this.host.drive(
      deliver(process.handle, signed(key, { method: 'POST', path, document, at })),
    )
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text)
  }

  async #ask(name: string, input: unknown): Promise<unknown> {
    const { process } = this.host
    if (process === null) throw new Error('There is no node.')
    return this.host.drive(process.operate(name, input, 'ana'))
  }

  /** It passes in steps, and all that waits for it is done after each. */
  async pass(stepMs: number): Promise<void> {
    const until = this.platform.trueTime + this.#beginning.hours * hourMs
    while (this.platform.trueTime < until) await this.#step(Math.min(stepMs, until - this.platform.trueTime))
  }

  async #step(ms: number): Promise<void> {
    this.platform.pass(ms)
    while (this.platform.fire()) await this.platform.rest()
    await this.platform.rest()
  }

  async move(kills: number): Promise<void> {
    const { hours, seed } = this.#beginning
    const random = seededRandom(seed + 1)
    await this.#ask('sandbox.clock.advance', { by: `${hours}h` })
    for (let killed = 0; killed < kills; killed++) {
      for (let turns = random.below(400 + 4_000 / kills); turns > 0; turns--) {
        if (!(await this.platform.turn())) await this.#step(this.platform.untilTimer ?? 1)
      }
      this.host.kill()
      await this.host.start()
    }
    for (let looks = 0; looks < 200_000; looks++) {
      await this.#step(this.platform.untilTimer ?? 1)
      if (looks % 50 !== 0) continue
      this.#shown = (await this.#ask('sandbox.clock.show', {})) as SandboxClockDocument
      if (this.#shown.advancing === null) return
    }
    throw new Error('The clock does not come to where it is moved to.')
  }

  end(): End {
    const { reader } = this.host
    const lines: string[] = []
    const list = (name: string, sql: string) => {
      const rows = reader.all<Record<string, unknown>>(sql)
      const told = rows.map((row) =>
        [name, ...Object.values(row).map((value) => this.#word(value))].join(' '),
      )
      lines.push(...told.toSorted())
    }
    for (const [name, sql] of Object.entries(stands)) list(name, sql)
    const told = new Map<string, number>()
    const journal = reader.all<{ id: string; sequence: bigint; entry_at: bigint; event: string }>(
      `SELECT order_id AS id, sequence, entry_at, json_extract(event_json, '$.type') AS event FROM journal`,
    )
    for (const { id, sequence, entry_at, event } of journal)
      told.set(`${this.#word(id)} ${sequence} ${event}`, Number(entry_at) - beginsAt)
    const expired = lines.filter((line) => /^order .* EXPIRED/.test(line)).length
    return { lines, told, expired, shown: this.#shown }
  }

  /** Orders and parties by their names: what else has an id is named by what it is about. */
  #word(value: unknown): string {
    if (typeof value !== 'string') return String(value)
    const known = this.#names.get(value)
    if (known !== undefined) return known
    return value.replaceAll(
      /[0-9a-f]{8}-[0-9a-f-]{27}/g,
      (id) => this.#names.get(id) ?? this.host.reader.name(id),
    )
  }
}

/** What has to be alike at the end; nothing of it is a time. */
const stands: Readonly<Record<string, string>> = {
  order: `SELECT merchant_order_id, status, locks, lock_provider_id, paid_at IS NOT NULL AS paid FROM orders`,
  told: `SELECT order_id, sequence, json_extract(event_json, '$.type') AS event, from_status, to_status, outcome FROM journal`,
  balance: `SELECT id, balance_minor FROM accounts`,
  posting: `SELECT kind, debit_account, credit_account, amount_minor, order_id, debit_day, credit_day FROM postings`,
  webhook: `SELECT order_id, sequence, state, attempts FROM webhooks`,
  attempt: `SELECT order_id, attempt, outcome FROM webhook_attempts JOIN webhooks ON webhooks.id = webhook_id`,
  statement: `SELECT party_id, currency, number, from_day, to_day, opening_minor, closing_minor, due_minor, swept_minor,
    line_count, sealed_at IS NOT NULL AS sealed FROM statements`,
  line: `SELECT party_id, number, order_id, amount_minor, fee_minor, tax_minor FROM statement_lines`,
  exception: `SELECT kind, order_id, state FROM exceptions`,
  simulation: `SELECT order_id, step, outcome FROM simulations`,
  quote: `SELECT count(*) AS number FROM quotes`,
}

function hashOf(text: string): number {
  let hash = 0
  for (const letter of text) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return hash >>> 0
}
