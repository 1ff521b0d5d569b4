/** How the chain tests ask an adapter, and take its answers apart. */
import { randomBytes, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type {
  Assembled,
  BuildRefusal,
  ChainAdapter,
  ChainFailure,
  KeptValues,
  Outcome,
  TransferRequest,
} from '../../chain/chain.ts'
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import type { LocalChain, LocalWallet } from '../support/chains/local-chain.ts'

export const minuteMs = 60_000

export function newReference(): string {
  return randomBytes(32).toString('hex')
}

/** What the node would ask for a new order of this wallet. */
export function transfer(
  chain: LocalChain,
  wallet: LocalWallet,
  amount: bigint,
  overrides: Partial<TransferRequest> = {},
): TransferRequest {
  return {
    orderId: randomUUID(),
    reference: newReference(),
    wallet: wallet.address,
    symbol: chain.asset.symbol,
    amount,
    deadline: chain.now() + 30 * minuteMs,
    ...overrides,
  }
}

/** What the workers keep for a request, read now. */
export async function keep(
  adapter: ChainAdapter,
  request: TransferRequest,
): Promise<{ network: KeptValues; wallet: KeptValues }> {
  const network = value(await adapter.readNetwork())
  const [wallet] = await adapter.readWallets([request])
  if (wallet === undefined) throw new Error('no answer for the wallet')
  return { network, wallet: value(wallet) }
}

export async function assemble(
  chain: LocalChain,
  adapter: ChainAdapter,
  request: TransferRequest,
): Promise<Assembled> {
  return value(adapter.assemble(request, await keep(adapter, request), chain.now()))
}

/** Every deposit after a cursor, page by page until there is no more. */
export async function read(adapter: ChainAdapter, cursor: string): Promise<readonly ChainDeposit[]> {
  const deposits: ChainDeposit[] = []
  for (let more = true, from = cursor; more; ) {
    const page = value(await adapter.deposits(from))
    deposits.push(...page.deposits)
    more = page.more
    from = page.cursor
  }
  return deposits
}

export function withReference(deposits: readonly ChainDeposit[], reference: string): readonly ChainDeposit[] {
  return deposits.filter(({ references }) => references.includes(reference))
}

export function value<Value>(outcome: Outcome<Value, ChainFailure | BuildRefusal>): Value {
  if (!outcome.ok) throw new Error(`${outcome.failure.kind}: ${outcome.failure.message}`)
  return outcome.value
}

/** The kind of a failure or refusal, `ok` when there is none. */
export function kindOf(outcome: Outcome<unknown, ChainFailure | BuildRefusal>): string {
  return outcome.ok ? 'ok' : outcome.failure.kind
}

export function only<Item>(items: readonly Item[]): Item {
  const [item, ...more] = items
  if (item === undefined || more.length > 0) throw new Error(`${items.length} items where one is expected`)
  return item
}

export async function isRefused(promise: Promise<unknown>): Promise<void> {
  const outcome = await promise.then(
    () => 'accepted',
    () => 'refused',
  )
  assert.is(outcome, 'refused')
}
