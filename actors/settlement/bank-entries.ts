/** Lines of a bank's statement that are no party's: each kind with its posting, as one total table (protocol 15.9). */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { bankEntriesPage } from '../../persistence/queries/bank-entries.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import {
  type AccountRef,
  accountId,
  type Decision,
  type Row,
  row,
  type Write,
} from '../../persistence/store.ts'
import { choice, dryRun, type InputOf, optional, reason, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import { own } from '../orders/foreign-postings.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { bookedBefore, findBank, openStake, settledException } from './bank-lines.ts'
import {
  bookedMeanwhile,
  lineEntry,
  lineKey,
  unidentifiedId,
  unidentifiedWrites,
  type WrittenLine,
} from './receiving.ts'
import {
  amount,
  assertRoom,
  bank,
  bankReference,
  readAmount,
  readDay,
  readReference,
  valueDay,
} from './written.ts'

const kinds = [
  'charge',
  'interest',
  'tax_payment',
  'tax_refund',
  'capital',
  'unidentified',
  'sent_back',
] as const
type Kind = (typeof kinds)[number]

/** Against which of the operator's own accounts each is, and which way it may go. */
const kindRules: Record<Kind, { against: AccountRef['kind']; directions: readonly ('in' | 'out')[] }> = {
  charge: { against: 'fee', directions: ['out', 'in'] },
  interest: { against: 'fee', directions: ['in', 'out'] },
  tax_payment: { against: 'tax_collected', directions: ['out'] },
  tax_refund: { against: 'tax_credited', directions: ['in'] },
  capital: { against: 'equity', directions: ['in', 'out'] },
  unidentified: { against: 'suspense', directions: ['in', 'out'] },
  sent_back: { against: 'suspense', directions: ['out', 'in'] },
}

export interface BankEntryDocument {
  bank: string
  direction: 'out' | 'in'
  reference: string
  kind: string
  amount: string
  currency: string
  valueDay: string | null
  /** A payment, or an exception. */
  subject: string | null
  reason: string
  booked: string
  bookedBy: string
}

function entryDocument(entry: Row<'bank_entries'>): BankEntryDocument {
  const { bank: name, direction, reference, kind, currency, subject_id, value_day, booked_by } = entry
  return {
    bank: name,
    direction,
    reference,
    kind,
    amount: formatPrice(entry.amount_minor, currency),
    currency,
    valueDay: value_day,
    subject: subject_id,
    reason: entry.reason,
    booked: formatInstant(entry.booked_at),
    bookedBy: booked_by,
  }
}

export interface RecordedLine {
  dryRun: boolean
  line: BankEntryDocument
  /** The exception that it opens, or settles. */
  exception: string | null
  postings: ShownPosting[]
}

const recordFields = {
  kind: choice(kinds, {
    description: 'What it is.',
    option: ['--kind <kind>', 'what it is'],
    form: {
      label: 'What it is',
      choices: [
        ['charge', 'Bank charge'],
        ['interest', 'Interest'],
        ['tax_payment', 'Tax paid'],
        ['tax_refund', 'Tax given back'],
        ['capital', 'Capital put in or taken out'],
        ['unidentified', 'Not known whose it is'],
        ['sent_back', 'Unidentified money sent back'],
      ],
    },
  }),
  direction: optional(
    choice(['in', 'out'], {
      description: 'Which way the money went; unless given, the usual one of the kind.',
      option: ['--direction <way>', 'which way the money went, where it is not the usual one of the kind'],
      form: {
        label: 'Which way',
        choices: [
          ['in', 'It came'],
          ['out', 'It left'],
        ],
      },
    }),
  ),
  bank,
  reference: bankReference,
  amount,
  valueDay,
  exception: optional(
    text({
      description: 'For sent_back: the exception of the money that it returns.',
      option: ['--exception <id>', 'for sent_back: the exception of the money that it returns'],
      form: { label: 'Exception', hint: 'Of what is sent back: its id.', maxLength: 64 },
    }),
  ),
  reason: reason('Kept with it, and in the audit log.', {
    option: ['--reason <text>', 'what it is; kept with it'],
    form: { label: 'What it is, in words', hint: 'Kept with it.' },
  }),
  dryRun,
}

export const bankRecord = defineOperation({
  name: 'bank.record',
  summary: 'Book a line of a bank’s statement that is no party’s.',
  done: 'The line is booked.',
  fields: recordFields,
  isRead: false,
  concluded: ({ line, dryRun }: RecordedLine) =>
    `${line.kind} ${line.amount} ${line.currency}${dryRun ? ', only shown' : ''}`,
  async run(context, input): Promise<RecordedLine> {
    const line = await readLine(context, input, directionOf(input))
    if (input.kind === 'sent_back') return sendBack(context, line, input.exception)
    return record(context, line, input.kind)
  },
})

function directionOf({ kind, direction }: InputOf<typeof recordFields>): 'in' | 'out' {
  const { directions } = kindRules[kind]
  const usual = directions[0] ?? 'in'
  if (direction === undefined || directions.includes(direction)) return direction ?? usual
  throw new OperationError(
    'invalid',
    `direction: a ${kind.replaceAll('_', ' ')} goes ${usual}, not ${direction}.`,
  )
}

interface WrittenInput {
  bank: string
  reference: string
  amount: string
  valueDay?: string
  reason: string
  dryRun?: boolean
}

/** @throws OperationError for what is no line of that bank. */
export async function readLine(
  { store, operator }: OperationContext,
  input: WrittenInput,
  direction: 'in' | 'out',
): Promise<WrittenLine> {
  const found = await findBank(store, input.bank)
  return {
    bank: found,
    direction,
    reference: readReference(input.reference),
    amountMinor: readAmount('amount', input.amount, found.currency),
    valueDay: input.valueDay === undefined ? undefined : readDay('valueDay', input.valueDay),
    reason: input.reason,
    operator,
    dryRun: input.dryRun ?? false,
  }
}

/** @param hint of whoever it may be from */
export async function record(
  { store }: Pick<OperationContext, 'store'>,
  line: WrittenLine,
  kind: Exclude<Kind, 'sent_back'>,
  hint: string | null = null,
): Promise<RecordedLine> {
  const { bank: at, direction, amountMinor, dryRun } = line
  const { currency } = at
  const there: AccountRef = { kind: 'bank', ownerId: at.name, currency }
  const against = own(kindRules[kind].against, currency)
  const isUnidentified = kind === 'unidentified'
  const result = await store.step({
    rows: {
      there: row('accounts', { id: accountId(there) }),
      against: row('accounts', { id: accountId(against) }),
      before: row('bank_entries', lineKey(line)),
    },
    decide: (held, now): Decision<RecordedLine> => {
      if (held.before !== null) throw bookedBefore(held.before)
      assertRoom(amountMinor, held.there, held.against)
      const [debit, credit] = direction === 'in' ? [there, against] : [against, there]
      const exception = isUnidentified ? unidentifiedId(line) : null
      const entry = lineEntry(line, kind, exception, now)
      const moved: Write[] = isUnidentified
        ? unidentifiedWrites(line, now, hint)
        : [
            {
              post: {
                kind: `bank_${kind}`,
                debit,
                credit,
                amountMinor,
                orderId: null,
                reference: line.reference,
              },
            },
          ]
      const writes: Write[] = [{ insert: 'bank_entries', values: entry }, ...moved]
      const answer = recorded(line, entry, exception, writes)
      return dryRun ? { answer, writes: [] } : { answer, writes, wake: isUnidentified ? ['exceptions'] : [] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw bookedMeanwhile(line)
}

function recorded(
  line: WrittenLine,
  entry: Row<'bank_entries'>,
  exception: string | null,
  writes: readonly Write[],
): RecordedLine {
  const postings = shownPostings(writes, (owner) => (owner === line.bank.name ? owner : undefined))
  return { dryRun: line.dryRun, line: entryDocument(entry), exception, postings }
}

/** What waits in suspense leaves by the line that returns it; its exception is settled by that. */
async function sendBack(
  { store }: OperationContext,
  line: WrittenLine,
  exceptionId: string | undefined,
): Promise<RecordedLine> {
  const found = await findUnidentified(store, exceptionId)
  const { currency, name } = line.bank
  const result = await store.step({
    rows: {
      exception: row('exceptions', { id: found.id }),
      before: row('bank_entries', lineKey(line)),
    },
    decide: ({ exception, before }, at): Decision<RecordedLine> => {
      if (before !== null) throw bookedBefore(before)
      const stake = openStake(exception, found.id)
      const expected = stake.minor > 0n ? 'out' : 'in'
      const owed = stake.minor > 0n ? stake.minor : -stake.minor
      if (stake.currency !== currency || owed !== line.amountMinor || expected !== line.direction) {
        throw new OperationError(
          'refused',
          `What waits is ${formatPrice(owed, stake.currency)} ${stake.currency}, and goes ${expected}: send all of it back.`,
        )
      }
      const there = { kind: 'bank', ownerId: name, currency } as const
      const [debit, credit] =
        stake.minor > 0n ? [own('suspense', currency), there] : [there, own('suspense', currency)]
      const amountMinor = line.amountMinor
      const entry = lineEntry(line, 'sent_back', found.id, at)
      const post = { kind: 'bank_sent_back', debit, credit, amountMinor, orderId: null, reference: found.id }
      const writes: Write[] = [
        { insert: 'bank_entries', values: entry },
        { post },
        settledException(exception, line, 'sent_back', at),
      ]
      const answer = recorded(line, entry, found.id, writes)
      return line.dryRun ? { answer, writes: [] } : { answer, writes, wake: ['exceptions'] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw bookedMeanwhile(line)
}

/** @throws OperationError unless it is the exception of a bank's line. */
export async function findUnidentified(
  store: OperationContext['store'],
  id: string | undefined,
): Promise<Row<'exceptions'>> {
  const [exception] = id === undefined ? [] : await store.query(exceptionById, { id: id.toLowerCase() })
  if (exception?.kind === 'bank_unidentified') return exception
  throw new OperationError(
    'not_found',
    `exception: ${id ?? 'none'} is not one of unidentified money at a bank.`,
    {
      hint: 'exception list shows their ids.',
    },
  )
}

export const bankList = defineOperation({
  name: 'bank.list',
  summary: 'List what was booked of the banks’ statements, the newest first.',
  fields: {
    ...pageFields,
    bank: optional(text({ option: ['--bank <name>', 'only of this bank account'] })),
  },
  isRead: true,
  async run(
    { store },
    { bank: name, ...page },
  ): Promise<{ entries: BankEntryDocument[]; next: string | null }> {
    const { items, next } = await readPage<Row<'bank_entries'>>(
      page,
      (entry) => ({ at: entry.booked_at, id: entryId(entry) }),
      [(request) => store.query(bankEntriesPage({ bank: name }, request), {})],
    )
    return { entries: items.map(entryDocument), next }
  },
})

/** Without blanks, as cursors have it. */
function entryId({ bank: name, direction, reference }: Row<'bank_entries'>): string {
  return [name, direction, reference].map(encodeURIComponent).join('/')
}
