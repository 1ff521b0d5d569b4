/** Corrections of lines of parties' statements, and the form that books one. */
import { merchantList } from '../../../actors/parties/merchants.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import type { AdjustmentDocument } from '../../../actors/settlement/adjusting.ts'
import { adjustmentList, adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { linkTo, money, orderLink, partyLink, shortLink, time } from '../cells.ts'
import { filled, lookingForm, oneOfParties, operationAction } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { preview } from './posted.ts'

const crumb = { href: '/adjustments', text: (texts: Texts) => texts.common.corrections }

export const adjustmentsPage: Page = {
  path: /^\/adjustments$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query, lines } = request
    const cursor = query.get('cursor') ?? ''
    const { adjustments, next } = await ask(adjustmentList, { limit: lines ?? 50, ...filled({ cursor }) })
    const isAbout = about.some((name) => query.has(name))
    const form = await recordForm(request, isAbout)
    return {
      title: (texts) => texts.common.corrections,
      crumb: { href: '/payments', text: (texts) => texts.common.payments },
      blocks: [
        ...(isAbout && form.length > 0
          ? [{ kind: 'heading', text: (texts: Texts) => texts.adjustments.correctALine } as const, ...form]
          : []),
        {
          kind: 'table',
          label: (texts) => texts.common.corrections,
          list: 'corrections',
          empty: (texts) => texts.adjustments.nothingWasCorrected,
          columns: [
            { label: (texts) => texts.common.party },
            { label: (texts) => texts.common.reference, key: 'reference' },
            { label: (texts) => texts.adjustments.becauseOf, key: 'because-of' },
            { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
            { label: (texts) => texts.common.tax, key: 'tax', isRight: true },
            { label: (texts) => texts.adjustments.corrects, key: 'corrects' },
            { label: (texts) => texts.adjustments.whatWasWrong, key: 'what-was-wrong' },
            { label: (texts) => texts.common.booked, key: 'booked' },
            { label: (texts) => texts.common.by, key: 'by' },
          ],
          rows: adjustments.map((one) => [
            partyLink(one.partyKind, one.party),
            one.reference,
            named(one.kind),
            money(one.amount, one.currency),
            money(one.tax, one.currency),
            corrected(one),
            one.reason,
            time(one.booked),
            one.bookedBy,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/adjustments', query, { cursor: next }) },
        ...(isAbout ? [] : form),
      ],
    }
  },
}

/** What the address may say of the line, where a page of it leads here. */
const about = ['party', 'kind', 'currency', 'statement', 'line', 'order'] as const

/** Where a line of it is corrected. */
export function correctionPath(line: Partial<Record<(typeof about)[number], string>>): string {
  return `/adjustments?${new URLSearchParams(line)}`
}

async function recordForm(request: PageRequest, isMain: boolean): Promise<Block[]> {
  if (!request.may(adjustmentRecord)) return []
  const { merchants } = await request.ask(merchantList, {})
  const { providers } = await request.ask(providerList, {})
  const names = [...merchants, ...providers].map(({ name }) => name)
  const said = Object.fromEntries(
    about.flatMap((name) =>
      request.query.has(name) ? [[name, { value: request.query.get(name) ?? '' }]] : [],
    ),
  )
  return lookingForm(request, adjustmentRecord, {
    title: (texts) => texts.adjustments.correctALine,
    lead: (texts) => texts.adjustments.itIsALineOf,
    ...(isMain ? { isMain } : {}),
    fields: [
      'party',
      'kind',
      'because',
      'currency',
      'amount',
      'tax',
      'statement',
      'line',
      'order',
      'reference',
      'reason',
    ],
    adjusted: {
      ...said,
      party: { ...oneOfParties(['', ...names]), isChosen: true, ...said.party },
      kind: {
        label: (texts) => texts.common.kind,
        hint: (texts) => texts.common.whereAMerchantAndA,
        ...said.kind,
      },
    },
  })
}

function corrected({ statement, line, order }: AdjustmentDocument): Cell {
  if (statement === null || line === null) return orderLink(order)
  return order === null
    ? (texts) => texts.adjustments.statementLine(statement, line)
    : shortLink(`/orders/${order}`, order)
}

export const adjustmentActions: readonly Action[] = [
  operationAction(adjustmentRecord, ({ dryRun, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go', to: '/adjustments' },
  ),
]
