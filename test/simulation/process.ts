/** One life of the node: the real one, put together as `serve` does, on a platform that the scheduler moves. */
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import pino from 'pino'
import { createDispatch, type Dispatch } from '../../actors/operations/dispatch.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import { clockOfMode } from '../../actors/sandbox/clock.ts'
import type { WebhookSender } from '../../actors/webhooks/sender.ts'
import { createClientAddresses } from '../../http/limits/client-address.ts'
import { createLimits } from '../../http/limits/limits.ts'
import { anchorAll, anchorsFileOfNode, holdAgainstAnchors } from '../../node/anchors-file.ts'
import { assemble, frontFacts } from '../../node/assembly.ts'
import { openNodeChains, refuseUnreadTreasuries } from '../../node/chains.ts'
import { type Core, openCore } from '../../node/core.ts'
import { createFrontApplication } from '../../node/front/application.ts'
import { anchoringOf } from '../../node/node-workers.ts'
import { loadSettings, type Settings } from '../../node/settings/config.ts'
import { type Checkpointer, moveLog } from '../../persistence/sqlite/checkpoints.ts'
import { openDatabase } from '../../persistence/sqlite/database.ts'
import type { Platform } from './platform.ts'

export interface NodeProcess {
  core: Core
  handle: RequestListener
  operate: Dispatch
  stop(): Promise<void>
}

export interface Beside {
  sender: WebhookSender
  /** The store has failed: the process would end. */
  onFailure: (error: Error) => void
}

const log = pino({ level: process.env.SIMULATION_LOG ?? 'silent' })

const known = new Map<string, Settings>()

/**
 * Read once for each mode: only where the files are is another folder's.
 * @param config the file of settings that are the same for all nodes
 */
export function settingsIn(folder: string, mode: 'sandbox' | 'production', config: string): Settings {
  const file = join(folder, 'data', 'node.db')
  const keysFile = join(folder, 'keys', 'node.key')
  const env = {
    VENTANILLA_CONFIG: config,
    VENTANILLA_MODE: mode,
    VENTANILLA_DATABASE: `sqlite:${file}`,
    VENTANILLA_KEYS_FILE: keysFile,
    VENTANILLA_HTTP_PUBLICURL: 'https://pay.example',
    VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000',
  }
  const settings = known.get(mode) ?? loadSettings({ cwd: folder, env })
  known.set(mode, settings)
  return { ...settings, database: { engine: 'sqlite', file }, keys: { ...settings.keys, file: keysFile } }
}

/** SQLite's log is moved by the same thread, between two turns. */
function moveInline(file: string): Checkpointer {
  return {
    async checkpoint() {
      const database = openDatabase(file)
      try {
        return moveLog(database)
      } finally {
        database.close()
      }
    },
    async close() {},
  }
}

export async function startProcess(
  platform: Platform,
  settings: Settings,
  beside: Beside,
): Promise<NodeProcess> {
  const clock = clockOfMode(settings.mode, platform.clock)
  const options = { settings, log, webhookSender: beside.sender }
  const { chains, treasuries, close } = await openNodeChains(settings.chains, clock)
  const opened = await openCore(settings, {
    clock,
    chains,
    publicPort: 443,
    startCheckpointer: moveInline,
    onStoreFailure: beside.onFailure,
  })
  await refuseUnreadTreasuries(opened.store, settings.chains)
  const anchoring = anchoringOf(options, opened, clock)
  const core = { ...opened, anchorNow: () => anchorAll(anchoring) }
  await holdAgainstAnchors(anchoring, anchorsFileOfNode(settings))
  const addresses = createClientAddresses([])
  const { calls, start } = assemble(options, core, clock, { treasuries, anchoring })
  const { app, watch, streams } = createFrontApplication({
    facts: frontFacts(options, core),
    conditions: { isDrained: core.drainWatch.isDrained, mayExpire: core.clockWatch.isTrusted },
    calls,
    store: core.store,
    clock,
    log,
    limits: createLimits(settings.limits),
    addresses,
  })
  const handle = app.callback()
  const workers = start()
  core.condition.send({ type: 'serve' })
  return {
    core,
    handle,
    operate: createDispatch(operationsOf(settings.mode), core),
    async stop() {
      core.condition.send({ type: 'drain' })
      streams.close()
      watch.stop()
      await close()
      await workers.stop()
      await core.store.close()
    },
  }
}
