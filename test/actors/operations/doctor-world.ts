/** What a doctor is shown: surroundings, settings and a database in which something is wrong. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCondition } from '../../../actors/condition/condition.ts'
import type { NodeContext } from '../../../actors/operations/context.ts'
import { writeSources } from '../../../actors/rates/source.ts'
import { recordFirstUse } from '../../../persistence/queries/parties.ts'
import { statement } from '../../../persistence/statement.ts'
import type { Store } from '../../../persistence/store.ts'
import { quietSurroundings } from '../../support/operations.ts'
import { commit, type OrderWorld, readyOrder } from '../../support/order-world.ts'

export const dayMs = 86_400_000

// Others may enter the system's folder of temporary files, and with this mode the one in it as well.
export const folder = mkdtempSync(join(tmpdir(), 'doctor-'))

export interface Case {
  /** What has gone wrong. */
  when: string
  change(world: OrderWorld): Promise<Partial<NodeContext>>
  check: string
  sees: RegExp
  says: RegExp
}

export const surroundings = (changes: Partial<typeof quietSurroundings>) => ({
  surroundings: { ...quietSurroundings, ...changes },
})

const file = join(folder, 'node.db')

export const onDisk: NodeContext['verification'] = {
  file,
  verify: async () => ({ ok: true, checks: [] }),
  progress: () => ({ isRunning: false, done: 0, total: 0 }),
}

export function backupsWith(changes: Partial<NodeContext['backups']>): NodeContext['backups'] {
  return {
    folder: '/backups',
    isServers: false,
    progress: () => null,
    make: () => Promise.reject(new Error('not asked for')),
    drill: () => Promise.reject(new Error('not asked for')),
    lastDrill: () => null,
    lastAt: () => null,
    list: async () => [],
    finish: async () => {},
    ...changes,
  }
}

export function degraded(part: string, reason: string): NodeContext['condition'] {
  const condition = createCondition()
  condition.send({ type: 'degrade', part, reason })
  return condition
}

export const named = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

/** A store that answers one question otherwise than it would. */
export function answering(store: Store, question: unknown, row: object): Store {
  return new Proxy(store, {
    get(real, name) {
      if (name === 'query')
        return (asked: never, args: never) =>
          asked === question ? Promise.resolve([row]) : real.query(asked, args)
      const found: unknown = Reflect.get(real, name, real)
      return typeof found === 'function' ? found.bind(real) : found
    },
  })
}

export const bury = statement<{ at: number }>()('test.bury', ({ db }, arg) =>
  db.updateTable('webhooks').set({ state: 'dead', settled_at: arg('at') }),
)

export async function cancelledOrder(world: OrderWorld): Promise<void> {
  const { id } = await readyOrder(world)
  await world.cancel(id)
}

/** Read from one source, just now. */
export async function liveRate({ store, clock }: OrderWorld): Promise<void> {
  const source = { url: 'https://rates.example/usdc', pointer: '/rate', inverse: false, spreadBps: 0 }
  const times = { refreshSeconds: 60, timeoutSeconds: 5, maxAgeSeconds: 300 }
  const values = {
    blockchain: 'SOLANA',
    send_currency: 'USDC',
    country: 'MX',
    target_currency: 'MXN',
    rate: '17.1',
    fee_fixed: '0',
    fee_bps: 0,
    max_age_seconds: 300,
    source_json: writeSources({ expected: null, sources: [{ ...source, ...times }] }),
    reading_json: null,
    problem: null,
    updated_at: clock.now(),
  }
  await commit(store, [{ insert: 'rates', values }])
}

export async function readChain({ store, clock }: OrderWorld, behindMs: number): Promise<void> {
  const at = clock.now()
  const values = { blockchain: 'SOLANA', cursor: '1', scanned_to_at: at - behindMs, read_at: at }
  await commit(store, [{ insert: 'chain_cursors', values }])
}

export function fileWithMode(name: string, mode: number): string {
  const path = join(folder, name)
  writeFileSync(path, 'x')
  chmodSync(path, mode)
  return path
}

export async function useKeys({ store, clock }: OrderWorld): Promise<void> {
  for (const key of ['mk_shop', 'mk_other', 'pk_a', 'pk_b'])
    await store.execute(recordFirstUse, { key, at: clock.now() })
}
