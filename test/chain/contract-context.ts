/** What the parts of the contract share. */
import type { suite } from 'uvu'
import type { ChainAdapter } from '../../chain/chain.ts'
import type { LocalChain } from '../support/chains/local-chain.ts'
import { minuteMs, value } from './asking.ts'
import { Book } from './book.ts'

export interface Context {
  chain: LocalChain
  adapter: ChainAdapter
}

export type Contract = ReturnType<typeof suite<Context>>

export function openAdapter(
  t: Pick<Context, 'chain'>,
  overrides: Readonly<Record<string, unknown>> = {},
  timeoutMs = 10_000,
): ChainAdapter {
  return t.chain.open({ clock: t.chain.now, timeoutMs, pageSize: 5 }, overrides)
}

export async function healGates(t: Context): Promise<void> {
  for (const gate of [t.chain.gate, t.chain.spareGate]) {
    if (gate === null) continue
    gate.trouble = null
    gate.rewrite = null
  }
  // Endpoints that rest after a failure wake up again.
  await t.chain.pass(2 * minuteMs)
}

export async function bookFrom(t: Context): Promise<Book> {
  return new Book(t.chain, value(await t.adapter.startCursor()))
}
