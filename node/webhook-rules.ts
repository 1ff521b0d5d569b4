/** Where a merchant's webhooks may go: the same for an order's creation and for each delivery. */
import { interfaceAddresses, type TargetRules } from '../actors/outbound/target.ts'
import type { Settings } from './settings/config.ts'

/**
 * @param exemptOrigins private origins that are allowed all the same, by the merchant's name
 * @param isInbox whether a URL is an inbox of this node, which is allowed wherever the node is
 */
export function targetRules(
  settings: Settings,
  exemptOrigins: Readonly<Record<string, readonly string[]>>,
  isInbox: (url: string) => boolean = () => false,
): (merchant: string) => TargetRules {
  const { allowPrivate, ports } = settings.webhooks
  return (merchant) => ({
    allowPrivate,
    isSandbox: settings.mode === 'sandbox',
    ports,
    exemptOrigins: exemptOrigins[merchant] ?? [],
    isInbox,
    ownAddresses: interfaceAddresses,
  })
}
