/** Rows the tests of the store begin with. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../../persistence/statement.ts'
import { type Posting, type RowRef, row, type Store, type Write } from '../../persistence/store.ts'

export const merchantId = 'm1'
const providerId = 'p1'

const party = (id: string, kind: 'merchant' | 'provider', name: string): Write => ({
  insert: 'parties',
  values: { id, kind, name, contact: 'ops@shop.example', created_at: 0 },
})

const credential = (key: string, partyId: string): Write => ({
  insert: 'credentials',
  values: { key, party_id: partyId, secret_ciphertext: 'sealed', created_at: 0 },
})

/** A merchant and a provider, a key for each. */
export async function provision(store: Store): Promise<void> {
  await write(store, [
    party(merchantId, 'merchant', 'Demo Shop'),
    party(providerId, 'provider', 'Demo Network'),
    credential('mk_demo', merchantId),
    credential('pk_demo', providerId),
  ])
}

/** Commits writes that depend on nothing, and says how that ended. */
export async function write(store: Store, writes: readonly Write[]) {
  return store.step({ rows: {}, decide: () => ({ answer: null, writes }) })
}

type OrderValues = Extract<Write, { insert: 'orders' }>['values']

export function newOrder(id: string, at: number, changes: Partial<OrderValues> = {}): Write {
  return {
    insert: 'orders',
    values: {
      id,
      code: `code-${id}`,
      direction: 'PAY_OUT',
      order_type: 'LOCAL',
      merchant_id: merchantId,
      merchant_order_id: `shop-${id}`,
      credential_key: 'mk_demo',
      country: 'MX',
      price_minor: 100_000n,
      currency: 'MXN',
      description: '',
      notify_url: 'https://shop.example/hook',
      return_url: 'https://shop.example/',
      created_at: at,
      modified_at: at,
      expiry_at: at + 3_600_000,
      due_at: at + 3_600_000,
      status: 'CREATED',
      locks: 0,
      revision: 1,
      journal_count: 0,
      journal_head: '',
      refusals: 0,
      webhook_count: 0,
      machine: 'pay-out-local',
      machine_version: 1,
      snapshot: '{}',
      ...changes,
    },
  }
}

/** From the bank to the merchant's available money. */
export function accountsOf(currency: string) {
  return {
    debit: { kind: 'bank', ownerId: '', currency },
    credit: { kind: 'available', ownerId: merchantId, currency },
  } as const
}

/** A balance in minor units; null where nothing was ever posted. */
export async function balanceOf(store: Store, account: string): Promise<bigint | null> {
  const result = await store.step({
    rows: { account: row('accounts', { id: account }) },
    decide: ({ account: found }) => ({ answer: found?.balance_minor ?? null, writes: [] }),
  })
  if (result.outcome !== 'committed') throw new Error(result.constraint)
  return result.answer
}

/** What a promise is rejected with; undefined when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}

/** Registers a test that runs on a provisioned store of its own, whose clock stands at 1,000 until it is set. */
export type WithStore = (name: string, run: (store: Store, clock: { at: Instant }) => Promise<void>) => void

export const network = (networkId: string): Write => ({
  insert: 'networks',
  values: { network_id: networkId, provider_id: providerId },
})

/** A row as a step sees it. */
export async function find(store: Store, ref: RowRef): Promise<unknown> {
  const result = await store.step({
    rows: { found: ref },
    decide: ({ found }) => ({ answer: found, writes: [] }),
  })
  return result.outcome === 'committed' ? result.answer : result
}

/** A quote of a merchant that nobody has used, unless it names an order. */
export function newQuote(
  id: string,
  expiresAt: Instant,
  changes: { merchant_id?: string; order_id?: string } = {},
): Write {
  return {
    insert: 'quotes',
    values: {
      id,
      merchant_id: merchantId,
      blockchain: 'SOLANA',
      send_currency: 'USDC',
      asset_id: 'mint',
      asset_decimals: 6,
      send_minor: 1n,
      fee_minor: 0n,
      target_country: 'MX',
      target_currency: 'MXN',
      order_price_minor: 1n,
      rounding_minor: 0n,
      rate: '1',
      rate_source: 'fixed',
      rate_at: 0,
      evidence_json: '{}',
      created_at: 0,
      expires_at: expiresAt,
      ...changes,
    },
  }
}

export const postings = statement<Record<never, never>>()('postings.all', ({ db }) =>
  db.selectFrom('postings').selectAll().orderBy('id'),
)

export const deposit = (amountMinor: bigint, changes: Partial<Posting> = {}): Write => ({
  post: {
    kind: 'deposit',
    ...accountsOf('MXN'),
    amountMinor,
    orderId: null,
    reference: null,
    ...changes,
  },
})
