/** The sessions of whoever asks. */
import { formatInstant } from '../../machines/time.ts'
import { endSessionOf, sessionsOf } from '../../persistence/queries/people.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'

export interface SessionDocument {
  id: string
  began: string
  lastSeen: string
  address: string
  /** What the browser said it is. */
  browser: string
  /** When a second factor was last right in it. */
  factorProved: string | null
}

export const sessionList = defineOperation({
  name: 'session.list',
  summary: 'List the sessions of whoever asks, the one used last first.',
  fields: {},
  isRead: true,
  async run({ store, operator }: OperationContext): Promise<{ sessions: SessionDocument[] }> {
    const sessions = await store.query(sessionsOf, { name: operator })
    return {
      sessions: sessions.map(({ id, created_at, seen_at, address, agent, factor_at }) => ({
        id,
        began: formatInstant(created_at),
        lastSeen: formatInstant(seen_at),
        address,
        browser: agent,
        factorProved: factor_at === null ? null : formatInstant(factor_at),
      })),
    }
  },
})

export const sessionEnd = defineOperation({
  name: 'session.end',
  summary: 'End one of the sessions of whoever asks.',
  done: 'The session is ended.',
  fields: { id: text({ description: 'Of the session.', pattern: '^[\\w-]{1,64}$' }) },
  arguments: ['id'],
  isRead: false,
  async run({ store, operator }: OperationContext, { id }): Promise<{ id: string }> {
    const [ended] = await store.execute(endSessionOf, { name: operator, id })
    if (ended === undefined) throw new OperationError('not_found', 'There is no such session of yours.')
    return { id }
  },
})
