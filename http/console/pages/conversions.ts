/** Conversions of what the treasuries hold, and the forms that book them. */
import type { ExceptionSummary } from '../../../actors/exceptions/documents.ts'
import type { ConversionDocument } from '../../../actors/settlement/conversion-documents.ts'
import {
  conversionList,
  conversionRecord,
  conversionSell,
} from '../../../actors/settlement/conversion-operations.ts'
import type { ConversionChange } from '../../../actors/settlement/converting.ts'
import { calendarList } from '../../../actors/terms/calendar-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { code, linkTo, money, time } from '../cells.ts'
import { filled, lookingForm, oneOf, operationAction } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { preview } from './posted.ts'

const crumb = { href: '/conversions', text: (texts: Texts) => texts.common.conversions }

export const conversionsPage: Page = {
  path: /^\/conversions$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query, lines } = request
    const cursor = query.get('cursor') ?? ''
    const { conversions, next } = await ask(conversionList, { limit: lines ?? 50, ...filled({ cursor }) })
    return {
      title: (texts) => texts.common.conversions,
      crumb: { href: '/payments', text: (texts) => texts.common.payments },
      blocks: [
        {
          kind: 'table',
          label: (texts) => texts.common.conversions,
          list: 'conversions',
          empty: (texts) => texts.conversions.nothingWasConverted,
          columns: [
            { label: (texts) => texts.common.transaction },
            { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
            { label: (texts) => texts.conversions.whereItWent, key: 'where-it-went' },
            { label: (texts) => texts.common.recorded, key: 'recorded' },
            { label: (texts) => texts.conversions.sold, key: 'sold' },
            { label: (texts) => texts.conversions.proceeds, key: 'proceeds', isRight: true },
            { label: (texts) => texts.conversions.bookedAt, key: 'booked-at', isRight: true },
            { label: (texts) => texts.common.result, key: 'result', isRight: true },
          ],
          rows: conversions.map((one) => [
            code(one.transaction),
            money(one.amount, one.asset),
            one.reason,
            time(one.recorded),
            one.sold === null ? null : time(one.sold),
            moneyOf(one.proceeds, one.currency),
            moneyOf(one.booked, one.currency),
            moneyOf(one.result, one.currency),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/conversions', query, { cursor: next }) },
        ...(await sellForms(request, conversions)),
        ...lookingForm(request, conversionRecord, {
          title: (texts) => texts.conversions.recordWhatLeftATreasury,
          lead: (texts) => texts.conversions.itWasSeenLeavingAnd,
          fields: ['transaction', 'asset', 'reason'],
        }),
      ],
    }
  },
}

/** On the page of the exception that something left a treasury. */
export function conversionForms(
  request: PageRequest,
  { kind, state, transactionIds: [transaction] }: ExceptionSummary,
): Block[] {
  if (kind !== 'treasury_outflow' || state !== 'open' || transaction === undefined) return []
  return lookingForm(request, conversionRecord, {
    title: (texts) => texts.conversions.recordWhatLeftATreasury,
    lead: (texts) => texts.conversions.ofTheTransaction(transaction),
    fields: ['asset', 'reason'],
    hidden: { transaction },
  })
}

function moneyOf(amount: string | null, currency: string | null): Cell {
  return amount === null || currency === null ? null : money(amount, currency)
}

async function sellForms(request: PageRequest, conversions: readonly ConversionDocument[]): Promise<Block[]> {
  const sent = conversions.filter(({ state }) => state === 'sent')
  if (!request.may(conversionSell) || sent.length === 0) return []
  const { banks } = await request.ask(calendarList, {})
  return sent.flatMap((one) =>
    lookingForm(request, conversionSell, {
      title: (texts, view) => texts.conversions.bookWhatBrought(view.money(one.amount, one.asset)),
      lead: (texts) => texts.conversions.ofTheTransaction(one.transaction),
      fields: ['bank', 'reference', 'amount', 'feePart', 'valueDay', 'reason'],
      adjusted: { bank: oneOf(banks.map(({ name }) => name)) },
      hidden: { id: one.id, revision: `${one.revision}` },
    }),
  )
}

function booked({ dryRun, postings }: ConversionChange): Done {
  return dryRun ? preview(postings, crumb) : { kind: 'go' }
}

export const conversionActions: readonly Action[] = [
  operationAction(conversionRecord, booked),
  operationAction(conversionSell, booked),
]
