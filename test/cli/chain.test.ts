/** `ventanilla chain …` against a local Stellar network. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LocalChain } from '../support/chains/local-chain.ts'
import { startStellar } from '../support/chains/stellar/local.ts'
import { fakeClock } from '../support/clock.ts'
import { openForeignWorld } from '../support/foreign-world.ts'
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

test('a former treasury is listed as one that is read', async () => {
  const former = stellar.treasury
  const { address } = await stellar.newWallet()
  const settings = { ...stellar.settings, treasury: address, formerTreasuries: [former] }
  const { code, json, err } = await ventanilla(world(settings), 'chain', 'check', '--json')
  assert.is(code, 0, err)
  const found = json.checks.find(({ subject }: { subject: string }) => subject === former)
  assert.match(found?.found, /^a former treasury: payments to it are read/)
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
  assert.match(out, /No chain is on/)
})

test('lag says how far each chain has been read, and what keeps it; rescan reads it again', async () => {
  const running = await openForeignWorld('STELLAR')
  const env = { VENTANILLA_DATABASE: `sqlite:${join(running.directory, 'node.db')}` }
  const at = { cwd: running.directory, env, clock: running.clock }
  const lag = async () => (await ventanilla(at, 'chain', 'lag', '--json')).json.chains[0]
  try {
    for (let minute = 0; minute < 3; minute += 1) {
      await running.pass(60_000)
      await running.node.until(async () => Date.parse((await lag()).readAt ?? '') === running.clock.now())
    }
    const read = await lag()
    assert.equal([read.chain, read.problem], ['STELLAR', null])
    assert.ok(read.lagSeconds > 0 && read.lagSeconds <= 180, `${read.lagSeconds}`)
    const rescan = await ventanilla(at, 'chain', 'rescan', 'stellar', '--from', '2', '--dry-run')
    assert.is(rescan.out, 'STELLAR was read from block 2 to its last final block.\nNothing was missing.\n')
    const off = await ventanilla(at, 'chain', 'rescan', 'SOLANA', '--from', '2')
    assert.match(off.err, 'The chain SOLANA is not available.')
    for (const gate of [running.chain.gate, running.chain.spareGate]) if (gate) gate.trouble = () => 'cut'
    await running.pass(1_000)
    await running.node.until(async () => (await lag()).problem !== null)
    const { out } = await ventanilla(at, 'chain', 'lag')
    assert.match(
      out,
      /^CHAIN +READ AT +COMPLETE BEFORE +BEHIND +PROBLEM\nSTELLAR .+ \d+ s +127\.0\.0\.1:\d+ gave no answer/,
    )
  } finally {
    await running.close()
  }
})

test.run()
