/**
 * Statements of banks that are being held against the payments. A file is read twice, a few hundred lines at a time: first to see
 * whether it holds as a whole, then entry by entry. Each entry is booked once, by its reference, in a step of its own, so that the
 * same file again goes on where it was cut off and books nothing twice.
 */
import { randomBytes } from 'node:crypto'
import { formatPrice } from '../../machines/money.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import type { Upload, Uploads } from '../foundation/uploads.ts'
import { statementMappingOf } from '../terms/statement-mapping.ts'
import {
  assertContinues,
  type BankVerdict,
  judgeEntry,
  type NumberedLine,
  namesPayment,
  remember,
} from './bank-entry.ts'
import { type BankFileRules, csvWithoutColumns } from './read-bank.ts'
import type { BankBatch, BankStatement } from './read-camt.ts'
import { maxFaults, type ReportFault } from './report-lines.ts'

/** Reads a file elsewhere, so that whoever is served does not wait for it. */
export type ReadBankFile = (path: string, rules: BankFileRules) => AsyncIterable<BankBatch>

export interface BankRunsOptions {
  store: Store
  uploads: Uploads
  readBankFile: ReadBankFile
  onError(error: unknown): void
}

export type BankRunState = 'reading' | 'booking' | 'done' | 'failed'

export interface BankFileDocument {
  run: string
  bank: string
  currency: string
  dryRun: boolean
  state: BankRunState
  /** Lines that were read, and lines that were held against the payments. */
  read: number
  judged: number
  statements: { id: string; sequence: number | null; opening: string; closing: string; entries: number }[]
  outcomes: Record<string, number>
  /** In their order; where there are more than are shown, those that a person has to look at before the others. */
  verdicts: BankVerdict[]
  /** What went wrong with the node itself. */
  problem: string | null
}

interface Run {
  document: BankFileDocument
  bank: Row<'banks'>
  /** Of what was only looked at, for whoever books it then; null once it is gone. */
  upload: Upload | null
  /** Why the file is refused. */
  refusal: OperationError | null
  done: Promise<void>
}

export interface BankRuns {
  /** Begins. @throws OperationError where there is no such file. */
  begin(bank: Row<'banks'>, file: string, asked: { operator: string; dryRun: boolean }): string
  /** Books what was looked at. @throws OperationError where there is no such file, or it is none that can be booked. */
  book(run: string, operator: string): string
  /** @throws OperationError when there is none, or why its file was refused. */
  show(run: string): BankFileDocument
  /** SHA-256 of what was looked at and may still be booked, in hex; null of any other. @throws OperationError when there is none. */
  digestOf(run: string): string | null
  /** Until it is at rest. */
  settled(run: string): Promise<void>
  finish(): Promise<void>
}

/** Of one process. */
const maxRuns = 20
/** Of those that a person has to look at, and of the others. */
const maxShown = 500

export function createBankRuns(options: BankRunsOptions): BankRuns {
  const { uploads } = options
  const runs = new Map<string, Run>()
  const find = (id: string): Run => {
    const run = runs.get(id)
    if (run !== undefined) return run
    throw new OperationError('not_found', `There is no such statement: ${id}.`, {
      hint: 'It was sent some time ago, or before the node was started: send it again; what is booked stays booked.',
    })
  }
  const gone = () => new OperationError('not_found', 'The file is not there any more: send it again.')
  const forget = async ({ document, upload }: Run) => {
    runs.delete(document.run)
    if (upload !== null) await uploads.drop(upload.id)
  }
  function start(bank: Row<'banks'>, upload: Upload, asked: { operator: string; dryRun: boolean }): string {
    const isMoving = ({ document: { state } }: Run) => state === 'reading' || state === 'booking'
    const oldest = [...runs.values()].find((run) => !isMoving(run))
    const id = randomBytes(12).toString('base64url')
    const document = newDocument(id, bank, asked.dryRun)
    const run: Run = { document, bank, upload, refusal: null, done: Promise.resolve() }
    if (runs.size >= maxRuns && oldest !== undefined) void forget(oldest).catch(options.onError)
    runs.set(id, run)
    run.done = hold(options, run, bank, upload, asked.operator)
      .catch((error) => {
        document.state = 'failed'
        if (error instanceof OperationError) run.refusal = error
        else {
          options.onError(error)
          document.problem = 'It failed; the log says why.'
        }
      })
      .finally(async () => {
        // What was looked at may still be booked.
        if (document.dryRun && document.state === 'done') return
        run.upload = null
        await uploads.drop(upload.id)
      })
    return id
  }
  return {
    begin(bank, file, asked) {
      const upload = uploads.find(file)
      if (upload === null) throw gone()
      return start(bank, upload, asked)
    },
    book(id, operator) {
      const { document, bank, upload } = find(id)
      if (!document.dryRun || document.state !== 'done') throw notToBook(document)
      const held = upload === null ? null : uploads.find(upload.id)
      if (held === null) throw gone()
      // Whoever sends the form twice has booked it once.
      find(id).upload = null
      return start(bank, held, { operator, dryRun: false })
    },
    show(id) {
      const { refusal, document } = find(id)
      if (refusal !== null) throw refusal
      return document
    },
    digestOf(id) {
      const { document, upload } = find(id)
      return document.dryRun && document.state === 'done' ? (upload?.sha256 ?? null) : null
    },
    settled: (id) => find(id).done,
    async finish() {
      await Promise.all([...runs.values()].map(({ done }) => done))
      for (const run of [...runs.values()]) await forget(run)
    },
  }
}

function notToBook({ state, dryRun }: BankFileDocument): OperationError {
  if (state === 'failed')
    return new OperationError('conflict', 'The statement was refused: nothing of it is booked.')
  return dryRun
    ? new OperationError('conflict', 'The statement is still being looked at: book it once that has ended.')
    : new OperationError('conflict', 'The statement is booked already.')
}

async function hold(
  { store, readBankFile }: BankRunsOptions,
  { document }: Run,
  bank: Row<'banks'>,
  { path }: Upload,
  operator: string,
): Promise<void> {
  const rules = { currency: bank.currency, mapping: statementMappingOf(bank.statement_json) }
  const statements: BankStatement[] = []
  const faults: ReportFault[] = []
  let faultCount = 0
  for await (const batch of readBankFile(path, rules)) {
    document.read += batch.lines.length
    statements.push(...batch.statements)
    faultCount += batch.faults.length
    faults.push(...batch.faults.slice(0, maxFaults - faults.length))
  }
  if (faults.some(({ problem }) => problem === csvWithoutColumns)) throw withoutColumns(bank)
  if (faultCount > 0) throw refusalOf(faults, faultCount)
  await assertContinues(store, bank, statements)
  const amount = (minor: bigint) => formatPrice(minor, bank.currency)
  document.statements = statements.map(({ id, sequence, openingMinor, closingMinor, entryCount }) => ({
    ...{ id, sequence, opening: amount(openingMinor), closing: amount(closingMinor), entries: entryCount },
  }))
  document.state = 'booking'
  const { dryRun } = document
  for await (const { lines } of readBankFile(path, rules)) {
    const numbered = lines.map((line, index) => ({ ...line, entry: document.judged + index + 1 }))
    for (const together of groups(numbered)) {
      const verdicts = await Promise.all(
        together.map((line) => judgeEntry({ store, operator }, bank, line, dryRun)),
      )
      for (const verdict of verdicts) note(document, verdict)
    }
    document.judged += lines.length
  }
  if (document.judged !== document.read) throw new Error('The file is not what it was when it was looked at.')
  if (!dryRun) for (const statement of statements) await remember(store, bank, statement)
  document.state = 'done'
}

/** So many commits are shared. */
const mostTogether = 50

/**
 * Money that comes in and names no payment of ours waits in suspense, whatever else is in the file: such lines are booked together, and
 * share a commit. All others, and those with one reference, are booked one after the other.
 */
function groups(lines: readonly NumberedLine[]): NumberedLine[][] {
  const found: NumberedLine[][] = []
  let together: NumberedLine[] = []
  const references = new Set<string>()
  const close = () => {
    if (together.length > 0) found.push(together)
    together = []
    references.clear()
  }
  for (const line of lines) {
    if (line.amountMinor <= 0n) continue
    const isAlone = line.direction === 'out' || namesPayment(line)
    if (isAlone || references.has(line.reference) || together.length >= mostTogether) close()
    together.push(line)
    references.add(line.reference)
    if (isAlone) close()
  }
  close()
  return found
}

const waits = ({ outcome }: BankVerdict) => outcome === 'proposed' || outcome === 'unidentified'

function note(document: BankFileDocument, verdict: BankVerdict): void {
  const { outcomes, verdicts } = document
  outcomes[verdict.outcome] = (outcomes[verdict.outcome] ?? 0) + 1
  const alike = verdicts.reduce((count, one) => count + (waits(one) === waits(verdict) ? 1 : 0), 0)
  if (alike < maxShown) verdicts.push(verdict)
}

function newDocument(run: string, { name: bank, currency }: Row<'banks'>, dryRun: boolean): BankFileDocument {
  return {
    ...{ run, bank, currency, dryRun, state: 'reading', read: 0, judged: 0 },
    ...{ statements: [], outcomes: {}, verdicts: [], problem: null },
  }
}

function withoutColumns({ name }: Row<'banks'>): OperationError {
  return new OperationError('invalid', `The file is CSV, and the bank ${name} has no CSV columns set.`, {
    hint: 'Set them by `apply`, in `banks[].statement`, and send the file again; or ask the bank for camt.053. Nothing of it is booked.',
  })
}

const mostTold = 50

function refusalOf(faults: readonly ReportFault[], count: number): OperationError {
  const lines = count === 1 ? 'one line is' : `${count} lines are`
  return new OperationError('invalid', `The statement is refused as a whole: ${lines} wrong.`, {
    details: faults.slice(0, mostTold).map(({ line, problem }) => `line ${line}: ${problem}`),
    hint: 'Ask the bank for the statement anew; nothing of it is booked.',
  })
}
