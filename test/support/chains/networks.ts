/**
 * The three local networks together, for a node that is to be tried against them: `npm run networks`, the
 * demo, and tests of the whole way of a foreign-currency order.
 */
import { type Blockchain, blockchains, evmBlockchains, perBlockchain } from '../../../machines/blockchains.ts'
import { formatAmount, parseAmount } from '../../../machines/money.ts'
import type { Instant } from '../../../machines/time.ts'
import type { DecodedTransfer, LocalChain, LocalWallet } from './local-chain.ts'

export interface Networks {
  readonly chains: ReadonlyMap<Blockchain, LocalChain>
  chain(name: string): LocalChain
  /** `chains` of a node's settings. */
  readonly settings: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

export interface NetworksOptions {
  /** Blocks follow it. */
  readonly clock: () => Instant
  /** All three unless said otherwise. */
  readonly only?: readonly Blockchain[]
  /** How long a node pauses between two looks. */
  readonly pollSeconds?: number
}

/** Each network's own libraries are loaded only when it is started. */
const starters: Readonly<Record<Blockchain, (clock: () => Instant) => Promise<LocalChain>>> = {
  SOLANA: async (clock) => (await import('./solana/local.ts')).startSolana({ clock }),
  STELLAR: async (clock) => (await import('./stellar/local.ts')).startStellar({ clock }),
  ...perBlockchain(evmBlockchains, (name) => async (clock: () => Instant) => {
    const { startEvm } = await import('./evm/local.ts')
    return await startEvm(name, { clock })
  }),
}

export async function startNetworks(options: NetworksOptions): Promise<Networks> {
  const { clock, only = blockchains, pollSeconds = 0.5 } = options
  const started = await Promise.allSettled(only.map((name) => starters[name](clock)))
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async (): Promise<void> => {
    await Promise.all(running.map((chain) => chain.close()))
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await close()
    throw failed.reason
  }
  const chains = new Map(running.map((chain) => [chain.blockchain, chain]))
  return {
    chains,
    chain(name) {
      for (const [blockchain, chain] of chains) if (blockchain === name) return chain
      throw new Error(`There is no network ${name}; there are ${[...chains.keys()].join(', ')}.`)
    },
    settings: Object.fromEntries(running.map((chain) => [chain.blockchain, settingsOf(chain, pollSeconds)])),
    close,
  }
}

/** A node's settings name one Horizon; the adapter's own tests use several. */
function settingsOf({ settings }: LocalChain, pollSeconds: number): Readonly<Record<string, unknown>> {
  const { horizon, ...rest } = settings
  const [first = horizon] = Array.isArray(horizon) ? horizon : []
  return { ...rest, ...(first === undefined ? {} : { horizon: first }), pollSeconds }
}

/** Gives test tokens to any wallet, and what it needs to hold and send them. @returns its balance after it. */
export async function grantTo(chain: LocalChain, wallet: string, amount: string): Promise<string> {
  await chain.prepareWallet(wallet)
  const units = unitsOf(chain, amount)
  if (units > 0n) await chain.grant(wallet, units)
  return await balanceOf(chain, wallet)
}

export async function balanceOf(chain: LocalChain, wallet: string): Promise<string> {
  const units = await chain.balanceOf(wallet, chain.asset.id)
  return `${formatAmount(units, chain.asset.decimals)} ${chain.asset.symbol}`
}

/** Raw units of the accepted asset. */
export function unitsOf({ asset }: LocalChain, amount: string): bigint {
  const units = parseAmount(amount, asset.decimals)
  if (typeof units !== 'bigint' || units < 0n)
    throw new Error(`${amount} is no amount of ${asset.symbol}, which has ${asset.decimals} decimals.`)
  return units
}

export interface Signed {
  readonly transactionId: string
  /** What its owner has agreed to. */
  readonly transfer: DecodedTransfer
}

/**
 * What a careful user's wallet does with a transaction from a node: reads it with code of its own, and signs
 * and broadcasts it only when it is theirs to sign and does nothing but one transfer.
 */
export async function signAndSend(
  chain: LocalChain,
  wallet: LocalWallet,
  transaction: string,
): Promise<Signed> {
  const transfer = chain.decode(transaction)
  if (transfer.from !== wallet.address) throw new Error(`${transfer.from} is to sign, not ${wallet.address}.`)
  const strange = transfer.others.filter((name) => !harmless.test(name))
  if (strange.length > 0) throw new Error(`It also does something else: ${strange.join(', ')}.`)
  if (transfer.assetId !== chain.asset.id) throw new Error(`It moves ${transfer.assetId}.`)
  return { transactionId: await chain.submit(transaction, wallet), transfer }
}

/** What a transaction of the node may hold beside its transfer: what it costs at most, till when, for which order. */
const harmless = /^(compute (limit|price) \d+|memo [0-9a-f-]{36}|time bounds)$/
