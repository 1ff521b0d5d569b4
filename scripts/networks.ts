/**
 * `npm run networks`: a developer's sandbox. A local Solana, Stellar and Monad that execute and refuse as the
 * real ones do, offline, until Ctrl-C.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { systemClock } from '../node/system-clock.ts'
import { startNetworks } from '../test/support/chains/networks.ts'
import { askNetworks, type NetworksRequest, serveControl } from '../test/support/chains/networks-control.ts'

const defaultState = 'data/local/networks.json'

const program = new Command('npm run networks --')
  .description('Runs a local Solana, Stellar and Monad, each with a treasury and a test token, until Ctrl-C.')
  .option('--write <file>', 'write the settings of a matching node into this file')
  .option('--state <file>', 'where a second terminal finds the running networks', defaultState)
  .addHelpText(
    'after',
    '\nWhile they run, in another terminal:\n  npm run networks -- grant SOLANA <wallet> 100',
  )
  .action(run)

program
  .command('grant <chain> <wallet> <amount>')
  .description('give test tokens to any wallet, and what it needs to hold and to send them')
  .action((chain: string, wallet: string, amount: string) => ask({ command: 'grant', chain, wallet, amount }))

program
  .command('balance <chain> <wallet>')
  .description("a wallet's test tokens")
  .action((chain: string, wallet: string) => ask({ command: 'balance', chain, wallet }))

program
  .command('wallet <chain> [amount]')
  .description('make a wallet with test tokens, whose key the network keeps for `sign`')
  .action((chain: string, amount = '1000') => ask({ command: 'wallet', chain, amount }))

program
  .command('sign <chain> <wallet> [file]')
  .description("sign an order's `transaction` (from the file, or standard input) and broadcast it")
  .action(async (chain: string, wallet: string, file?: string) => {
    const transaction = file === undefined ? await text(process.stdin) : readFileSync(file, 'utf8')
    await ask({ command: 'sign', chain, wallet, transaction: transaction.trim() })
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function stateFile(): string {
  return resolve(String(program.opts().state))
}

async function ask(request: NetworksRequest): Promise<void> {
  console.log(await askNetworks(stateFile(), { ...request, chain: request.chain.toUpperCase() }))
}

async function run({ write }: { write?: string }): Promise<void> {
  const file = stateFile()
  const networks = await startNetworks({ clock: () => systemClock.now() })
  const control = await serveControl(networks, file)
  const asked = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => asked.resolve())
  // A network keeps nothing when it ends: a database that has read another one would wait for its blocks.
  const database = `sqlite:data/local/networks-${systemClock.now()}.db`
  const settings = JSON.stringify({ mode: 'sandbox', database, chains: networks.settings }, null, 2)
  if (write === undefined) console.log(settings)
  else writeFileSync(write, `${settings}\n`)
  console.log(explanation(write ?? null))
  await asked.promise
  await control.close()
  await networks.close()
}

function explanation(write: string | null): string {
  const where = write === null ? 'Put these settings into a file' : `The settings are in ${write}`
  const name = write ?? 'FILE'
  return `
The networks run until Ctrl-C, in memory; a new start has new wallets and needs a new database.
${where}, and start a node with it:

  npm start -- --config ${name}

In another terminal:

  npm run networks -- wallet SOLANA 1000             makes a wallet with 1000 test USDC
  npm run networks -- grant SOLANA <wallet> 100      gives 100 to any wallet, and what it pays fees with
  npm run networks -- sign SOLANA <wallet> FILE      signs the transaction of an order, and broadcasts it
  npm run networks -- balance SOLANA <wallet>

and the same for STELLAR and MONAD.`
}
