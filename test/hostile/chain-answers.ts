/**
 * What networks answer: an adapter reads everything that it ever reads of a network of a few blocks, and one answer after the
 * other is an input. Whatever it is, the adapter gives a failure or an answer, and throws nothing.
 */
import { setImmediate } from 'node:timers/promises'
import type { ChainAdapter } from '../../chain/chain.ts'
import { readBlock, readReceipt, readTransaction, readTransfers } from '../../chain/evm/answers.ts'
import { RpcFailed } from '../../chain/evm/json-rpc.ts'
import { directTransfer, embeddedTransfers } from '../../chain/evm/transfer-data.ts'
import { blockchains } from '../../machines/blockchains.ts'
import { type LightChain, withLightChain } from '../support/chains/light/light-chain.ts'
import { lightChains } from '../support/chains/light/light-chains.ts'
import type { Parser } from './play.ts'

const startedAt = Date.UTC(2026, 2, 3, 12)

interface Told {
  chain: LightChain
  cursor: string
  clock: () => number
}

/** Two payments, and the cursor before them. */
async function tell(blockchain: (typeof blockchains)[number]): Promise<Told> {
  let at = startedAt
  const clock = () => at
  const chain = lightChains[blockchain]({ clock, opening: 1_000n, endpoints: 2 })
  const cursor = await withLightChain(chain, async () => {
    const adapter = chain.open({ clock })
    const started = await adapter.startCursor()
    await adapter.close()
    if (!started.ok) throw new Error(started.failure.message)
    return started.value
  })
  const wallet = chain.newWallet()
  at += 20_000
  chain.move(70n, { wallet, references: ['ab'.repeat(32)] })
  chain.move(11n)
  at += 120_000
  return { chain, cursor, clock }
}

/** Everything that is read, in a fixed order. */
async function readEverything(adapter: ChainAdapter, cursor: string, wallet: string): Promise<void> {
  await adapter.startCursor()
  await adapter.deposits(cursor)
  await adapter.unfinalizedChainDeposits()
  await adapter.readNetwork()
  await adapter.readWallets([{ wallet, symbol: 'USDC' }])
  await adapter.health()
  await adapter.check()
  const reader = adapter.reader(1)
  await reader.look()
  await reader.deposits(cursor)
  await reader.close()
}

async function readerOf(blockchain: (typeof blockchains)[number]): Promise<Parser> {
  const { chain, cursor, clock } = await tell(blockchain)
  const wallet = chain.newWallet()
  const read = async (change: (answer: string, count: number) => string) => {
    let count = 0
    const answer: LightChain['answer'] = (endpoint, url, body) => chain.answer(endpoint, url, body)
    const changing: LightChain = Object.create(chain, {
      answer: {
        value: async (...asked: Parameters<typeof answer>) => {
          const { status, headers, text } = await contentOf(await answer(...asked))
          return new Response(change(text, count++), { status, headers })
        },
      },
    })
    await withLightChain(changing, async () => {
      // A signal of a time-out is kept until its time, and would look like growth.
      const adapter = chain.open({ clock, timeoutMs: 500 })
      await readEverything(adapter, cursor, wallet)
      await adapter.close()
    })
    // Nothing here waits for a socket, and so no turn would end.
    await setImmediate()
  }
  const samples: string[] = []
  await read((answer) => {
    samples.push(answer)
    return answer
  })
  return {
    name: `answers of ${blockchain}`,
    samples,
    parse: (text, _, sample) => read((answer, count) => (count === sample ? text : answer)),
    share: 0.02,
  }
}

async function contentOf(response: Response) {
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

const word = (digit: string) => `0x${digit.repeat(64)}`
const topic = word('d')
const address = `0x${'a'.repeat(40)}`
const log = {
  address,
  topics: [topic, word('1'), word('2')],
  data: word('0'),
  blockNumber: '0x10',
  blockHash: word('b'),
  transactionHash: word('c'),
  logIndex: '0x0',
  blockTimestamp: '0x65',
}
const filter = { topic, isAccepted: () => true } as Parameters<typeof readTransfers>[1]

const evm: Parser = {
  name: 'parts of EVM answers',
  samples: [
    { number: '0x10', hash: word('b'), timestamp: '0x65', baseFeePerGas: '0x1', transactions: [word('c')] },
    [log],
    {
      status: '0x1',
      to: address,
      from: address,
      contractAddress: null,
      transactionHash: word('c'),
      blockNumber: '0x10',
      blockHash: word('b'),
      logs: [log],
    },
    { blockHash: word('b'), to: address, from: address, input: `0xa9059cbb${'0'.repeat(128)}` },
  ].map((answer) => JSON.stringify(answer)),
  parse: (text) => {
    const value: unknown = JSON.parse(text)
    for (const read of [
      readBlock,
      readTransaction,
      (one: unknown) => readReceipt(one, filter),
      (one: unknown) => readTransfers(one, filter),
    ]) {
      try {
        read(value)
      } catch (error) {
        if (!(error instanceof RpcFailed)) throw error
      }
    }
  },
  // What is no JSON is refused before.
  isRefusal: (error) => error instanceof SyntaxError,
}

const calls: Parser = {
  name: 'calls of EVM transactions',
  samples: [`0xa9059cbb${'0'.repeat(24)}${'a'.repeat(40)}${'0'.repeat(60)}1234${'ab'.repeat(32)}`, '0x'],
  parse: (text) => {
    const input = `0x${text.replaceAll(/[^0-9a-f]/g, '').replace(/^0/, '')}` as const
    return [directTransfer(input, address as never), embeddedTransfers(input, address as never)]
  },
}

export async function chainParsers(): Promise<Parser[]> {
  const found = [evm, calls]
  // One after the other: each takes the place of `fetch`.
  for (const blockchain of blockchains) found.push(await readerOf(blockchain))
  return found
}
