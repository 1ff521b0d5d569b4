/**
 * Which operation needs a second person, and when. An operation without a row does not compile.
 *
 * `amount`: where what it would post is above its threshold, together with what the same person or party has moved without a second
 * person within a day. `always`: wherever approvals are on, that is, where any threshold is set. `people`: the same, where there is
 * another administrator who could approve. `file`: the same, for what a file of a network or a bank would book.
 *
 * The node carries out what was approved, but for what answers a secret, or needs a file again: that is whoever asked.
 */
import type { OperationName } from './index.ts'

export type ApprovalNeed = 'amount' | 'always' | 'people' | 'file'

export type ApprovalRule = readonly [need: ApprovalNeed, carriedBy: 'node' | 'asker'] | null

/** It moves no money and changes neither terms, prices, keys nor people; or what it moves stays the same party's. */
const never = null

/** It takes power away, or sets aside: whoever finds a leak at night does that alone, and at once. Giving it back takes two. */
const alone = null

/** What it opens is judged by itself: an order is paid, or a payment ordered, by an operation of its own. */
const judgedLater = null

export const approvalRules = {
  apply: ['always', 'asker'],
  // Of a sandbox, where no money is.
  'sandbox.simulate': never,
  'sandbox.goLive': never,
  'sandbox.requests': never,
  'sandbox.faults': never,
  'sandbox.setFault': never,
  'sandbox.removeFault': never,
  'sandbox.deliveries': never,
  'sandbox.inbox': never,
  'sandbox.sampleReport': never,
  'sandbox.sampleStatement': never,
  'sandbox.clock.show': never,
  'sandbox.clock.advance': never,
  'sandbox.clock.reset': never,
  'record.find': never,
  'queue.list': never,
  'order.list': never,
  'order.show': never,
  'archive.show': never,
  'list.show': never,
  'list.setColumns': never,
  'list.saveFilter': never,
  'list.removeFilter': never,
  'order.confirm': ['amount', 'node'],
  'order.release': alone,
  'order.cancel': alone,
  'order.cancelAll': alone,
  'order.evidence': never,
  'order.quarantined': never,
  'order.clear': judgedLater,
  'reconciliation.read': never,
  'reconciliation.apply': ['file', 'asker'],
  'reconciliation.progress': never,
  'reconciliation.bank': ['file', 'asker'],
  'reconciliation.book': ['file', 'asker'],
  'bank.progress': never,
  'reconciliation.days': never,
  'reconciliation.day': never,
  'claim.open': never,
  'claim.list': never,
  'claim.show': never,
  'claim.answer': never,
  'claim.addEvidence': never,
  'claim.evidence': never,
  'claim.accept': ['amount', 'node'],
  'claim.uphold': ['amount', 'node'],
  'claim.reject': ['amount', 'node'],
  'claim.withdraw': never,
  'party.freeze': alone,
  'party.unfreeze': ['always', 'node'],
  'merchant.list': never,
  'merchant.show': never,
  'provider.list': never,
  'provider.show': never,
  'terms.show': never,
  'terms.setFee': ['always', 'node'],
  'terms.setCommission': ['always', 'node'],
  'terms.setSettlement': ['always', 'node'],
  'terms.setExposure': ['always', 'node'],
  'terms.setNetwork': ['always', 'node'],
  'calendar.list': never,
  'calendar.import': ['always', 'node'],
  'rate.list': never,
  'rate.show': never,
  'rate.accept': ['always', 'node'],
  'webhook.list': never,
  'webhook.show': never,
  'webhook.retry': never,
  'webhook.pause': alone,
  'webhook.resume': never,
  'webhook.switchKey': ['always', 'node'],
  'webhook.rotateSecret': ['always', 'asker'],
  'webhook.dropSecret': alone,
  'notification.list': never,
  'notification.show': never,
  'notification.retry': never,
  'notification.test': never,
  'notification.events': never,
  'notification.apply': never,
  'notification.channel.list': never,
  'notification.channel.set': never,
  'notification.channel.remove': never,
  'notification.rule.list': never,
  'notification.rule.set': never,
  'notification.rule.remove': never,
  'exception.list': never,
  'exception.show': never,
  'exception.resolve': ['amount', 'node'],
  'exception.refund': never,
  'deposit.add': ['amount', 'node'],
  'deposit.reverse': ['amount', 'node'],
  'payment.due': ['amount', 'node'],
  'payment.outstanding': never,
  'payment.file': never,
  'payment.order': ['amount', 'node'],
  'payment.sent': ['amount', 'node'],
  'payment.book': ['amount', 'node'],
  'payment.return': ['amount', 'node'],
  'payment.receive': ['amount', 'node'],
  'payment.identify': ['amount', 'node'],
  'payment.export': never,
  'payment.list': never,
  'payment.show': never,
  'bank.record': ['amount', 'node'],
  'bank.list': never,
  'adjustment.record': ['amount', 'node'],
  'adjustment.list': never,
  'conversion.record': ['amount', 'node'],
  'conversion.sell': ['amount', 'node'],
  'conversion.list': never,
  'key.list': never,
  'key.rotate': ['always', 'asker'],
  'key.revoke': alone,
  'key.rewrap': never,
  'evidence.key': never,
  'evidence.rotate': never,
  'clock.show': never,
  'clock.accept': never,
  'node.show': never,
  'node.drain': alone,
  'node.undrain': never,
  'node.showRestore': never,
  'node.acceptRestore': judgedLater,
  'personal.erase': never,
  'chain.lag': never,
  'chain.rescan': never,
  'overview.show': never,
  'overview.attention': never,
  'machine.list': never,
  'order.replay': never,
  'journal.list': never,
  'alarm.list': never,
  'operator.list': never,
  'operator.add': ['people', 'asker'],
  'operator.change': ['people', 'node'],
  'operator.disable': ['people', 'node'],
  'operator.enable': ['people', 'node'],
  'operator.reset': ['people', 'asker'],
  'operator.password': never,
  'operator.set': never,
  'operator.setOwn': never,
  'operator.invite': ['people', 'asker'],
  'operator.uninvite': alone,
  'operator.resetFactors': ['people', 'node'],
  'session.list': never,
  'session.end': alone,
  'audit.list': never,
  'settlement.today': never,
  'statement.list': never,
  'statement.show': never,
  'statement.export': never,
  'statement.close': judgedLater,
  'settlement.resume': judgedLater,
  'withdrawal.request': judgedLater,
  verify: never,
  'verify.progress': never,
  doctor: never,
  'backup.list': never,
  'backup.make': never,
  'backup.drill': never,
  'credential.sign': never,
  'credential.explain': never,
  'approval.list': never,
  'approval.show': never,
  'approval.approve': never,
  'approval.refuse': alone,
  'approval.withdraw': alone,
  'approval.carryOut': never,
  'approval.thresholds': never,
  'approval.setThreshold': ['always', 'node'],
  'approval.removeThreshold': ['always', 'node'],
} as const satisfies Readonly<Record<OperationName, ApprovalRule>>

/** Those that may take two people. */
export type JudgedOperation = {
  [Name in OperationName]: (typeof approvalRules)[Name] extends null ? never : Name
}[OperationName]

const byName: ReadonlyMap<string, ApprovalRule> = new Map(Object.entries(approvalRules))

export function isJudged<Asked extends { name: string }>(
  operation: Asked,
): operation is Asked & { name: JudgedOperation } {
  return approvalRuleOf(operation) !== null
}

/** @throws Error for what is no operation */
export function approvalRuleOf({ name }: { name: string }): ApprovalRule {
  const rule = byName.get(name)
  if (rule === undefined) throw new Error(`Nobody has said whether ${name} needs a second person.`)
  return rule
}
