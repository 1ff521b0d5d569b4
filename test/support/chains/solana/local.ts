/** A local Solana: litesvm behind JSON-RPC, a treasury, an accepted token and an impostor. */
import { lamports, address as toAddress } from '@solana/kit'
import {
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { ChainContext } from '../../../../chain/chain.ts'
import { openSolana, type SolanaSettings } from '../../../../chain/solana.ts'
import type { Instant } from '../../../../machines/time.ts'
import { openGate } from '../gate.ts'
import type { LocalChain, LocalWallet, ManualTransfer } from '../local-chain.ts'
import { decodeTransfer } from './decode.ts'
import { SolanaLedger, slotMs } from './ledger.ts'
import {
  createMint,
  createTokenAccount,
  freezeAccount,
  mintTo,
  type TestMint,
  token2022Program,
  tokenAccount,
  tokenProgram,
  transferTokens,
} from './programs.ts'
import { type BackEnd, newBackEnd, SolanaRpc } from './rpc.ts'
import { serveRpc } from './server.ts'
import { signVersion1 } from './version-1.ts'

const decimals = 6
const feesLamports = 10_000_000_000n
const genesisHash = new PublicKey(Buffer.alloc(32, 7)).toBase58()
const otherGenesisHash = new PublicKey(Buffer.alloc(32, 8)).toBase58()

export interface SolanaOptions {
  /** Slots follow this clock; without one, time passes only when it is told to. */
  readonly clock?: () => Instant
  /** The accepted token is one of Token-2022 that keeps so much of each transfer. */
  readonly feeBps?: number
}

/** What Solana's own tests play beside the contract. */
export interface LocalSolana extends LocalChain {
  readonly settings: Readonly<Record<string, unknown>> & SolanaSettings
  readonly ledger: SolanaLedger
  /** The back end that follows the chain, and the one that stops. */
  readonly fresh: BackEnd
  readonly stale: BackEnd
  readonly token: TestMint
  /** Sends instructions that the wallet pays for and signs. */
  send(wallet: LocalWallet, instructions: readonly TransactionInstruction[]): string
  /** The same in a transaction of version 1. */
  sendVersion1(wallet: LocalWallet, instructions: readonly TransactionInstruction[]): Promise<string>
  /** The issuer of the accepted token makes more of it, or freezes an owner's account. */
  mint(owner: string, units: bigint): void
  freeze(owner: string): void
}

/** Everything here happened on the fourth of March 2026. */
const startAt = Date.UTC(2026, 2, 4, 12)

/** Programs whose addresses are on the curve by chance, and addresses of other chains. */
const neverWallets = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  '0x534b2f3A21130d7a60830c2Df862319e593943A3',
]

export async function startSolana(options: SolanaOptions = {}): Promise<LocalSolana> {
  const ledger = new SolanaLedger(options.clock?.() ?? startAt, options.clock ?? null)
  const issuer = new Issuer(ledger)
  const token = issuer.createMint(options.feeBps ?? null)
  const impostor = issuer.createMint(null)
  const treasury = issuer.newWallet(0n, [token, impostor]).publicKey

  const [fresh, stale] = [newBackEnd(), newBackEnd()]
  const servers = await Promise.all(
    [fresh, stale].map((backEnd) => serveRpc(new SolanaRpc(ledger, genesisHash, backEnd))),
  )
  const [freshUrl = '', staleUrl = ''] = servers.map(({ url }) => url)
  const [gate, spareGate] = await Promise.all([
    openGate(freshUrl, options.clock),
    openGate(freshUrl, options.clock),
  ])
  const settings: SolanaSettings & Record<string, unknown> = {
    cluster: 'localnet',
    treasury: treasury.toBase58(),
    rpc: [gate.url, spareGate.url],
    genesisHash,
    commitment: 'finalized',
    maxTransactionVersion: 1,
    pollSeconds: 0.5,
    assets: { USDC: { id: token.mint.toBase58(), decimals, program: token.program.toBase58() } },
  }
  const mintOf = (id: string | undefined): TestMint => (id === impostor.mint.toBase58() ? impostor : token)
  const payment = (from: LocalWallet, transfer: ManualTransfer): TransactionInstruction[] => {
    const { units, references = [], assetId } = transfer
    return [transferTokens(mintOf(assetId), new PublicKey(from.address), treasury, units, references)]
  }

  return {
    blockchain: 'SOLANA',
    settings,
    treasury: treasury.toBase58(),
    asset: { symbol: 'USDC', id: token.mint.toBase58(), decimals },
    impostorId: impostor.mint.toBase58(),
    finalizesLater: true,
    settlesAfterMs: 0,
    gate,
    spareGate,
    wrongNetwork: { genesisHash: otherGenesisHash },
    unpreparedTreasury: { treasury: Keypair.generate().publicKey.toBase58() },
    unsignableAddresses: [tokenAccount(treasury, token).toBase58(), ...neverWallets],
    unknownWalletRefusal: 'wallet_missing',
    ledger,
    fresh,
    stale,
    token,

    open: (context: ChainContext, overrides = {}) => openSolana({ ...settings, ...overrides }, context),
    now() {
      ledger.follow()
      return ledger.timeOf(ledger.slot)
    },
    finalize: async () => ledger.advance(ledger.slot - ledger.finalSlot() + 1),
    pass: async (ms) => ledger.advance(Math.ceil(ms / slotMs)),

    newWallet: async (units = 0n) => walletOf(issuer.newWallet(units, [token, impostor])),
    unknownWallet: () => walletOf(issuer.remember(Keypair.generate())),
    unpreparedWallet: async () => walletOf(issuer.newWallet(0n, [])),
    prepareWallet: async (address) => issuer.prepare(new PublicKey(address), token),
    grant: async (address, units) => issuer.grant(new PublicKey(address), units, token),
    balanceOf: async (address, assetId) => {
      const account = tokenAccount(new PublicKey(address), mintOf(assetId))
      return ledger.tokenAccount(account.toBase58())?.amount ?? 0n
    },

    async submit(text, signer) {
      const transaction = VersionedTransaction.deserialize(Buffer.from(text, 'base64'))
      transaction.sign([issuer.keyOf(signer.address)])
      ledger.follow()
      return ledger.send(transaction.serialize(), false)
    },
    submitUnsigned: async (text) => ledger.send(Buffer.from(text, 'base64'), false),
    pay: async (from, transfer) => issuer.send(issuer.keyOf(from.address), payment(from, transfer)),
    payAndFail: async (from, transfer) =>
      issuer.send(issuer.keyOf(from.address), payment(from, transfer), [], true),
    send: (wallet, instructions) => issuer.send(issuer.keyOf(wallet.address), instructions),
    sendVersion1: async ({ address }, instructions) => {
      const lifetime = ledger.blockHashAsOf(ledger.slot)
      return ledger.send(await signVersion1(issuer.keyOf(address), instructions, lifetime), false)
    },
    mint: (owner, units) => issuer.mint(new PublicKey(owner), units, token),
    freeze: (owner) => issuer.freeze(new PublicKey(owner), token),
    decode: (text) => decodeTransfer(ledger, text),

    goStale(which) {
      stale.staleAt = ledger.slot
      const heads = ['"getSlot"', '"getBlockTime"', '"getLatestBlockhash"', '"getFirstAvailableBlock"']
      for (const each of [gate, spareGate])
        each.upstream = ({ body }) =>
          which === 'all_but_heads' && heads.some((method) => body.includes(method)) ? freshUrl : staleUrl
      return () => {
        for (const each of [gate, spareGate]) each.upstream = () => freshUrl
      }
    },
    forgetHistory() {
      fresh.firstSlot = ledger.finalSlot()
      return () => {
        fresh.firstSlot = 0
      }
    },
    async close() {
      await Promise.all([gate, spareGate, ...servers].map((each) => each.close()))
    },
  }
}

function walletOf(key: Keypair): LocalWallet {
  return { address: key.publicKey.toBase58() }
}

/** Owns the mints, and keeps the keys of everybody on this network. */
class Issuer {
  readonly #ledger: SolanaLedger
  readonly #keys = new Map<string, Keypair>()
  readonly #key: Keypair

  constructor(ledger: SolanaLedger) {
    this.#ledger = ledger
    this.#key = this.remember(Keypair.generate())
    this.#fund(this.#key.publicKey)
  }

  remember(key: Keypair): Keypair {
    this.#keys.set(key.publicKey.toBase58(), key)
    return key
  }

  keyOf(address: string): Keypair {
    const key = this.#keys.get(address)
    if (key === undefined) throw new Error(`nobody here has the key of ${address}`)
    return key
  }

  send(
    payer: Keypair,
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
    mayFail = false,
  ): string {
    this.#ledger.follow()
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: this.#ledger.blockHashAsOf(this.#ledger.slot).blockhash,
      instructions: [...instructions],
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    transaction.sign([payer, ...signers])
    const signature = this.#ledger.send(transaction.serialize(), true)
    const error = this.#ledger.entries.at(-1)?.error ?? null
    if (error !== null && !mayFail) throw new Error(JSON.stringify(error))
    return signature
  }

  createMint(feeBps: number | null): TestMint {
    const mint = Keypair.generate()
    const program = feeBps === null ? tokenProgram : token2022Program
    const token = { mint: mint.publicKey, program, decimals }
    const rent = (length: number): number =>
      Number(this.#ledger.svm.minimumBalanceForRentExemption(BigInt(length)))
    this.send(this.#key, createMint(token, this.#key.publicKey, rent, feeBps), [mint])
    return token
  }

  newWallet(units: bigint, tokens: readonly TestMint[]): Keypair {
    const key = this.remember(Keypair.generate())
    this.#fund(key.publicKey)
    for (const token of tokens) this.grant(key.publicKey, units, token)
    return key
  }

  mint(owner: PublicKey, units: bigint, token: TestMint): void {
    this.send(this.#key, [mintTo(token, owner, this.#key.publicKey, units)])
  }

  freeze(owner: PublicKey, token: TestMint): void {
    this.send(this.#key, [freezeAccount(token, owner, this.#key.publicKey)])
  }

  grant(owner: PublicKey, units: bigint, token: TestMint): void {
    this.send(this.#key, [
      createTokenAccount(this.#key.publicKey, owner, token),
      ...(units === 0n ? [] : [mintTo(token, owner, this.#key.publicKey, units)]),
    ])
  }

  prepare(owner: PublicKey, token: TestMint): void {
    if ((this.#ledger.account(owner.toBase58())?.lamports ?? 0n) < feesLamports / 2n) this.#fund(owner)
    this.grant(owner, 0n, token)
  }

  #fund(owner: PublicKey): void {
    this.#ledger.svm.airdrop(toAddress(owner.toBase58()), lamports(feesLamports))
  }
}
