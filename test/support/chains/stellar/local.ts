/** A local Stellar: a ledger behind Horizon, a treasury, an accepted asset and an impostor of its code. */
import { Address, Asset, Keypair, Memo, nativeToScVal, Operation } from '@stellar/stellar-sdk/base'
import type { ChainContext } from '../../../../chain/chain.ts'
import { openStellar, type StellarSettings } from '../../../../chain/stellar.ts'
import type { Instant } from '../../../../machines/time.ts'
import { type Gate, openGate } from '../gate.ts'
import type { LocalChain, LocalWallet, ManualTransfer } from '../local-chain.ts'
import { Accounts, amountOf, assetId } from './accounts.ts'
import { decodeTransfer } from './decode.ts'
import { type BackEnd, HorizonApi, newBackEnd } from './horizon.ts'
import { Keys, passphrase, type SendOptions, startingUnits, type XdrOperation } from './keys.ts'
import { ledgerMs, StellarLedger, type TransactionRecord } from './ledger.ts'
import { RpcApi } from './rpc.ts'
import { serveApi } from './server.ts'

export interface StellarOptions {
  /** Ledgers follow this clock; without one, time passes only when it is told to. */
  readonly clock?: () => Instant
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
  const people = new People(options)
  const { ledger, keys, token, issuer, treasuryWallet, impostor } = people
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
    ...walletsOf(people),
    ...sendingOf(people),
    ...faultsOf(ledger, { fresh, stale, freshUrl, staleUrl, gates: [gate, spareGate] }),
    async close() {
      await Promise.all([...gates, ...servers].map((each) => each.close()))
    },
  }
}

/** The treasury, who issues the accepted asset and who an impostor of its code, and everybody's keys. */
class People {
  readonly ledger: StellarLedger
  readonly keys: Keys
  readonly issuer: LocalWallet
  readonly impostorIssuer: LocalWallet
  readonly treasuryWallet: LocalWallet
  readonly token: Asset
  readonly impostor: Asset

  constructor({ clock }: StellarOptions) {
    this.ledger = new StellarLedger(passphrase, clock?.() ?? startAt, clock ?? null)
    this.keys = new Keys(this.ledger)
    this.issuer = this.keys.fund()
    this.impostorIssuer = this.keys.fund()
    this.treasuryWallet = this.keys.fund()
    this.keys.send(this.issuer, [Operation.setOptions({ setFlags: 2 | 8 })])
    this.token = new Asset('USDC', this.issuer.address)
    this.impostor = new Asset('USDC', this.impostorIssuer.address)
    this.trust(this.treasuryWallet)
  }

  trust(wallet: LocalWallet): void {
    const assets = [this.token, this.impostor]
    this.keys.send(
      wallet,
      assets.map((asset) => Operation.changeTrust({ asset })),
    )
  }

  payment(units: bigint, overrides: { destination?: string; asset?: Asset } = {}): XdrOperation {
    const { destination = this.treasuryWallet.address, asset = this.token } = overrides
    return Operation.payment({ destination, asset, amount: amountOf(units) })
  }

  /** Both assets. */
  grant(address: string, units: bigint): void {
    if (units <= 0n) return
    this.keys.send(this.issuer, [this.payment(units, { destination: address })])
    this.keys.send(this.impostorIssuer, [this.payment(units, { destination: address, asset: this.impostor })])
  }
}

function walletsOf(people: People) {
  const { keys, ledger, token, issuer } = people
  return {
    unknownWalletRefusal: 'wallet_missing',
    async newWallet(units = 0n) {
      const wallet = keys.fund()
      people.trust(wallet)
      people.grant(wallet.address, units)
      return wallet
    },
    unknownWallet: () => keys.newKey(),
    unpreparedWallet: async () => keys.fund(),
    prepareWallet: async (address) => keys.prepare(address, token),
    grant: async (address, units) => {
      keys.send(issuer, [people.payment(units, { destination: address })])
    },
    balanceOf: async (address, id) => {
      const account = ledger.accounts.byAddress.get(address)
      return (id === 'native' ? account?.balance : account?.lines.get(id)?.balance) ?? 0n
    },
    subAccount: (address, id) => keys.subAccount(address, id),
    openMarket(price) {
      const maker = keys.fund()
      people.trust(maker)
      people.grant(maker.address, startingUnits)
      ledger.markets.set(`native>${assetId(token)}`, { maker: maker.address, price })
    },
  } satisfies Partial<LocalStellar>
}

function sendingOf(people: People) {
  const { keys, ledger, token, impostor } = people
  const manual = ({ units, assetId: id = assetId(token) }: ManualTransfer): XdrOperation => {
    const asset = [token, impostor].find((candidate) => assetId(candidate) === id)
    return people.payment(units, { asset: asset ?? Asset.native() })
  }
  const memoOf = ({ references: [reference] = [] }: ManualTransfer): SendOptions =>
    reference === undefined ? {} : { memo: Memo.hash(reference) }
  return {
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
    payment: (units, overrides) => people.payment(units, overrides),
    contractCall: (name, addresses, units) =>
      Operation.invokeContractFunction({
        contract: token.contractId(passphrase),
        function: name,
        args: [
          ...addresses.map((address) => new Address(address).toScVal()),
          nativeToScVal(units, { type: 'i128' }),
        ],
      }),
  } satisfies Partial<LocalStellar>
}

interface BackEnds {
  fresh: BackEnd
  stale: BackEnd
  freshUrl: string
  staleUrl: string
  gates: readonly Gate[]
}

function faultsOf(ledger: StellarLedger, { fresh, stale, freshUrl, staleUrl, gates }: BackEnds) {
  return {
    goStale(which) {
      const { sequence, closedAt } = ledger
      stale.stale = { sequence, closedAt, accounts: new Accounts(ledger.accounts) }
      for (const each of gates)
        each.upstream = ({ path }) => (which === 'all_but_heads' && path === '/' ? freshUrl : staleUrl)
      return () => {
        for (const each of gates) each.upstream = () => freshUrl
      }
    },
    forgetHistory() {
      fresh.elder = ledger.sequence
      return () => {
        fresh.elder = 1
      }
    },
  } satisfies Partial<LocalStellar>
}
