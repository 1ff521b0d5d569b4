/**
 * What every adapter has to do, told by its local network. `test/chain/<chain>.test.ts` runs it and adds what
 * only its chain knows.
 */
import { suite } from 'uvu'
import type { LocalChain } from '../support/chains/local-chain.ts'
import { deposits, pages } from './contract-chain-deposits.ts'
import { type Context, healGates, openAdapter } from './contract-context.ts'
import { transactions } from './contract-transactions.ts'
import { treasury } from './contract-treasury.ts'
import { operation, troubles } from './contract-troubles.ts'

/** Runs the contract on a network that `open` starts once for the file. */
export function contract(name: string, open: () => Promise<LocalChain>): void {
  const test = suite<Context>(`${name} contract`)
  test.before(async (t) => {
    t.chain = await open()
    t.adapter = openAdapter(t)
  })
  test.after(async ({ chain, adapter }) => {
    await adapter.close()
    await chain.close()
  })
  test.after.each(async (t) => {
    await healGates(t)
  })
  transactions(test)
  deposits(test)
  pages(test)
  troubles(test)
  operation(test)
  treasury(test)
  test.run()
}
