/**
 * A local EVM chain: anvil behind back ends that behave as the strictest that are known (Monad's), a treasury, an
 * accepted token and an impostor.
 */
import type { Address, Hex } from 'viem'
import { concat, encodeFunctionData, getAddress, isHex, serializeTransaction } from 'viem/utils'
import { evmFacts } from '../../../../chain/evm/chains.ts'
import { type EvmSettings, openEvm } from '../../../../chain/evm.ts'
import chainDefaults from '../../../../data/chains.default.json' with { type: 'json' }
import type { EvmBlockchain } from '../../../../machines/blockchains.ts'
import type { Instant } from '../../../../machines/time.ts'
import { type Gate, openGate } from '../gate.ts'
import type { LocalChain, LocalWallet, ManualTransfer } from '../local-chain.ts'
import { EvmAccounts, type SentCall, tokenAbi } from './accounts.ts'
import { type Anvil, Refused, type RpcCall, startAnvil } from './anvil.ts'
import { type BackEnd, startBackEnd } from './back-end.ts'
import { decodeTransfer } from './decode.ts'

const decimals = 6

/** Everything here happened on the fifth of March 2026. */
const startAt = Date.UTC(2026, 2, 5, 12)

/** From block to block while time passes: each block costs anvil more than the last. */
const passSeconds = 10

export interface EvmOptions {
  /** Blocks follow this clock; without one, time passes only when it is told to. */
  readonly clock?: () => Instant
}

/** What the adapter's own tests play beside the contract. */
export interface LocalEvm extends LocalChain {
  readonly settings: Readonly<Record<string, unknown>> & EvmSettings
  readonly treasury: Address
  readonly anvil: Anvil
  readonly accounts: EvmAccounts
  /** The back end that follows the chain, and the one that stops. */
  readonly fresh: BackEnd
  readonly stale: BackEnd
  /** A transfer to the treasury with what stands behind its arguments. */
  transferData(units: bigint, references?: readonly string[]): Hex
  /** Signs and sends, and takes note of the time. */
  send(from: LocalWallet, call: SentCall): Promise<Hex>
  /** The same for several in one block. */
  sendTogether(calls: readonly (SentCall & { readonly from: LocalWallet })[]): Promise<void>
  /** So many blocks without transactions, a second each. */
  mine(blocks: number): Promise<void>
}

export async function startEvm(blockchain: EvmBlockchain, { clock }: EvmOptions = {}): Promise<LocalEvm> {
  const { chainId, maxLogRange } = chainDefaults.sandbox[blockchain]
  const { finality, disagreementMs } = evmFacts[blockchain]
  const anvil = await startAnvil(chainId, clock?.() ?? startAt)
  const time = new ChainTime(anvil, clock ?? null)
  await time.read()
  const accounts = new EvmAccounts(anvil, chainId, () => time.follow())
  const treasury = await accounts.newWallet()
  const [token, impostor] = [await accounts.deployToken(), await accounts.deployToken()]
  const [fresh, stale] = await Promise.all([startBackEnd(anvil, finality), startBackEnd(anvil, finality)])
  const [gate, spareGate] = await Promise.all([openGate(fresh.url, clock), openGate(fresh.url, clock)])
  const settings = {
    treasury,
    pollSeconds: 0.5,
    chainId,
    rpc: [gate.url, spareGate.url],
    finality,
    maxLogRange,
    assets: { USDC: { id: token, decimals } },
  }
  const network = { chainId, anvil, time, accounts, treasury, token, impostor, fresh, stale, gate, spareGate }
  await grantOn(network, treasury, 1_000_000_000n)
  await grantOn(network, treasury, 1_000_000_000n, impostor)
  // Nobody who reads from now on sees how the network was made.
  await time.mine(3)

  return {
    blockchain,
    settings,
    treasury,
    asset: { symbol: 'USDC', id: token, decimals },
    impostorId: impostor,
    finalizesLater: true,
    settlesAfterMs: disagreementMs,
    gate,
    spareGate,
    wrongNetwork: { chainId: chainDefaults.production[blockchain].chainId },
    unpreparedTreasury: null,
    unsignableAddresses: [token, treasury, ...unsignable],
    anvil,
    accounts,
    fresh,
    stale,
    open: (context, overrides = {}) => openEvm(blockchain, { ...settings, ...overrides }, context),
    mine: (blocks) => time.mine(blocks),
    now: () => time.now(),
    finalize: () => time.mine(3),
    pass: (ms) => time.mine(Math.ceil(ms / 1000 / passSeconds), passSeconds),
    ...walletsOf(network),
    ...sendingOn(network),
    ...faultsOf(network),
  }
}

/** What cannot sign here: nobody's, a contract of the chain's own, spelled wrong, of another chain. */
const unsignable = [
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x534B2f3A21130d7a60830c2Df862319e593943A3',
  '0x534b2f3A21130d7a60830c2Df862319e593943A',
  '534b2f3A21130d7a60830c2Df862319e593943A3',
  '0X534B2F3A21130D7A60830C2DF862319E593943A3',
  'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
]

type Network = Pick<LocalEvm, 'anvil' | 'accounts' | 'fresh' | 'stale'> & {
  readonly chainId: number
  readonly time: ChainTime
  readonly treasury: Address
  readonly token: Address
  readonly impostor: Address
  readonly gate: Gate
  readonly spareGate: Gate
}

async function grantOn({ accounts, time, token }: Network, address: string, units: bigint, assetId = token) {
  await accounts.mint(assetId, getAddress(address), units)
  await time.read()
}

function walletsOf(network: Network) {
  const { accounts, token, impostor } = network
  return {
    async newWallet(units = 0n) {
      const address = await accounts.newWallet()
      for (const assetId of units > 0n ? [token, impostor] : [])
        await grantOn(network, address, units, assetId)
      return { address }
    },
    unknownWallet: () => ({ address: accounts.newKey().address }),
    unknownWalletRefusal: null,
    unpreparedWallet: async () => null,
    async prepareWallet(address) {
      if ((await accounts.balance(getAddress(address))) === 0n) await accounts.fund(getAddress(address))
    },
    grant: (address, units) => grantOn(network, address, units),
    balanceOf: (address, assetId) => accounts.balanceOf(getAddress(assetId), getAddress(address)),
  } satisfies Partial<LocalEvm>
}

function sendingOn({ accounts, time, treasury, token, chainId }: Network) {
  const transferData = (units: bigint, references: readonly string[] = []): Hex =>
    concat([
      encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [treasury, units] }),
      ...references.map((reference): Hex => `0x${reference}`),
    ])
  const payment = ({ units, references, assetId }: ManualTransfer): SentCall => ({
    to: getAddress(assetId ?? token),
    data: transferData(units, references),
  })
  const send = async (from: LocalWallet, call: SentCall): Promise<Hex> => {
    const { transactionId } = await accounts.send(getAddress(from.address), call)
    await time.read()
    return transactionId
  }
  return {
    transferData,
    send,
    async sendTogether(calls) {
      await accounts.sendTogether(
        calls.map(({ from, ...call }) => ({ ...call, from: getAddress(from.address) })),
      )
      await time.read()
    },
    async submit(text, signer) {
      const { from, ...call } = parametersIn(text)
      // A wallet signs for its own address only.
      if (from !== signer.address) throw new Error(`${signer.address} does not sign for ${from}`)
      return await send(signer, call)
    },
    async submitUnsigned(text) {
      const { from, ...call } = parametersIn(text)
      const unsigned = serializeTransaction(await accounts.complete(getAddress(from), call, 0))
      return (await accounts.broadcast(unsigned)).transactionId
    },
    pay: (from, transfer) => send(from, payment(transfer)),
    async payAndFail(from, transfer) {
      // Enough gas, said beforehand: an estimate would show that it fails.
      const call = { ...payment(transfer), gas: 100_000n }
      const { transactionId, done } = await accounts.broadcast(
        await accounts.sign(getAddress(from.address), call),
      )
      await time.read()
      if (done) throw new Error('it did not fail')
      return transactionId
    },
    decode: (text) => decodeTransfer(text, chainId),
  } satisfies Partial<LocalEvm>
}

function faultsOf({ anvil, time, fresh, stale, gate, spareGate }: Network) {
  return {
    goStale(which) {
      stale.staleAt = time.height
      stale.headsAreFresh = which === 'all_but_heads'
      for (const each of [gate, spareGate]) each.upstream = () => stale.url
      return () => {
        for (const each of [gate, spareGate]) each.upstream = () => fresh.url
      }
    },
    forgetHistory() {
      fresh.firstBlock = time.height - 2
      return () => {
        fresh.firstBlock = 0
      }
    },
    async close() {
      time.stop()
      await Promise.all([gate, spareGate, fresh, stale].map((each) => each.close()))
      await anvil.stop()
    },
  } satisfies Partial<LocalEvm>
}

/** What a wallet makes of the JSON that it is given. */
function parametersIn(text: string): SentCall & { readonly from: string } {
  const parsed: Readonly<Record<string, unknown>> = JSON.parse(text)
  const hex = (name: string): Hex => {
    const value = parsed[name]
    if (!isHex(value)) throw new Error(`${name} is not hexadecimal`)
    return value
  }
  return {
    from: getAddress(hex('from')),
    to: getAddress(hex('to')),
    data: hex('data'),
    value: BigInt(hex('value')),
    gas: BigInt(hex('gas')),
    maxFeePerGas: BigInt(hex('maxFeePerGas')),
    maxPriorityFeePerGas: BigInt(hex('maxPriorityFeePerGas')),
  }
}

/** Height and time of the last block. */
class ChainTime {
  readonly #anvil: Anvil
  readonly #clock: (() => Instant) | null
  readonly #ticking: NodeJS.Timeout | null
  #at = 0
  height = 0

  constructor(anvil: Anvil, clock: (() => Instant) | null) {
    this.#anvil = anvil
    this.#clock = clock
    // What is under way when the network is closed is cut off.
    const tick = (): void => void this.mine(1).catch(() => {})
    this.#ticking = clock === null ? null : setInterval(tick, 1000).unref()
  }

  now(): Instant {
    return this.#clock?.() ?? this.#at
  }

  async read(): Promise<void> {
    const block: unknown = await this.#anvil.call('eth_getBlockByNumber', 'latest', false)
    const { number, timestamp }: { number: string; timestamp: string } = Object(block)
    this.height = Number(number)
    this.#at = Number(timestamp) * 1000
  }

  /** The next block has the clock's time, where it is later than a second after the last. */
  async follow(): Promise<void> {
    if (this.#clock === null) return
    const seconds = Math.floor(this.#clock() / 1000)
    if (seconds * 1000 <= this.#at) return
    try {
      await this.#anvil.call('evm_setNextBlockTimestamp', seconds)
    } catch (error) {
      // A block that somebody else made meanwhile is later already.
      if (!(error instanceof Refused)) throw error
    }
  }

  async mine(blocks: number, seconds = 1): Promise<void> {
    await this.follow()
    const interval = (between: number): RpcCall => ({
      method: 'anvil_setBlockTimestampInterval',
      params: [between],
    })
    const mine = { method: 'anvil_mine', params: [blocks] }
    await this.#anvil.inTurn(seconds === 1 ? [mine] : [interval(seconds), mine, interval(1)])
    await this.read()
  }

  stop(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking)
  }
}
