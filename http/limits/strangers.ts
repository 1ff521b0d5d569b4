/**
 * Whoever is not known to be a party of ours waits for a turn, once its address has asked more than its budget allows,
 * or all strangers more than their share, which is small while signed requests come. It is judged by the headers alone,
 * before a byte of the body is read or anything is looked up: what nobody has signed takes no time from what somebody
 * has. A turn is late and never refused, and goes round among the addresses, so that a page comes all the same.
 *
 * What claims to be signed is taken at its word until its address has sent too many signatures that were refused; a key
 * that has signed rightly from that address goes straight in even then. So does, now and then, who names an order that
 * was shown of late: nobody finds its id by guessing.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Instant } from '../../machines/time.ts'
import type { ClientAddresses } from './client-address.ts'
import type { Limits } from './limits.ts'

export interface StrangersOptions {
  limits: Pick<
    Limits,
    | 'stranger'
    | 'turnToBeTold'
    | 'hasRefused'
    | 'isDoubted'
    | 'isAccepted'
    | 'ofOrder'
    | 'strangerOfAll'
    | 'turnOfAll'
  >
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
const orderIn = /(?<=\/)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=[/?]|$)/i

export function paceStrangers(
  serve: RequestListener,
  { limits, addresses, clock }: StrangersOptions,
): PacedStrangers {
  const waiting = new Set<() => void>()
  let isOpen = false

  /** The queues to wait in, one after the other; none for who may come in at once. */
  function queuesFor(request: IncomingMessage, isWanted: () => boolean): (() => Promise<void>)[] {
    const now = clock.now()
    const address = addresses.of(request)
    const key = claimedKey(request)
    if (key !== null && limits.isAccepted(address, key, now)) return []
    const ofAll = (name: string) => () => limits.turnOfAll(name, isWanted)
    if (healthPaths.includes(request.url)) {
      const name = `health ${address}`
      const isOver = own(name, now)
      return isOver.length === 0 ? [] : [...isOver, ofAll(name)]
    }
    const order = orderIn.exec(request.url ?? '')?.[0].toLowerCase()
    if (order !== undefined && limits.ofOrder(order, now)) return []
    const isOver = key === null ? own(address, now) : refused(address, now)
    // Tills and shops on addresses that change are not held up by an attack from elsewhere.
    const isTaken = key !== null && !limits.isDoubted(address, now)
    return limits.strangerOfAll(now, isTaken) ? [...isOver, ofAll(address)] : isOver
  }
  const own = (key: string, now: Instant) =>
    limits.stranger(key, now).isOver ? [() => limits.turnToBeTold(key)] : []
  // In the queue of the other strangers of its address: together they are served no more.
  const refused = (address: string, now: Instant) =>
    limits.hasRefused(address, now) ? [() => limits.turnToBeTold(address)] : []

  return {
    serve(request, response) {
      const begin = () => {
        // Let in once, by its turn or by the end; whoever has gone meanwhile is not served.
        if (waiting.delete(begin) && !response.destroyed) serve(request, response)
      }
      const isWanted = () => waiting.has(begin) && !response.destroyed
      const queues = isOpen ? [] : queuesFor(request, isWanted)
      if (queues.length === 0) return serve(request, response)
      waiting.add(begin)
      waitIn(queues).then(begin)
    },
    letAllIn() {
      isOpen = true
      for (const begin of waiting) begin()
    },
  }
}

async function waitIn(queues: readonly (() => Promise<void>)[]): Promise<void> {
  for (const turn of queues) await turn()
}

/** Only there a signature means something; anywhere else the same headers are those of any stranger. */
const signedRoutes = /^(?:https?:\/\/[^/?#]*)?\/api\/v1\/(?:merchants|providers|sandbox)\//

/** The key that has signed it, if it is for the signature to say; `null` where nobody claims that. */
function claimedKey({ headers, url }: IncomingMessage): string | null {
  if (url === undefined || !signedRoutes.test(url)) return null
  const key = headers['merchant-key'] ?? headers['provider-key']
  if (headers['message-date'] === undefined || headers['message-hash'] === undefined) return null
  return key === undefined ? null : String(key)
}
