/** The signed endpoints over the orders of a world, asked as if a signature had been verified. */

import { createCodeBudgets } from '../../actors/parties/code-budgets.ts'
import { createDirectory } from '../../actors/parties/party-limits.ts'
import { merchantRoutes } from '../../http/api/merchant.ts'
import { providerRoutes } from '../../http/api/provider.ts'
import type { Route, SignedRequest } from '../../http/api/route.ts'
import type { HttpAnswer } from '../../http/foundation/errors.ts'
import { createCodeMisses } from '../../http/limits/code-misses.ts'
import { payOutBody } from './node.ts'
import { checkoutUrl, commit, type OrderWorld, shop, tills } from './order-world.ts'

export interface Endpoints {
  /** A new pay-out of 1,000.00 MXN, or what `changes` make of it. */
  create(changes?: Record<string, unknown>, direction?: 'pay-out' | 'pay-in'): Promise<HttpAnswer>
  act(
    code: string,
    action: 'start' | 'confirm' | 'cancel',
    direction?: 'pay-out' | 'pay-in',
  ): Promise<HttpAnswer>
}

let messages = 0

/** Registers what the shop may create and a network of till A. */
export async function endpointsOf(world: OrderWorld, orders = world.orders): Promise<Endpoints> {
  const pair = { merchant_id: shop.id, country: 'MX', currency: 'MXN', min_minor: 1n, max_minor: 1_000_000n }
  await commit(world.store, [
    { insert: 'pairs', values: { ...pair, pay_in: 1, pay_out: 1, cash_increment_minor: 1n } },
    { insert: 'networks', values: { network_id: '0001', provider_id: tills.A.id } },
  ])
  const routes = routesOf(world, orders)
  return {
    create: (changes, direction = 'pay-out') =>
      post(routes, `/merchants/orders/${direction}/`, shop, '', payOutBody(changes)),
    act: (code, action, direction = 'pay-out') =>
      post(routes, `/providers/orders/${direction}/:code/${action}-payment/`, tills.A, code, {
        network_id: '0001',
        ...(direction === 'pay-in' ? { price: '1000.00', price_currency: 'MXN' } : {}),
      }),
  }
}

function routesOf({ store, clock }: OrderWorld, orders: OrderWorld['orders']): Route[] {
  const directory = createDirectory(store)
  const misses = createCodeMisses(createCodeBudgets(store, { perMinute: 30, perDay: 1000 }), clock)
  return [
    ...providerRoutes({ directory, orders, misses }),
    ...merchantRoutes({
      directory,
      orders,
      // As a node that has not heard of a drain yet.
      isDrained: () => false,
      clock,
      checkoutUrl,
      transactions: { offer: async () => '' },
      listing: { page: async () => null },
      judgeNotifyUrl: () => null,
    }),
  ]
}

async function post(
  routes: readonly Route[],
  path: string,
  { kind, id: partyId, name, credential: key }: typeof shop | typeof tills.A,
  code: string,
  said: object,
): Promise<HttpAnswer> {
  const endpoint = routes.find((route) => route.path === path)?.methods.POST?.endpoint
  if (endpoint === undefined) throw new Error(`There is no ${path}.`)
  const body = Buffer.from(JSON.stringify(said))
  const request: SignedRequest = {
    identity: { kind, partyId, name, key, secret: '', isFrozen: false, requestsPerMinute: null },
    digest: `message ${++messages}`,
    messageDate: '2026-03-01T12:00:00.000Z',
    countRefusal: () => null,
    wantsTable: false,
    method: 'POST',
    path,
    params: { code },
    query: '',
    body,
    document: JSON.parse(body.toString()),
    idempotencyKey: null,
    isDryRun: false,
    note: () => {},
  }
  return endpoint(request)
}
