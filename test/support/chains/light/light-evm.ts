/** A light EVM chain: one token, whose transfers are calls of its own, and blocks that are final two blocks later. */
import { createHash } from 'node:crypto'
import { getAddress } from 'viem/utils'
import { evmFacts } from '../../../../chain/evm/chains.ts'
import { transferData } from '../../../../chain/evm/transfer-data.ts'
import { openEvm } from '../../../../chain/evm.ts'
import chainDefaults from '../../../../data/chains.default.json' with { type: 'json' }
import type { EvmBlockchain } from '../../../../machines/blockchains.ts'
import {
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

const finalityBlocks = 2
/** Whatever the chain's own are: the stories' waits are in chain time. */
const blockMs = 400
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Makes networks of this chain. */
export function lightEvm(blockchain: EvmBlockchain): (options: LightOptions) => LightChain {
  return (options) => lightChain(blockchain, options)
}

function lightChain(blockchain: EvmBlockchain, options: LightOptions): LightChain {
  const { chainId, maxLogRange } = chainDefaults.sandbox[blockchain]
  const { finality } = evmFacts[blockchain]
  const ledger = new LightLedger({ ...options, blockMs })
  const nextBytes = lightBytes(options)
  const newAddress = () => getAddress(`0x${nextBytes().toString('hex', 0, 20)}`)
  const [treasury, token] = [newAddress(), newAddress()]
  const asset = { symbol: 'USDC', id: token, decimals: 6 }
  const endpoints = Array.from(
    { length: options.endpoints },
    (_, place): LightEndpoint => ({
      host: `evm-${place}.test`,
      faults: noFaults(),
    }),
  )
  const hashOf = (height: number) => `0x${createHash('sha256').update(`${token} ${height}`).digest('hex')}`

  const inputOf = ({ references, units, wallet }: LightMovement): `0x${string}` => {
    const [reference] = references
    const [to, amount] = units > 0n ? [treasury, units] : [getAddress(wallet), -units]
    const data = transferData(to, amount, reference ?? '0'.repeat(64))
    return reference === undefined ? `0x${data.slice(2, 2 + 136)}` : data
  }
  const logOf = (one: LightMovement, index: number) => {
    const [from, to] = one.units > 0n ? [one.wallet, treasury] : [treasury, one.wallet]
    const amount = one.units > 0n ? one.units : -one.units
    return {
      address: token.toLowerCase(),
      topics: [transferTopic, word(from), word(to)],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      blockNumber: hex(one.height),
      blockHash: hashOf(one.height),
      transactionHash: one.id,
      transactionIndex: '0x0',
      logIndex: hex(index),
      removed: false,
    }
  }
  const placeOf = (one: LightMovement) =>
    ledger.movements.filter(({ height }) => height === one.height).indexOf(one)
  const blockOf = (height: number) => ({
    number: hex(height),
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    timestamp: hex(ledger.timeOf(height) / 1000),
    baseFeePerGas: '0x174876e800',
    transactions: ledger.movements.flatMap((one) => (one.height === height && !one.isSilent ? [one.id] : [])),
  })
  const byId = (id: unknown) => ledger.movements.find((one) => one.id === id && !one.isSilent)

  function ask({ faults }: LightEndpoint, { method, params }: RpcQuestion): unknown {
    const head = ledger.head(faults)
    const [first, second] = params
    switch (method) {
      case 'eth_chainId':
        return hex(chainId)
      case 'eth_getBlockByNumber': {
        const height = first === 'latest' ? head : first === finality ? head - finalityBlocks : Number(first)
        return height > head ? null : blockOf(height)
      }
      case 'eth_getLogs': {
        const { fromBlock, toBlock, topics } = Object(first)
        const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), head)]
        if (from > head) throw new RpcRefusal(-32602, 'Block requested not found.')
        const isIncoming = topics[2] != null
        const found = ledger
          .listed(faults)
          .filter(({ height, units }) => height >= from && height <= to && units > 0n === isIncoming)
        const logs = found.map((one) => logOf(one, placeOf(one) + (faults.isShuffled ? 7 : 0)))
        return (faults.isShuffled ? shuffled(logs) : logs).slice(0, faults.truncatedTo ?? undefined)
      }
      case 'eth_getTransactionByHash': {
        const one = byId(first)
        if (one === undefined || one.height > head) return null
        const from = one.units > 0n ? one.wallet : treasury
        const place = { blockHash: hashOf(one.height), blockNumber: hex(one.height), transactionIndex: '0x0' }
        return {
          hash: one.id,
          ...place,
          from: from.toLowerCase(),
          to: token.toLowerCase(),
          input: inputOf(one),
        }
      }
      case 'eth_getTransactionReceipt': {
        const one = byId(first)
        if (one === undefined || one.height > head) return null
        const from = one.units > 0n ? one.wallet : treasury
        return {
          transactionHash: one.id,
          blockHash: hashOf(one.height),
          blockNumber: hex(one.height),
          transactionIndex: '0x0',
          status: '0x1',
          from: from.toLowerCase(),
          to: token.toLowerCase(),
          contractAddress: null,
          logs: [logOf(one, placeOf(one) + (faults.isShuffled ? 7 : 0))],
        }
      }
      case 'eth_call': {
        const height = second === 'latest' ? head : Number(second)
        if (height > head) throw new RpcRefusal(-32602, 'Block requested not found.')
        return `0x${ledger.heldAt(height, faults).toString(16).padStart(64, '0')}`
      }
      default:
        throw new RpcRefusal(-32601, `no method ${method}`)
    }
  }

  return {
    blockchain,
    asset,
    treasury,
    ledger,
    endpoints,
    open: (context) =>
      openEvm(
        blockchain,
        {
          treasury,
          chainId,
          finality,
          maxLogRange,
          rpc: endpoints.map(({ host }) => `http://${host}/`),
          assets: { USDC: { id: token, decimals: 6 } },
        },
        context,
      ),
    newWallet: newAddress,
    get balance() {
      return ledger.balanceAt(ledger.head())
    },
    move(units, { wallet = newAddress(), references = [], isSilent = false } = {}) {
      const id = `0x${nextBytes().toString('hex')}`
      const height = ledger.head()
      ledger.movements.push({ id, height, at: ledger.timeOf(height), units, wallet, references, isSilent })
      return id
    },
    answer: (endpoint, _, body) => rpcResponse(body, (question) => ask(endpoint, question)),
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}

function word(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}
