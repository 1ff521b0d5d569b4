/** A light Solana: signed transactions of one `transferChecked` each, and slots that are final 32 slots later. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { PublicKey, TransactionInstruction, TransactionMessage } from '@solana/web3.js'
import { associatedTokenAccount, referenceKey, tokenProgram } from '../../../../chain/solana/addresses.ts'
import { openSolana } from '../../../../chain/solana.ts'
import {
  type EndpointFaults,
  type LightChain,
  type LightEndpoint,
  LightLedger,
  type LightMovement,
  type LightOptions,
  lightBytes,
  noFaults,
  type RpcQuestion,
  RpcRefusal,
  rpcResponse,
  shuffled,
} from './light-chain.ts'

const finalitySlots = 32
const base58 = getBase58Decoder()
const genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

/** Owners hold keys, since every transaction is signed. */
interface Owner {
  readonly key: PublicKey
  readonly secret: KeyObject
}

/** What comes before the 32 bytes of an Ed25519 key in PKCS #8. */
const keyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function ownerOf(bytes: Buffer): Owner {
  const secret = createPrivateKey({ key: Buffer.concat([keyPrefix, bytes]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { key: new PublicKey(raw), secret }
}

export function lightSolana(options: LightOptions): LightChain {
  const network = new LightNetwork(options)
  const { ledger } = network
  const treasury = network.treasury.key.toBase58()
  const token = { id: network.mint.toBase58(), decimals: 6 }
  const endpoints = Array.from(
    { length: options.endpoints },
    (_, place): LightEndpoint => ({ host: `solana-${place}.test`, faults: noFaults() }),
  )
  return {
    blockchain: 'SOLANA',
    treasury,
    asset: { symbol: 'USDC', ...token },
    ledger,
    endpoints,
    open: (context) =>
      openSolana(
        {
          treasury,
          rpc: endpoints.map(({ host }) => `http://${host}/`),
          genesisHash,
          maxTransactionVersion: 0,
          assets: { USDC: { ...token, program: tokenProgram.toBase58() } },
        },
        context,
      ),
    newWallet: () => network.newWallet(),
    get balance() {
      return ledger.balanceAt(ledger.head())
    },
    move(units, { wallet = network.newWallet(), references = [], isSilent = false } = {}) {
      const height = ledger.head()
      const made = network.signed(units, wallet, references)
      const before = ledger.balanceAt(height)
      network.served.set(made.signature, network.transactionOf({ height, units }, made, before))
      const at = ledger.timeOf(height)
      ledger.movements.push({ id: made.signature, height, at, units, wallet, references, isSilent })
      return made.signature
    },
    answer: (endpoint, _, body) => rpcResponse(body, (question) => network.ask(endpoint, question)),
  }
}

/** Its keys, and what its endpoints answer of the ledger. */
class LightNetwork {
  readonly ledger: LightLedger
  readonly #nextBytes: () => Buffer
  readonly treasury: Owner
  readonly mint: PublicKey
  readonly account: PublicKey
  readonly owners = new Map<string, Owner & { readonly account: PublicKey }>()
  /** Transactions by their signatures. */
  readonly served = new Map<string, unknown>()

  constructor(options: LightOptions) {
    this.ledger = new LightLedger({ ...options, blockMs: 400 })
    this.#nextBytes = lightBytes(options)
    this.treasury = this.newOwner()
    this.mint = this.newOwner().key
    this.account = associatedTokenAccount(this.treasury.key, this.mint, tokenProgram)
  }

  newOwner(): Owner {
    return ownerOf(this.#nextBytes())
  }

  newWallet(): string {
    const owner = this.newOwner()
    // Any account will do: nobody derives the payer's.
    this.owners.set(owner.key.toBase58(), { ...owner, account: this.newOwner().key })
    return owner.key.toBase58()
  }

  signed(units: bigint, wallet: string, references: readonly string[]) {
    const other = this.owners.get(wallet)
    if (other === undefined) throw new Error(`nobody has the key of ${wallet}`)
    const [source, destination, owner] =
      units > 0n ? [other.account, this.account, other] : [this.account, other.account, this.treasury]
    const amount = units > 0n ? units : -units
    const data = Buffer.alloc(10)
    data[0] = 12
    data.writeBigUInt64LE(amount, 1)
    data[9] = 6
    const meta = (pubkey: PublicKey, isWritable: boolean, isSigner = false) => ({
      pubkey,
      isWritable,
      isSigner,
    })
    const keys = [
      meta(source, true),
      meta(this.mint, false),
      meta(destination, true),
      meta(owner.key, false, true),
      ...references.map((reference) => meta(referenceKey(reference), false)),
    ]
    const message = new TransactionMessage({
      payerKey: owner.key,
      recentBlockhash: this.newOwner().key.toBase58(),
      instructions: [new TransactionInstruction({ programId: tokenProgram, keys, data })],
    }).compileToLegacyMessage()
    const signature = base58.decode(sign(null, message.serialize(), owner.secret))
    return { message, signature, other }
  }

  /** As `getTransaction` serves it. */
  transactionOf(
    { height, units }: Pick<LightMovement, 'height' | 'units'>,
    { message, signature, other }: ReturnType<LightNetwork['signed']>,
    before: bigint,
  ): unknown {
    const keys = message.accountKeys.map((key) => key.toBase58())
    const balance = (of: PublicKey, owner: string, amount: bigint) => ({
      accountIndex: keys.indexOf(of.toBase58()),
      mint: this.mint.toBase58(),
      owner,
      programId: tokenProgram.toBase58(),
      uiTokenAmount: {
        amount: amount.toString(),
        decimals: 6,
        uiAmount: null,
        uiAmountString: amount.toString(),
      },
    })
    const rich = 10n ** 15n
    const lamports = keys.map(() => 2_039_280)
    return {
      slot: height,
      blockTime: this.ledger.timeOf(height) / 1000,
      version: 'legacy',
      meta: {
        err: null,
        status: { Ok: null },
        fee: 5_000,
        innerInstructions: [],
        logMessages: [],
        preBalances: lamports,
        postBalances: lamports,
        preTokenBalances: [
          balance(this.account, this.treasury.key.toBase58(), before),
          balance(other.account, other.key.toBase58(), rich),
        ],
        postTokenBalances: [
          balance(this.account, this.treasury.key.toBase58(), before + units),
          balance(other.account, other.key.toBase58(), rich - units),
        ],
      },
      transaction: {
        signatures: [signature],
        message: {
          header: message.header,
          accountKeys: keys,
          recentBlockhash: message.recentBlockhash,
          instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
            programIdIndex,
            accounts,
            data,
          })),
        },
      },
    }
  }

  #tokenAccount(units: bigint): unknown {
    const data = Buffer.alloc(165)
    data.set(this.mint.toBytes(), 0)
    data.set(this.treasury.key.toBytes(), 32)
    data.writeBigUInt64LE(units, 64)
    data[108] = 1
    return {
      data: [data.toString('base64'), 'base64'],
      executable: false,
      lamports: 2_039_280,
      owner: tokenProgram.toBase58(),
      rentEpoch: 0,
      space: 165,
    }
  }

  #signatures(faults: EndpointFaults, head: number, limit: number, before: string | undefined) {
    const all = this.ledger.listed(faults).filter(({ height }) => height <= head)
    const newestFirst = faults.isShuffled ? shuffled(all) : all.toReversed()
    const from = before === undefined ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1
    if (before !== undefined && from === 0) return []
    const most = Math.min(limit, faults.truncatedTo ?? limit)
    return newestFirst.slice(from, from + most).map(({ id, height, at }) => ({
      signature: id,
      slot: height,
      err: null,
      memo: null,
      blockTime: at / 1000,
      confirmationStatus: 'finalized',
    }))
  }

  ask({ faults }: LightEndpoint, { method, params }: RpcQuestion): unknown {
    const [first, second] = params
    const { commitment, minContextSlot, limit = 1_000, before } = Object(second ?? first)
    const head = this.ledger.head(faults) - (commitment === 'confirmed' ? 0 : finalitySlots)
    if (minContextSlot > head) throw new RpcRefusal(-32016, 'Minimum context slot has not been reached')
    switch (method) {
      case 'getGenesisHash':
        return genesisHash
      case 'getSlot':
        return head
      case 'getFirstAvailableBlock':
        return 0
      case 'getBlockTime':
        return this.ledger.timeOf(Number(first)) / 1000
      case 'getTokenAccountsByOwner':
        return { context: { slot: head }, value: [] }
      case 'getMultipleAccounts':
        return { context: { slot: head }, value: [this.#tokenAccount(this.ledger.heldAt(head, faults))] }
      case 'getSignaturesForAddress':
        return this.#signatures(faults, head, limit, before)
      case 'getTransaction': {
        const one = this.ledger.movements.find(({ id }) => id === first)
        return one === undefined || one.height > head ? null : this.served.get(one.id)
      }
      default:
        throw new RpcRefusal(-32601, `no method ${method}`)
    }
  }
}
