/** The operator listener of a running node, and the file that tells commands where it is. */
import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { AnyActorRef } from 'xstate'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { worldClockOf } from '../actors/foundation/clock.ts'
import { workerStates } from '../actors/inspection/workers.ts'
import { createDispatch } from '../actors/operations/dispatch.ts'
import { operationsOf } from '../actors/operations/index.ts'
import { consolePlace } from '../actors/people/passkeys.ts'
import { createSessions, type SessionTimes } from '../actors/people/sessions.ts'
import { createAttempts } from '../http/console/attempts.ts'
import { consoleRoutes } from '../http/console/console.ts'
import { createDrawings } from '../http/console/drawings.ts'
import { createClientAddresses } from '../http/limits/client-address.ts'
import { limitConnections } from '../http/limits/connections.ts'
import { generateToken } from '../http/operator/access.ts'
import { createOperatorApp } from '../http/operator-app.ts'
import type { Core } from './core.ts'
import { readDrawings } from './drawings.ts'
import { createInspector } from './inspector.ts'
import { createHttpServer, listen, type StopTimes, stopServing } from './listeners.ts'
import { consoleUrl, type Settings } from './settings/config.ts'
import { shownSettings } from './settings/shown.ts'
import { removeTokenFile, writeTokenFile } from './token-file.ts'

export interface OperatorListener {
  readonly url: string
  /** They start after the listener, and the inspector shows them. */
  showWorkers(root: AnyActorRef): void
  stop(times: Pick<StopTimes, 'acceptMs' | 'graceMs'>): Promise<void>
}

/** A console, its metrics and the commands need few; all may come from the loopback. */
const maxConnections = { maxPerAddress: 200, maxInAll: 400 }

/** @throws CommandError with exit code 5. */
export async function startOperatorListener(options: {
  settings: Settings
  core: Core
  clock: NodeClock
  log: Logger
  /** `/metrics`. */
  metrics: Middleware
}): Promise<OperatorListener> {
  const { settings, core, clock, log } = options
  const { urls } = core
  const { host } = settings.operator
  const token = generateToken()
  let { operatorUrl } = core
  const dispatch = createDispatch(operationsOf(settings.mode), {
    ...core,
    clock,
    // Which port it is may be known only once the system has chosen one.
    get operatorUrl() {
      return operatorUrl
    },
  })
  const sessions = createSessions({
    store: core.store,
    clock,
    times: sessionTimesOf(settings.operator),
    mustHaveFactor: (role) => settings.mode === 'production' && role === 'administrator',
  })
  let workersRoot: AnyActorRef | null = null
  const workers = () => workerStates(workersRoot)
  const attempts = createAttempts(worldClockOf(clock))
  const inspector = createInspector({ settings, core, dispatch, sessions, token, workers, log })
  const console = consoleRoutes({
    sessions,
    people: {
      store: core.store,
      vault: core.vault,
      clock,
      get place() {
        return consolePlace(operatorUrl)
      },
    },
    attempts,
    idleMs: sessionTimesOf(settings.operator).idleMs,
    dispatch,
    token,
    clock,
    mode: settings.mode,
    uploads: core.uploads,
    settings: shownSettings(settings),
    drawing: createDrawings(readDrawings('svg')),
    inspection: inspector?.inspection ?? null,
  })
  const app = createOperatorApp({
    dispatch,
    uploads: core.uploads,
    token,
    hosts: [host, new URL(core.operatorUrl).hostname],
    publicUrl: urls.publicUrl,
    log,
    sessions,
    attempts,
    pages: [options.metrics, console],
  })
  const server = createHttpServer(app.callback())
  limitConnections(server, {
    addresses: createClientAddresses([]),
    clock: worldClockOf(clock),
    isUnused: server.sockets.isUnused,
    ...maxConnections,
    onFull: () => log.warn('the operator listener has too many connections; more are refused'),
    onExcess: (address) => log.warn({ address }, 'too many connections to the operator listener'),
  })
  server.on('upgrade', (request, socket, head) => {
    if (!inspector?.hub.upgrade(request, socket, head)) socket.destroy()
  })
  const port = await listen(server, { ...settings.operator, setting: 'operator.port' })
  operatorUrl = consoleUrl(settings.operator, port)
  const url = `http://${addressOf(host)}:${port}`
  const file = settings.database.engine === 'sqlite' ? settings.database.file : null
  let hasTokenFile = false
  const stop: OperatorListener['stop'] = async (times) => {
    const onClosed = () => {
      if (file !== null && hasTokenFile) removeTokenFile(file)
      inspector?.hub.close()
    }
    await stopServing(server, { ...times, onClosed })
  }
  try {
    if (file !== null) {
      writeTokenFile(file, { url, token })
      hasTokenFile = true
    }
  } catch (error) {
    await stop({ acceptMs: 0, graceMs: 0 })
    throw error
  }
  return {
    url,
    showWorkers(root) {
      workersRoot = root
    },
    stop,
  }
}

function sessionTimesOf({ idleMinutes, sessionHours }: Settings['operator']): SessionTimes {
  return { idleMs: idleMinutes * 60_000, absoluteMs: sessionHours * 3_600_000 }
}

/** Where this machine reaches a listener: a wildcard is no address to go to. */
function addressOf(host: string): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return address.includes(':') ? `[${address}]` : address
}
