/** The form that asks for a merchant's withdrawal in its name. */
import type { SettlementToday } from '../../../actors/settlement/today.ts'
import {
  type WithdrawalDocument,
  withdrawalRequest,
} from '../../../actors/settlement/withdrawal-operations.ts'
import type { Block } from '../blocks.ts'
import { day, days, money, partyLink } from '../cells.ts'
import { lookingForm, oneOf, oneOfParties, operationAction } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { postingsBlock } from './posted.ts'
import { statementPath } from './statement.ts'

/** Only of those whom it can be for. */
export function withdrawalForm(request: PageRequest, { withdraws }: SettlementToday): Block[] {
  if (!request.may(withdrawalRequest)) return []
  if (withdraws.length === 0) return [{ kind: 'text', text: nobody }]
  const merchant = oneOfParties(withdraws.map((one) => one.merchant))
  const currencies = [...new Set(withdraws.map(({ currency }) => currency))].toSorted()
  return lookingForm(request, withdrawalRequest, {
    title: (texts) => texts.withdrawal.withdrawForAMerchant,
    lead: (texts) => texts.withdrawal.ofOneThatIsSettled,
    fields: ['merchant', 'currency', 'amount', 'reason'],
    adjusted: { merchant, currency: oneOf(currencies) },
  })
}

const nobody = (texts: Texts) => texts.withdrawal.nobodyCanWithdrawOfThe

function withdrawn(it: WithdrawalDocument): Done {
  const { merchant: party, currency, statement: number } = it
  if (!it.dryRun) return { kind: 'go', to: statementPath({ kind: 'merchant', party, currency, number }) }
  return {
    kind: 'show',
    doIt: (texts) => texts.withdrawal.withdraw,
    view: {
      title: (texts) => texts.withdrawal.withdrawalAsItWouldBe,
      crumb: { href: '/settlement', text: (texts) => texts.common.settlement },
      blocks: [
        {
          kind: 'text',
          text: (texts) => texts.withdrawal.nothingWasWithdrawnGoBack,
        },
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.merchant, partyLink('merchant', party)],
            [(texts) => texts.common.amount, money(it.amount, currency)],
            [(texts) => texts.common.statement, String(number)],
            [(texts) => texts.common.days, days(it.from, it.to)],
            [(texts) => texts.common.lines, String(it.lines)],
            [(texts) => texts.common.dueOn, day(it.dueOn)],
            [(texts) => texts.common.account, it.account],
          ],
        },
        postingsBlock(it.postings),
      ],
    },
  }
}

export const withdrawalActions: readonly Action[] = [operationAction(withdrawalRequest, withdrawn)]
