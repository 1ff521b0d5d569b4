/** The second pair of eyes on Stellar: the account's trust lines at a ledger, and deposits read again from any one. */
import type { ChainFailure, ChainReader, Outcome, TreasuryLook } from '../chain.ts'
import { accountOf, holdingOf } from './accounts.ts'
import { chainDepositPage } from './chain-deposits.ts'
import { endOf, writeCursor } from './cursor.ts'
import { ChainFailed } from './failed.ts'
import type { HorizonNetwork } from './network.ts'

/** @param network of its own: closing the reader closes it. */
export function openReader(network: HorizonNetwork): ChainReader {
  return {
    look: () => look(network),
    cursorAt: (height) => cursorAt(network, Number(height)),
    deposits: (cursor) => chainDepositPage(network, cursor),
    close: async () => network.requests.close(),
  }
}

async function look(network: HorizonNetwork): Promise<Outcome<TreasuryLook, ChainFailure>> {
  const { treasury } = network.settings
  return await network.ask(async (horizon) => {
    const before = await horizon.root()
    const { found, asOf } = await horizon.findAsOf(`/accounts/${treasury}`, 'an account')
    const { head, headAt } = await horizon.root()
    // Horizon names the ledger of a state; where a proxy takes that away, one in which nothing closed meanwhile.
    const ledger = asOf ?? (before.head === head ? head : null)
    if (ledger === null || ledger > head)
      throw new ChainFailed('inconsistent', 'does not say of which ledger the state of the treasury is.')
    const account = found === null ? null : accountOf(found)
    const holdings = network.assets.flatMap(({ symbol, id, decimals }) => {
      const { units } = holdingOf(account, id)
      // What the treasury issues itself cannot be counted.
      return units === null ? [] : [{ asset: { symbol, id, decimals }, units }]
    })
    return { treasury, endpoint: horizon.host, height: ledger.toString(), at: headAt, holdings }
  })
}

async function cursorAt(network: HorizonNetwork, ledger: number): Promise<Outcome<string, ChainFailure>> {
  return await network.ask(async (horizon) => {
    const { head, headAt } = await horizon.root()
    if (ledger > head) throw new ChainFailed('inconsistent', `has no ledger ${ledger} yet.`)
    const after = endOf(ledger).toString()
    return writeCursor({ after, anchor: null, ledger, readTo: null, head: { ledger: head, at: headAt } })
  })
}
