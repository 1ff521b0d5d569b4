/** What workers keep so that a transaction can be assembled at once: see `KeptValues` of the port. */
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js'
import type { BuildRefusal, ChainFailure, KeptFor, KeptValues, Outcome, WalletRequest } from '../chain.ts'
import { associatedTokenAccount } from './addresses.ts'
import type { SolanaAsset, SolanaNetwork } from './network.ts'
import { assetUnknown, refused, unreadable, walletInvalid } from './refusals.ts'
import { readTokenAccount } from './token-account.ts'

/** A block hash ages; that a wallet holds a token account seldom changes. */
export const keptFor: KeptFor = { network: 20_000, wallet: 600_000 }

/** Bounds of the price that is offered for a compute unit, in millionths of a lamport. */
const minUnitPrice = 10_000
const maxUnitPrice = 500_000

/** Whether a token account can receive (the treasury's) or send (a wallet's). */
export type TokenAccountState = 'ready' | 'missing' | 'frozen'

/** The most accounts that one request may name. */
const accountsPerRequest = 100

/** The key of a treasury account's state in the network's values. */
export function treasuryKey(symbol: string): string {
  return `treasury ${symbol}`
}

/**
 * `blockHash`, `unitPrice`, and the state of the treasury's account for each asset. The block hash is a
 * *confirmed* one: a final one is 13 s older, and it lives for a minute only.
 */
export async function readNetwork(network: SolanaNetwork): Promise<Outcome<KeptValues, ChainFailure>> {
  const readAt = network.clock()
  return await network.ask(async (connection) => {
    const treasuryAccounts = network.assets.map(({ account }) => account)
    const [{ value: latest }, accounts, unitPrice] = await Promise.all([
      connection.getLatestBlockhashAndContext('confirmed'),
      connection.getMultipleAccountsInfo(treasuryAccounts, 'confirmed'),
      currentUnitPrice(connection, treasuryAccounts),
    ])
    const values: Record<string, string> = { blockHash: latest.blockhash, unitPrice: unitPrice.toString() }
    network.assets.forEach((asset, index) => {
      values[treasuryKey(asset.symbol)] = stateOf(accounts[index] ?? null, asset.id)
    })
    return { readAt, values }
  })
}

/** Three quarters of the transactions that wrote to these accounts lately paid less. */
async function currentUnitPrice(connection: Connection, accounts: PublicKey[]): Promise<number> {
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: accounts })
  const prices = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
  const price = prices[Math.floor(prices.length * 0.75)] ?? 0
  return Math.min(Math.max(price, minUnitPrice), maxUnitPrice)
}

export function stateOf(account: AccountInfo<Buffer> | null, mint: string): TokenAccountState {
  const token = readTokenAccount(account)
  if (token === null || token.mint !== mint) return 'missing'
  return token.isFrozen ? 'frozen' : 'ready'
}

interface Question {
  readonly wallet: PublicKey
  readonly asset: SolanaAsset
  readonly source: PublicKey
}

/** `source`: the token account of `wallet` for the asset `symbol`. */
export async function readWallets(
  network: SolanaNetwork,
  requests: readonly WalletRequest[],
): Promise<Outcome<KeptValues, BuildRefusal>[]> {
  const readAt = network.clock()
  const asked = requests.map((request) => questionOf(network, request))
  const questions = asked.flatMap((question) => (question.ok ? [question.value] : []))
  const accounts = new Map<string, AccountInfo<Buffer> | null>()
  const failure = await readAccounts(
    network,
    questions.flatMap(({ wallet, source }) => [wallet, source]),
    accounts,
  )
  return asked.map((question) => {
    if (!question.ok) return question
    if (failure !== null) return unreadable(failure)
    return walletValues(question.value, accounts, readAt)
  })
}

function questionOf(network: SolanaNetwork, request: WalletRequest): Outcome<Question, BuildRefusal> {
  if (network.canonicalWallet(request.wallet) === null) return walletInvalid(request.wallet)
  const asset = network.assets.find(({ symbol }) => symbol === request.symbol)
  if (asset === undefined) return assetUnknown(request.symbol)
  const wallet = new PublicKey(request.wallet)
  const source = associatedTokenAccount(wallet, asset.mint, asset.program)
  return { ok: true, value: { wallet, asset, source } }
}

async function readAccounts(
  network: SolanaNetwork,
  keys: readonly PublicKey[],
  accounts: Map<string, AccountInfo<Buffer> | null>,
): Promise<ChainFailure | null> {
  for (let first = 0; first < keys.length; first += accountsPerRequest) {
    const some = keys.slice(first, first + accountsPerRequest)
    const read = await network.ask((connection) => connection.getMultipleAccountsInfo(some, 'confirmed'))
    if (!read.ok) return read.failure
    some.forEach((key, index) => {
      accounts.set(key.toBase58(), read.value[index] ?? null)
    })
  }
  return null
}

function walletValues(
  { wallet, asset, source }: Question,
  accounts: ReadonlyMap<string, AccountInfo<Buffer> | null>,
  readAt: number,
): Outcome<KeptValues, BuildRefusal> {
  const name = wallet.toBase58()
  if ((accounts.get(name) ?? null) === null)
    return refused(
      'wallet_missing',
      true,
      `The wallet ${name} has no account on Solana: it needs some SOL for the network's fee.`,
    )
  switch (stateOf(accounts.get(source.toBase58()) ?? null, asset.id)) {
    case 'missing':
      return refused(
        'no_trustline',
        true,
        `The wallet ${name} has no token account for ${asset.symbol} (${asset.id}) to pay from.`,
      )
    case 'frozen':
      return refused(
        'wallet_frozen',
        true,
        `The token account ${source.toBase58()} of the wallet ${name} is frozen by its issuer.`,
      )
    case 'ready':
      return {
        ok: true,
        value: { readAt, values: { wallet: name, symbol: asset.symbol, source: source.toBase58() } },
      }
  }
}
