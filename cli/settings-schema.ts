/**
 * Every setting, once: its type, its default, what it means and what is allowed. The types, the checks, the
 * environment variables and the table of `docs/settings.md` all come from here.
 */
import chainDefaults from '../data/chains.default.json' with { type: 'json' }

export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

/** How the text of an environment variable becomes a value. */
export type Notation = 'text' | 'number' | 'flag' | 'json'

interface Meaning {
  meaning: string
  /** Completes the sentence "must be …". */
  allowed: string
}

/** One setting. `Value` is the type of what the schema lets through. */
export class Leaf<Value> {
  declare readonly value?: Value
  readonly notation: Notation
  readonly schema: object
  readonly defaults: Readonly<Record<Mode, unknown>>
  readonly meaning: string
  readonly allowed: string
  /** The value may hold a password or an access key: it is never shown. */
  readonly isSecret: boolean

  constructor(
    notation: Notation,
    schema: object,
    defaults: Record<Mode, unknown>,
    about: Meaning,
    isSecret = false,
  ) {
    this.notation = notation
    this.schema = schema
    this.defaults = defaults
    this.meaning = about.meaning
    this.allowed = about.allowed
    this.isSecret = isSecret
  }
}

export interface Section {
  readonly [name: string]: Section | Leaf<unknown>
}

export type ValueOf<Node> =
  Node extends Leaf<infer Value> ? Value : { readonly [Name in keyof Node]: ValueOf<Node[Name]> }

const always = (value: unknown): Record<Mode, unknown> => ({ sandbox: value, production: value })

const whole = (min: number, max: number, value: unknown, meaning: string): Leaf<number> =>
  new Leaf('number', { type: 'integer', minimum: min, maximum: max }, modal(value), {
    meaning,
    allowed: `a whole number from ${min} to ${max}`,
  })

const decimal = (min: number, max: number, value: number, meaning: string): Leaf<number> =>
  new Leaf('number', { type: 'number', minimum: min, maximum: max }, always(value), {
    meaning,
    allowed: `a number from ${min} to ${max}`,
  })

const flag = (value: boolean, meaning: string): Leaf<boolean> =>
  new Leaf('flag', { type: 'boolean' }, always(value), { meaning, allowed: 'true or false' })

function choice<const Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
  meaning: string,
): Leaf<Choice> {
  const allowed = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`
  return new Leaf('text', { enum: choices }, modal(value), { meaning, allowed })
}

const text = (rule: object, value: unknown, about: Meaning): Leaf<string> =>
  new Leaf('text', { type: 'string', minLength: 1, ...rule }, modal(value), about)

const optionalText = (rule: object, value: unknown, about: Meaning, isSecret = false): Leaf<string | null> =>
  new Leaf('text', { type: ['string', 'null'], minLength: 1, ...rule }, modal(value), about, isSecret)

function list<Item>(
  items: object,
  value: unknown,
  about: Meaning,
  rule: object = {},
  isSecret = false,
): Leaf<readonly Item[]> {
  return new Leaf('json', { type: 'array', items, uniqueItems: true, ...rule }, modal(value), about, isSecret)
}

/** Defaults that differ between the modes. */
class ByMode {
  readonly values: Record<Mode, unknown>
  constructor(values: Record<Mode, unknown>) {
    this.values = values
  }
}

const modal = (value: unknown): Record<Mode, unknown> =>
  value instanceof ByMode ? value.values : always(value)

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

export interface MonadAsset {
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
    meaning: 'What is accepted on this chain. An object given here replaces the whole default.',
    allowed: `an object that gives each asset's ${[...required, 'decimals (0 to 9)'].join(' and ')}`,
  })
}

const url = { type: 'string', format: 'http-url' }

const endpoints = (name: 'SOLANA' | 'MONAD'): Leaf<readonly string[]> =>
  list(
    url,
    ofChain(name, 'rpc'),
    { meaning: 'JSON-RPC endpoints, the preferred one first.', allowed: 'a list of http or https URLs' },
    { minItems: 1 },
    true,
  )

const treasury = (what: string, pattern: string, allowed: string): Leaf<string | null> =>
  optionalText({ pattern }, null, {
    meaning: `${what} that receives the deposits. The chain is off without it.`,
    allowed,
  })

const pollSeconds = decimal(0.1, 60, 5, 'Pause between two looks at the chain.')

const chains = {
  maxOutageSeconds: whole(
    60,
    604_800,
    21_600,
    'How long an expiry waits for a chain that cannot be read, counted from the last read.',
  ),
  SOLANA: {
    treasury: treasury("The owner's address", base58, 'an address in base58'),
    pollSeconds,
    cluster: choice(
      ['devnet', 'testnet', 'mainnet-beta', 'localnet'],
      ofChain('SOLANA', 'cluster'),
      'The cluster, as wallets name it.',
    ),
    rpc: endpoints('SOLANA'),
    genesisHash: text({ pattern: base58 }, ofChain('SOLANA', 'genesisHash'), {
      meaning: 'What the endpoints must name as their genesis.',
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
    treasury: treasury('The account', '^G[A-Z2-7]{55}$', 'an account: G and 55 letters or digits'),
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
    passphrase: text({}, ofChain('STELLAR', 'passphrase'), {
      meaning: "The network's passphrase.",
      allowed: 'a text',
    }),
    reader: choice(
      ['horizon', 'rpc'],
      ofChain('STELLAR', 'reader'),
      'Which of the two servers deposits are read from.',
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
  MONAD: {
    treasury: treasury('The address', evmAddress, 'an address: 0x and 40 hexadecimal digits'),
    pollSeconds,
    chainId: whole(
      1,
      Number.MAX_SAFE_INTEGER,
      ofChain('MONAD', 'chainId'),
      'What the endpoints must name as their chain.',
    ),
    rpc: endpoints('MONAD'),
    finality: choice(['finalized'], ofChain('MONAD', 'finality'), 'Which blocks count: only final ones.'),
    maxLogRange: whole(
      1,
      100_000,
      ofChain('MONAD', 'maxLogRange'),
      'Most blocks an endpoint searches for logs at once.',
    ),
    assets: assets<MonadAsset>('MONAD', { id: { type: 'string', pattern: evmAddress } }, ['id']),
  },
}

const perMinute = (value: number, meaning: string): Leaf<number> => whole(1, 10_000_000, value, meaning)

const host = (meaning: string): Leaf<string> =>
  text({ format: 'host' }, '127.0.0.1', { meaning, allowed: 'a host name or an IP address' })

export const settingsTable = {
  mode: choice(
    modes,
    'sandbox',
    'sandbox works with test networks, retries webhooks three times and makes its own key; production refuses what is only fit for trying out.',
  ),
  http: {
    host: host('Where the public listener (API, checkout, health) listens.'),
    port: whole(0, 65_535, 8080, 'Its port; 0 takes a free one.'),
    publicUrl: optionalText({ format: 'origin' }, null, {
      meaning:
        'How the world reaches the public listener: the origin in front of `/api/v1`. By default made from host and port.',
      allowed: 'an http or https origin without a path, such as https://pay.example',
    }),
    checkoutUrl: optionalText({ format: 'base-url' }, null, {
      meaning:
        'The base of `redirect_url`; its path is where the checkout page is served. By default `<publicUrl>/checkout`.',
      allowed: 'an http or https URL without a query',
    }),
    trustedProxies: list<string>({ type: 'string', format: 'network' }, [], {
      meaning: 'Proxies whose `X-Forwarded-For` is believed.',
      allowed: 'a list of IP addresses or networks such as 10.0.0.0/8',
    }),
    frameAncestors: list<string>({ type: 'string', format: 'frame-ancestor' }, ['*'], {
      meaning:
        'Who may show the checkout page in a frame (`frame-ancestors` of its Content-Security-Policy); an empty list means nobody.',
      allowed: "a list of *, 'self' or origins such as https://shop.example",
    }),
  },
  operator: {
    host: host('Where the operator listener (console, operator API, metrics) listens.'),
    port: whole(0, 65_535, 8081, 'Its port; 0 takes a free one.'),
  },
  database: new Leaf<string>(
    'text',
    { type: 'string', format: 'database-url' },
    always('sqlite:data/ventanilla.db'),
    {
      meaning: 'Where everything is kept.',
      allowed: 'sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME',
    },
    true,
  ),
  keys: {
    file: optionalText(
      { format: 'key-path' },
      null,
      {
        meaning:
          'The file of the master key: 32 random bytes as one line of base64. In sandbox it is made where it is missing, by default beside the database as `<database file>.key`; in production it must be set, exist, and lie outside the folder of the database.',
        allowed: 'a path (never the key itself)',
      },
      true,
    ),
  },
  signature: {
    toleranceSeconds: whole(1, 86_400, 300, 'How far a Message-Date may lie from the clock, either way.'),
  },
  orders: {
    confirmGraceSeconds: whole(
      0,
      604_800,
      600,
      'How long past its expiry a locked order still waits for its confirmation.',
    ),
    fundingWindowSeconds: whole(
      1,
      604_800,
      1800,
      'How long after creation a foreign order may be funded, by the time of its chain.',
    ),
  },
  quotes: {
    validitySeconds: whole(1, 86_400, 300, 'How long a quote can be used.'),
  },
  webhooks: {
    allowPrivate: flag(
      false,
      'Deliver to http, private addresses and any port too. For trying out: production refuses to start with it.',
    ),
    timeoutSeconds: decimal(0.1, 120, 15, 'How long one delivery may take.'),
    ports: list<number>(
      { type: 'integer', minimum: 1, maximum: 65_535 },
      [443],
      { meaning: 'Ports a `notify_url` may name.', allowed: 'a list of whole numbers from 1 to 65535' },
      { minItems: 1 },
    ),
  },
  limits: {
    requestsPerMinute: perMinute(1200, 'Requests a minute for each key; a party may have its own.'),
    unauthenticatedPerMinute: perMinute(600, 'Refused signatures a minute from one address.'),
    codeMissesPerMinute: perMinute(30, 'Unknown codes a minute that one provider may ask for.'),
    codeMissesPerDay: perMinute(
      1000,
      'Unknown codes a day that one provider may ask for, or more by its hits.',
    ),
  },
  chains,
  log: {
    level: choice(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
      'From which severity on the log, on standard error, is written.',
    ),
  },
} satisfies Section

export type SettingsDocument = ValueOf<typeof settingsTable>
