/** Lines of the banks' statements, as they were booked; those that are no party's are booked here. */
import { bankList, bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { paymentIdentify } from '../../../actors/settlement/payment-operations.ts'
import { calendarList } from '../../../actors/terms/calendar-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { linkTo, money, shortLink, time } from '../cells.ts'
import { filled, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
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
  operationAction(bankRecord, ({ dryRun, postings }) => (dryRun ? preview(postings, crumb) : { kind: 'go' })),
  operationAction(paymentIdentify, ({ dryRun, payment, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go', to: `/payments/${payment.id}` },
  ),
]
