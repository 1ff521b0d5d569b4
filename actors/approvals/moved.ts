/** What steps would move, as thresholds and approvals see it: how much of each currency, whose, and of which revisions. */
import { createHash } from 'node:crypto'
import { type AccountRef, accountId, type Posting } from '../../persistence/store.ts'
import type { SeenStep } from '../foundation/looking-store.ts'
import { changesOf, newNames } from './shown-changes.ts'

export interface Moved {
  currency: string
  /** What leaves accounts, and arrives at others, after all postings of the step. */
  amountMinor: bigint
  /** Ids of the parties whose accounts it moves. */
  parties: readonly string[]
}

function postingsOf({ writes }: Pick<SeenStep, 'writes'>): Posting[] {
  return writes.flatMap((write) => ('post' in write ? [write.post] : []))
}

/** One for each currency that it moves. */
export function movedBy(steps: readonly Pick<SeenStep, 'writes'>[]): Moved[] {
  const nets = new Map<string, Map<string, bigint>>()
  const parties = new Map<string, Set<string>>()
  for (const { debit, credit, amountMinor } of steps.flatMap(postingsOf)) {
    const { currency } = debit
    const ofCurrency = nets.get(currency) ?? new Map<string, bigint>()
    nets.set(currency, ofCurrency)
    for (const [account, change] of [
      [debit, -amountMinor],
      [credit, amountMinor],
    ] as const) {
      const id = accountId(account)
      ofCurrency.set(id, (ofCurrency.get(id) ?? 0n) + change)
      // A bank's accounts are owned by its name, which is no party's.
      if (account.ownerId === '' || account.kind === 'bank') continue
      const owners = parties.get(currency) ?? new Set<string>()
      parties.set(currency, owners.add(account.ownerId))
    }
  }
  return [...nets].flatMap(([currency, ofCurrency]) => {
    const amountMinor = [...ofCurrency.values()].reduce((sum, net) => (net > 0n ? sum + net : sum), 0n)
    if (amountMinor === 0n) return []
    return [{ currency, amountMinor, parties: [...(parties.get(currency) ?? [])].toSorted() }]
  })
}

/** What of a row that is changed was looked at by whoever approves; a balance is not among it. */
const subjectColumns: Readonly<Record<string, readonly string[]>> = {
  orders: ['revision'],
  exceptions: ['revision'],
  claims: ['revision'],
  payments: ['revision'],
  conversions: ['revision'],
  account_deposits: ['amount_minor', 'reversed_at'],
  parties: ['frozen_at'],
  people: ['role', 'disabled_at', 'party_id'],
  approval_thresholds: ['revision'],
}

const keyColumns = ['id', 'name', 'merchant_id', 'reference', 'operation', 'currency'] as const

/** One text for each step: another one is another result, and not what was approved. */
export function fingerprintsOf(steps: readonly SeenStep[]): string[] {
  return steps.map((step) => {
    const made = newNames(step)
    // A party that the step itself makes has another id each time.
    const account = ({ ownerId, ...of }: AccountRef) =>
      accountId({ ...of, ownerId: made.get(ownerId) ?? ownerId })
    const postings = postingsOf(step).map(({ kind, debit, credit, amountMinor, orderId }) => [
      kind,
      account(debit),
      account(credit),
      amountMinor.toString(),
      orderId,
    ])
    const subjects = step.held.flatMap(({ table, row }) => {
      const columns = subjectColumns[table]
      if (columns === undefined) return []
      const text = (column: string) => (row[column] === undefined ? [] : [`${column}=${String(row[column])}`])
      return [[table, ...keyColumns.flatMap(text), ...columns.flatMap(text)].join(' ')]
    })
    const told = [postings, subjects.toSorted(), changesOf(step), digestIn(step.answer)]
    return createHash('sha256').update(JSON.stringify(told)).digest('base64url')
  })
}

/** Of what `apply` would change, which has no postings. */
function digestIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  if ('done' in answer) return digestIn(answer.done)
  // Of `apply` alone: an invitation has a digest of chance.
  if (!('differences' in answer)) return null
  return 'digest' in answer && typeof answer.digest === 'string' ? answer.digest : null
}
