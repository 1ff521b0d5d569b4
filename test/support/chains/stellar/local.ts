/** A local Stellar: a ledger behind Horizon, a treasury, an accepted asset and an impostor of its code. */
import {
  Account,
  Address,
  Asset,
  extractBaseAddress,
  Keypair,
  Memo,
  MuxedAccount,
  nativeToScVal,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'
import type { ChainContext } from '../../../../chain/chain.ts'
import { openStellar, type StellarSettings } from '../../../../chain/stellar.ts'
import type { Instant } from '../../../../machines/time.ts'
import { type Gate, openGate } from '../gate.ts'
import type { LocalChain, LocalWallet, ManualTransfer } from '../local-chain.ts'
import { Accounts, amountOf, assetId } from './accounts.ts'
import { decodeTransfer } from './decode.ts'
import { type BackEnd, HorizonApi, newBackEnd } from './horizon.ts'
import { ledgerMs, StellarLedger, type TransactionRecord } from './ledger.ts'
import { RpcApi } from './rpc.ts'
import { serveApi } from './server.ts'

const passphrase = 'Ventanilla Local Network'
const startingUnits = 100_000_000_000n

export interface StellarOptions {
  /** Ledgers follow this clock; without one, time passes only when it is told to. */
  readonly clock?: () => Instant
}

type XdrOperation = ReturnType<typeof Operation.payment>

export interface SendOptions {
  readonly memo?: Memo
  /** Who signs; the source alone by default. */
  readonly signers?: readonly LocalWallet[]
  /** Who pays the fee, by a transaction around it. */
  readonly feePayer?: LocalWallet
}

/** What Stellar's own tests play beside the contract. */
export interface LocalStellar extends LocalChain {
  readonly settings: Readonly<Record<string, unknown>> & StellarSettings
  readonly ledger: StellarLedger
  /** The back end that follows the chain, and the one that stops. */
  readonly fresh: BackEnd
  readonly stale: BackEnd
  /** In front of an RPC, which the settings do not name. */
  readonly rpcGate: Gate
  readonly token: Asset
  /** The issuer of the accepted asset, who can freeze it and take it back. */
  readonly issuer: LocalWallet
  /** Signs for the treasury, as its operator does elsewhere. */
  readonly treasuryWallet: LocalWallet
  /** Signs an unsigned transaction, for this network unless another is named. */
  sign(transaction: string, signers: readonly LocalWallet[], network?: string): string
  /** Sends operations in one transaction of the source. Throws `Refused`. */
  send(source: LocalWallet, operations: readonly XdrOperation[], options?: SendOptions): TransactionRecord
  payment(units: bigint, overrides?: { readonly destination?: string; readonly asset?: Asset }): XdrOperation
  /** Calls a function of the accepted asset's own contract. */
  contractCall(name: string, addresses: readonly string[], units: bigint): XdrOperation
  /** A sub-account (`M…`) of an account. */
  subAccount(address: string, id: string): string
  /** Somebody exchanges XLM for the accepted asset, so many units for one. */
  openMarket(price: bigint): void
}

/** Everything here happened on the fourth of March 2026. */
const startAt = Date.UTC(2026, 2, 4, 12)

export async function startStellar(options: StellarOptions = {}): Promise<LocalStellar> {
  const ledger = new StellarLedger(passphrase, options.clock?.() ?? startAt, options.clock ?? null)
  const keys = new Keys(ledger)
  const [issuer, impostorIssuer, treasuryWallet] = [keys.fund(), keys.fund(), keys.fund()]
  keys.send(issuer, [Operation.setOptions({ setFlags: 2 | 8 })])
  const token = new Asset('USDC', issuer.address)
  const impostor = new Asset('USDC', impostorIssuer.address)
  const assets = [token, impostor]
  const trust = (wallet: LocalWallet): void => {
    keys.send(
      wallet,
      assets.map((asset) => Operation.changeTrust({ asset })),
    )
  }
  trust(treasuryWallet)
  const treasury = treasuryWallet.address

  const [fresh, stale] = [newBackEnd(), newBackEnd()]
  const apis = [new HorizonApi(ledger, fresh), new HorizonApi(ledger, stale), new RpcApi(ledger)]
  const servers = await Promise.all(apis.map((api) => serveApi(api)))
  const [freshUrl = '', staleUrl = '', rpcUrl = ''] = servers.map(({ url }) => url)
  const gates = await Promise.all([freshUrl, freshUrl, rpcUrl].map((url) => openGate(url, options.clock)))
  const [gate, spareGate, rpcGate] = gates
  if (!gate || !spareGate || !rpcGate) throw new Error('three gates')
  const settings: StellarSettings & Record<string, unknown> = {
    treasury,
    horizon: [gate.url, spareGate.url],
    rpc: null,
    passphrase,
    reader: 'horizon',
    pollSeconds: 0.5,
    assets: { USDC: { id: assetId(token), decimals: 7 } },
  }
  const payment: LocalStellar['payment'] = (units, { destination = treasury, asset = token } = {}) =>
    Operation.payment({ destination, asset, amount: amountOf(units) })
  const grant = (address: string, units: bigint): void => {
    for (const [from, asset] of [[issuer, token] as const, [impostorIssuer, impostor] as const])
      if (units > 0n) keys.send(from, [payment(units, { destination: address, asset })])
  }
  const manual = ({ units, assetId: id = assetId(token) }: ManualTransfer): XdrOperation => {
    const asset = assets.find((candidate) => assetId(candidate) === id)
    return payment(units, { asset: asset ?? Asset.native() })
  }
  const memoOf = ({ references: [reference] = [] }: ManualTransfer): SendOptions =>
    reference === undefined ? {} : { memo: Memo.hash(reference) }

  return {
    blockchain: 'STELLAR',
    settings,
    treasury,
    asset: { symbol: 'USDC', id: assetId(token), decimals: 7 },
    impostorId: assetId(impostor),
    finalizesLater: false,
    settlesAfterMs: 0,
    gate,
    spareGate,
    wrongNetwork: { passphrase: 'Another Local Network' },
    unpreparedTreasury: { treasury: Keypair.random().publicKey() },
    unsignableAddresses: [
      keys.subAccount(treasury, '7'),
      token.contractId(passphrase),
      `${treasury.slice(0, -1)}${treasury.endsWith('A') ? 'B' : 'A'}`,
      treasury.toLowerCase(),
      Keypair.random().secret(),
      '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
      '0x534b2f3A21130d7a60830c2Df862319e593943A3',
    ],
    unknownWalletRefusal: 'wallet_missing',
    ledger,
    fresh,
    stale,
    rpcGate,
    token,
    issuer,
    treasuryWallet,

    open: (context: ChainContext, overrides = {}) => openStellar({ ...settings, ...overrides }, context),
    now() {
      ledger.follow()
      return ledger.closedAt
    },
    finalize: async () => ledger.advance(1),
    pass: async (ms) => ledger.advance(Math.ceil(ms / ledgerMs)),

    async newWallet(units = 0n) {
      const wallet = keys.fund()
      trust(wallet)
      grant(wallet.address, units)
      return wallet
    },
    unknownWallet: () => keys.newKey(),
    unpreparedWallet: async () => keys.fund(),
    prepareWallet: async (address) => keys.prepare(address, token),
    grant: async (address, units) => {
      keys.send(issuer, [payment(units, { destination: address })])
    },
    balanceOf: async (address, id) => {
      const account = ledger.accounts.byAddress.get(address)
      return (id === 'native' ? account?.balance : account?.lines.get(id)?.balance) ?? 0n
    },

    sign: (text, signers, network = passphrase) => keys.sign(text, signers, network),
    submit: async (text, signer) => ledger.submit(keys.sign(text, [signer], passphrase)).hash,
    submitUnsigned: async (text) => ledger.submit(text).hash,
    pay: async (from, transfer) => keys.send(from, [manual(transfer)], memoOf(transfer)).hash,
    async payAndFail(from, transfer) {
      // It is in a ledger, with its fee paid and nothing else done.
      const before = ledger.transactions.size
      try {
        keys.send(from, [manual(transfer)], memoOf(transfer))
      } catch {
        const record = [...ledger.transactions.values()].at(before)
        if (record === undefined || record.isSuccessful) throw new Error('it was not executed')
        return record.hash
      }
      throw new Error('it did not fail')
    },
    decode: decodeTransfer,
    send: (source, operations, options) => keys.send(source, operations, options),
    payment,
    contractCall: (name, addresses, units) =>
      Operation.invokeContractFunction({
        contract: token.contractId(passphrase),
        function: name,
        args: [
          ...addresses.map((address) => new Address(address).toScVal()),
          nativeToScVal(units, { type: 'i128' }),
        ],
      }),
    subAccount: (address, id) => keys.subAccount(address, id),
    openMarket(price) {
      const maker = keys.fund()
      trust(maker)
      grant(maker.address, startingUnits)
      ledger.markets.set(`native>${assetId(token)}`, { maker: maker.address, price })
    },

    goStale(which) {
      const { sequence, closedAt } = ledger
      stale.stale = { sequence, closedAt, accounts: new Accounts(ledger.accounts) }
      for (const each of [gate, spareGate])
        each.upstream = ({ path }) => (which === 'all_but_heads' && path === '/' ? freshUrl : staleUrl)
      return () => {
        for (const each of [gate, spareGate]) each.upstream = () => freshUrl
      }
    },
    forgetHistory() {
      fresh.elder = ledger.sequence
      return () => {
        fresh.elder = 1
      }
    },
    async close() {
      await Promise.all([...gates, ...servers].map((each) => each.close()))
    },
  }
}

/** Keeps the keys of everybody on this network, and signs with them. */
class Keys {
  readonly #ledger: StellarLedger
  readonly #keys = new Map<string, Keypair>()

  constructor(ledger: StellarLedger) {
    this.#ledger = ledger
  }

  newKey(): LocalWallet {
    const key = Keypair.random()
    this.#keys.set(key.publicKey(), key)
    return { address: key.publicKey() }
  }

  /** An account with XLM, as the test network's friendbot makes them. */
  fund(): LocalWallet {
    const wallet = this.newKey()
    this.#ledger.accounts.create(wallet.address, this.#ledger.firstSequence, startingUnits)
    return wallet
  }

  /** An account and a trust line for whoever has the key, which the network asks no signature for here. */
  prepare(address: string, asset: Asset): void {
    const { accounts, firstSequence } = this.#ledger
    const account = accounts.byAddress.get(address) ?? accounts.create(address, firstSequence, startingUnits)
    const id = assetId(asset)
    const line = { asset, balance: 0n, limit: 2n ** 63n - 1n, isAuthorized: true, canBeClawedBack: true }
    if (!account.lines.has(id)) account.lines.set(id, line)
  }

  subAccount(address: string, id: string): string {
    return new MuxedAccount(new Account(address, '0'), id).accountId()
  }

  sign(text: string, signers: readonly LocalWallet[], network: string): string {
    const transaction = TransactionBuilder.fromXdr(text, network)
    transaction.sign(...signers.map(({ address }) => this.#keyOf(address)))
    return transaction.toXdr()
  }

  send(
    source: LocalWallet,
    operations: readonly XdrOperation[],
    { memo = Memo.none(), signers = [source], feePayer }: SendOptions = {},
  ): TransactionRecord {
    this.#ledger.follow()
    const { sequence } = this.#ledger.accounts.get(extractBaseAddress(source.address))
    const builder = new TransactionBuilder(
      new Account(extractBaseAddress(source.address), sequence.toString()),
      {
        fee: '1000',
        networkPassphrase: passphrase,
        memo,
        timebounds: { minTime: 0, maxTime: 0 },
      },
    )
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.build()
    transaction.sign(...signers.map(({ address }) => this.#keyOf(address)))
    if (feePayer === undefined) return this.#ledger.submit(transaction.toXdr())
    const key = this.#keyOf(feePayer.address)
    const bump = TransactionBuilder.buildFeeBumpTransaction(key, '2000', transaction, passphrase)
    bump.sign(key)
    return this.#ledger.submit(bump.toXdr())
  }

  #keyOf(address: string): Keypair {
    const key = this.#keys.get(address)
    if (key === undefined) throw new Error(`nobody here has the key of ${address}`)
    return key
  }
}
