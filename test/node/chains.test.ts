/** The chains a node opens at its start. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openNodeChains } from '../../node/chains.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { fakeClock } from '../support/clock.ts'

const treasuries = {
  VENTANILLA_CHAINS_SOLANA_TREASURY: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  VENTANILLA_CHAINS_STELLAR_TREASURY: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  VENTANILLA_CHAINS_MONAD_TREASURY: '0x534b2f3A21130d7a60830c2Df862319e593943A3',
}

const settingsOf = (env: Record<string, string>) => loadSettings({ cwd: '/nowhere', env }).chains

test('every chain with a treasury is opened, with its assets, and nothing is asked of a network', async () => {
  const { chains, close } = await openNodeChains(settingsOf(treasuries), fakeClock())
  const assets = [...chains].map(
    ([
      name,
      {
        assets: [asset],
      },
    ]) => [name, asset?.symbol, asset?.decimals],
  )
  assert.equal(assets, [
    ['SOLANA', 'USDC', 6],
    ['STELLAR', 'USDC', 7],
    ['MONAD', 'USDC', 6],
  ])
  await close()
})

test('a chain without a treasury is off', async () => {
  const { chains } = await openNodeChains(settingsOf({}), fakeClock())
  assert.is(chains.size, 0)
})

test('an address that no chain could mean stops the start, and the setting is named', async () => {
  const mistyped = treasuries.VENTANILLA_CHAINS_STELLAR_TREASURY.replace('GBBD', 'GBBE')
  const settings = settingsOf({ VENTANILLA_CHAINS_STELLAR_TREASURY: mistyped })
  const error = await openNodeChains(settings, fakeClock()).catch((failure: unknown) => failure)
  assert.instance(error, CommandError)
  if (!(error instanceof CommandError)) return
  assert.is(error.exitCode, exitCodes.usage)
  assert.match(error.message, /^chains\.STELLAR\.treasury: /)
})

test.run()
