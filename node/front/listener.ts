/** The public listener: its sockets and what they may take, before and after the node can answer. */
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { answerRefusal } from '../../http/foundation/errors.ts'
import { type ClientAddresses, createClientAddresses } from '../../http/limits/client-address.ts'
import { limitConnections } from '../../http/limits/connections.ts'
import type { Limits } from '../../http/limits/limits.ts'
import { type PacedStrangers, paceStrangers } from '../../http/limits/strangers.ts'
import { createHttpServer, listen, type StopTimes, stopServing } from '../listeners.ts'
import type { Settings } from '../settings/config.ts'
import type { FrontApplication } from './application.ts'

export interface PublicListener {
  readonly port: number
  readonly addresses: ClientAddresses
  /** Until then everybody is told that the node is not ready. */
  serve(application: FrontApplication, limits: Limits): void
  stop(times: Pick<StopTimes, 'acceptMs' | 'graceMs'>): Promise<void>
}

/** @throws CommandError with exit code 5. */
export async function openPublicListener(options: {
  http: Settings['http']
  clock: { now(): number }
  log: Logger
}): Promise<PublicListener> {
  const { http, clock, log } = options
  let handle: RequestListener = refuseWhileStarting
  let strangers: PacedStrangers | null = null
  let serving: FrontApplication | null = null
  const server = createHttpServer((request, response) => handle(request, response))
  const addresses = createClientAddresses(http.trustedProxies)
  limitConnections(server, {
    addresses,
    clock,
    isUnused: server.sockets.isUnused,
    onFull: () => log.warn('too many connections in all; more are refused'),
    onExcess: (address) =>
      log.warn({ address }, 'too many connections; is it a proxy for http.trustedProxies?'),
  })
  const port = await listen(server, { ...http, setting: 'http.port' })
  return {
    port,
    addresses,
    serve(application, limits) {
      serving = application
      strangers = paceStrangers(application.app.callback(), { limits, addresses, clock })
      handle = strangers.serve
    },
    async stop(times) {
      strangers?.letAllIn()
      const onClosed = () => {
        serving?.streams.close()
        serving?.watch.stop()
      }
      await stopServing(server, { ...times, onClosed })
    },
  }
}

const refuseWhileStarting: RequestListener = (_, response) => {
  const refusal = answerRefusal({ name: 'unavailable' })
  response.writeHead(refusal.status, refusal.headers).end(refusal.body)
}
