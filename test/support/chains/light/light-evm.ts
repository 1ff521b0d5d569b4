/** A light EVM chain: one token, whose transfers are calls of its own, and blocks that are final two blocks later. */
import { createHash } from 'node:crypto'
import type { Address } from 'viem'
import { getAddress } from 'viem/utils'
import { evmFacts } from '../../../../chain/evm/chains.ts'
import { transferData } from '../../../../chain/evm/transfer-data.ts'
import { openEvm } from '../../../../chain/evm.ts'
import chainDefaults from '../../../../data/chains.default.json' with { type: 'json' }
import type { EvmBlockchain } from '../../../../machines/blockchains.ts'
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

const usualFinalityBlocks = 2
/** Whatever the chain's own are: the stories' waits are in chain time. */
const usualBlockMs = 400
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Makes networks of this chain. */
export function lightEvm(blockchain: EvmBlockchain): (options: LightOptions) => LightChain {
  return (options) => lightChain(blockchain, options)
}

function lightChain(blockchain: EvmBlockchain, options: LightOptions): LightChain {
  const network = new LightNetwork(blockchain, options)
  const { ledger, treasury, token, newAddress } = network
  const endpoints = Array.from(
    { length: options.endpoints },
    (_, place): LightEndpoint => ({ host: `evm-${place}.test`, faults: noFaults() }),
  )
  const assets = { USDC: { id: token, decimals: 6 } }
  const rpc = endpoints.map(({ host }) => `http://${host}/`)
  return {
    blockchain,
    asset: { symbol: 'USDC', ...assets.USDC },
    treasury,
    ledger,
    endpoints,
    open: (context) => openEvm(blockchain, { ...network.settings, treasury, rpc, assets }, context),
    newWallet: newAddress,
    get balance() {
      return ledger.balanceAt(ledger.head())
    },
    move(units, { wallet = newAddress(), references = [], isSilent = false } = {}) {
      const id = `0x${network.nextBytes().toString('hex')}`
      const height = ledger.head()
      ledger.movements.push({ id, height, at: ledger.timeOf(height), units, wallet, references, isSilent })
      return id
    },
    answer: (endpoint, _, body) => rpcResponse(body, (question) => network.ask(endpoint, question)),
  }
}

/** Its addresses, and what its endpoints answer of the ledger. */
class LightNetwork {
  readonly settings: { chainId: number; finality: 'safe' | 'finalized'; maxLogRange: number }
  readonly ledger: LightLedger
  readonly finalityBlocks: number
  readonly nextBytes: () => Buffer
  readonly newAddress = () => getAddress(`0x${this.nextBytes().toString('hex', 0, 20)}`)
  readonly treasury: Address
  readonly token: Address

  constructor(blockchain: EvmBlockchain, options: LightOptions) {
    const { chainId, maxLogRange } = chainDefaults.sandbox[blockchain]
    this.settings = { chainId, maxLogRange, finality: evmFacts[blockchain].finality }
    this.ledger = new LightLedger({ ...options, blockMs: options.blockMs ?? usualBlockMs })
    this.finalityBlocks = options.finalityBlocks ?? usualFinalityBlocks
    this.nextBytes = lightBytes(options)
    this.treasury = this.newAddress()
    this.token = this.newAddress()
  }

  ask({ faults }: LightEndpoint, { method, params }: RpcQuestion): unknown {
    const head = this.ledger.head(faults)
    const [first, second] = params
    switch (method) {
      case 'eth_chainId':
        return hex(this.settings.chainId)
      case 'eth_getBlockByNumber': {
        const isFinal = first === this.settings.finality
        const height = first === 'latest' ? head : isFinal ? head - this.finalityBlocks : Number(first)
        return height > head ? null : this.#block(height)
      }
      case 'eth_getLogs':
        return this.#logs(faults, head, Object(first))
      case 'eth_getTransactionByHash': {
        const one = this.#movement(first, head)
        return one === undefined ? null : { ...this.#place(one), hash: one.id, input: this.#input(one) }
      }
      case 'eth_getTransactionReceipt': {
        const one = this.#movement(first, head)
        if (one === undefined) return null
        const logs = [this.#log(one, faults)]
        return { ...this.#place(one), transactionHash: one.id, status: '0x1', contractAddress: null, logs }
      }
      case 'eth_call': {
        const height = second === 'latest' ? head : Number(second)
        if (height > head) throw new RpcRefusal(-32602, 'Block requested not found.')
        return `0x${this.ledger.heldAt(height, faults).toString(16).padStart(64, '0')}`
      }
      case 'eth_maxPriorityFeePerGas':
        return '0x77359400'
      case 'eth_estimateGas':
        return '0xea60'
      default:
        throw new RpcRefusal(-32601, `no method ${method}`)
    }
  }

  #logs(
    faults: EndpointFaults,
    head: number,
    filter: { fromBlock: string; toBlock: string; topics: readonly unknown[] },
  ) {
    const [from, to] = [Number(filter.fromBlock), Math.min(Number(filter.toBlock), head)]
    if (from > head) throw new RpcRefusal(-32602, 'Block requested not found.')
    const isIncoming = filter.topics[2] != null
    const found = this.ledger
      .listed(faults)
      .filter(({ height, units }) => height >= from && height <= to && units > 0n === isIncoming)
    const logs = found.map((one) => this.#log(one, faults))
    return (faults.isShuffled ? shuffled(logs) : logs).slice(0, faults.truncatedTo ?? undefined)
  }

  #log(one: LightMovement, { isShuffled }: EndpointFaults) {
    const [from, to] = one.units > 0n ? [one.wallet, this.treasury] : [this.treasury, one.wallet]
    const amount = one.units > 0n ? one.units : -one.units
    const inBlock = this.ledger.movements.filter(({ height }) => height === one.height).indexOf(one)
    return {
      address: this.token.toLowerCase(),
      topics: [transferTopic, word(from), word(to)],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      blockNumber: hex(one.height),
      blockHash: this.#hash(one.height),
      transactionHash: one.id,
      transactionIndex: '0x0',
      logIndex: hex(inBlock + (isShuffled ? 7 : 0)),
      removed: false,
    }
  }

  #block(height: number) {
    const inBlock = this.ledger.movements.filter((one) => one.height === height && !one.isSilent)
    return {
      number: hex(height),
      hash: this.#hash(height),
      parentHash: this.#hash(height - 1),
      timestamp: hex(this.ledger.timeOf(height) / 1000),
      baseFeePerGas: '0x174876e800',
      transactions: inBlock.map(({ id }) => id),
    }
  }

  #movement(id: unknown, head: number): LightMovement | undefined {
    return this.ledger.movements.find((one) => one.id === id && !one.isSilent && one.height <= head)
  }

  /** What a transaction and its receipt both say. */
  #place({ height, units, wallet }: LightMovement) {
    return {
      blockHash: this.#hash(height),
      blockNumber: hex(height),
      transactionIndex: '0x0',
      from: (units > 0n ? wallet : this.treasury).toLowerCase(),
      to: this.token.toLowerCase(),
    }
  }

  #input({ references, units, wallet }: LightMovement): `0x${string}` {
    const [reference] = references
    const [to, amount] = units > 0n ? [this.treasury, units] : [getAddress(wallet), -units]
    const data = transferData(to, amount, reference ?? '0'.repeat(64))
    return reference === undefined ? `0x${data.slice(2, 2 + 136)}` : data
  }

  #hash(height: number): string {
    const fork = this.ledger.replacements(height)
    return `0x${createHash('sha256').update(`${this.token} ${height} ${fork}`).digest('hex')}`
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}

function word(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}
