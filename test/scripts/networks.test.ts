/** `npm run networks`: the three local networks by hand. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { Keypair } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { openChains } from '../../chain/index.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { askNetworks, type NetworksRequest } from '../support/chains/networks-control.ts'

interface Context {
  directory: string
  stop(): Promise<number>
}

const script = join(import.meta.dirname, '../../scripts/networks.ts')
const test = suite<Context>('networks')

/** As somebody in a second terminal. */
function typed({ directory }: Context, ...args: string[]) {
  const state = ['--state', join(directory, 'state.json')]
  const options = { encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...state, ...args], options)
  return { status, out: stdout.trim(), err: stderr.trim() }
}

function ask({ directory }: Context, request: NetworksRequest): Promise<string> {
  return askNetworks(join(directory, 'state.json'), request)
}

test.before(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'ventanilla-networks-'))
  const files = [
    '--state',
    join(context.directory, 'state.json'),
    '--write',
    join(context.directory, 'node.json'),
  ]
  const child = spawn(process.execPath, [script, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  // All it prints comes at once, when everything listens.
  await once(child.stdout, 'data')
  context.stop = async () => {
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    return Number(code)
  }
})

test.after(({ directory }) => rmSync(directory, { recursive: true, force: true }))

const strangers: Readonly<Record<string, string>> = {
  SOLANA: new PublicKey(Buffer.alloc(32, 9)).toBase58(),
  STELLAR: Keypair.random().publicKey(),
  MONAD: privateKeyToAddress(generatePrivateKey()),
}

for (const [chain, wallet] of Object.entries(strangers)) {
  test(`${chain}: any wallet is granted test tokens, and can be asked for a transaction then`, async (context) => {
    await ask(context, { command: 'grant', chain, wallet, amount: '100' })
    const granted = await ask(context, { command: 'grant', chain, wallet, amount: '0.5' })
    assert.match(granted, /^\S+ has 100\.50+ USDC$/)
    const settings = loadSettings({ cwd: context.directory, env: {}, configFile: 'node.json' })
    const adapters = await openChains(settings.chains, { clock: () => systemClock.now() })
    const adapter = adapters.find(({ blockchain }) => blockchain === chain)
    const [read] = (await adapter?.readWallets([{ wallet, symbol: 'USDC' }])) ?? []
    assert.is(read?.ok, true, JSON.stringify(read))
    for (const each of adapters) await each.close()
  })
}

test('a second terminal grants, and reads what is wrong in a line', (context) => {
  const { MONAD = '' } = strangers
  assert.match(typed(context, 'grant', 'monad', MONAD, '7').out, /^0x\w+ has 107\.50+ USDC$/)
  const tooFine = typed(context, 'grant', 'MONAD', MONAD, '1.1234567')
  assert.equal([tooFine.status, tooFine.out], [1, ''])
  assert.match(tooFine.err, /^1\.1234567 is no amount of USDC, which has 6 decimals\.$/)
})

test('a wallet of theirs signs nothing but one transfer of the test token', async (context) => {
  const wallet = await ask(context, { command: 'wallet', chain: 'MONAD', amount: '5' })
  const transfer = { type: '0x2', chainId: '0x279f', from: wallet, to: wallet, value: '0x1', data: '0x' }
  try {
    await ask(context, { command: 'sign', chain: 'MONAD', wallet, transaction: JSON.stringify(transfer) })
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), /Error: no gas/)
  }
})

test('Ctrl-C ends them, and they leave nothing behind', async (context) => {
  assert.is(await context.stop(), 0)
  assert.is(existsSync(join(context.directory, 'state.json')), false)
  assert.match(typed(context, 'balance', 'MONAD', 'x').err, /start the networks with `npm run networks`/)
  assert.ok(JSON.parse(readFileSync(join(context.directory, 'node.json'), 'utf8')).chains.MONAD.treasury)
})

test.run()
