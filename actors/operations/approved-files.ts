/**
 * Files of networks and banks that book money. They are read elsewhere and booked line by line, so that the approval is of the file
 * itself, by its digest: whoever asked for it sends the very same file once more.
 */

import type { Preview } from '../approvals/asking.ts'
import type { BankFileDocument } from '../reconciliation/bank-runs.ts'
import { findBank } from '../settlement/bank-lines.ts'
import type { NodeContext } from './context.ts'

export interface AskedFile {
  /** What tells one file from another: kept instead of the operation's input. */
  input: Record<string, unknown>
  preview(): Promise<Omit<Preview, 'because' | 'withheld'>>
}

/** Never the name of an operation's secret: the file itself is not kept. */
const notKept = '***'

/** @returns null where it books nothing, or is no file. @throws OperationError */
export async function askedFile(
  name: string,
  context: NodeContext,
  input: unknown,
): Promise<AskedFile | null> {
  if (typeof input !== 'object' || input === null) return null
  if (name === 'reconciliation.apply' && 'run' in input) return reportOf(context, String(input.run))
  if (name === 'reconciliation.book' && 'run' in input) return lookedAtOf(context, String(input.run))
  if (name === 'reconciliation.bank' && 'file' in input && 'bank' in input) {
    return statementOf(context, String(input.file), String(input.bank))
  }
  throw new Error(`${name} is asked for no file.`)
}

/** A report books what it says of quarantined orders; all else it says is looked at by people. */
function reportOf({ reports }: NodeContext, run: string): AskedFile | null {
  const { state, unchanged, quarantined, provider, network, day, paid, currency } = reports.show(run)
  if (state !== 'ready' || unchanged || quarantined === 0) return null
  const orders = quarantined === 1 ? 'one quarantined order' : `${quarantined} quarantined orders`
  return {
    input: { provider, network, day, digest: reports.digestOf(run), file: notKept },
    preview: async () => ({
      postings: [],
      moves: [{ currency, amount: paid.amount }],
      changes: [
        `report of ${network} of ${day}: ${paid.count} payments, ${paid.amount} ${currency}`,
        `it ends ${orders}`,
      ],
    }),
  }
}

async function statementOf(context: NodeContext, file: string, name: string): Promise<AskedFile | null> {
  const { store, statements, uploads } = context
  const upload = uploads.find(file)
  // The operation says so itself.
  if (upload === null) return null
  const bank = await findBank(store, name)
  return {
    input: { bank: bank.name, digest: upload.sha256, file: notKept },
    async preview() {
      const run = statements.begin(bank, file, { operator: '', dryRun: true })
      await statements.settled(run)
      return shownOf(statements.show(run))
    },
  }
}

/** Of a statement that was looked at. */
function lookedAtOf({ statements }: NodeContext, run: string): AskedFile | null {
  const digest = statements.digestOf(run)
  // The operation says so itself.
  if (digest === null) return null
  const shown = statements.show(run)
  return { input: { bank: shown.bank, digest, file: notKept }, preview: async () => shownOf(shown) }
}

function shownOf({ bank, statements, outcomes }: BankFileDocument): Omit<Preview, 'because' | 'withheld'> {
  const parts = statements.map(
    ({ id, opening, closing, entries }) => `statement ${id}: ${opening} → ${closing}, ${entries} entries`,
  )
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome}: ${count}`)
  return { postings: [], moves: [], changes: [`bank account ${bank}`, ...parts, ...counts] }
}
