/** Which operation needs a second person: the table is whole, and covers what the law says. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { approvalRuleOf, approvalRules } from '../../../actors/operations/approval-rules.ts'
import { authorityOf } from '../../../actors/operations/authority.ts'
import { operationsOf } from '../../../actors/operations/index.ts'

test('every operation has a row, and every row an operation', () => {
  const names = operationsOf('sandbox').map(({ name }) => name)
  assert.equal(Object.keys(approvalRules).toSorted(), names.toSorted())
  assert.throws(() => approvalRuleOf({ name: 'money.print' }), /Nobody has said/)
})

test('what only reads needs nobody else', () => {
  for (const operation of operationsOf('sandbox'))
    if (operation.isRead) assert.is(approvalRuleOf(operation), null, operation.name)
})

// Whatever hands out power over money: keys, secrets that webhooks are signed with, prices in doubt, a frozen party let go on; and
// deposits, terms and accounts, resolutions, confirm and report for a provider, claims, adjustments, payments, conversions, people,
// and thresholds themselves.
const covered: Readonly<Record<string, string>> = {
  'deposit.add': 'amount',
  'deposit.reverse': 'amount',
  apply: 'always',
  'terms.setFee': 'always',
  'terms.setCommission': 'always',
  'terms.setSettlement': 'always',
  'terms.setExposure': 'always',
  'terms.setNetwork': 'always',
  'calendar.import': 'always',
  'exception.resolve': 'amount',
  'order.confirm': 'amount',
  'reconciliation.apply': 'file',
  'reconciliation.bank': 'file',
  'reconciliation.book': 'file',
  'party.unfreeze': 'always',
  'rate.accept': 'always',
  'key.rotate': 'always',
  'webhook.switchKey': 'always',
  'webhook.rotateSecret': 'always',
  'claim.accept': 'amount',
  'claim.uphold': 'amount',
  'claim.reject': 'amount',
  'adjustment.record': 'amount',
  'payment.due': 'amount',
  'payment.order': 'amount',
  'payment.sent': 'amount',
  'payment.book': 'amount',
  'payment.return': 'amount',
  'payment.receive': 'amount',
  'payment.identify': 'amount',
  'bank.record': 'amount',
  'conversion.record': 'amount',
  'conversion.sell': 'amount',
  'operator.add': 'people',
  'operator.change': 'people',
  'operator.disable': 'people',
  'operator.enable': 'people',
  'operator.reset': 'people',
  'operator.invite': 'people',
  'operator.resetFactors': 'people',
  'approval.setThreshold': 'always',
  'approval.removeThreshold': 'always',
}

test('what the law covers needs a second person, and nothing else does', () => {
  const found = Object.entries(approvalRules).flatMap(([name, rule]) =>
    rule === null ? [] : [[name, rule[0]]],
  )
  assert.equal(Object.fromEntries(found), covered)
})

test('whatever moves money or people wants a fresh factor of whoever asks, too', () => {
  const without = Object.keys(covered).filter((name) => authorityOf({ name }).factor === 'none')
  // None opens money by itself: a rejected claim moves nothing, the others change days and texts, or what a frozen party may.
  const known = ['calendar.import', 'claim.reject', 'party.unfreeze', 'terms.setNetwork']
  assert.equal(without.toSorted(), known)
})

test.run()
