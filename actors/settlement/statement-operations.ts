/** What an operator may ask about statements, and closing one by hand. */
import { formatInstant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import {
  linesAfter,
  lostNumbersOf,
  statementByNumber,
  statementsOfParty,
} from '../../persistence/queries/statements.ts'
import { settlementTermsIn } from '../../persistence/queries/terms.ts'
import { row, type Store } from '../../persistence/store.ts'
import { settlementStoppedFact } from '../anchors/restore-watch.ts'
import { auditReason, flag, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { OrderContext } from '../orders/operations.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { dayOf } from '../terms/days.ts'
import { closeDay, planClosing, readClosing } from './closing.ts'
import { fundFirst } from './closing-worker.ts'
import { accountOf, type Holder } from './position.ts'
import { setOff } from './set-off.ts'
import {
  type StatementLine,
  type StatementSummary,
  signed,
  statementLine,
  statementSummary,
} from './statement-documents.ts'

const party = text({ description: "The party's name.", minLength: 1 })
const currency = text({
  pattern: '^[A-Z]{3}$',
  option: ['--currency <currency>', 'for example MXN'],
  form: { label: 'Currency' },
})
const statementsShown = 1000

export interface StatementList {
  statements: StatementSummary[]
  /** Numbers that a restore has lost: they were given, and are never given again. */
  lost: { currency: string; number: number; recorded: string }[]
}

export const statementList = defineOperation({
  name: 'statement.list',
  summary: 'List the statements of a party, the latest closed first.',
  fields: {
    party,
    kind: partyKind,
    limit: optional(
      wholeNumber({
        minimum: 1,
        maximum: statementsShown,
        option: ['--limit <number>', 'at most so many (100)'],
      }),
    ),
  },
  arguments: ['party'],
  isRead: true,
  async run({ store }: OrderContext, { party: name, kind, limit = 100 }): Promise<StatementList> {
    const { id: partyId } = await findParty(store, name, kind)
    const found = await store.query(statementsOfParty, { partyId, limit })
    const lost = await store.query(lostNumbersOf, { partyId })
    return {
      statements: found.map((one) => statementSummary(one, one.name)),
      lost: lost.map((one) => ({
        currency: one.currency,
        number: one.number,
        recorded: formatInstant(one.recorded_at),
      })),
    }
  },
})

export interface StatementDocument extends StatementSummary {
  entries: StatementLine[]
  /** The line behind which the next page begins; null where there is none. */
  next: number | null
}

export const statementShow = defineOperation({
  name: 'statement.show',
  summary: 'Show a statement with its lines, a page at a time.',
  fields: {
    party,
    number: text({ description: 'Of the statement.', pattern: '^[1-9]\\d{0,8}$' }),
    currency,
    kind: partyKind,
    after: optional(
      wholeNumber({
        description: 'Lines behind this one.',
        minimum: 0,
        option: ['--after <line>', 'lines behind this one'],
      }),
    ),
    limit: optional(
      wholeNumber({
        minimum: 1,
        maximum: 1000,
        option: ['--limit <number>', 'at most so many lines (1000)'],
      }),
    ),
  },
  arguments: ['party', 'number'],
  isRead: true,
  async run({ store }: OrderContext, input): Promise<StatementDocument> {
    const { after = 0, limit = 1000 } = input
    const { id: partyId, name } = await findParty(store, input.party, input.kind)
    const key = { partyId, currency: input.currency, number: Number(input.number) }
    const [found] = await store.query(statementByNumber, key)
    if (found === undefined) {
      throw new OperationError(
        'not_found',
        `${name} has no statement ${input.number} in ${input.currency}.`,
        {
          hint: `statement list "${name}" shows them.`,
        },
      )
    }
    const lines = await store.query(linesAfter, { ...key, line: after, limit: limit + 1 })
    const page = lines.slice(0, limit)
    return {
      ...statementSummary(found, name),
      entries: page.map(statementLine),
      next: lines.length > limit ? (page.at(-1)?.line ?? null) : null,
    }
  },
})

export interface ClosingDocument {
  party: string
  currency: string
  day: string
  dryRun: boolean
  /** Null where no line came since the last one. */
  statement: {
    number: number
    from: string
    to: string
    opening: string
    closing: string
    due: string
    dueOn: string | null
    swept: string
    lines: number
  } | null
}

export const statementClose = defineOperation({
  name: 'statement.close',
  summary: "Close a party's account up to now: today's day ends with it.",
  fields: {
    party,
    currency,
    kind: partyKind,
    dryRun: optional(
      flag({
        description: 'Say what it would be, and close nothing.',
        option: ['--dry-run', 'say what it would be'],
      }),
    ),
  },
  arguments: ['party'],
  isRead: false,
  async run({ store, orders, clock }: OrderContext, input): Promise<ClosingDocument> {
    const { id: partyId, kind, name } = await findParty(store, input.party, input.kind)
    const holder: Holder = { partyId, kind, currency: input.currency }
    const dryRun = input.dryRun ?? false
    const day = await runningDay(store, holder, clock.now())
    const shown = (plan: ReturnType<typeof planClosing>): ClosingDocument => ({
      party: name,
      currency: input.currency,
      day,
      dryRun,
      statement: plan === null ? null : planDocument(plan, input.currency),
    })
    const known = await readClosing(store, holder, day)
    if (known.book !== null && known.book.closed_day >= day) {
      throw new OperationError(
        'refused',
        `${name}: ${known.book.closed_day} is closed in ${input.currency} already.`,
        {
          hint: 'What comes now belongs to the next day, which can be closed once it has begun.',
        },
      )
    }
    if (dryRun) {
      const available = known.boundaries.find(({ account }) => account === accountOf(holder, 'available'))
      return shown(planClosing(known, available?.balanceMinor ?? 0n))
    }
    if (kind === 'merchant') await fundFirst(store, holder, orders)
    const closed = await closeDay(store, holder, day)
    if (!closed.ok) throw closingRefused(name, closed.reason)
    if (closed.plan !== null) await setOff(store, holder)
    return shown(closed.plan)
  },
})

function closingRefused(name: string, reason: 'overtaken' | 'stopped' | 'closed_already'): OperationError {
  if (reason === 'stopped') {
    return new OperationError('refused', 'Nothing is closed since a backup was restored.', {
      hint: 'Book what banks and networks report since the backup, then: settlement resume',
    })
  }
  return new OperationError('conflict', `Somebody else has just closed the account of ${name}.`, {
    hint: `statement list "${name}" shows it.`,
  })
}

async function runningDay(store: Store, { partyId, currency: of }: Holder, now: number): Promise<string> {
  const [terms] = await store.query(settlementTermsIn, { partyId, currency: of })
  const rule = terms
    ? { timeZone: terms.time_zone, cutOff: terms.cut_off }
    : { timeZone: 'UTC', cutOff: '24:00' }
  return dayOf(now, rule)
}

function planDocument(plan: NonNullable<ReturnType<typeof planClosing>>, of: string) {
  return {
    number: plan.number,
    from: plan.fromDay,
    to: plan.toDay,
    opening: signed(plan.openingMinor, of),
    closing: signed(plan.closingMinor, of),
    due: signed(plan.dueMinor, of),
    dueOn: plan.dueOn,
    swept: signed(plan.sweptMinor, of),
    lines: plan.lineCount,
  }
}

export const settlementResume = defineOperation({
  name: 'settlement.resume',
  summary: 'Close days and order payments again, after a restore has stopped both.',
  fields: { reason: auditReason },
  isRead: false,
  async run({ store }: OrderContext): Promise<{ wasStoppedSince: string }> {
    const [fact] = await store.query(factByName, { name: settlementStoppedFact })
    if (fact === undefined) throw new OperationError('conflict', 'Settlement is not stopped.')
    const key = { name: settlementStoppedFact }
    await store.step({
      rows: { fact: row('facts', key) },
      decide: ({ fact: held }) => ({
        answer: null,
        writes: held === null ? [] : [{ delete: 'facts', key }],
      }),
    })
    return { wasStoppedSince: formatInstant(Number(fact.value)) }
  },
})
