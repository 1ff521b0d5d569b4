/**
 * An answer that lacks what a decision needs is no answer. Everyday runs try every 149th cut. All of them take several
 * minutes, and more than the runner gives a file: `VENTANILLA_TEST_CUTS=1 node --conditions=development` runs this one.
 */
import { suite } from 'uvu'
import { startEvm } from '../support/chains/evm/local.ts'
import type { LocalChain } from '../support/chains/local-chain.ts'
import { startSolana } from '../support/chains/solana/local.ts'
import { startStellar } from '../support/chains/stellar/local.ts'
import { type Context, openAdapter } from './contract-context.ts'
import { assertHarmless } from './incomplete-answers.ts'

const every = Number(process.env.VENTANILLA_TEST_CUTS ?? 149)
const starters: Readonly<Record<string, () => Promise<LocalChain>>> = {
  Solana: startSolana,
  Stellar: startStellar,
  Monad: () => startEvm('MONAD'),
}

const test = suite<Context>('incomplete answers')
for (const [name, start] of Object.entries(starters))
  test(`no member of an answer of ${name} can be left out, and a deposit lost or doubled for it`, async () => {
    const chain = await start()
    const t = { chain, adapter: openAdapter({ chain }) }
    const cuts = await assertHarmless(t, every)
    if (every === 1) console.log(`${name}: ${cuts} cuts`)
    await t.adapter.close()
    await chain.close()
  })
test.run()
