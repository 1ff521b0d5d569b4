/** Operations asked as an operator asks them: through the dispatcher, with schemas and audit log. */

import { createCondition } from '../../actors/condition/condition.ts'
import { type Operation, OperationError } from '../../actors/foundation/operation.ts'
import { type ChangingVault, createChangingVault } from '../../actors/keys/changing-vault.ts'
import type { MasterKeyFile } from '../../actors/keys/master-key.ts'
import { createVault } from '../../actors/keys/vault.ts'
import type { NodeContext } from '../../actors/operations/context.ts'
import { createDispatch, type Dispatch } from '../../actors/operations/dispatch.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import { createLiveTable } from '../../actors/rates/live-table.ts'
import { blockchains, perBlockchain } from '../../machines/blockchains.ts'
import { journalKey } from './order-world.ts'
import { filesOf } from './reported-day.ts'
import { anchor } from './statement-world.ts'

export interface Operator {
  vault: ChangingVault
  ask<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>
  /** The error an operation ends with; `input` may be anything. */
  refusal(name: string, input: unknown): Promise<OperationError>
}

/** What a world of orders has no part in. */
const noMasterKey: MasterKeyFile = {
  path: 'nowhere',
  read: () => Buffer.alloc(32, 7),
  prepare() {},
  withdraw() {},
  promote: () => 'nowhere',
}

const steadyClock: NodeContext['clockWatch'] = {
  show: async () => ({ state: 'trusted', reason: null, since: null, now: '', lastTrusted: null }),
  async accept() {},
}

const openNode: NodeContext['drainWatch'] = {
  show: async () => ({ state: 'open', since: null, operator: null, reason: null }),
  async drain() {},
  async undrain() {},
}

const noRestore: NodeContext['restoreWatch'] = {
  look: async () => ({ more: false }),
  show: async () => ({ state: 'none', since: null, problem: null, anchors: null }),
  isKnown: async () => false,
  async setAside() {},
  async accept() {},
}

export const anyTarget = { allowPrivate: true, ports: [], exemptOrigins: [], ownAddresses: () => [] }

const noVerifier: NodeContext['verification'] = {
  file: null,
  verify: async () => ({ ok: true, checks: [] }),
  progress: () => ({ isRunning: false, done: 0, total: 0 }),
}

export const noBackups: NodeContext['backups'] = {
  folder: null,
  isServers: false,
  progress: () => null,
  make: async () => {
    throw new Error('There is no place for backups.')
  },
  drill: async () => {
    throw new Error('There is no place for backups.')
  },
  lastDrill: () => null,
  lastAt: () => null,
  list: async () => [],
  finish: async () => {},
}

/** Of a node that nothing is to be said of. */
export const quietSurroundings: NodeContext['surroundings'] = {
  mode: 'sandbox',
  publicUrl: null,
  publicHost: '127.0.0.1',
  operatorHost: '127.0.0.1',
  trustedProxies: [],
  endpoints: [],
  treasuries: perBlockchain(blockchains, () => null),
  backupPauseMs: 86_400_000,
  privateFiles: async () => [],
  addresses: () => [],
  resolve: async () => ['127.0.0.1'],
  disk: async () => ({ freeBytes: 2 ** 40, syncMs: 1 }),
}

export function operatorOf(
  world: Pick<NodeContext, 'store' | 'orders' | 'clock'> & Partial<NodeContext>,
  mode: 'sandbox' | 'production' = 'sandbox',
): Operator {
  const vault = world.vault ?? createChangingVault(createVault(Buffer.alloc(32, 7)))
  const { operator = 'ana' } = world
  const dispatch = dispatchOver({ ...world, vault }, mode)
  return {
    vault,
    ask: async (operation, input) =>
      (await dispatch(operation.name, input, operator)) as Awaited<ReturnType<typeof operation.run>>,
    async refusal(name, input) {
      try {
        await dispatch(name, input, operator)
      } catch (error) {
        if (error instanceof OperationError) return error
        throw error
      }
      throw new Error(`${name} was done`)
    },
  }
}

/** For whoever asks under several names, signed in or not. */
export function dispatchOver(
  world: Pick<NodeContext, 'store' | 'orders' | 'clock'> & Partial<NodeContext>,
  mode: 'sandbox' | 'production' = 'sandbox',
): Dispatch {
  return createDispatch(operationsOf(mode), contextOver(world))
}

/** All that a node gives to operations, for the parts that a test has no part in. */
export function contextOver(
  world: Pick<NodeContext, 'store' | 'orders' | 'clock'> & Partial<NodeContext>,
): Omit<NodeContext, 'operator'> {
  const vault = world.vault ?? createChangingVault(createVault(Buffer.alloc(32, 7)))
  const rest = {
    masterKey: noMasterKey,
    journalKey,
    clockWatch: steadyClock,
    drainWatch: openNode,
    restoreWatch: noRestore,
    condition: createCondition(),
    archiveFiles: () => [],
    anchorNow: () => anchor(world.store),
    verification: noVerifier,
    backups: noBackups,
    chains: new Map(),
    rates: { table: createLiveTable(), rules: anyTarget },
    surroundings: quietSurroundings,
    operatorUrl: 'http://localhost:8081',
    mail: null,
    hookRules: anyTarget,
    claims: { bankingDays: 10 },
    simulate: null,
    sandbox: null,
    approvals: { expireHours: 72 },
    ...filesOf(world),
  }
  const { operator: _, ...context } = { ...rest, ...world, vault }
  return context
}
