/** Lines of the banks' statements, as they were booked; those that are no party's are booked here. */
import type { ExceptionSummary } from '../../../actors/exceptions/documents.ts'
import { merchantList } from '../../../actors/parties/merchants.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { reconciliationBank, reconciliationBook } from '../../../actors/reconciliation/bank-operation.ts'
import type { BankFileDocument } from '../../../actors/reconciliation/bank-runs.ts'
import { bankList, bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { paymentIdentify } from '../../../actors/settlement/payment-operations.ts'
import { type BankDocument, calendarList } from '../../../actors/terms/calendar-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { day, linkTo, money, shortLink, time } from '../cells.ts'
import { filled, lookingForm, oneOf, oneOfParties, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { joined, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { typeableAmount } from '../typed-amounts.ts'
import type { Said } from '../view.ts'
import { preview } from './posted.ts'

export const bankPage: Page = {
  path: /^\/bank$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query, lines } = request
    const cursor = query.get('cursor') ?? ''
    const { entries, next } = await ask(bankList, { limit: lines ?? 50, ...filled({ cursor }) })
    return {
      title: (texts) => texts.common.linesOfTheBanks,
      crumb: { href: '/payments', text: (texts) => texts.common.payments },
      blocks: [
        {
          kind: 'table',
          label: (texts) => texts.common.linesOfTheBanks,
          list: 'bank-lines',
          empty: (texts) => texts.bank.nothingIsBooked,
          columns: [
            { label: (texts) => texts.common.bank },
            { label: (texts) => texts.common.way, key: 'way' },
            { label: (texts) => texts.common.reference, key: 'reference' },
            { label: (texts) => texts.bank.whatItIs, key: 'what-it-is' },
            { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
            { label: (texts) => texts.bank.valueDay, key: 'value-day' },
            { label: (texts) => texts.bank.about, key: 'about' },
            { label: (texts) => texts.common.booked, key: 'booked' },
          ],
          rows: entries.map((entry) => [
            entry.bank,
            named(entry.direction),
            entry.reference,
            named(entry.kind),
            money(entry.amount, entry.currency),
            day(entry.valueDay),
            about(entry),
            time(entry.booked),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/bank', query, { cursor: next }) },
        ...(await statementForm(request, query.get('bank') ?? '')),
        ...(await recordForms(request)),
      ],
    }
  },
}

function about({ kind, subject }: { kind: string; subject: string | null }): Cell {
  if (subject === null) return null
  if (kind === 'payment' || kind === 'bounce') return shortLink(`/payments/${subject}`, subject)
  if (kind === 'conversion') return { text: (texts) => texts.bank.aConversion, href: '/conversions' }
  return shortLink(`/exceptions/${subject}`, subject)
}

/** In which form a bank's statement is read. */
export function formOf(statement: BankDocument['statement']): Said {
  return ({ bank }) => (statement === null ? bank.camt053 : bank.camt053OrCsv)
}

/** A file is looked at first, and booked from the page of what it comes to. */
export async function statementForm(request: PageRequest, chosen: string): Promise<Block[]> {
  if (!request.may(reconciliationBank)) return []
  const { banks } = await request.ask(calendarList, {})
  const options = banks.map(({ name, statement }) => [name, joined([name, formOf(statement)], ': ')] as const)
  const form = operationForm(request, reconciliationBank, {
    title: (texts) => texts.bank.holdABanksStatementAgainst,
    lead: (texts) => texts.bank.eachEntryIsBookedOnce,
    button: (texts) => texts.reconciliation.lookAtIt,
    isMain: true,
    fields: ['bank', 'file'],
    hidden: { dryRun: 'yes' },
    adjusted: {
      bank: { type: 'select', options, value: chosen },
      file: {
        type: 'file',
        label: (texts) => texts.common.file,
        hint: (texts) => texts.bank.atMost32Mb,
      },
    },
  })
  return [
    { kind: 'heading', id: 'statement', text: (texts) => texts.bank.holdABanksStatementAgainst },
    ...form,
  ]
}

async function recordForms(request: PageRequest): Promise<Block[]> {
  if (!request.may(bankRecord)) return []
  const { banks } = await request.ask(calendarList, {})
  return lookingForm(request, bankRecord, {
    title: (texts) => texts.bank.bookALineThatIs,
    fields: ['kind', 'direction', 'bank', 'reference', 'amount', 'valueDay', 'exception', 'reason'],
    adjusted: { bank: oneOf(banks.map(({ name }) => name)) },
  })
}

/** On the page of an exception of unidentified money. */
export async function identifyForms(
  request: PageRequest,
  { id, kind, state, amount, asset }: Pick<ExceptionSummary, 'id' | 'kind' | 'state' | 'amount' | 'asset'>,
): Promise<Block[]> {
  if (kind !== 'bank_unidentified' || state !== 'open') return []
  const { banks } = await request.ask(calendarList, {})
  const { merchants } = await request.ask(merchantList, {})
  const { providers } = await request.ask(providerList, {})
  return [
    ...lookingForm(request, paymentIdentify, {
      title: (texts) => texts.bank.sayWhoseItIs,
      lead: (texts) => texts.bank.itIsBookedAsA,
      fields: ['party', 'reason'],
      adjusted: {
        party: {
          ...oneOfParties(['', ...[...providers, ...merchants].map(({ name }) => name)]),
          isChosen: true,
        },
      },
      hidden: { exception: id },
      isMain: true,
    }),
    ...lookingForm(request, bankRecord, {
      title: (texts) => texts.bank.itWasSentBack,
      fields: ['bank', 'reference', 'amount', 'valueDay', 'reason'],
      adjusted: {
        bank: oneOf(banks.map(({ name }) => name)),
        ...(amount === null ? {} : { amount: { value: typeableAmount(amount, asset ?? '') } }),
      },
      hidden: { kind: 'sent_back', exception: id },
    }),
  ]
}

const crumb = { href: '/bank', text: (texts: Texts) => texts.common.linesOfTheBanks }

/** Its own page says how far it is. */
const toStatement = ({ run, bank }: BankFileDocument): Done => ({
  kind: 'go',
  to: linkTo(`/bank/statements/${run}`, new URLSearchParams(), { bank }),
  isUntold: true,
})

const look = operationAction(reconciliationBank, toStatement)

export const bankActions: readonly Action[] = [
  {
    ...look,
    file: { name: 'file', isOptional: false },
    run: (request, values) => look.run(request, { ...values, dryRun: 'yes' }),
  },
  operationAction(reconciliationBook, toStatement),
  operationAction(bankRecord, ({ dryRun, postings }) => (dryRun ? preview(postings, crumb) : { kind: 'go' })),
  operationAction(paymentIdentify, ({ dryRun, payment, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go', to: `/payments/${payment.id}` },
  ),
]
