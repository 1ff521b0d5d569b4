/** Lines of the banks' statements, as they were booked; those that are no party's are booked here. */
import {
  type BankFileDocument,
  type BankVerdict,
  reconciliationBank,
} from '../../../actors/reconciliation/bank-operation.ts'
import { bankList, bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { paymentIdentify } from '../../../actors/settlement/payment-operations.ts'
import { calendarList } from '../../../actors/terms/calendar-operations.ts'
import type { Block, Cell, Tone } from '../blocks.ts'
import { linkTo, money, shortLink, time } from '../cells.ts'
import { filled, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { words } from '../readable.ts'
import { preview } from './posted.ts'

export const bankPage: Page = {
  path: /^\/bank$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query } = request
    const cursor = query.get('cursor') ?? ''
    const { entries, next } = await ask(bankList, { limit: 50, ...filled({ cursor }) })
    return {
      title: 'Lines of the banks',
      crumb: { href: '/payments', text: 'Payments' },
      blocks: [
        {
          kind: 'table',
          label: 'Lines of the banks',
          empty: 'Nothing is booked.',
          columns: [
            { label: 'Bank' },
            { label: 'Way' },
            { label: 'Reference' },
            { label: 'What it is' },
            { label: 'Amount', isRight: true },
            { label: 'Value day' },
            { label: 'About' },
            { label: 'Booked' },
          ],
          rows: entries.map((entry) => [
            entry.bank,
            entry.direction,
            entry.reference,
            words(entry.kind),
            money(entry.amount, entry.currency),
            entry.valueDay,
            about(entry),
            time(entry.booked),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/bank', query, { cursor: next }) },
        ...(await statementForm(request)),
        ...(await recordForms(request)),
      ],
    }
  },
}

function about({ kind, subject }: { kind: string; subject: string | null }): Cell {
  if (subject === null) return null
  if (kind === 'payment' || kind === 'bounce') return shortLink(`/payments/${subject}`, subject)
  if (kind === 'conversion') return { text: 'a conversion', href: '/conversions' }
  return shortLink(`/exceptions/${subject}`, subject)
}

async function statementForm(request: PageRequest): Promise<Block[]> {
  if (!request.may(reconciliationBank)) return []
  const { banks } = await request.ask(calendarList, {})
  return operationForm(request, reconciliationBank, {
    title: 'Hold a bank’s statement against the payments',
    lead: 'Each entry is booked once. A payment that names itself is booked; one that only has the amount is proposed to you.',
    button: 'Send it',
    fields: ['bank', 'file', 'dryRun'],
    adjusted: {
      bank: oneOf(banks.map(({ name }) => name)),
      file: { type: 'file', label: 'File', hint: 'camt.053, at most 32 MB.' },
    },
  })
}

function statementShown({ bank, dryRun, verdicts, currency }: BankFileDocument): Done {
  const title = dryRun ? 'What the statement comes to' : 'The statement is booked'
  const rows = verdicts.map((one): Cell[] => [
    `${one.line}`,
    one.reference,
    one.direction,
    money(one.amount, currency),
    one.valueDay,
    { text: words(one.outcome), tone: tones[one.outcome], ...(one.note === '' ? {} : { note: one.note }) },
    one.payment === null || one.outcome === 'booked_before'
      ? null
      : shortLink(`/payments/${one.payment}`, one.payment),
  ])
  const columns = ['Line', 'Reference', 'Way', 'Amount', 'Value day', 'Comes to', 'Payment'].map((label) => ({
    label,
    isRight: label === 'Line' || label === 'Amount',
  }))
  const table: Block = { kind: 'table', label: 'Entries', empty: 'There is no entry in it.', columns, rows }
  return { kind: 'show', view: { title: `${title}: ${bank}`, crumb, blocks: [table] } }
}

const tones: Readonly<Record<BankVerdict['outcome'], Tone>> = {
  booked_before: 'plain',
  booked: 'good',
  returned: 'waiting',
  proposed: 'waiting',
  unidentified: 'bad',
}

async function recordForms(request: PageRequest): Promise<Block[]> {
  if (!request.may(bankRecord)) return []
  const { banks } = await request.ask(calendarList, {})
  return operationForm(request, bankRecord, {
    title: 'Book a line that is no party’s',
    button: 'Book it',
    fields: ['kind', 'direction', 'bank', 'reference', 'amount', 'valueDay', 'exception', 'reason', 'dryRun'],
    adjusted: { bank: oneOf(banks.map(({ name }) => name)) },
  })
}

/** On the page of an exception of unidentified money. */
export function identifyForms(
  request: PageRequest,
  { id, kind, state }: { id: string; kind: string; state: string },
): Block[] {
  if (kind !== 'bank_unidentified' || state !== 'open') return []
  return operationForm(request, paymentIdentify, {
    title: 'Say whose it is',
    lead: 'It is booked as a payment of that party.',
    button: 'Book it',
    fields: ['party', 'reason', 'dryRun'],
    hidden: { exception: id },
  })
}

const crumb = { href: '/bank', text: 'Lines of the banks' }

export const bankActions: readonly Action[] = [
  { file: { name: 'file', isOptional: false }, ...operationAction(reconciliationBank, statementShown) },
  operationAction(bankRecord, ({ dryRun, postings }) => (dryRun ? preview(postings, crumb) : { kind: 'go' })),
  operationAction(paymentIdentify, ({ dryRun, payment, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go', to: `/payments/${payment.id}` },
  ),
]
