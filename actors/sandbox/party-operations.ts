/** What an operator of a sandbox sees of parties that integrate: what they have sent, and what they have not done yet. */
import { formatInstant } from '../../machines/time.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import { pageFields } from '../foundation/paging.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { type GoLiveLine, goLiveOf } from './go-live-steps.ts'
import { requestsOf } from './looking.ts'
import type { SandboxContext } from './operations.ts'
import { partsOf } from './receiver-operations.ts'
import type { LoggedRequest } from './request-log.ts'

const partyName = text({ description: "A party's name." })

export interface RequestDocument {
  id: string
  at: string
  key: string
  method: string
  path: string
  status: number
  refused: string | null
  milliseconds: number
  body: string | null
  mistake: string | null
  signedString: string | null
  differsAt: number | null
  clockOffsetSeconds: number | null
}

function requestDocument(request: LoggedRequest): RequestDocument {
  const { id, at, key, method, path, status, refused, milliseconds, body, signature } = request
  const found = signature ?? { mistake: null, signedString: null, differsAt: null, clockOffsetSeconds: null }
  const said = { method, path, status, refused, milliseconds, body }
  return { id, at: formatInstant(at), key, ...said, ...found }
}

export interface RequestsDocument {
  party: string
  requests: RequestDocument[]
  next: string | null
}

export const sandboxRequests = defineOperation({
  name: 'sandbox.requests',
  summary: 'List what the keys of a party have sent, and why a signature was refused (sandbox only).',
  examples: ['sandbox requests "Demo Shop" --limit 20'],
  fields: { party: partyName, kind: partyKind, ...pageFields },
  arguments: ['party'],
  isRead: true,
  async run(context: SandboxContext, { party: named, kind, ...page }): Promise<RequestsDocument> {
    const party = await findParty(context.store, named, kind)
    const { requests } = partsOf(context)
    const { items, next } = await requestsOf(async (asked) => requests.of(asked), {
      partyId: party.id,
      ...page,
    })
    return { party: party.name, requests: items.map(requestDocument), next }
  },
})

export interface GoLiveDocument {
  party: string
  kind: 'merchant' | 'provider'
  /** How many of them were done. */
  done: number
  steps: (Omit<GoLiveLine, 'doneAt'> & { done: string | null })[]
}

export const sandboxGoLive = defineOperation({
  name: 'sandbox.goLive',
  summary: 'Show what an integration has done, and what it has to do before it handles money (sandbox only).',
  examples: ['sandbox go-live "Demo Shop"'],
  fields: { party: partyName, kind: partyKind },
  arguments: ['party'],
  isRead: true,
  async run({ store }: SandboxContext, { party: named, kind }): Promise<GoLiveDocument> {
    const party = await findParty(store, named, kind)
    const lines = await goLiveOf(store, party)
    return {
      party: party.name,
      kind: party.kind,
      done: lines.filter(({ doneAt }) => doneAt !== null).length,
      steps: lines.map(({ doneAt, ...line }) => ({
        ...line,
        done: doneAt === null ? null : formatInstant(doneAt),
      })),
    }
  },
})
