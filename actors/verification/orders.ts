/** What an order's rows say of each other: its journal, its snapshot, its webhooks, its place in the queue. */
import { charts, isChartName } from '../../machines/index.ts'
import { formatPrice } from '../../machines/money.ts'
import { publicStatus } from '../../machines/order.ts'
import { isOpen } from '../../machines/statuses.ts'
import { formatInstant } from '../../machines/time.ts'
import { loadSnapshot } from '../../persistence/snapshots.ts'
import { columnsOf } from '../orders/advance.ts'
import { foreignAgreement } from '../orders/creation.ts'
import { costOf, feeAgreement } from '../orders/fees.ts'
import { chainHash } from '../orders/journal.ts'
import { foreignProblems } from './foreign-money.ts'
import type { OrderFacts } from './order-facts.ts'

/** What is wrong with an order's journal: an entry that was changed, taken away, or put in. */
export function journalProblems({ order, journal }: OrderFacts, journalKey: string): string[] {
  const problems: string[] = []
  let head = ''
  for (const [index, { hash, ...entry }] of journal.entries()) {
    if (entry.sequence !== index + 1) {
      problems.push(`entry ${index + 1} of its journal is missing`)
      break
    }
    if (chainHash(journalKey, head, entry) !== hash) {
      problems.push(`entry ${entry.sequence} of its journal does not follow from the one before`)
      break
    }
    head = hash
  }
  if (problems.length > 0) return problems
  if (journal.length !== order.journal_count)
    problems.push(`its journal has ${journal.length} entries, not ${order.journal_count}`)
  else if (head !== order.journal_head) problems.push('its journal does not end as the order says')
  return problems
}

/** What is wrong with an order's own row, against its snapshot and what its journal tells. */
export function orderProblems(facts: OrderFacts): string[] {
  const { order, journal, requests } = facts
  const problems = [
    ...snapshotProblems(order),
    ...creationProblems(facts),
    ...storyProblems({ order, journal }),
    ...foreignProblems(facts),
  ]
  const isWaiting = order.machine === 'payOutLocal' && order.status === 'CREATED'
  const [request] = requests
  if (requests.length !== (isWaiting ? 1 : 0))
    problems.push(`it is ${order.status} and waits for funds ${requests.length} times`)
  else if (
    request &&
    (request.merchant_id !== order.merchant_id ||
      request.currency !== order.currency ||
      request.price_minor !== costOf(order))
  )
    problems.push('it waits for the funds of another order')
  return problems
}

function snapshotProblems(order: OrderFacts['order']): string[] {
  if (!isChartName(order.machine)) return [`it follows an unknown chart: ${order.machine}`]
  try {
    const stored = { machine: order.machine, version: order.machine_version, text: order.snapshot }
    const { value, context } = loadSnapshot(order.machine, charts[order.machine], stored.version, stored.text)
    const status = publicStatus(value)
    if (status === null) return [`its snapshot is in no public status: ${JSON.stringify(value)}`]
    const expected = columnsOf({ ok: true, status, context, effects: [], stored })
    const problems = Object.entries(expected)
      .filter(([column, expectedValue]) => order[column as keyof typeof expected] !== expectedValue)
      .map(([column]) => `its ${column} is not what its snapshot says`)
    if (context.price !== order.price_minor.toString() || context.currency !== order.currency)
      problems.push('its price is not what its snapshot says')
    return problems
  } catch (error) {
    return [`its snapshot cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** What was agreed on at the creation is in the journal, which nobody can change without its key. */
function creationProblems({
  order,
  journal,
  foreign,
}: Pick<OrderFacts, 'order' | 'journal' | 'foreign'>): string[] {
  const [first] = journal
  // That it is missing, or that it was changed, is for the check of the journal to say.
  if (first === undefined || first.sequence !== 1) return []
  const fee = feeAgreement(order)
  const agreed = {
    type: 'order.create',
    price: formatPrice(order.price_minor, order.currency),
    currency: order.currency,
    expiry: formatInstant(order.expiry_at),
    merchantOrderId: order.merchant_order_id,
    ...(fee === undefined ? {} : { fee }),
    ...(order.refund_of === null ? {} : { refundOf: order.refund_of }),
    ...(foreign === null ? {} : { foreign: foreignAgreement(foreign) }),
  }
  if (first.event_json === JSON.stringify(agreed)) return []
  return [
    'its price, fee, currency, expiry, merchant_order_id, refund_of or foreign side is not what it was created with',
  ]
}

/** The accepted entries lead from status to status to the present one, one for each revision. */
function storyProblems({ order, journal }: Pick<OrderFacts, 'order' | 'journal'>): string[] {
  const accepted = journal.filter((entry) => entry.outcome === 'accepted')
  let status: string | null = null
  for (const entry of accepted) {
    if (entry.from_status !== status)
      return [`entry ${entry.sequence} of its journal leads on from ${entry.from_status}, not from ${status}`]
    status = entry.to_status
  }
  const problems: string[] = []
  if (status !== order.status) problems.push(`it is ${order.status}, and its journal ends with ${status}`)
  if (accepted.length !== order.revision)
    problems.push(`it has revision ${order.revision}, and ${accepted.length} accepted events`)
  if (journal.length - accepted.length > order.refusals)
    problems.push(`it counts ${order.refusals} refusals, and its journal has more`)
  return problems
}

/** A finished order has exactly one final webhook, its last; one that is open has none. */
export function webhookProblems({ order, webhooks }: OrderFacts): string[] {
  const problems: string[] = []
  if (webhooks.length !== order.webhook_count || webhooks.some((hook, index) => hook.sequence !== index + 1))
    problems.push(`it has ${webhooks.length} webhooks, not the ${order.webhook_count} it counts`)
  const finals = webhooks.filter((webhook) => webhook.is_final === 1)
  const expected = isOpen(order.status) ? 0 : 1
  if (finals.length !== expected)
    problems.push(`it is ${order.status}, and has ${finals.length} final webhooks`)
  else if (finals.some((final) => final.order_status !== order.status || final !== webhooks.at(-1)))
    problems.push(`it is ${order.status}, and its final webhook does not say so at the end`)
  return problems
}
