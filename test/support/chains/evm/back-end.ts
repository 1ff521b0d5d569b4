/**
 * One back end of a pool, before anvil: answers as Monad's own server does where anvil does not (it caps
 * ranges of logs, cuts them at its last block without a word, has no old balances), and can be told to stop
 * following the chain and to forget.
 */
import { createServer } from 'node:http'
import type { FinalityTag } from '../../../../chain/evm/chains.ts'
import { type Anvil, Refused, type RpcCall, type RpcResult } from './anvil.ts'

export interface BackEndState {
  /** The last block it knows; `null` follows the chain. */
  staleAt: number | null
  /** Questions about the head are answered by another back end, that follows. */
  headsAreFresh: boolean
  /** The first block it still has. */
  firstBlock: number
  /** It has no balances of older blocks than this. */
  firstBalance: number
  /** Most blocks between both ends of a range of logs. */
  maxLogRange: number
  /** How it names its last final block. */
  readonly finality: FinalityTag
}

export interface BackEnd extends BackEndState {
  readonly url: string
  close(): Promise<void>
}

type Plan =
  | { readonly value: unknown }
  | { readonly forward: RpcCall; readonly read: (value: unknown) => unknown }

export async function startBackEnd(anvil: Anvil, finality: FinalityTag): Promise<BackEnd> {
  const state: BackEndState = {
    staleAt: null,
    headsAreFresh: false,
    firstBlock: 0,
    firstBalance: 0,
    maxLogRange: 1000,
    finality,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: Question | Question[] = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const questions = Array.isArray(body) ? body : [body]
    const results = await answers(anvil, state, questions)
    const answer = results.map((result, index) => ({
      jsonrpc: '2.0',
      id: questions[index]?.id,
      ...('error' in result
        ? { error: { code: result.error.code, message: result.error.message } }
        : { result: result.value }),
    }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(body) ? answer : answer[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the back end has no port')
  return Object.assign(state, {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

interface Question extends RpcCall {
  readonly id: unknown
}

async function answers(
  anvil: Anvil,
  state: BackEndState,
  questions: readonly Question[],
): Promise<readonly RpcResult[]> {
  const plans = questions.map((question): Plan | { readonly error: Refused } => {
    try {
      return planFor(state, question)
    } catch (error) {
      if (error instanceof Refused) return { error }
      throw error
    }
  })
  const forwarded = plans.flatMap((plan) => ('forward' in plan ? [plan.forward] : []))
  const results = (await anvil.batch(forwarded)).values()
  return plans.map((plan) => {
    if (!('forward' in plan)) return plan
    const result = results.next().value
    if (result === undefined) throw new Error('a call without a result')
    return 'error' in result ? result : { value: plan.read(result.value) }
  })
}

const finalityBlocks = 2

function planFor(state: BackEndState, { method, params }: RpcCall): Plan {
  const last = state.staleAt ?? Number.MAX_SAFE_INTEGER
  const forward = (...changed: readonly unknown[]): Plan => ({
    forward: { method, params: changed },
    read: (value) => value,
  })
  switch (method) {
    case 'eth_getBlockByNumber': {
      const [block, ...more] = params
      const follows = state.staleAt === null || state.headsAreFresh
      if (block === 'latest') return forward(follows ? block : hex(last), ...more)
      if (block === state.finality) return forward(follows ? block : hex(last - finalityBlocks), ...more)
      const height = Number(block)
      return height < state.firstBlock || (!follows && height > last)
        ? { value: null }
        : forward(block, ...more)
    }
    case 'eth_getLogs': {
      const filter = { ...Object(params[0]) }
      const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
      if (from > last) throw new Refused(-32602, 'Block requested not found.')
      if (to - from > state.maxLogRange) throw new Refused(-32602, 'block range too large')
      // A server whose index forgot says nothing of it: the blocks are what tells.
      if (to < state.firstBlock) return { value: [] }
      const range = { fromBlock: hex(Math.max(from, state.firstBlock)), toBlock: hex(Math.min(to, last)) }
      return forward({ ...filter, ...range })
    }
    case 'eth_getTransactionByHash':
      return {
        forward: { method, params },
        read: (value) => (Number(Object(value).blockNumber) > last ? null : value),
      }
    case 'eth_call': {
      const [call, block] = params
      if (block === 'latest') return forward(call, state.staleAt === null ? block : hex(last))
      if (Number(block) > last || Number(block) < state.firstBalance)
        throw new Refused(-32602, 'Block requested not found. Request might be querying historical state.')
      return forward(call, block)
    }
    default:
      return forward(...params)
  }
}

function hex(height: number): string {
  return `0x${height.toString(16)}`
}
