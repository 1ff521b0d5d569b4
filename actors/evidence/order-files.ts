/** What is known of an order, as files for others: without its code, and without its consumer's contact unless it is asked for. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { reportLinesOfOrder, statementLinesOfOrder } from '../../persistence/queries/evidence.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { OrderRows } from '../archive/record.ts'
import { inEnglish, reasonOf } from '../exceptions/report-reasons.ts'
import { hideCodes } from '../orders/documents.ts'
import { type NameOf, partyNames } from '../parties/names.ts'
import type { Entry } from './zip.ts'

export interface KnownOrder {
  rows: OrderRows
  /** Empty where nothing was sent, or all was erased; null where it may not be told. */
  consumer: { email: string; phoneNumber: string; erased: string | null } | null
  /** When it was archived; null while it is not. */
  archived: string | null
}

/** A file that belongs to what is told. */
export interface Attached {
  claims: readonly unknown[]
  files: readonly Entry[]
}

export async function orderFiles(store: Store, known: KnownOrder, attached: Attached): Promise<Entry[]> {
  const { rows } = known
  const nameOf = partyNames(store)
  const documents: Record<string, unknown> = {
    order: await orderOf(known, nameOf),
    journal: rows.journal.map(journalEntry),
    postings: rows.postings.map(posting),
    webhooks: webhooksOf(known),
    chain: chainOf(rows),
    reports: await reportsOf(store, rows.order.id),
    statements: await statementsOf(store, rows, nameOf),
    exceptions: rows.exceptions.map(exceptionOf),
    claims: attached.claims,
  }
  const { code } = rows.order
  return [
    ...Object.entries(documents).map(([name, document]) => ({
      name: `${name}.json`,
      bytes: Buffer.from(`${withoutCode(jsonOf(document), code)}\n`),
    })),
    ...attached.files,
  ]
}

function jsonOf(document: unknown): string {
  return JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2)
}

/** Who has it can collect the cash; an operator may have written it in groups, too. */
function withoutCode(json: string, code: string): string {
  const inGroups = new RegExp([...code].join('[ -]?'), 'g')
  return hideCodes(json.replaceAll(inGroups, `•••${code.slice(-4)}`))
}

function time(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}

async function orderOf({ rows, consumer, archived }: KnownOrder, nameOf: NameOf) {
  const { order } = rows
  const amount = (minor: bigint | undefined) => formatPrice(minor ?? 0n, order.currency)
  return {
    id: order.id,
    direction: order.direction,
    orderType: order.order_type,
    merchant: await nameOf(order.merchant_id),
    merchantOrderId: order.merchant_order_id,
    country: order.country,
    price: amount(order.price_minor),
    currency: order.currency,
    description: order.description,
    consumer,
    notifyUrl: order.notify_url,
    created: time(order.created_at),
    modified: time(order.modified_at),
    expiry: time(order.expiry_at),
    status: order.status,
    paid: time(order.paid_at),
    provider: order.lock_provider_id === null ? null : await nameOf(order.lock_provider_id),
    network: order.lock_network_id,
    locked: time(order.locked_at),
    locks: order.locks,
    fee: { amount: amount(order.fee_minor), tax: amount(order.fee_tax_minor) },
    commission: { amount: amount(order.commission_minor), tax: amount(order.commission_tax_minor) },
    refundOf: order.refund_of ?? null,
    references: (rows.references ?? []).map(({ network_id, reference }) => ({
      network: network_id,
      reference,
    })),
    chart: `${order.machine} ${order.machine_version}`,
    revision: order.revision,
    journalHead: order.journal_head,
    archived,
  }
}

function journalEntry(entry: Row<'journal'>) {
  return {
    sequence: entry.sequence,
    at: time(entry.entry_at),
    actor: entry.actor,
    credential: entry.credential_key,
    event: JSON.parse(entry.event_json),
    from: entry.from_status,
    to: entry.to_status,
    outcome: entry.outcome,
    hash: entry.hash,
  }
}

function posting(one: Row<'postings'>) {
  return {
    id: one.id,
    at: time(one.posted_at),
    kind: one.kind,
    debit: { account: one.debit_account, day: one.debit_day, number: one.debit_number },
    credit: { account: one.credit_account, day: one.credit_day, number: one.credit_number },
    minorUnits: one.amount_minor,
    currency: one.currency,
    reference: one.reference,
    aboutDay: one.about_day,
  }
}

const contactFields = ['consumer_email', 'consumer_phone_number']

/** What was sent is told as it was, but for a contact that may not be told; what receivers answered may repeat it. */
function webhooksOf({ rows, consumer }: KnownOrder) {
  return rows.webhooks.map((webhook) => ({
    sequence: webhook.sequence,
    id: webhook.id,
    status: webhook.order_status,
    url: webhook.url,
    state: webhook.state,
    created: time(webhook.created_at),
    body: bodyOf(webhook.body, consumer !== null),
    attempts: rows.attempts
      .filter(({ webhook_id }) => webhook_id === webhook.id)
      .map((attempt) => ({
        attempt: attempt.attempt,
        started: time(attempt.started_at),
        ended: time(attempt.ended_at),
        milliseconds: attempt.milliseconds,
        httpStatus: attempt.status,
        outcome: attempt.outcome,
        error: attempt.error,
        signedWith: attempt.credential_key,
        answer: consumer === null ? null : attempt.answer,
      })),
  }))
}

function bodyOf(body: string, mayTellContact: boolean): unknown {
  if (body === '') return null
  const document: Record<string, unknown> = JSON.parse(body)
  if (mayTellContact) return document
  const hidden = contactFields.filter((name) => Object.hasOwn(document, name)).map((name) => [name, ''])
  return { ...document, ...Object.fromEntries(hidden) }
}

function chainOf({ foreign, quote, deposits }: OrderRows) {
  if (foreign === null && deposits.length === 0) return null
  const plain = (value: object | null) =>
    value === null
      ? null
      : Object.fromEntries(
          Object.entries(value).map(([name, one]) => [
            name,
            name.endsWith('_at') && typeof one === 'number'
              ? formatInstant(one)
              : name.endsWith('_json') && typeof one === 'string'
                ? JSON.parse(one)
                : one,
          ]),
        )
  return { expected: plain(foreign), quote: plain(quote), deposits: deposits.map(plain) }
}

async function reportsOf(store: Store, orderId: string) {
  return (await store.query(reportLinesOfOrder, { orderId })).map((line) => ({
    network: line.network_id,
    day: line.day,
    line: line.line,
    said: line.kind,
    reference: line.reference,
    amount: line.amount_minor === null ? null : formatPrice(line.amount_minor, line.currency),
    currency: line.currency,
    paidAt: time(line.paid_at),
    outcome: line.outcome,
    reason: inEnglish(reasonOf(line.reason)),
    source: line.source,
    report: { sha256: line.digest, state: line.state, applied: time(line.applied_at) },
  }))
}

/** Of the merchant and of the provider whose account the money went to. */
async function statementsOf(store: Store, { order, postings }: OrderRows, nameOf: NameOf) {
  const days = postings.flatMap(({ debit_day, credit_day }) => [debit_day, credit_day]).toSorted()
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  if (firstDay === undefined || lastDay === undefined) return []
  const parties = [order.merchant_id, order.lock_provider_id].filter((id) => id !== null)
  const lines = await Promise.all(
    parties.map((partyId) =>
      store.query(statementLinesOfOrder, {
        ...{ orderId: order.id, partyId, currency: order.currency, firstDay, lastDay },
      }),
    ),
  )
  return Promise.all(
    lines.flat().map(async (line) => ({
      party: await nameOf(line.party_id),
      partyKind: line.party_kind,
      statement: line.number,
      from: line.from_day,
      to: line.to_day,
      statementSha256: line.digest,
      line: line.line,
      day: line.day,
      kind: line.kind,
      amount: formatPrice(line.amount_minor, line.currency),
      fee: formatPrice(line.fee_minor, line.currency),
      tax: formatPrice(line.tax_minor, line.currency),
      currency: line.currency,
    })),
  )
}

function exceptionOf(one: Row<'exceptions'>) {
  return {
    id: one.id,
    kind: one.kind,
    state: one.state,
    opened: time(one.opened_at),
    reason: one.reason,
    evidence: JSON.parse(one.evidence_json),
    resolved: time(one.resolved_at),
    resolution: one.resolution,
    resolvedBy: one.resolved_by,
    resolutionReason: one.resolution_reason,
    resolutionEvidence: one.resolution_evidence,
  }
}
