/**
 * What the front tells the core of a sandbox's requests. What a key has signed is told at once; what only names a key is gathered, for
 * nobody can be kept from sending that: the core hears of it once a second, and of the last hundred.
 */
import type { AskedRequests, Asker, LoggedRequest } from '../../actors/sandbox/request-log.ts'

export type NotedRequest = readonly [asker: Asker, request: LoggedRequest]

export interface RequestNoting {
  noteRequests(noted: readonly NotedRequest[]): Promise<void>
  readRequests(asked: AskedRequests): Promise<readonly LoggedRequest[]>
}

export interface RequestNotes extends Pick<RequestNoting, 'readRequests'> {
  noteRequest(asker: Asker, request: LoggedRequest): Promise<void>
}

const gatherMs = 1_000
const mostGathered = 100

export function createRequestNotes(core: RequestNoting): RequestNotes {
  let gathered: NotedRequest[] = []
  let timer: NodeJS.Timeout | null = null

  async function tell(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const noted = gathered
    gathered = []
    if (noted.length > 0) await core.noteRequests(noted)
  }

  return {
    async noteRequest(asker, request) {
      if (asker.isProved) return core.noteRequests([[asker, request]])
      gathered.push([asker, request])
      if (gathered.length > mostGathered) gathered.shift()
      // What is not told when the node stops is forgotten with the rest.
      timer ??= setTimeout(() => void tell().catch(() => {}), gatherMs).unref()
    },
    async readRequests(asked) {
      await tell()
      return core.readRequests(asked)
    },
  }
}
