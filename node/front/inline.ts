/** The front on the thread of the core: what it asks is called, and what it reads is the store's. */
import { Registry } from 'prom-client'
import { worldClockOf } from '../../actors/foundation/clock.ts'
import { createLimits } from '../../http/limits/limits.ts'
import { createRequestTallies } from '../metrics/requests.ts'
import { createFrontApplication } from './application.ts'
import type { Front, FrontOptions } from './front.ts'
import { openPublicListener } from './listener.ts'

/** @throws CommandError with exit code 5. */
export async function openInlineFront(options: FrontOptions): Promise<Front> {
  const { settings, clock, log, limits = createLimits(settings.limits) } = options
  const listener = await openPublicListener({ http: settings.http, clock: worldClockOf(clock), log })
  const { addresses } = listener
  const registry = new Registry()
  const { observe } = createRequestTallies(registry)
  return {
    port: listener.port,
    // Its own reads see each commit.
    committed() {},
    async serve({ facts, core, calls }) {
      const { store, drainWatch, clockWatch } = core
      const conditions = { isDrained: drainWatch.isDrained, mayExpire: clockWatch.isTrusted }
      const parts = { facts, conditions, calls, store, clock, log, limits, addresses, observe }
      listener.serve(createFrontApplication(parts), limits)
    },
    metrics: () => registry.metrics(),
    stop: listener.stop,
  }
}
