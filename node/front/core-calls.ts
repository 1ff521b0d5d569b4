/**
 * What the front asks of the core: everything that decides, and what only the core knows. Data goes in and comes out, so that
 * the two may be on two threads; on one, the very same object is called.
 */
import type { FreshTransactions, OfferedTransactions } from '../../actors/chains/transactions.ts'
import { offeredTransaction } from '../../actors/chains/transactions.ts'
import type { NodeClock } from '../../actors/condition/clock-watch.ts'
import { type Readiness, readiness } from '../../actors/condition/condition.ts'
import type { Credentials } from '../../actors/keys/credentials.ts'
import type { PublicOrders } from '../../actors/orders/registry.ts'
import { type CodeBudgets, createCodeBudgets } from '../../actors/parties/code-budgets.ts'
import { createQuotes, type Quotes } from '../../actors/quotes/quotes.ts'
import type { SandboxParts } from '../../actors/sandbox/parts.ts'
import type { Simulate } from '../../actors/sandbox/simulating.ts'
import { createResends, type Resends } from '../../actors/webhooks/own-webhooks.ts'
import { createPing, type Ping, type PingOptions } from '../../actors/webhooks/ping.ts'
import { createClaims } from '../../http/api/claims.ts'
import { createReportParts } from '../../http/api/reports.ts'
import type { RequestNoting } from '../../http/api/request-notes.ts'
import { createWithdrawals } from '../../http/api/withdrawals.ts'
import type { SigningOptions } from '../../http/checkout/signing.ts'
import { createCheckoutRelay } from '../checkout-order.ts'
import type { Core } from '../core.ts'
import type { Settings } from '../settings/config.ts'

export interface CoreCalls
  extends Pick<PublicOrders, 'create' | 'tell' | 'refuseOnce' | 'lookAtQuote'>,
    Pick<SigningOptions, 'relay'>,
    OfferedTransactions,
    RequestNoting {
  readiness(): Promise<Readiness>
  openSecret(key: string, sealed: string | null): Promise<string>
  recordUse: Credentials['recordUse']
  tryExpire(orderId: string): Promise<boolean>
  takeLooks: CodeBudgets['take']
  quote: Quotes['create']
  withdraw: ReturnType<typeof createWithdrawals>
  anchorNow(): Promise<void>
  sendReport: ReturnType<typeof createReportParts>
  openClaim: ReturnType<typeof createClaims>['openClaim']
  tellClaim: ReturnType<typeof createClaims>['tellClaim']
  resendWebhook: Resends['one']
  resendWebhooks: Resends['many']
  ping: Ping
  /** In a sandbox alone, as all that follows. */
  simulate: Simulate
  setFault: SandboxParts['faults']['set']
  removeFault: SandboxParts['faults']['remove']
  receive: SandboxParts['receive']
}

export function createCoreCalls(
  settings: Settings,
  core: Core,
  clock: NodeClock,
  fresh: FreshTransactions,
  pinging: Pick<PingOptions, 'sender' | 'rulesFor'>,
): CoreCalls {
  const { orders, credentials, store, chains } = core
  const { codeMissesPerMinute: perMinute, codeMissesPerDay: perDay } = settings.limits
  const resends = createResends(store)
  const quotes = createQuotes({
    store,
    chains,
    validityMs: settings.quotes.validitySeconds * 1000,
    isSandbox: settings.mode === 'sandbox',
  })
  return {
    readiness: async () => readiness(core.condition),
    openSecret: async (key, sealed) => credentials.openSecret(key, sealed),
    recordUse: credentials.recordUse,
    tryExpire: orders.tryExpire,
    takeLooks: createCodeBudgets(store, { perMinute, perDay }).take,
    lookAtQuote: orders.lookAtQuote,
    refuseOnce: orders.refuseOnce,
    create: orders.create,
    tell: orders.tell,
    quote: quotes.create,
    withdraw: createWithdrawals({ store, orders, clock, isTrusted: core.clockWatch.isTrusted }),
    anchorNow: core.anchorNow,
    sendReport: createReportParts({ store, orders, clock }),
    ...createClaims({ store, clock, journalKey: core.journalKey, ...settings.claims }),
    resendWebhook: resends.one,
    resendWebhooks: resends.many,
    ping: createPing({
      ...pinging,
      credentials,
      clock,
      async keep(writes) {
        await store.step({ rows: {}, decide: () => ({ answer: null, writes }) })
      },
    }),
    simulate: core.simulate ?? notInProduction,
    ...sandboxCalls(core.sandbox),
    offer: async (order, foreign, at) => offeredTransaction(fresh, order, foreign, at),
    relay: createCheckoutRelay(orders, chains),
  }
}

function sandboxCalls(
  sandbox: SandboxParts | null,
): Pick<CoreCalls, keyof RequestNoting | 'setFault' | 'removeFault' | 'receive'> {
  if (sandbox === null) {
    const none = notInProduction
    return { noteRequests: none, readRequests: none, setFault: none, removeFault: none, receive: none }
  }
  const { requests, faults, receive } = sandbox
  return {
    async noteRequests(noted) {
      for (const [asker, request] of noted) requests.note(asker, request)
    },
    readRequests: async (asked) => requests.of(asked),
    setFault: faults.set,
    removeFault: faults.remove,
    receive,
  }
}

/** No route leads here. */
async function notInProduction(): Promise<never> {
  throw new Error('This is of a sandbox, and the node is in production.')
}

/** The same for another thread: rows are long to copy, and what is answered needs little of them. */
export function withoutRows(calls: CoreCalls): CoreCalls {
  return {
    ...calls,
    async create(order, guard) {
      const created = await calls.create(order, guard)
      if (created.outcome !== 'created') return created
      return { outcome: 'created', order: { id: created.order.id }, answer: created.answer }
    },
    async tell(message) {
      const told = await calls.tell(message)
      switch (told.outcome) {
        case 'accepted':
        case 'already_confirmed':
          return { outcome: told.outcome, answer: told.answer }
        case 'refused': {
          const { status, direction, currency } = told.order
          return { outcome: 'refused', reason: told.reason, order: { status, direction, currency } }
        }
        case 'changed_since':
          return { outcome: told.outcome }
        default:
          return told
      }
    },
  }
}
