/**
 * Who may ask for which operation: the least role, and whether a second factor has to be fresh. An operation without a row does not
 * compile.
 *
 * `none`: to be signed in is enough. `fresh`: the operation moves money, keys or people, so whoever is signed in has proved a second
 * factor within the last minutes; the command line and the node's token have none to prove. `machine`: no signed-in person may ask
 * at all, only whoever has the machine.
 */
import type { Clock } from '../foundation/clock.ts'
import { OperationError } from '../foundation/operation.ts'
import { isAtLeast, type Role } from '../foundation/roles.ts'
import { isFresh, type Session } from '../people/sessions.ts'
import type { OperationName } from './index.ts'

type Factor = 'none' | 'fresh' | 'machine'

type Authority = readonly [role: Role, factor: Factor]

export const authorities: Readonly<Record<OperationName, Authority>> = {
  apply: ['administrator', 'fresh'],
  'record.find': ['viewer', 'none'],
  'order.list': ['viewer', 'none'],
  'order.show': ['viewer', 'none'],
  'archive.show': ['viewer', 'none'],
  'list.show': ['viewer', 'none'],
  'list.setColumns': ['viewer', 'none'],
  'list.saveFilter': ['viewer', 'none'],
  'list.removeFilter': ['viewer', 'none'],
  'order.confirm': ['operator', 'fresh'],
  'order.release': ['operator', 'none'],
  'order.cancel': ['operator', 'none'],
  'order.cancelAll': ['administrator', 'none'],
  'order.evidence': ['operator', 'none'],
  'order.quarantined': ['viewer', 'none'],
  'order.clear': ['operator', 'none'],
  'reconciliation.read': ['operator', 'none'],
  'reconciliation.apply': ['operator', 'fresh'],
  'reconciliation.progress': ['viewer', 'none'],
  'reconciliation.bank': ['administrator', 'fresh'],
  'reconciliation.book': ['administrator', 'fresh'],
  'bank.progress': ['operator', 'none'],
  'reconciliation.days': ['viewer', 'none'],
  'reconciliation.day': ['viewer', 'none'],
  'approval.list': ['viewer', 'none'],
  'approval.show': ['operator', 'none'],
  'approval.approve': ['operator', 'fresh'],
  'approval.refuse': ['operator', 'none'],
  'approval.withdraw': ['operator', 'none'],
  'approval.carryOut': ['operator', 'fresh'],
  'approval.thresholds': ['viewer', 'none'],
  'approval.setThreshold': ['administrator', 'fresh'],
  'approval.removeThreshold': ['administrator', 'fresh'],
  'claim.open': ['operator', 'none'],
  'claim.list': ['viewer', 'none'],
  'claim.show': ['viewer', 'none'],
  'claim.answer': ['operator', 'none'],
  'claim.addEvidence': ['operator', 'none'],
  'claim.evidence': ['operator', 'none'],
  'claim.accept': ['administrator', 'fresh'],
  'claim.uphold': ['administrator', 'fresh'],
  'claim.reject': ['administrator', 'none'],
  'claim.withdraw': ['operator', 'none'],
  'party.freeze': ['operator', 'none'],
  'party.unfreeze': ['administrator', 'none'],
  'merchant.list': ['viewer', 'none'],
  'merchant.show': ['viewer', 'none'],
  'provider.list': ['viewer', 'none'],
  'provider.show': ['viewer', 'none'],
  'terms.show': ['viewer', 'none'],
  'terms.setFee': ['administrator', 'fresh'],
  'terms.setCommission': ['administrator', 'fresh'],
  'terms.setSettlement': ['administrator', 'fresh'],
  'terms.setExposure': ['administrator', 'fresh'],
  'terms.setNetwork': ['administrator', 'none'],
  'calendar.list': ['viewer', 'none'],
  'calendar.import': ['administrator', 'none'],
  'rate.list': ['viewer', 'none'],
  'rate.show': ['viewer', 'none'],
  'rate.accept': ['administrator', 'fresh'],
  'webhook.list': ['viewer', 'none'],
  'webhook.show': ['viewer', 'none'],
  'webhook.retry': ['operator', 'none'],
  'webhook.pause': ['operator', 'none'],
  'webhook.resume': ['operator', 'none'],
  'webhook.switchKey': ['administrator', 'fresh'],
  'webhook.rotateSecret': ['administrator', 'fresh'],
  'webhook.dropSecret': ['administrator', 'fresh'],
  'notification.list': ['operator', 'none'],
  'notification.show': ['operator', 'none'],
  'notification.retry': ['operator', 'none'],
  'notification.test': ['operator', 'none'],
  'notification.events': ['viewer', 'none'],
  'notification.apply': ['administrator', 'fresh'],
  'notification.channel.list': ['operator', 'none'],
  'notification.channel.set': ['administrator', 'fresh'],
  'notification.channel.remove': ['administrator', 'fresh'],
  'notification.rule.list': ['operator', 'none'],
  'notification.rule.set': ['administrator', 'fresh'],
  'notification.rule.remove': ['administrator', 'fresh'],
  'exception.list': ['viewer', 'none'],
  'exception.show': ['viewer', 'none'],
  'exception.resolve': ['operator', 'fresh'],
  'exception.refund': ['operator', 'none'],
  'deposit.add': ['administrator', 'fresh'],
  'deposit.reverse': ['administrator', 'fresh'],
  'payment.due': ['administrator', 'fresh'],
  'payment.outstanding': ['viewer', 'none'],
  'payment.file': ['operator', 'none'],
  'payment.order': ['administrator', 'fresh'],
  'payment.sent': ['administrator', 'fresh'],
  'payment.book': ['administrator', 'fresh'],
  'payment.return': ['administrator', 'fresh'],
  'payment.receive': ['administrator', 'fresh'],
  'payment.identify': ['administrator', 'fresh'],
  'payment.export': ['administrator', 'fresh'],
  'payment.list': ['viewer', 'none'],
  'payment.show': ['viewer', 'none'],
  'bank.record': ['administrator', 'fresh'],
  'bank.list': ['viewer', 'none'],
  'adjustment.record': ['administrator', 'fresh'],
  'adjustment.list': ['viewer', 'none'],
  'conversion.record': ['administrator', 'fresh'],
  'conversion.sell': ['administrator', 'fresh'],
  'conversion.list': ['viewer', 'none'],
  'key.list': ['viewer', 'none'],
  'key.rotate': ['administrator', 'fresh'],
  'key.revoke': ['administrator', 'fresh'],
  'key.rewrap': ['administrator', 'fresh'],
  'evidence.key': ['viewer', 'none'],
  'evidence.rotate': ['administrator', 'fresh'],
  'clock.show': ['viewer', 'none'],
  'clock.accept': ['administrator', 'none'],
  'node.show': ['viewer', 'none'],
  'node.drain': ['administrator', 'none'],
  'node.undrain': ['administrator', 'none'],
  'node.showRestore': ['viewer', 'none'],
  'node.acceptRestore': ['administrator', 'fresh'],
  'personal.erase': ['administrator', 'fresh'],
  'chain.lag': ['viewer', 'none'],
  'chain.rescan': ['operator', 'none'],
  'overview.show': ['viewer', 'none'],
  'overview.attention': ['viewer', 'none'],
  'machine.list': ['viewer', 'none'],
  'order.replay': ['operator', 'none'],
  'journal.list': ['operator', 'none'],
  'queue.list': ['operator', 'none'],
  'alarm.list': ['viewer', 'none'],
  'operator.list': ['administrator', 'none'],
  'operator.add': ['administrator', 'fresh'],
  'operator.change': ['administrator', 'fresh'],
  'operator.disable': ['administrator', 'fresh'],
  'operator.enable': ['administrator', 'fresh'],
  'operator.reset': ['administrator', 'fresh'],
  'operator.password': ['viewer', 'none'],
  'operator.set': ['administrator', 'none'],
  'operator.setOwn': ['viewer', 'none'],
  'operator.invite': ['administrator', 'fresh'],
  'operator.uninvite': ['administrator', 'fresh'],
  'operator.resetFactors': ['administrator', 'machine'],
  'session.list': ['viewer', 'none'],
  'session.end': ['viewer', 'none'],
  'audit.list': ['operator', 'none'],
  'settlement.today': ['viewer', 'none'],
  'statement.list': ['viewer', 'none'],
  'statement.show': ['viewer', 'none'],
  'statement.export': ['viewer', 'none'],
  'statement.close': ['administrator', 'fresh'],
  'settlement.resume': ['administrator', 'fresh'],
  'withdrawal.request': ['administrator', 'fresh'],
  verify: ['operator', 'none'],
  'verify.progress': ['viewer', 'none'],
  doctor: ['viewer', 'none'],
  'backup.list': ['operator', 'none'],
  'backup.make': ['operator', 'none'],
  'backup.drill': ['operator', 'none'],
  'sandbox.simulate': ['operator', 'none'],
  'sandbox.goLive': ['viewer', 'none'],
  'sandbox.requests': ['operator', 'none'],
  'sandbox.faults': ['viewer', 'none'],
  'sandbox.setFault': ['operator', 'none'],
  'sandbox.removeFault': ['operator', 'none'],
  'sandbox.deliveries': ['operator', 'none'],
  'sandbox.inbox': ['operator', 'none'],
  'sandbox.sampleReport': ['operator', 'none'],
  'sandbox.sampleStatement': ['operator', 'none'],
  'sandbox.clock.show': ['operator', 'none'],
  'sandbox.clock.advance': ['operator', 'none'],
  'sandbox.clock.reset': ['operator', 'none'],
  'credential.sign': ['administrator', 'none'],
  'credential.explain': ['administrator', 'none'],
}

/** Whoever is signed in. */
export type Asker = Pick<Session, 'role' | 'hasFactor' | 'factorAt'>

const byName: ReadonlyMap<string, Authority> = new Map(Object.entries(authorities))

/** @throws Error for what is no operation */
export function authorityOf({ name }: { name: string }): { role: Role; factor: Factor } {
  const authority = byName.get(name)
  if (authority === undefined) throw new Error(`Nobody has said who may ask for ${name}.`)
  const [role, factor] = authority
  return { role, factor }
}

/** @throws OperationError */
export function assertMay(
  operation: { name: string },
  {
    asker,
    name,
    clock,
    mode,
    isPreview,
  }: {
    asker: Asker
    /** Theirs. */
    name: string
    clock: Clock
    mode: 'sandbox' | 'production'
    /** Nothing would come of it. */
    isPreview: boolean
  },
): void {
  const { role, factor } = authorityOf(operation)
  if (!isAtLeast(asker.role, role)) {
    throw new OperationError(
      'forbidden',
      `${operation.name} is for ${role}s, and ${name} is a ${asker.role}.`,
      {
        hint: 'An administrator can do it, or give you another role.',
      },
    )
  }
  if (factor === 'none' || (factor === 'fresh' && isPreview)) return
  if (factor === 'machine') {
    const hint = `On the machine of the node: ventanilla ${operation.name.replace('.', ' ')}.`
    throw new OperationError('forbidden', `${operation.name} is not for whoever is signed in.`, { hint })
  }
  if (asker.hasFactor) {
    if (isFresh(asker.factorAt, clock)) return
    throw new OperationError(
      'unproved',
      'Prove your second factor: it was not asked for in the last five minutes.',
    )
  }
  if (mode === 'production') {
    throw new OperationError('forbidden', `${operation.name} is for operators with a second factor.`, {
      hint: 'Add a passkey or an authenticator on the page of your account.',
    })
  }
}
