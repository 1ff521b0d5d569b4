/**
 * Whoever does not even claim to be a party of ours waits for a turn, once its address has asked more than its budget
 * allows. It is judged by the headers alone, before a byte of the body is read or anything is looked up: what nobody
 * has signed takes no time from what somebody has. A turn is late and never refused, so that a page behind an address
 * that many share comes all the same.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Instant } from '../../machines/time.ts'
import type { ClientAddresses } from './client-address.ts'
import type { Limits } from './limits.ts'

export interface StrangersOptions {
  limits: Pick<Limits, 'stranger' | 'turnToBeTold'>
  addresses: Pick<ClientAddresses, 'of'>
  clock: { now(): Instant }
}

export interface PacedStrangers {
  serve: RequestListener
  /** Serves all that wait, and nobody waits from now on: a node that stops is not held up by them. */
  letAllIn(): void
}

/** Asked by load balancers, which may share their address with all that they pass on: they have turns of their own. */
const healthPaths: readonly (string | undefined)[] = ['/healthz', '/readyz']

export function paceStrangers(
  serve: RequestListener,
  { limits, addresses, clock }: StrangersOptions,
): PacedStrangers {
  const waiting = new Set<() => void>()
  let isOpen = false
  return {
    serve(request, response) {
      if (isOpen || claimsToBeSigned(request)) return serve(request, response)
      const address = addresses.of(request)
      const key = healthPaths.includes(request.url) ? `health ${address}` : address
      if (!limits.stranger(key, clock.now()).isOver) return serve(request, response)
      const begin = () => {
        // Let in once, by its turn or by the end; whoever has gone meanwhile is not served.
        if (waiting.delete(begin) && !response.destroyed) serve(request, response)
      }
      waiting.add(begin)
      limits.turnToBeTold(key).then(begin)
    },
    letAllIn() {
      isOpen = true
      for (const begin of waiting) begin()
    },
  }
}

/** Whether it is for the signature to say. */
function claimsToBeSigned({ headers }: IncomingMessage): boolean {
  const hasKey = headers['merchant-key'] !== undefined || headers['provider-key'] !== undefined
  return hasKey && headers['message-date'] !== undefined && headers['message-hash'] !== undefined
}
