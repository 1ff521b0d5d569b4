/** What happened, read with the facts that may be told of it: from the rows that the steps have left in the outbox. */
import { currencyName, formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { approvalByNumber, askedApprovals } from '../../persistence/queries/approvals.ts'
import { exceptionsById, openOfKind } from '../../persistence/queries/notifications.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { ownerOfKey } from '../../persistence/queries/provisioning.ts'
import { statementByNumber } from '../../persistence/queries/statements.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { approvalSummary } from '../approvals/documents.ts'
import { isExceptionKind } from '../exceptions/kinds.ts'
import { statementSummary } from '../settlement/statement-documents.ts'
import type { Rule } from './channels.ts'
import type { Happened } from './events.ts'
import type { Occurrence } from './topics.ts'

type Event = Row<'notification_events'>

/** A condition that lasts, as its watch has found it. */
export type Level = Happened & {
  /** Its topic. */
  id: string
  partyId: string
  /** The rule that asked for it, where no other one is told of it. */
  rule: string | null
}

/** What an event tells; nothing where what it was about is gone, or is not over yet. */
export async function occurrenceOf(
  store: Pick<Store, 'query'>,
  event: Event,
): Promise<(Occurrence & { rule: string | null }) | null> {
  const { source, subject, happened_at: at } = event
  switch (source) {
    case 'exception.opened':
    case 'exception.resolved':
      return ofException(store, subject, source === 'exception.opened', at)
    case 'statement.sealed': {
      const { currency, number }: { currency: string; number: number } = JSON.parse(event.facts_json)
      return ofStatement(store, { partyId: subject, currency, number }, at)
    }
    case 'session.begun': {
      const { address }: { address: string } = JSON.parse(event.facts_json)
      const facts = { operator: subject, address }
      // Whoever signs in again and again from one place is told of once, and counted.
      const topic = `sign_in.new ${subject} ${address}`
      return { event: 'sign_in.new', facts, topic, phase: 'once', partyId: '', at, rule: null }
    }
    case 'key.added': {
      const [owner] = await store.query(ownerOfKey, { key: subject })
      if (owner === undefined) return null
      const facts = { party: owner.name, kind: owner.kind, key: subject }
      return {
        ...{ event: 'key.added', facts, topic: `key.added ${subject}`, phase: 'once' },
        ...{ partyId: owner.id, at, rule: null },
      }
    }
    case 'account.changed': {
      const { currency, from }: { currency: string; from: Instant | null } = JSON.parse(event.facts_json)
      const [party] = await store.query(partyById, { id: subject })
      if (party === undefined) return null
      const { name, kind } = party
      return {
        event: 'account.changed',
        facts: { party: name, kind, currency, from: from === null ? null : formatInstant(from) },
        topic: `account.changed ${subject} ${currency} ${at}`,
        ...{ phase: 'once', partyId: subject, at, rule: null },
      }
    }
    case 'approval.asked':
    case 'approval.settled':
      return ofApproval(store, Number(subject), source === 'approval.asked', at)
    case 'level.on':
    case 'level.over': {
      const { id: topic, ...level }: Level = JSON.parse(event.facts_json)
      return { ...level, topic, phase: source === 'level.on' ? 'on' : 'over', at }
    }
    default:
      throw new Error(`Nothing is told of ${source}.`)
  }
}

/** Exceptions of a kind are one thing: it is over once none of them is open. */
async function ofException(store: Pick<Store, 'query'>, id: string, isOpened: boolean, at: number) {
  const [found] = await store.query(exceptionsById, { id })
  if (found === undefined || !isExceptionKind(found.kind)) return null
  if (!isOpened && (await store.query(openOfKind, { kind: found.kind })).length > 0) return null
  const { kind, order_id: order, chain, amount, asset, merchant } = found
  const phase = isOpened ? ('on' as const) : ('over' as const)
  const about = { phase, partyId: found.merchant_id ?? '', at, rule: null }
  if (kind === 'webhook_dead') {
    const facts = { exception: id, order, merchant: merchant ?? '' }
    return { event: 'webhook.dead' as const, facts, topic: 'webhook.dead', ...about }
  }
  const facts = { kind, exception: id, order, amount, asset, chain }
  return { event: 'exception.opened' as const, facts, topic: `exception.opened ${kind}`, ...about }
}

/** What waits for a second person is one thing: it is over once nothing waits. */
async function ofApproval(store: Pick<Store, 'query'>, number: number, isAsked: boolean, at: number) {
  const [approval] = await store.query(approvalByNumber, { number })
  if (approval === undefined) return null
  if (!isAsked && Number((await store.query(askedApprovals, {}))[0]?.count ?? 0) > 0) return null
  const { operation, moves, askedBy, isPerson } = approvalSummary(approval)
  const facts = {
    approval: number,
    operation,
    moves: moves.map(({ amount, currency }) => `${amount} ${currencyName(currency)}`),
    askedBy: isPerson ? askedBy : null,
  }
  const phase = isAsked ? ('on' as const) : ('over' as const)
  return {
    event: 'approval.asked' as const,
    facts,
    topic: 'approval.asked',
    phase,
    partyId: '',
    at,
    rule: null,
  }
}

async function ofStatement(
  store: Pick<Store, 'query'>,
  key: { partyId: string; currency: string; number: number },
  at: number,
): Promise<(Occurrence & { rule: string | null }) | null> {
  const [statement] = await store.query(statementByNumber, key)
  const [party] = await store.query(partyById, { id: key.partyId })
  if (statement === undefined || party === undefined) return null
  const { from, to, closing, due, dueOn } = statementSummary(statement, party.name)
  const { currency, number } = key
  return {
    event: 'statement.closed',
    facts: { party: party.name, kind: party.kind, currency, number, from, to, closing, due, dueOn },
    topic: `statement.closed ${key.partyId} ${currency} ${number}`,
    ...{ phase: 'once', partyId: key.partyId, at, rule: null },
  }
}

/** Whether a rule is told of it. */
export function isTold(
  rule: Rule,
  { event, partyId, rule: asked }: Occurrence & { rule: string | null },
): boolean {
  if (asked !== null) return rule.name === asked
  return rule.events.includes(event) && (rule.partyId === null || rule.partyId === partyId)
}

/** An amount as it is told, `1,000.00` never: digits and a point. */
export function amountOf(minor: bigint, currency: string): string {
  return minor < 0n ? `-${formatPrice(-minor, currency)}` : formatPrice(minor, currency)
}
