/** What an operator may ask about notifications: what was told, once more, and whether a channel works. */
import { allChannels, notificationById, notificationsPage } from '../../persistence/queries/notifications.ts'
import { type Decision, type Row, row } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import { findParty } from '../parties/operations.ts'
import { readChannel } from './channels.ts'
import {
  type NotificationDocument,
  type NotificationSummary,
  notificationDocument,
  notificationSummary,
} from './documents.ts'
import { eventNames, eventSorts } from './events.ts'
import { insertions, newNotices } from './notices.ts'

export interface NotificationContext extends OperationContext {
  surroundings: Pick<Surroundings, 'mode'>
}

export const notificationStates = ['pending', 'delivered', 'dead'] as const

export const notificationList = defineOperation({
  name: 'notification.list',
  summary: 'List notifications, the newest first.',
  examples: ['notification list', 'notification list --state dead'],
  fields: {
    ...pageFields,
    state: optional(choice(notificationStates, { option: ['--state <state>', 'only those in this state'] })),
    channel: optional(
      text({ description: "A channel's name.", option: ['--channel <name>', 'only those of this channel'] }),
    ),
  },
  isRead: true,
  async run(
    { store }: OperationContext,
    { state, channel, ...page },
  ): Promise<{ notifications: NotificationSummary[]; next: string | null }> {
    const { items, next } = await readPage<Row<'notifications'>>(
      page,
      ({ created_at, id }) => ({ at: created_at, id }),
      [(request) => store.query(notificationsPage({ state, channel }, request), {})],
    )
    return { notifications: items.map(notificationSummary), next }
  },
})

export const notificationShow = defineOperation({
  name: 'notification.show',
  summary: 'Show a notification: what it says, and what came of it.',
  examples: ['notification show 0197…'],
  fields: { id: text({ minLength: 1 }) },
  arguments: ['id'],
  isRead: true,
  async run({ store }: OperationContext, { id }): Promise<NotificationDocument> {
    const [found] = await store.query(notificationById, { id: id.toLowerCase() })
    if (found !== undefined) return notificationDocument(found)
    throw unknown(id)
  },
})

export const notificationRetry = defineOperation({
  name: 'notification.retry',
  summary: 'Send a notification again, under the same id; its attempts are counted anew.',
  examples: ['notification retry 0197…'],
  done: 'Asked to be sent again: its state tells what becomes of it.',
  isOnlyBegun: true,
  fields: { id: text({ minLength: 1, form: { label: 'Notification' } }) },
  arguments: ['id'],
  isRead: false,
  async run({ store }: OperationContext, { id: written }): Promise<NotificationSummary> {
    const id = written.toLowerCase()
    const result = await store.step({
      rows: { notification: row('notifications', { id }) },
      decide: ({ notification }, at): Decision<Row<'notifications'>> => {
        if (notification === null) throw unknown(written)
        if (notification.state === 'pending' && notification.lease_until_at !== null)
          throw new OperationError('conflict', 'An attempt is under way.')
        if (notification.target === '') {
          throw new OperationError('refused', notification.error ?? 'It has no address.', {
            hint: 'Set the contact of the party by apply, and name an address in the channel meanwhile.',
          })
        }
        const set = {
          ...{ state: 'pending' as const, settled_at: null, due_at: at },
          ...{ attempts_before: notification.attempts, first_attempt_at: null },
        }
        return {
          answer: { ...notification, ...set },
          writes: [{ update: 'notifications', key: { id }, set }],
          wake: ['notifications'],
        }
      },
    })
    if (result.outcome === 'violated') throw new Error(`A retry violated ${result.constraint}.`)
    return notificationSummary(result.answer)
  },
})

export const notificationTest = defineOperation({
  name: 'notification.test',
  summary: 'Send a test notification to a channel.',
  examples: ['notification test operations'],
  done: 'Asked to be sent: its state is in the list.',
  isOnlyBegun: true,
  fields: {
    channel: text({ description: "A channel's name.", minLength: 1, form: { label: 'Channel' } }),
    party: optional(
      text({
        description: 'Whose contact is used, where the channel sends to parties.',
        option: ['--party <name>', 'whose contact is used, where the channel sends to parties'],
        form: { label: 'Party', hint: 'Where the channel sends to parties.' },
      }),
    ),
  },
  arguments: ['channel'],
  isRead: false,
  async run(
    { store, surroundings }: NotificationContext,
    { channel: name, party: partyName },
  ): Promise<{ notifications: NotificationSummary[] }> {
    const found = (await store.query(allChannels, {})).find((channel) => channel.name === name)
    if (found === undefined) throw unknownChannel(name)
    const channel = readChannel(found)
    const party = partyName === undefined ? null : await findParty(store, partyName)
    if (channel.config.to === 'party' && channel.kind === 'email' && party === null)
      throw new OperationError('invalid', `${name} sends to parties: say which one, with --party.`)
    const { mode } = surroundings
    const result = await store.step({
      rows: {},
      decide: (_, at): Decision<Row<'notifications'>[]> => {
        const notices = newNotices(channel, { purpose: 'test', mode, told: [], more: false }, party, at)
        return { answer: notices, writes: insertions(notices), wake: ['notifications'] }
      },
    })
    if (result.outcome === 'violated') throw new Error(`A test violated ${result.constraint}.`)
    return { notifications: result.answer.map(notificationSummary) }
  },
})

export const notificationEvents = defineOperation({
  name: 'notification.events',
  summary: 'List the events that a rule can name.',
  examples: ['notification events'],
  fields: {},
  isRead: true,
  async run(): Promise<{ events: { event: string; isLasting: boolean }[] }> {
    return { events: eventNames.map((event) => ({ event, isLasting: eventSorts[event] === 'lasting' })) }
  },
})

export function unknownChannel(name: string): OperationError {
  return new OperationError('not_found', `There is no channel ${name}.`, {
    hint: 'notification channel list shows them.',
  })
}

function unknown(id: string): OperationError {
  return new OperationError('not_found', `There is no notification ${id}.`, {
    hint: 'notification list shows their ids.',
  })
}
