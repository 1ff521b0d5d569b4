/** Accounts of a local Stellar, their keys, and what they sign and send. */
import {
  Account,
  type Asset,
  extractBaseAddress,
  Keypair,
  Memo,
  MuxedAccount,
  type Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'
import type { LocalWallet } from '../local-chain.ts'
import { assetId } from './accounts.ts'
import type { StellarLedger, TransactionRecord } from './ledger.ts'

export const passphrase = 'Ventanilla Local Network'
export const startingUnits = 100_000_000_000n

export type XdrOperation = ReturnType<typeof Operation.payment>

export interface SendOptions {
  readonly memo?: Memo
  /** Who signs; the source alone by default. */
  readonly signers?: readonly LocalWallet[]
  /** Who pays the fee, by a transaction around it. */
  readonly feePayer?: LocalWallet
}

/** Keeps the keys of everybody on this network, and signs with them. */
export class Keys {
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
