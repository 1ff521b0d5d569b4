/** The settings of the chains; their defaults are data. */
import { evmFacts } from '../../chain/evm/chains.ts'
import chainDefaults from '../../data/chains.default.json' with { type: 'json' }
import { type EvmBlockchain, evmBlockchains, perBlockchain } from '../../machines/blockchains.ts'
import { ByMode, choice, decimal, Leaf, list, type Mode, modal, optionalText, text, whole } from './leaf.ts'

type ChainName = keyof (typeof chainDefaults)['sandbox'] & keyof (typeof chainDefaults)['production']

/** The defaults of a chain's setting, from `data/chains.default.json`. */
function ofChain<Name extends ChainName>(
  name: Name,
  key: keyof (typeof chainDefaults)['sandbox'][Name],
): ByMode {
  const of = (mode: Mode): unknown => {
    const chain: Record<PropertyKey, unknown> = chainDefaults[mode][name]
    return chain[key]
  }
  return new ByMode({ sandbox: of('sandbox'), production: of('production') })
}

export interface SolanaAsset {
  /** The mint. */
  readonly id: string
  readonly decimals: number
  /** The token program that owns the mint. */
  readonly program: string
}

export interface StellarAsset {
  /** `CODE:ISSUER`. */
  readonly id: string
  readonly decimals: number
  /** The asset's contract. */
  readonly contract?: string
}

export interface EvmAsset {
  /** The token's contract. */
  readonly id: string
  readonly decimals: number
}

const base58 = '^[1-9A-HJ-NP-Za-km-z]{32,44}$'
const evmAddress = '^0x[0-9a-fA-F]{40}$'

function assets<Asset>(
  name: ChainName,
  members: Record<string, object>,
  required: string[],
): Leaf<Readonly<Record<string, Asset>>> {
  const asset = {
    type: 'object',
    // The ledger's integers leave room for nine decimals.
    properties: { ...members, decimals: { type: 'integer', minimum: 0, maximum: 9 } },
    required: [...required, 'decimals'],
    additionalProperties: false,
  }
  const schema = {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[A-Za-z0-9]{1,12}$' },
    additionalProperties: asset,
  }
  return new Leaf('json', schema, modal(ofChain(name, 'assets')), {
    meaning: 'The assets accepted on this chain. An object given here replaces the whole default.',
    allowed: `an object that gives each asset's ${[...required, 'decimals (0 to 9)'].join(' and ')}`,
  })
}

const url = { type: 'string', format: 'http-url' }

const endpoints = (name: 'SOLANA' | EvmBlockchain): Leaf<readonly string[]> =>
  list(
    url,
    ofChain(name, 'rpc'),
    { meaning: 'JSON-RPC endpoints, the preferred one first.', allowed: 'a list of http or https URLs' },
    { minItems: 1 },
    true,
  )

const treasury = (what: string, pattern: string, allowed: string): Leaf<string | null> =>
  optionalText({ pattern }, null, {
    meaning: `${what} that receives the chain deposits. The chain is off without it.`,
    allowed,
  })

const formerTreasuries = (pattern: string, allowed: string): Leaf<readonly string[]> =>
  list({ type: 'string', pattern }, [], {
    meaning:
      'Treasuries of before, to which open orders may still be paid: what is paid to them is read and counts. One that ' +
      'is paid no more may be left out once no open order names it.',
    allowed: `a list, each ${allowed}`,
  })

const solanaAddress = [base58, 'an address in base58'] as const
const stellarAccount = ['^G[A-Z2-7]{55}$', 'an account: G and 55 letters or digits'] as const
const evmAddressRule = [evmAddress, 'an address: 0x and 40 hexadecimal digits'] as const

const pollSeconds = decimal(0.1, 60, 5, 'Pause between two reads of the chain.')

function evmSettings(name: EvmBlockchain) {
  const { finality } = evmFacts[name]
  return {
    treasury: treasury('The address', ...evmAddressRule),
    formerTreasuries: formerTreasuries(...evmAddressRule),
    pollSeconds,
    chainId: whole(
      1,
      Number.MAX_SAFE_INTEGER,
      ofChain(name, 'chainId'),
      'The chain id that endpoints must report.',
    ),
    rpc: endpoints(name),
    finality: choice([finality], finality, 'Which blocks count: only final ones.'),
    maxLogRange: whole(
      1,
      100_000,
      ofChain(name, 'maxLogRange'),
      'The most blocks an endpoint searches for logs at once.',
    ),
    assets: assets<EvmAsset>(name, { id: { type: 'string', pattern: evmAddress } }, ['id']),
  }
}

export const chains = {
  maxOutageSeconds: whole(
    60,
    604_800,
    21_600,
    'How long an expiry waits for a chain that cannot be read, counted from the last read.',
  ),
  SOLANA: {
    treasury: treasury('The owner', ...solanaAddress),
    formerTreasuries: formerTreasuries(...solanaAddress),
    pollSeconds,
    cluster: choice(
      ['devnet', 'testnet', 'mainnet-beta', 'localnet'],
      ofChain('SOLANA', 'cluster'),
      'The cluster, as wallets name it.',
    ),
    rpc: endpoints('SOLANA'),
    genesisHash: text({ pattern: base58 }, ofChain('SOLANA', 'genesisHash'), {
      meaning: 'The genesis hash that endpoints must report.',
      allowed: 'a hash in base58',
    }),
    commitment: choice(
      ['finalized'],
      ofChain('SOLANA', 'commitment'),
      'Which blocks count: only final ones.',
    ),
    maxTransactionVersion: whole(
      0,
      1,
      ofChain('SOLANA', 'maxTransactionVersion'),
      'The newest transaction version that is read.',
    ),
    assets: assets<SolanaAsset>(
      'SOLANA',
      { id: { type: 'string', pattern: base58 }, program: { type: 'string', pattern: base58 } },
      ['id', 'program'],
    ),
  },
  STELLAR: {
    treasury: treasury('The account', ...stellarAccount),
    formerTreasuries: formerTreasuries(...stellarAccount),
    pollSeconds,
    horizon: new Leaf<string>(
      'text',
      url,
      modal(ofChain('STELLAR', 'horizon')),
      { meaning: 'The Horizon server.', allowed: 'an http or https URL' },
      true,
    ),
    rpc: optionalText(
      { format: 'http-url' },
      ofChain('STELLAR', 'rpc'),
      { meaning: 'The Stellar RPC server, or null for none.', allowed: 'an http or https URL, or null' },
      true,
    ),
    passphrase: text({ format: 'line' }, ofChain('STELLAR', 'passphrase'), {
      meaning: "The network's passphrase.",
      allowed: 'a text',
    }),
    reader: choice(
      ['horizon', 'rpc'],
      ofChain('STELLAR', 'reader'),
      'Which of the two servers chain deposits are read from.',
    ),
    assets: assets<StellarAsset>(
      'STELLAR',
      {
        id: { type: 'string', pattern: '^[A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$' },
        contract: { type: 'string', pattern: '^C[A-Z2-7]{55}$' },
      },
      ['id'],
    ),
  },
  ...perBlockchain(evmBlockchains, evmSettings),
}
