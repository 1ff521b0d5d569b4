/** A light Stellar: one payment a transaction, with the envelope that its hash commits to; each ledger is final. */
import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base'
import { openStellar } from '../../../../chain/stellar.ts'
import {
  type LightChain,
  type LightEndpoint,
  LightLedger,
  type LightMovement,
  type LightOptions,
  lightBytes,
  noFaults,
  shuffled,
} from './light-chain.ts'

const passphrase = 'Test SDF Network ; September 2015'

export function lightStellar(options: LightOptions): LightChain {
  const network = new LightNetwork(options)
  const { ledger, treasury, newWallet } = network
  const token = { id: `USDC:${network.issuer}`, decimals: 7 }
  const endpoints = Array.from(
    { length: options.endpoints },
    (_, place): LightEndpoint => ({ host: `stellar-${place}.test`, faults: noFaults() }),
  )
  return {
    blockchain: 'STELLAR',
    treasury,
    asset: { symbol: 'USDC', ...token },
    ledger,
    endpoints,
    open: (context) =>
      openStellar(
        {
          treasury,
          horizon: endpoints.map(({ host }) => `http://${host}`),
          rpc: null,
          passphrase,
          assets: { USDC: token },
        },
        context,
      ),
    newWallet,
    get balance() {
      return ledger.balanceAt(ledger.head())
    },
    move(units, { wallet = newWallet(), references = [], isSilent = false } = {}) {
      const height = ledger.head()
      const made = { height, at: ledger.timeOf(height), units, wallet, references, isSilent }
      const { id, record } = network.recordOf(made)
      network.records.set(id, record)
      ledger.movements.push({ id, ...made })
      return id
    },
    answer: (endpoint, url) => network.answer(endpoint, url),
  }
}

/** Its keys, and what its endpoints answer of the ledger. */
class LightNetwork {
  readonly ledger: LightLedger
  readonly newWallet: () => string
  readonly treasury: string
  readonly issuer: string
  readonly asset: Asset
  readonly records = new Map<string, Readonly<Record<string, unknown>>>()

  constructor(options: LightOptions) {
    this.ledger = new LightLedger({ ...options, blockMs: 5_000 })
    const nextBytes = lightBytes(options)
    this.newWallet = () => Keypair.fromRawEd25519Seed(nextBytes()).publicKey()
    this.treasury = this.newWallet()
    this.issuer = this.newWallet()
    this.asset = new Asset('USDC', this.issuer)
  }

  answer(endpoint: LightEndpoint, url: URL): Response {
    const path = url.pathname.replace(/(.)\/$/, '$1')
    if (path === '/') return this.#root(endpoint)
    if (path === `/accounts/${this.treasury}`) return this.#account(endpoint)
    if (path === `/accounts/${this.treasury}/operations`) return this.#operations(endpoint, url.searchParams)
    return new Response('{}', { status: 404 })
  }

  recordOf(one: Omit<LightMovement, 'id'>): { id: string; record: Record<string, unknown> } {
    const [from, to] = one.units > 0n ? [one.wallet, this.treasury] : [this.treasury, one.wallet]
    const amount = text(one.units > 0n ? one.units : -one.units)
    const [reference] = one.references
    const place = this.ledger.movements.filter(({ height }) => height === one.height).length
    const token = (BigInt(one.height) << 32n) + (BigInt(place + 1) << 12n) + 1n
    const builder = new TransactionBuilder(new Account(from, `${token}`), {
      fee: '100',
      networkPassphrase: passphrase,
    })
      .addOperation(Operation.payment({ destination: to, asset: this.asset, amount }))
      .setTimeout(0)
    if (reference !== undefined) builder.addMemo(Memo.hash(Buffer.from(reference, 'hex')))
    const transaction = builder.build()
    const id = Buffer.from(transaction.hash()).toString('hex')
    const memo =
      reference === undefined
        ? { memo_type: 'none' }
        : { memo_type: 'hash', memo: Buffer.from(reference, 'hex').toString('base64') }
    const time = new Date(one.at).toISOString().replace('.000Z', 'Z')
    const record = {
      id: `${token}`,
      paging_token: `${token}`,
      transaction_successful: true,
      source_account: from,
      type: 'payment',
      type_i: 1,
      created_at: time,
      transaction_hash: id,
      asset_type: 'credit_alphanum4',
      asset_code: 'USDC',
      asset_issuer: this.issuer,
      from,
      to,
      amount,
      transaction: {
        id,
        hash: id,
        paging_token: `${token - 1n}`,
        successful: true,
        ledger: one.height,
        created_at: time,
        source_account: from,
        source_account_sequence: `${token + 1n}`,
        fee_account: from,
        fee_charged: '100',
        max_fee: '100',
        operation_count: 1,
        envelope_xdr: transaction.toXdr(),
        ...memo,
      },
    }
    return { id, record }
  }

  #operations({ faults }: LightEndpoint, query: URLSearchParams): Response {
    const head = this.ledger.head(faults)
    const all = this.ledger
      .listed(faults)
      .flatMap(({ id, height }) => (height <= head ? [this.records.get(id) ?? {}] : []))
    if (all.length === 0) return new Response('{}', { status: 404 })
    const cursor = query.get('cursor')
    const inOrder = query.get('order') === 'desc' ? all.toReversed() : all
    const after = inOrder.filter(
      ({ paging_token }) => cursor === null || BigInt(`${paging_token}`) > BigInt(cursor),
    )
    const page = faults.isShuffled ? shuffled(after) : after
    const limit = Math.min(Number(query.get('limit') ?? 10), faults.truncatedTo ?? 200)
    return Response.json({ _embedded: { records: page.slice(0, limit) } })
  }

  #account({ faults }: LightEndpoint): Response {
    const head = this.ledger.head(faults)
    const line = {
      asset_type: 'credit_alphanum4',
      asset_code: 'USDC',
      asset_issuer: this.issuer,
      is_authorized: true,
    }
    const liabilities = { buying_liabilities: '0.0000000', selling_liabilities: '0.0000000' }
    const balance = text(this.ledger.heldAt(head, faults))
    const body = {
      id: this.treasury,
      account_id: this.treasury,
      sequence: '1',
      balances: [{ balance, limit: '900000000000.0000000', ...liabilities, ...line }],
    }
    return Response.json(body, { headers: { 'latest-ledger': `${head}` } })
  }

  #root({ faults }: LightEndpoint): Response {
    const head = this.ledger.head(faults)
    return Response.json({
      horizon_version: 'light',
      network_passphrase: passphrase,
      history_latest_ledger: head,
      history_latest_ledger_closed_at: new Date(this.ledger.timeOf(head)).toISOString(),
      history_elder_ledger: 1,
      core_latest_ledger: head,
    })
  }
}

function text(units: bigint): string {
  return `${units / 10_000_000n}.${(units % 10_000_000n).toString().padStart(7, '0')}`
}
