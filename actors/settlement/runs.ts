/**
 * Payments that are ordered together. A run is there before its first payment, and each payment is a step of its own: after a kill
 * in the middle the same run goes on, and a party that it has ordered for is passed by (protocol 15.8).
 */
import { createHash } from 'node:crypto'
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { openRuns, paymentsInFile, runById } from '../../persistence/queries/payments.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { csvHead, csvRows } from '../foundation/csv-table.ts'
import { auditReason, flag, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { anchorOrdered, assertAnchored, type PaymentContext } from './anchored.ts'
import { findBank } from './bank-lines.ts'
import { type DueParty, readDue } from './due.ts'
import { orderPayment } from './ordering.ts'
import type { PaymentChange } from './payment-documents.ts'
import { assertRunning, stopRow } from './stopping.ts'
import { bank, readDay } from './written.ts'

export interface RunDocument {
  id: string
  bank: string
  currency: string
  day: string
  created: string
  createdBy: string
  completed: string | null
  exported: string | null
  /** SHA-256 of its file. */
  digest: string | null
}

export interface DueDocument {
  day: string
  due: Omit<DueParty, 'partyId' | 'payMinor'>[]
  /** The run that was ordered, or gone on with; null where only looked. */
  run: RunDocument | null
  /** What it has ordered now; what it had ordered before is not among them. */
  ordered: PaymentChange[]
  /** What it could not order, and why: the others are ordered all the same. */
  problems: { party: string; problem: string }[]
  /** Runs that were cut off. */
  unfinished: RunDocument[]
  dryRun: boolean
}

function runDocument(run: Row<'payment_runs'>): RunDocument {
  const instant = (at: number | null) => (at === null ? null : formatInstant(at))
  return {
    id: run.id,
    bank: run.bank,
    currency: run.currency,
    day: run.due_day,
    created: formatInstant(run.created_at),
    createdBy: run.created_by,
    completed: instant(run.completed_at),
    exported: instant(run.exported_at),
    digest: run.file_digest,
  }
}

const dueOn = optional(
  text({
    description: 'What is due up to this day; unless given, today (UTC).',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    option: ['--on <day>', 'what is due up to this day, for example 2026-12-01 (today, UTC)'],
    form: { label: 'Due up to', hint: 'Today (UTC), unless it is given: 2026-12-01', maxLength: 10 },
  }),
)

/** What `payment due` shows, for pages: looking is not audited. */
export const paymentOutstanding = defineOperation({
  name: 'payment.outstanding',
  summary: 'Show what is due, to whom, and which runs were cut off.',
  fields: { on: dueOn },
  isRead: true,
  async run({ store, clock }, { on }): Promise<Pick<DueDocument, 'day' | 'due' | 'unfinished'>> {
    const now = clock.now()
    const day = on === undefined ? formatInstant(now).slice(0, 10) : readDay('on', on)
    const due: DueDocument['due'] = []
    for await (const { partyId: _, payMinor: __, ...shown } of readDue(store, day, now)) due.push(shown)
    return { day, due, unfinished: (await store.query(openRuns, {})).map(runDocument) }
  },
})

export const paymentDue = defineOperation({
  name: 'payment.due',
  summary: 'Show what is due, to whom; with --order, order all of it that one bank account can pay.',
  fields: {
    on: dueOn,
    order: optional(
      flag({
        description: 'Order it, as one run.',
        option: ['--order', 'order it, as one run; needs --bank'],
      }),
    ),
    bank: optional(bank),
    run: optional(
      text({
        description: 'Go on with this run, which was cut off.',
        maxLength: 64,
        option: ['--run <id>', 'go on with this run, which was cut off'],
      }),
    ),
    dryRun: optional(
      flag({
        description: 'With order: show what would be booked, and book nothing.',
        option: ['--dry-run', 'with --order: show what would be booked, and book nothing'],
      }),
    ),
  },
  isRead: false,
  concluded: ({ run, ordered }: DueDocument) =>
    run === null ? 'looked' : `run ${run.id}: ${ordered.length} payments ordered`,
  async run(
    context: PaymentContext,
    { on, order = false, bank: name, run: runId, dryRun = false },
  ): Promise<DueDocument> {
    const { store, clock } = context
    const now = clock.now()
    const started = order ? await startRun(context, { on, name, runId, dryRun }) : null
    const day = started?.due_day ?? (on === undefined ? formatInstant(now).slice(0, 10) : readDay('on', on))
    const document: DueDocument = {
      day,
      due: [],
      run: null,
      ordered: [],
      problems: [],
      unfinished: [],
      dryRun,
    }
    for await (const due of readDue(store, day, now)) {
      const { partyId, payMinor, ...shown } = due
      document.due.push(shown)
      if (started === null || started.currency !== due.currency || due.problem !== null) continue
      await orderDue(context, { started, partyId, dryRun, document })
    }
    if (started !== null && !dryRun) await anchorOrdered(context)
    if (started !== null) document.run = runDocument(dryRun ? started : await complete(store, started.id))
    document.unfinished = (await store.query(openRuns, {})).map(runDocument)
    return document
  },
})

async function orderDue(
  { store, operator }: OperationContext,
  about: { started: Row<'payment_runs'>; partyId: string; dryRun: boolean; document: DueDocument },
): Promise<void> {
  const { started, partyId, dryRun, document } = about
  if (started.completed_at !== null) return
  const [party] = await store.query(partyById, { id: partyId })
  if (party === undefined) throw new Error(`Party ${partyId} is gone.`)
  const { bank: name, currency } = started
  try {
    const ordered = await orderPayment(store, {
      party,
      currency,
      amountMinor: null,
      bank: { name, currency },
      run: started,
      operator,
      reason: `run ${started.id}`,
      dryRun,
    })
    if (ordered.outcome === 'ordered') document.ordered.push(ordered.change)
  } catch (error) {
    // What changed since it was looked at is that party's matter alone; a stop is everybody's.
    if (!(error instanceof OperationError) || error.message.startsWith('Settlement is stopped')) throw error
    document.problems.push({ party: party.name, problem: error.message })
  }
}

interface Starting {
  on: string | undefined
  name: string | undefined
  runId: string | undefined
  dryRun: boolean
}

/** The run that goes on, or a new one; of a dry run it is not stored. */
async function startRun(
  { store, operator, clock }: OperationContext,
  { on, name, runId, dryRun }: Starting,
): Promise<Row<'payment_runs'>> {
  if (runId !== undefined) return findRun(store, runId)
  if (name === undefined) {
    throw new OperationError('invalid', 'bank: from which bank account is it paid?', {
      hint: 'Name it: --bank NAME',
    })
  }
  const { currency } = await findBank(store, name)
  const due_day = on === undefined ? formatInstant(clock.now()).slice(0, 10) : readDay('on', on)
  const result = await store.step({
    rows: { stop: stopRow },
    decide: ({ stop }, at): Decision<Row<'payment_runs'>> => {
      assertRunning(stop)
      const values: Row<'payment_runs'> = {
        id: timeOrderedId(at),
        bank: name,
        currency,
        due_day,
        created_at: at,
        created_by: operator,
        completed_at: null,
        exported_at: null,
        exported_by: null,
        file_digest: null,
        revision: 1,
      }
      return { answer: values, writes: dryRun ? [] : [{ insert: 'payment_runs', values }] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`A run violated ${result.constraint}.`)
}

/** @throws OperationError when there is none. */
async function findRun(store: Store, id: string): Promise<Row<'payment_runs'>> {
  const [run] = await store.query(runById, { id: id.toLowerCase() })
  if (run !== undefined) return run
  throw new OperationError('not_found', `There is no run ${id}.`, {
    hint: 'payment due shows those that were cut off.',
  })
}

async function complete(store: Store, id: string): Promise<Row<'payment_runs'>> {
  const result = await store.step({
    rows: { run: row('payment_runs', { id }) },
    decide: ({ run }, at): Decision<Row<'payment_runs'>> => {
      if (run === null) throw new Error(`Run ${id} is gone.`)
      if (run.completed_at !== null) return { answer: run, writes: [] }
      const set = { completed_at: at, revision: run.revision + 1 }
      return { answer: { ...run, ...set }, writes: [{ update: 'payment_runs', key: { id }, set }] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`Run ${id} violated ${result.constraint}.`)
}

export interface ExportedRun extends RunDocument {
  payments: number
  total: string
  /** CSV, the same each time. */
  file: string
}

export const paymentExport = defineOperation({
  name: 'payment.export',
  summary: 'Make the file of a run for the bank: the same file each time, byte for byte.',
  fields: { run: text({ description: "A run's id.", minLength: 1 }), reason: optional(auditReason) },
  arguments: ['run'],
  isRead: false,
  concluded: ({ payments, digest }: ExportedRun) => `${payments} payments, SHA-256 ${digest}`,
  async run(context: PaymentContext, { run: id }): Promise<ExportedRun> {
    const { store, operator } = context
    const seen = await findRun(store, id)
    const inFile = () => store.query(paymentsInFile, { runId: seen.id })
    let payments = await inFile()
    if (payments.some(({ anchored_at }) => anchored_at === null)) {
      await anchorOrdered(context)
      payments = await inFile()
    }
    for (const payment of payments) assertAnchored(payment)
    const file = fileOf(payments)
    const digest = createHash('sha256').update(file).digest('hex')
    const result = await store.step({
      rows: { run: row('payment_runs', { id: seen.id }) },
      decide: ({ run }, at): Decision<Row<'payment_runs'>> => {
        if (run === null) throw new Error(`Run ${seen.id} is gone.`)
        assertExportable(run, seen, digest)
        if (run.exported_at !== null) return { answer: run, writes: [] }
        const set = {
          exported_at: at,
          exported_by: operator,
          file_digest: digest,
          revision: run.revision + 1,
        }
        return { answer: { ...run, ...set }, writes: [{ update: 'payment_runs', key: { id: run.id }, set }] }
      },
    })
    if (result.outcome === 'violated') throw new Error(`Run ${seen.id} violated ${result.constraint}.`)
    const total = payments.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
    return {
      ...runDocument(result.answer),
      payments: payments.length,
      total: formatPrice(total, seen.currency),
      file,
    }
  },
})

/** The file of a run that was exported. */
export const paymentFile = defineOperation({
  name: 'payment.file',
  summary: 'Read the file of a run that was exported, again.',
  fields: { run: text({ description: "A run's id.", minLength: 1 }) },
  isRead: true,
  async run({ store }, { run: id }): Promise<{ file: string }> {
    const run = await findRun(store, id)
    if (run.exported_at === null) {
      throw new OperationError('refused', `The run ${run.id} was not exported.`, {
        hint: `Make its file first: payment export ${run.id}`,
      })
    }
    return { file: fileOf(await store.query(paymentsInFile, { runId: run.id })) }
  },
})

function assertExportable(run: Row<'payment_runs'>, seen: Row<'payment_runs'>, digest: string): void {
  if (run.completed_at === null) {
    throw new OperationError(
      'refused',
      `The run ${run.id} was cut off: not all of its payments are ordered.`,
      {
        hint: `Go on with it first: payment due --order --run ${run.id}`,
      },
    )
  }
  if (run.exported_at === null) {
    if (run.revision === seen.revision) return
    throw new OperationError('conflict', 'A payment of the run has changed meanwhile.', {
      hint: 'Export it again.',
    })
  }
  if (run.file_digest === digest) return
  throw new Error(`The file of run ${run.id} is not the one that was exported: ${digest}.`)
}

type Filed = Pick<Row<'payments'>, 'id' | 'account' | 'amount_minor' | 'currency'> & { name: string }

/** Guarded against what spreadsheets take for formulas, as every table is. */
function fileOf(payments: readonly Filed[]): string {
  const rows = payments.map(({ id, name, account, amount_minor, currency }) => [
    id,
    name,
    account ?? '',
    { number: formatPrice(amount_minor, currency) },
    currency,
  ])
  return csvHead(['payment', 'beneficiary', 'account', 'amount', 'currency']) + csvRows(rows)
}
