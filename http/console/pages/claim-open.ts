/** The form that opens a claim. Of a report's difference it knows already what is wrong, about which order and with whom. */
import { claimOpen } from '../../../actors/claims/operations.ts'
import { type claimKinds, hasAmount } from '../../../actors/claims/words.ts'
import type { ReasonCode, ReportedDifference } from '../../../actors/exceptions/report-reasons.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { reconciliationDay } from '../../../actors/reconciliation/day-operations.ts'
import { type ExceptionDocument, exceptionShow } from '../../../actors/resolutions/operations.ts'
import type { Block, Field } from '../blocks.ts'
import { orderLink, shortLink } from '../cells.ts'
import { oneOfParties, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { whyCell } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import { typeableAmount } from '../typed-amounts.ts'

type ClaimKind = (typeof claimKinds)[number]

export const claimOpenPage: Page = {
  path: /^\/claims\/open$/,
  least: 'operator',
  room: 'Reconciliation',
  async render(request) {
    const id = request.query.get('exception') ?? ''
    const exception = id === '' ? null : await request.ask(exceptionShow, { id })
    const about = exception === null ? [] : [facts(exception)]
    const crumb =
      exception === null
        ? { href: '/claims', text: (texts: Texts) => texts.claims.claims }
        : { href: `/exceptions/${exception.id}`, text: (texts: Texts) => texts.common.exception }
    return {
      title: (texts) => texts.claims.open,
      crumb,
      blocks: [...about, ...(await form(request, exception))],
    }
  },
}

function facts(exception: ExceptionDocument): Block {
  const { id, order } = exception
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.common.exception, shortLink(`/exceptions/${id}`, id)],
      [(texts) => texts.common.order, orderLink(order)],
      [(texts) => texts.common.why, whyCell(exception)],
    ],
  }
}

async function form(request: PageRequest, exception: ExceptionDocument | null): Promise<Block[]> {
  const { query } = request
  const order = exception?.order ?? query.get('order') ?? ''
  const report = exception?.report ?? null
  const kind = exception === null ? null : kindOf(exception)
  const { providers } = await request.ask(providerList, {})
  // What the claim settles is said by its page; the order is asked for where nothing says which.
  const isKnown = exception?.order != null
  const provider: Partial<Field> = {
    ...oneOfParties(
      providers.map(({ name }) => name),
      { isOptional: true },
    ),
    value: report === null ? '' : await providerOf(request, report),
  }
  const hidden = {
    ...(isKnown ? { order } : {}),
    ...(exception?.kind === 'report_difference' ? { exception: exception.id } : {}),
  }
  return operationForm(request, claimOpen, {
    title: (texts) => texts.claims.open,
    lead:
      exception === null ? (texts) => texts.claims.nothingMoves : (texts) => texts.claims.aboutExceptionLead,
    button: (texts) => texts.claims.openIt,
    fields: [...(isKnown ? [] : (['order'] as const)), 'kind', 'amount', 'provider', 'text', 'reason'],
    adjusted: {
      order: { label: (texts) => texts.common.order, value: order, maxLength: 64 },
      kind: kind === null ? {} : { value: kind },
      amount:
        kind !== null && hasAmount(kind)
          ? { value: typeableAmount(report?.theirs ?? '', exception?.asset ?? '') }
          : {},
      provider,
    },
    hidden,
    isMain: true,
  })
}

/** What a difference says of the cash; null where it may be anything. */
const kinds: Readonly<Record<ReasonCode, ClaimKind | null>> = {
  unreported: 'credited_not_paid',
  not_paid_there: 'credited_not_paid',
  taken_back: 'credited_not_paid',
  other_amount: 'wrong_amount',
  reported_before: 'twice',
  unpaid: 'paid_not_credited',
  held_by_others: 'paid_not_credited',
  other_price: 'paid_not_credited',
  undecided: 'paid_not_credited',
  given_back: 'paid_not_credited',
  denied: 'paid_not_credited',
  claimed_back: 'paid_not_credited',
  other_provider: 'paid_not_credited',
  other_network: null,
  other_day: null,
  under_way: null,
  pending: null,
  never_held: null,
  archived: null,
  several_orders: null,
  unknown_order: null,
  unknown_reference: null,
  quarantined_currency: null,
  quarantined_price: null,
  quarantined_problem: null,
}

/** An order that ended while it was held waits for word that its cash was handled. */
function kindOf({ report, kind }: ExceptionDocument): ClaimKind | null {
  return kind === 'report_difference' && report !== null ? kinds[report.why.code] : 'paid_not_credited'
}

async function providerOf({ ask }: PageRequest, { network, day }: ReportedDifference): Promise<string> {
  return (await ask(reconciliationDay, { network, day, limit: 1 })).provider
}

export const claimOpenActions: readonly Action[] = [
  operationAction(claimOpen, ({ number }) => ({ kind: 'go', to: `/claims/${number}` })),
]
