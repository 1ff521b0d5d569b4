/**
 * The blockchains that quotes may name (protocol 2.4): the one list of them. The settings, the schemas, the checkout and
 * the adapters follow from it. A further EVM chain is a row here, a row of `chain/evm/chains.ts`, and its defaults in
 * `data/chains.default.json`.
 */

interface Facts {
  /** As people write it. */
  readonly title: string
  /** Chains of one family have one adapter, and their wallets speak alike. */
  readonly family: 'solana' | 'stellar' | 'evm'
  /** The network that is no test, as its wallets name it. */
  readonly mainNetwork: string
}

const table = {
  SOLANA: { title: 'Solana', family: 'solana', mainNetwork: 'solana:mainnet' },
  STELLAR: {
    title: 'Stellar',
    family: 'stellar',
    mainNetwork: 'Public Global Stellar Network ; September 2015',
  },
  MONAD: { title: 'Monad', family: 'evm', mainNetwork: '0x8f' },
} as const satisfies Readonly<Record<string, Facts>>

export type Blockchain = keyof typeof table
export type BlockchainFamily = Facts['family']
export type EvmBlockchain = {
  [Name in Blockchain]: (typeof table)[Name]['family'] extends 'evm' ? Name : never
}[Blockchain]

export const blockchainFacts: Readonly<Record<Blockchain, Facts>> = table

export const blockchains: readonly Blockchain[] = Object.keys(table).filter(isBlockchain)
export const evmBlockchains: readonly EvmBlockchain[] = blockchains.filter(isEvm)

export function isBlockchain(name: string): name is Blockchain {
  return Object.hasOwn(table, name)
}

function isEvm(name: Blockchain): name is EvmBlockchain {
  return table[name].family === 'evm'
}

/** The same for each of these blockchains, under its name. */
export function perBlockchain<Name extends Blockchain, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // Object.fromEntries forgets the names, and both lists above are complete.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}
