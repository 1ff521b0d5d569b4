/** What an operator may do about deliveries: send again, pause and resume, choose the key they are signed with. */
import { formatInstant, type Instant, parseInstant } from '../../machines/time.ts'
import { webhookById } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { deadLettersOf, undeliveredOfOrder } from '../../persistence/queries/webhooks.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { optional, text, texts } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { type NameOf, partyNames } from '../parties/names.ts'
import { findParty } from '../parties/operations.ts'
import { type WebhookSummary, webhookSummary } from './operations.ts'
import { sendAgain } from './resend.ts'

const retryFields = {
  ids: optional(texts({ description: 'Any state.', minItems: 1, maxItems: 1000 })),
  order: optional(
    text({
      description: "An order's id: its pending and dead webhooks.",
      option: ['--order <id>', "this order's pending and dead webhooks"],
    }),
  ),
  merchant: optional(
    text({
      description: "A merchant's name: its dead letters since the given time.",
      option: ['--merchant <name>', "this merchant's dead letters; needs --since"],
    }),
  ),
  since: optional(
    text({
      description: 'Given up at this time or later: ISO 8601.',
      option: ['--since <time>', 'given up at this time or later'],
      form: { label: 'Dead since (UTC)', control: 'datetime-local' },
    }),
  ),
  until: optional(
    text({
      description: 'Given up at this time or earlier: ISO 8601; now by default.',
      option: ['--until <time>', 'given up at this time or earlier'],
      form: { label: 'Until (UTC)', control: 'datetime-local', hint: 'Now by default.' },
    }),
  ),
}

export interface Resent {
  resent: number
  /** The first hundred of them. */
  webhooks: WebhookSummary[]
  /** An attempt of theirs is under way, or somebody else was faster. */
  left: string[]
}

const atOnce = 64
const shown = 100

export const webhookRetry = defineOperation({
  name: 'webhook.retry',
  summary: "Send webhooks again: by id, all that an order has not delivered, or a merchant's dead letters.",
  done: 'Asked to be sent again: its attempts tell what becomes of it.',
  isOnlyBegun: true,
  fields: retryFields,
  arguments: ['ids'],
  isRead: false,
  concluded: ({ resent, left }: Resent) => `${resent} sent again, ${left.length} left as they are`,
  async run({ store, clock }, input): Promise<Resent> {
    const resends = new Resends(store)
    const { ids, order, merchant, since, until } = input
    if ([ids, order, merchant].filter((given) => given !== undefined).length !== 1)
      throw new OperationError('invalid', 'Give webhook ids, an order, or a merchant with --since.')
    if ((merchant === undefined) !== (since === undefined) || (until !== undefined && since === undefined))
      throw new OperationError('invalid', '--since and --merchant go together.')
    if (ids !== undefined) await resends.all(await known(store, ids))
    if (order !== undefined) await resends.all(await undelivered(store, order.toLowerCase()))
    if (merchant !== undefined) {
      const { id } = await findParty(store, merchant, 'merchant')
      const range = {
        since: timeOf('since', since ?? ''),
        until: until === undefined ? clock.now() : timeOf('until', until),
      }
      for (;;) {
        const dead = await store.query(deadLettersOf, { merchantId: id, ...range, limit: atOnce })
        const before = resends.count
        await resends.all(dead.map((webhook) => webhook.id))
        // What was sent again is dead no more, so that each page begins with the next ones.
        if (resends.count === before) break
      }
    }
    return resends.result
  },
})

class Resends {
  readonly result: Resent = { resent: 0, webhooks: [], left: [] }
  readonly #store: Store
  readonly #nameOf: NameOf

  constructor(store: Store) {
    this.#store = store
    this.#nameOf = partyNames(store)
  }

  get count(): number {
    return this.result.resent
  }

  async all(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += atOnce) {
      const page = ids.slice(from, from + atOnce)
      const begun = this.count
      const answers = await Promise.all(page.map((id, index) => this.#one(id, begun + index)))
      for (const [index, webhook] of answers.entries()) await this.#note(page[index] ?? '', webhook)
    }
  }

  async #note(id: string, webhook: Row<'webhooks'> | null): Promise<void> {
    if (webhook === null) {
      if (!this.result.left.includes(id)) this.result.left.push(id)
      return
    }
    this.result.resent++
    if (this.result.webhooks.length >= shown) return
    this.result.webhooks.push(webhookSummary(webhook, await this.#nameOf(webhook.merchant_id)))
  }

  /** The webhook as it is now; `null` when it is left alone. */
  async #one(id: string, position: number): Promise<Row<'webhooks'> | null> {
    const resent = await sendAgain(this.#store, id, { position })
    return typeof resent === 'string' ? null : resent
  }
}

/** All of them are there, or nothing is done. */
async function known(store: Store, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    const [webhook] = await store.query(webhookById, { id })
    if (webhook === undefined) {
      throw new OperationError('not_found', `There is no webhook ${id}.`, {
        hint: 'webhook list shows their ids.',
      })
    }
    if (webhook.pruned_at !== null) {
      const when = formatInstant(webhook.pruned_at)
      throw new OperationError('refused', `The body of webhook ${id} was removed at ${when}.`, {
        hint: 'webhooks.retentionDays says how long bodies are kept.',
      })
    }
    found.push(id)
  }
  return found
}

async function undelivered(store: Store, orderId: string): Promise<string[]> {
  const [order] = await store.query(orderById, { id: orderId })
  if (order === undefined) {
    throw new OperationError('not_found', `There is no order ${orderId}.`, {
      hint: 'order list shows their ids.',
    })
  }
  return (await store.query(undeliveredOfOrder, { orderId })).map(({ id }) => id)
}

function timeOf(name: string, text: string): Instant {
  const at = parseInstant(text)
  if (at !== null) return at
  throw new OperationError('invalid', `${name}: "${text}" is not a time such as 2026-03-01T12:00:00Z.`)
}

/** How a merchant's webhooks are sent. */
export interface DeliveryDocument {
  merchant: string
  contact: string
  /** Since when nothing is sent to it. */
  paused: string | null
  /** The key that an operator chose, until a newer one is used. */
  chosenKey: string | null
}

function deliveryDocument(party: Row<'parties'>): DeliveryDocument {
  const { name, contact, webhooks_paused_at, webhook_credential_key } = party
  return {
    merchant: name,
    contact,
    paused: webhooks_paused_at === null ? null : formatInstant(webhooks_paused_at),
    chosenKey: webhook_credential_key,
  }
}

const merchantName = text({ description: "A merchant's name." })

export const webhookPause = defineOperation({
  name: 'webhook.pause',
  summary: "Pause a merchant's webhooks. All of them wait; none is given up meanwhile.",
  done: 'The webhooks are paused.',
  fields: { merchant: merchantName },
  arguments: ['merchant'],
  isRead: false,
  run: (context, { merchant }): Promise<DeliveryDocument> =>
    change(context, merchant, (party, at) => {
      if (party.webhooks_paused_at === null) return { webhooks_paused_at: at }
      const since = formatInstant(party.webhooks_paused_at)
      throw new OperationError(
        'conflict',
        `The webhooks of ${party.name} are paused already, since ${since}.`,
      )
    }),
})

export const webhookResume = defineOperation({
  name: 'webhook.resume',
  summary: "Resume a merchant's webhooks, the oldest first.",
  done: 'Webhooks resumed.',
  fields: { merchant: merchantName },
  arguments: ['merchant'],
  isRead: false,
  run: (context, { merchant }): Promise<DeliveryDocument> =>
    change(context, merchant, (party, at) => {
      if (party.webhooks_paused_at !== null) return { webhooks_paused_at: null, webhooks_resumed_at: at }
      throw new OperationError('conflict', `The webhooks of ${party.name} are not paused.`)
    }),
})

/** After a rotation webhooks move by themselves with the merchant's first request; this is for those who make none. */
export const webhookSwitchKey = defineOperation({
  name: 'webhook.switchKey',
  summary: "Choose the key that a merchant's webhooks are signed with.",
  done: 'Webhooks are now signed with that key.',
  fields: {
    merchant: merchantName,
    key: text({ description: 'One of its live keys.', form: { label: 'Key' } }),
  },
  arguments: ['merchant', 'key'],
  isRead: false,
  run: (context, { merchant, key }): Promise<DeliveryDocument> =>
    change(
      context,
      merchant,
      (party, at, credential) => {
        const isItsOwn = credential !== null && credential.party_id === party.id
        if (isItsOwn && credential.revoked_at === null)
          return { webhook_credential_key: key, webhook_credential_at: at }
        throw new OperationError('refused', `${party.name} has no live key ${key}.`, {
          hint: 'key list shows its keys.',
        })
      },
      key,
    ),
})

type DeliveryColumns = Partial<
  Pick<
    Row<'parties'>,
    'webhooks_paused_at' | 'webhooks_resumed_at' | 'webhook_credential_key' | 'webhook_credential_at'
  >
>

async function change(
  { store }: OperationContext,
  name: string,
  decide: (party: Row<'parties'>, at: Instant, credential: Row<'credentials'> | null) => DeliveryColumns,
  key?: string,
): Promise<DeliveryDocument> {
  const { id } = await findParty(store, name, 'merchant')
  const result = await store.step({
    rows: {
      party: row('parties', { id }),
      credential: key === undefined ? undefined : row('credentials', { key }),
    },
    decide: ({ party, credential }, at): Decision<DeliveryDocument> => {
      if (party === null) throw new Error(`Party ${id} is gone.`)
      const set = decide(party, at, credential)
      return {
        answer: deliveryDocument({ ...party, ...set }),
        writes: [{ update: 'parties', key: { id }, set }],
        wake: ['provisioning'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A change of deliveries violated ${result.constraint}.`)
  return result.answer
}
