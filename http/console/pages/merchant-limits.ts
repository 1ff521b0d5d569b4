/** What a merchant's orders may be, and the deposits that pay for them. */
import type { MerchantDocument } from '../../../actors/parties/merchants.ts'
import type { Block, Cell } from '../blocks.ts'
import { amountOf, code, money, partyPath, time } from '../cells.ts'
import type { PageRequest } from '../page.ts'
import { joined, named } from '../readable.ts'
import { draftColumn, draftLink } from './draft.ts'
import { pairKey } from './draft-parties.ts'

export function limitsOf(request: PageRequest, { name, pairs, deposits }: MerchantDocument): Block[] {
  const path = partyPath('merchant', name)
  return [
    { kind: 'heading', text: (texts) => texts.parties.limits },
    {
      kind: 'table',
      label: (texts) => texts.parties.limits,
      empty: (texts) => texts.drafts.noCurrencyIsEnabled,
      columns: [
        { label: (texts) => texts.parties.country },
        { label: (texts) => texts.common.from, isRight: true },
        { label: (texts) => texts.common.to, isRight: true },
        { label: (texts) => texts.parties.inStepsOf, isRight: true },
        { label: (texts) => texts.parties.directions },
        ...draftColumn(request),
      ],
      rows: pairs.map((pair): Cell[] => [
        pair.country,
        money(pair.min, pair.currency),
        money(pair.max, pair.currency),
        amountOf(pair.cashIncrement, pair.currency),
        joined(pair.directions.map(named)),
        ...draftLink(request, path, pairKey(pair), ({ drafts }) => drafts.change),
      ]),
    },
    { kind: 'heading', text: (texts) => texts.common.deposits },
    {
      kind: 'table',
      label: (texts) => texts.common.deposits,
      list: 'deposits',
      empty: (texts) => texts.parties.noDeposits,
      columns: [
        { label: (texts) => texts.common.reference },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.common.bank },
        { label: (texts) => texts.common.booked },
        { label: (texts) => texts.parties.reversed },
      ],
      rows: deposits
        .toReversed()
        .map((deposit) => [
          code(deposit.reference),
          money(deposit.amount, deposit.currency),
          deposit.bank ?? '',
          time(deposit.at),
          time(deposit.reversed),
        ]),
    },
  ]
}
