/** What an integration has done, as its requests show it. */
import type { GoLive, GoLiveStep } from './go-live-steps.ts'
import { type Asker, createRequestLog, type LoggedRequest, type RequestLog } from './request-log.ts'

/** As many keys, and confirmations, as are remembered. */
const maxKnown = 1_000

/** The operations of the API by which a provider shows what it can. */
const ofProviders: readonly (readonly [method: string, path: RegExp, status: number, step: GoLiveStep])[] = [
  ['GET', /^\/api\/v1\/providers\/orders\/pay-(?:in|out)\/[^/]+\/?$/, 200, 'code_looked_up'],
  ['GET', /^\/api\/v1\/providers\/orders\/pay-(?:in|out)\/[^/]+\/?$/, 404, 'unknown_code_handled'],
  ['POST', /^\/api\/v1\/providers\/orders\/pay-in\/[^/]+\/confirm-payment\/?$/, 200, 'pay_in_confirmed'],
  ['POST', /^\/api\/v1\/providers\/orders\/pay-out\/[^/]+\/confirm-payment\/?$/, 200, 'pay_out_confirmed'],
  [
    'POST',
    /^\/api\/v1\/providers\/orders\/pay-(?:in|out)\/[^/]+\/cancel-payment\/?$/,
    200,
    'payment_cancelled',
  ],
]

/** Notes requests, and what an integration has done with them for the first time. */
export function createWatchedRequestLog(goLive: GoLive): RequestLog {
  const log = createRequestLog()
  /** Of each key, what it was refused with and has not gone on from yet. */
  const refused = new Map<string, Set<GoLiveStep>>()
  const confirmed = new Set<string>()

  function stepsOf({ kind, key }: Asker, request: LoggedRequest): GoLiveStep[] {
    const { method, path, status, isReplayed } = request
    const waiting = refused.get(key) ?? new Set()
    if (status === 409) waiting.add('conflict_handled')
    if (status === 429) waiting.add('limit_handled')
    refused.set(key, waiting)
    const steps: GoLiveStep[] = []
    if (status >= 200 && status < 300) {
      steps.push(...waiting)
      refused.delete(key)
      if (isReplayed) steps.push(kind === 'merchant' ? 'request_repeated' : 'confirmation_repeated')
    }
    if (kind === 'provider') {
      const here = ofProviders.filter(([of, at, by]) => of === method && by === status && at.test(path))
      steps.push(...here.map(([, , , step]) => step))
      if (status === 200 && /\/confirm-payment\/?$/.test(path)) {
        if (confirmed.has(`${key} ${request.place}`)) steps.push('confirmation_repeated')
        if (confirmed.size > maxKnown) confirmed.clear()
        confirmed.add(`${key} ${request.place}`)
      }
    }
    return steps
  }

  return {
    note(asker, request) {
      log.note(asker, request)
      if (!asker.isProved) return
      if (refused.size > maxKnown) refused.clear()
      const steps = stepsOf(asker, request)
      if (steps.length === 0) return
      // Beside the answer; what cannot be written now is seen again another time.
      queueMicrotask(() => void goLive.note(asker.partyId, steps, `request ${request.id}`).catch(() => {}))
    },
    of: log.of,
  }
}
