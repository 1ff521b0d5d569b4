/**
 * `verify`: everything that has to hold in a database, whatever happened to it.
 *
 * It reads beside the store, page by page, so that a node can go on serving meanwhile; each page of orders and
 * the ledger as a whole are seen as of one moment.
 */
import { orderCount } from '../../persistence/queries/verification.ts'
import type { Reader } from '../../persistence/store.ts'
import { checkAnchors } from '../anchors/check.ts'
import { readAdjustmentFindings } from './adjustments.ts'
import { readApprovalFindings } from './approvals.ts'
import { archiveProblems, readArchiveFacts } from './archive.ts'
import { readClaimFindings } from './claims.ts'
import { readConversionFindings } from './conversions.ts'
import { feeProblems } from './fees.ts'
import { ledgerProblems, placeProblems, readLedgerFacts } from './money.ts'
import { numberProblems } from './numbers.ts'
import { type OrderFacts, readOrderFacts } from './order-facts.ts'
import { journalProblems, orderProblems, webhookProblems } from './orders.ts'
import { readPaymentFindings } from './payments.ts'
import { refundProblems } from './refunds.ts'
import { readStatementFindings } from './statements.ts'
import { readTreasuryFacts, treasuryProblems } from './treasury.ts'

export type CheckName =
  | 'integrity'
  | 'references'
  | 'ledger'
  | 'numbers'
  | 'treasury'
  | 'payments'
  | 'statements'
  | 'adjustments'
  | 'conversions'
  | 'claims'
  | 'approvals'
  | 'money'
  | 'orders'
  | 'journal'
  | 'webhooks'
  | 'refunds'
  | 'archive'
  | 'anchors'

export interface Check {
  name: CheckName
  ok: boolean
  /** What was looked at, or what is wrong with it. */
  detail: string
}

export interface Verification {
  ok: boolean
  checks: Check[]
}

export interface VerifyOptions {
  reader: Reader
  /** The node's secret that chains the journals. */
  journalKey: string
  /** The lines of the file of anchors, the oldest first; not checked where there is none. */
  anchors?: AsyncIterable<string>
  /** Called now and then: orders looked at, of about so many. */
  onProgress?: (done: number, total: number) => void
}

const ordersPerPage = 100
/** More than anybody reads at once. */
const maxTold = 20

export async function verify(options: VerifyOptions): Promise<Verification> {
  const { reader, journalKey } = options
  // SQLite's own structures first: whatever is wrong there shows up everywhere else.
  const integrity = await new Findings('integrity').addEach(reader.damages())
  const ledger = await readLedgerFacts(reader)
  const numbers = await numberProblems(reader)
  const treasuries = await readTreasuryFacts(reader)
  const payments = await readPaymentFindings(reader)
  const statements = await readStatementFindings(reader)
  const adjustments = await readAdjustmentFindings(reader)
  const conversions = await readConversionFindings(reader)
  const claims = await readClaimFindings(reader, journalKey)
  const approvals = await readApprovalFindings(reader, journalKey)
  const references = await new Findings('references').addEach(reader.brokenReferences())
  const checks = [
    integrity.toCheck('the pages of the database are sound'),
    references.toCheck('each leads to a row'),
    new Findings('ledger')
      .add(ledgerProblems(ledger))
      .toCheck(`${ledger.accounts.length} accounts sum to zero`),
    new Findings('numbers').add(numbers).toCheck('each account has its numbers, and its days go on'),
    new Findings('treasury')
      .add(treasuryProblems(treasuries))
      .toCheck(`what was counted of ${treasuries.counts.length} assets is in the ledger`),
    new Findings('payments')
      .add(payments.problems)
      .toCheck(`${payments.payments} payments are where their postings say`),
    new Findings('statements')
      .add(statements.problems)
      .toCheck(`${statements.statements} statements are what their postings say, and follow one another`),
    new Findings('adjustments')
      .add(adjustments.problems)
      .toCheck(`${adjustments.adjustments} adjustments have moved what they say`),
    new Findings('conversions')
      .add(conversions.problems)
      .toCheck(`${conversions.conversions} conversions have moved what they say`),
    new Findings('claims')
      .add(claims.problems)
      .toCheck(`${claims.claims} claims are what they were told, and have moved what was decided`),
    new Findings('approvals')
      .add(approvals.problems)
      .toCheck(`${approvals.approvals} approvals are what they were told, and took two people`),
  ]
  checks.push(...(await verifyOrders(options)))
  const { payIns, problems } = await refundProblems(reader)
  checks.push(
    new Findings('refunds')
      .add(problems)
      .toCheck(`no more is claimed of ${payIns} pay-ins than was credited`),
  )
  const archive = await readArchiveFacts(reader)
  checks.push(
    new Findings('archive')
      .add(archiveProblems(archive))
      .toCheck(`what stays of ${archive.orders} archived orders fits together`),
  )
  if (options.anchors !== undefined) checks.push(await verifyAnchors(options, options.anchors))
  return { ok: checks.every(({ ok }) => ok), checks }
}

async function verifyAnchors(options: VerifyOptions, lines: AsyncIterable<string>): Promise<Check> {
  const { problems, anchors, entries } = await checkAnchors(options, lines)
  const success =
    anchors === 0
      ? 'nothing is anchored yet'
      : `${anchors} anchors hold for ${entries} entries of the journal`
  return new Findings('anchors').add(problems).toCheck(success)
}

async function verifyOrders({ reader, journalKey, onProgress }: VerifyOptions): Promise<Check[]> {
  const looks: readonly [Findings, (facts: OrderFacts) => string[]][] = [
    [new Findings('money'), (facts) => [...placeProblems(facts), ...feeProblems(facts)]],
    [new Findings('orders'), orderProblems],
    [new Findings('journal'), (facts) => journalProblems(facts, journalKey)],
    [new Findings('webhooks'), webhookProblems],
  ]
  const [counted] = await reader.snapshot((query) => query(orderCount, {}))
  let done = 0
  for (let after = ''; ; ) {
    const page = await readOrderFacts(reader, after, ordersPerPage)
    for (const facts of page) {
      for (const [findings, look] of looks) findings.add(look(facts), `order ${facts.order.id}: `)
    }
    done += page.length
    onProgress?.(done, Math.max(done, counted?.orders ?? 0))
    const last = page.at(-1)
    if (last === undefined) break
    after = last.order.id
  }
  return looks.map(([findings]) => findings.toCheck(`${done} orders looked at`))
}

/** The problems of one check: all are counted, and some are told. */
class Findings {
  readonly #name: CheckName
  readonly #told: string[] = []
  #count = 0

  constructor(name: CheckName) {
    this.#name = name
  }

  add(problems: readonly string[], where = ''): this {
    for (const problem of problems) {
      this.#count += 1
      if (this.#told.length < maxTold) this.#told.push(where + problem)
    }
    return this
  }

  async addEach(looks: AsyncIterable<readonly string[]>): Promise<this> {
    for await (const problems of looks) this.add(problems)
    return this
  }

  toCheck(success: string): Check {
    if (this.#count === 0) return { name: this.#name, ok: true, detail: success }
    const rest = this.#count - this.#told.length
    const detail = [...this.#told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
    return { name: this.#name, ok: false, detail }
  }
}
