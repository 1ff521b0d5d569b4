/** Sources of rates that misbehave, on real sockets, and rates that are read from them. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCondition, type Reasons } from '../../actors/condition/condition.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import { createAskSource } from '../../actors/rates/ask.ts'
import { createLiveTable, type SourceState } from '../../actors/rates/live-table.ts'
import { type RateDetails, rateShow } from '../../actors/rates/operations.ts'
import { createRateRefresh, type RateRefresh } from '../../actors/rates/refresh.ts'
import type { Row } from '../../persistence/store.ts'
import { operatorOf } from './operations.ts'
import type { OrderWorld } from './order-world.ts'

export interface RateServer {
  url: string
  /** How often it was asked. */
  asked(): number
  /** What it answers from now on. */
  answer(how: (response: ServerResponse) => void): void
  /** The same for a body. */
  tell(body: string): void
  close(): Promise<void>
}

export async function startRateServer(body = '{"mxn": "17.25"}'): Promise<RateServer> {
  let asked = 0
  let how = (response: ServerResponse): void => void response.end(body)
  const server: Server = createServer((_, response) => {
    asked += 1
    how(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/ticker`,
    asked: () => asked,
    answer: (next) => {
      how = next
    },
    tell: (next) => {
      how = (response) => void response.end(next)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface RateWorld {
  refresh: RateRefresh
  /** Applies an entry of USDC to MX MXN on Solana. */
  apply(entry: Record<string, unknown>): Promise<void>
  row(): Promise<Row<'rates'>>
  show(): Promise<RateDetails>
  /** What is known of the sources, the first of the settings first. */
  states(): SourceState[]
  reasons(): Reasons
  /** What was logged, as `level message: why`. */
  logged: string[]
}

export function rateWorld(world: OrderWorld, rules = anyTarget): RateWorld {
  const table = createLiveTable()
  const condition = createCondition()
  const logged: string[] = []
  const log = (level: string) => (facts: object, message: string) => {
    const { why = '' }: { why?: string } = facts
    logged.push(`${level} ${message}: ${why}`)
  }
  const refresh = createRateRefresh({
    store: world.store,
    table,
    ask: createAskSource(rules, async () => ['127.0.0.1']),
    clock: world.clock,
    condition,
    log: { warn: log('warn'), info: log('info') },
  })
  const { ask } = operatorOf({ ...world, rates: { table, rules: anyTarget } })
  const key = { blockchain: 'SOLANA', send: 'USDC', country: 'MX', target: 'MXN' }
  return {
    refresh,
    logged,
    apply: async (entry) => {
      const { blockchain, ...pair } = key
      await ask(apply, { rates: [{ blockchains: [blockchain], ...pair, ...entry }] })
    },
    async row() {
      const [row] = await world.rows('rates')
      if (row === undefined) throw new Error('there is no rate')
      return row
    },
    show: () => ask(rateShow, key),
    states: () => Object.values(table.getSnapshot().context.sources),
    reasons: () => condition.getSnapshot().context.reasons,
  }
}

export const anyTarget = {
  allowPrivate: true,
  ports: [] as number[],
  exemptOrigins: [] as string[],
  ownAddresses: (): string[] => [],
}
