/** The form that asks for a merchant's withdrawal in its name. */
import type { SettlementToday } from '../../../actors/settlement/today.ts'
import {
  type WithdrawalDocument,
  withdrawalRequest,
} from '../../../actors/settlement/withdrawal-operations.ts'
import type { Block } from '../blocks.ts'
import { money, partyLink } from '../cells.ts'
import { oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'
import { statementPath } from './statement.ts'

/** Only of those whom it can be for. */
export function withdrawalForm(request: PageRequest, { withdraws }: SettlementToday): Block[] {
  if (!request.may(withdrawalRequest)) return []
  if (withdraws.length === 0) return [{ kind: 'text', text: nobody }]
  const merchants = [...new Set(withdraws.map(({ merchant }) => merchant))]
  const currencies = [...new Set(withdraws.map(({ currency }) => currency))].toSorted()
  return operationForm(request, withdrawalRequest, {
    title: 'Withdraw for a merchant',
    lead: 'Of one that is settled on request. Its account is closed up to now, and what is withdrawn is due by its statement.',
    button: 'Withdraw',
    fields: ['merchant', 'currency', 'amount', 'reason', 'dryRun'],
    adjusted: { merchant: oneOf(merchants), currency: oneOf(currencies) },
  })
}

const nobody =
  'Nobody can withdraw: of the merchants that are not frozen, none has terms that settle it on request and name an account.'

function withdrawn(it: WithdrawalDocument): Done {
  const { merchant: party, currency, statement: number } = it
  if (!it.dryRun) return { kind: 'go', to: statementPath({ kind: 'merchant', party, currency, number }) }
  return {
    kind: 'show',
    view: {
      title: 'Withdrawal as it would be',
      crumb: { href: '/settlement', text: 'Settlement' },
      blocks: [
        {
          kind: 'text',
          text: 'Nothing was withdrawn. Go back and send the form without its last box to do it.',
        },
        {
          kind: 'facts',
          items: [
            ['Merchant', partyLink('merchant', party)],
            ['Amount', money(it.amount, currency)],
            ['Statement', String(number)],
            ['Days', it.from === it.to ? it.to : `${it.from} to ${it.to}`],
            ['Lines', String(it.lines)],
            ['Due on', it.dueOn],
            ['Account', it.account],
          ],
        },
      ],
    },
  }
}

export const withdrawalActions: readonly Action[] = [operationAction(withdrawalRequest, withdrawn)]
