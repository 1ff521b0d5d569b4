/** The inspector of a node, where the settings turn it on. */
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { chartDefinitions } from '../actors/inspection/machines.ts'
import { journalList, orderReplay } from '../actors/inspection/operations.ts'
import type { Inspection } from '../actors/inspection/workers.ts'
import type { Dispatch } from '../actors/operations/dispatch.ts'
import type { Sessions } from '../actors/people/sessions.ts'
import { sessionTokenOf } from '../http/console/cookies.ts'
import { createHub, type Hub } from '../http/inspector/hub.ts'
import { carriesToken, carriesTokenAsPassword } from '../http/operator/access.ts'
import type { Core } from './core.ts'
import type { Settings } from './settings/config.ts'

export interface Inspector {
  inspection: Inspection
  hub: Hub
}

export interface InspectorOptions {
  settings: Settings
  core: Core
  dispatch: Dispatch
  sessions: Sessions
  token: string
  workers: Inspection['workers']
  log: Logger
}

/** `null` where it is off. */
export function createInspector(options: InspectorOptions): Inspector | null {
  const { settings, core, dispatch, sessions, token, workers, log } = options
  if (!settings.operator.inspector) return null
  const name = 'inspector'
  const least = settings.mode === 'production' ? ['administrator'] : ['administrator', 'operator']
  async function mayListen(request: IncomingMessage, isAsked: boolean): Promise<boolean> {
    const { authorization } = request.headers
    if (carriesToken(authorization, token) || carriesTokenAsPassword(authorization, token)) return true
    const session = sessionTokenOf(request)
    const found = session === null ? null : await sessions.find(session, isAsked)
    return found !== null && least.includes(found.role)
  }
  const hub = createHub({
    mayListen,
    // The dispatcher answers what the operations of these names return.
    async journal(after) {
      const input = after === undefined ? { limit: 1 } : { after, limit: 200 }
      const answer = (await dispatch(journalList.name, input, name)) as Awaited<
        ReturnType<typeof journalList.run>
      >
      return answer.entries
    },
    replay: async (id) =>
      (await dispatch(orderReplay.name, { id }, name)) as Awaited<ReturnType<typeof orderReplay.run>>,
    workers,
    definitions: chartDefinitions(),
    subscribe: (listener) => core.store.subscribe('orders', listener),
    hosts: [settings.operator.host, new URL(core.operatorUrl).hostname],
    onError: (error) => log.warn({ err: error }, 'the inspector could not look'),
  })
  return { inspection: { workers }, hub }
}
