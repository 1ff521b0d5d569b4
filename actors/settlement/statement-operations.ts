/** What an operator may ask about statements, and closing one by hand. */
import { formatInstant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import {
  allocationsOfStatement,
  countryOfParty,
  statementsPage,
  sumsOfStatement,
} from '../../persistence/queries/statement-pages.ts'
import { linesAfter, lostNumbersOf, statementByNumber } from '../../persistence/queries/statements.ts'
import { settlementTermsIn } from '../../persistence/queries/terms.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import { settlementStoppedFact } from '../anchors/restore-watch.ts'
import type { ClockContext } from '../condition/clock-operations.ts'
import { auditReason, choice, flag, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import type { OrderContext } from '../orders/operations.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { type ClosingPlan, closeDay, planClosing, readClosing, sweepWrites } from './closing.ts'
import { clockInDoubt, dayToClose } from './closing-days.ts'
import { fundFirst } from './closing-worker.ts'
import { accountOf, type Holder } from './position.ts'
import { setOff } from './set-off.ts'
import {
  type StatementAllocation,
  type StatementLine,
  type StatementSum,
  type StatementSummary,
  signed,
  statementAllocation,
  statementLine,
  statementSum,
  statementSummary,
} from './statement-documents.ts'
import { readDay } from './written.ts'

const party = text({ description: "The party's name.", minLength: 1, form: { label: 'Party' } })
const currency = text({
  pattern: '^[A-Z]{3}$',
  option: ['--currency <currency>', 'for example MXN'],
  form: { label: 'Currency' },
})

export interface StatementList {
  statements: StatementSummary[]
  /** Numbers of one party that a restore has lost: they were given, and are never given again. */
  lost: { currency: string; number: number; recorded: string }[]
  next: string | null
}

/** What statements may be listed by. */
export const listedStates = ['open', 'overdue', 'settled', 'closing', 'sealed'] as const

const toDay = (option: readonly [string, string], label: string) =>
  optional(text({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', option, form: { label, maxLength: 10 } }))

export const statementList = defineOperation({
  name: 'statement.list',
  summary: 'List the statements of a party, or of all, the latest closed first.',
  fields: {
    party: optional(text({ description: "The party's name.", minLength: 1 })),
    kind: partyKind,
    currency: optional(
      text({ pattern: '^[A-Z]{3}$', option: ['--currency <currency>', 'only those in it, for example MXN'] }),
    ),
    state: optional(
      choice(listedStates, {
        description: 'open: something is left of what it asks for; overdue: since before today (UTC).',
        option: ['--state <state>', 'only these: something is left of an open one, nothing of a settled one'],
      }),
    ),
    from: toDay(['--from <day>', 'only those whose last day is this one or later'], 'Last day from'),
    to: toDay(['--to <day>', 'only those whose last day is this one or earlier'], 'Last day to'),
    ...pageFields,
  },
  arguments: ['party'],
  isRead: true,
  async run({ store, clock }: OrderContext, input): Promise<StatementList> {
    const { party: name, kind, currency: of, state, from, to, ...page } = input
    const partyId = name === undefined ? undefined : (await findParty(store, name, kind)).id
    const filter = {
      partyId,
      kind,
      currency: of,
      from: from === undefined ? undefined : readDay('from', from),
      to: to === undefined ? undefined : readDay('to', to),
      ...(state === 'overdue' ? { overdueOn: formatInstant(clock.now()).slice(0, 10) } : { state }),
    }
    const { items, next } = await readPage<Row<'statements'> & { name: string }>(
      page,
      ({ closed_at: at, party_id, currency, number }) => ({
        at,
        id: `${party_id}/${currency}/${String(number).padStart(9, '0')}`,
      }),
      [(request) => store.query(statementsPage(filter, request), {})],
    )
    const lost = partyId === undefined ? [] : await store.query(lostNumbersOf, { partyId })
    return {
      statements: items.map((one) => statementSummary(one, one.name)),
      lost: lost.map((one) => ({
        currency: one.currency,
        number: one.number,
        recorded: formatInstant(one.recorded_at),
      })),
      next,
    }
  },
})

export interface StatementDocument extends StatementSummary {
  /** Of the party in this currency, where it has one: `MX`. */
  country: string | null
  /** In whose days it counts, as the terms are now. */
  timeZone: string
  sums: StatementSum[]
  /** The first 500. */
  settled: StatementAllocation[]
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
    const { statement: found, key, name } = await findStatement(store, input)
    const lines = await store.query(linesAfter, { ...key, line: after, limit: limit + 1 })
    const page = lines.slice(0, limit)
    const { currency: of } = found
    const [terms] = await store.query(settlementTermsIn, key)
    const [country] = await store.query(countryOfParty, key)
    return {
      ...statementSummary(found, name),
      country: country?.country ?? null,
      timeZone: terms?.time_zone ?? 'UTC',
      sums: (await store.query(sumsOfStatement, key)).map((sum) => statementSum(sum, of)),
      settled: (await store.query(allocationsOfStatement, { ...key, limit: allocationsShown })).map((one) =>
        statementAllocation(one, of),
      ),
      entries: page.map(statementLine),
      next: lines.length > limit ? (page.at(-1)?.line ?? null) : null,
    }
  },
})

const allocationsShown = 500

export interface Named {
  party: string
  kind?: 'merchant' | 'provider'
  currency: string
  number: string
}

/** @throws OperationError when there is none. */
export async function findStatement(
  store: Store,
  { party: written, kind, currency: of, number }: Named,
): Promise<{
  statement: Row<'statements'>
  key: { partyId: string; currency: string; number: number }
  name: string
}> {
  const { id: partyId, name } = await findParty(store, written, kind)
  const key = { partyId, currency: of, number: Number(number) }
  const [statement] = await store.query(statementByNumber, key)
  if (statement !== undefined) return { statement, key, name }
  throw new OperationError('not_found', `${name} has no statement ${number} in ${of}.`, {
    hint: `statement list "${name}" shows them.`,
  })
}

export interface ClosingDocument {
  party: string
  kind: 'merchant' | 'provider'
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
    /** What is booked with it, or would be. */
    postings: ShownPosting[]
  } | null
}

export const statementClose = defineOperation({
  name: 'statement.close',
  summary: "Close a party's account up to now: today's day ends with it.",
  done: 'The days are closed.',
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
  async run(context: OrderContext & ClockContext, input): Promise<ClosingDocument> {
    const { store, orders, clock, clockWatch } = context
    const { id: partyId, kind, name } = await findParty(store, input.party, input.kind)
    const holder: Holder = { partyId, kind, currency: input.currency }
    const dryRun = input.dryRun ?? false
    const day = await dayToClose(store, holder, clock.now())
    const shown = (plan: ClosingPlan | null): ClosingDocument => ({
      party: name,
      kind,
      currency: input.currency,
      day,
      dryRun,
      statement: plan === null ? null : planDocument(plan, holder, name),
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
    // What is closed stays closed: by a clock that is wrong days would end that have not begun (protocol 15.10).
    if ((await clockWatch.show()).state === 'in_doubt') throw clockInDoubt()
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

function planDocument(plan: ClosingPlan, holder: Holder, name: string) {
  const { currency: of } = holder
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
    postings: shownPostings(sweepWrites(holder, plan), () => name),
  }
}

export const settlementResume = defineOperation({
  name: 'settlement.resume',
  summary: 'Close days and order payments again, after a restore has stopped both.',
  done: 'Days are closed and payments ordered again.',
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
