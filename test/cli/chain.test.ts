/** `ventanilla chain check` against a local Stellar network. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LocalChain } from '../support/chains/local-chain.ts'
import { startStellar } from '../support/chains/stellar/local.ts'
import { fakeClock } from '../support/clock.ts'
import { ventanilla } from '../support/terminal.ts'

let stellar: LocalChain
const cwd = mkdtempSync(join(tmpdir(), 'ventanilla-chain-'))

test.before(async () => {
  stellar = await startStellar()
})
test.after(async () => {
  await stellar.close()
  rmSync(cwd, { recursive: true, force: true })
})

/** A world whose settings file has this one chain on. */
function world(settings: Readonly<Record<string, unknown>>) {
  // The settings take one Horizon, the adapter several.
  const STELLAR = { ...settings, horizon: [settings.horizon].flat()[0] }
  writeFileSync(join(cwd, 'stellar.json'), JSON.stringify({ chains: { STELLAR } }))
  return { cwd, env: { VENTANILLA_CONFIG: 'stellar.json' }, clock: fakeClock(stellar.now()) }
}

test('a chain that is as the settings say is found right, line by line', async () => {
  const { code, json, err } = await ventanilla(world(stellar.settings), 'chain', 'check', '--json')
  assert.is(code, 0, err)
  assert.is(json.ok, true)
  const seen = new Set(json.checks.map((check: { what: string }) => check.what))
  for (const what of ['endpoint', 'network', 'treasury', 'asset']) assert.ok(seen.has(what), what)
  for (const check of json.checks) assert.is(check.chain, 'STELLAR')
})

test('another network is named, with what to do, and the command fails', async () => {
  const settings = { ...stellar.settings, ...stellar.wrongNetwork }
  const { code, out } = await ventanilla(world(settings), 'chain', 'check')
  assert.is(code, 1)
  assert.match(out, /network +NO/)
  assert.match(out, /To do:\n- /)
})

test('without a treasury every chain is off, and that is said', async () => {
  const { code, out } = await ventanilla({ cwd }, 'chain', 'check')
  assert.is(code, 0)
  assert.match(out, /Every chain is off/)
})

test.run()
