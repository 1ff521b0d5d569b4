/** Notifications: who is told of what, what was told, and what nobody got. */

import type { NotificationDocument } from '../../../actors/notifications/documents.ts'
import { eventNames } from '../../../actors/notifications/events.ts'
import {
  notificationList,
  notificationRetry,
  notificationShow,
  notificationStates,
  notificationTest,
} from '../../../actors/notifications/operations.ts'
import {
  notificationChannelList,
  notificationChannelRemove,
  notificationChannelSet,
  notificationRuleList,
  notificationRuleRemove,
  notificationRuleSet,
} from '../../../actors/notifications/rule-operations.ts'
import type { Block } from '../blocks.ts'
import { linkTo, state, time } from '../cells.ts'
import { choice, filled, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

export const notificationsPage: Page = {
  path: /^\/notifications$/,
  least: 'operator',
  room: 'Notifications',
  async render(request) {
    const { ask, query, lines } = request
    const chosen = notificationStates.find((known) => known === query.get('state'))
    const { notifications, next } = await ask(notificationList, {
      ...(chosen === undefined ? {} : { state: chosen }),
      ...filled({ cursor: query.get('cursor') ?? '' }),
      limit: lines ?? 50,
    })
    return {
      title: (texts) => texts.notifications.notifications,
      blocks: [
        {
          kind: 'filters',
          action: '/notifications',
          button: (texts) => texts.notifications.show,
          fields: [
            {
              name: 'state',
              label: (texts) => texts.notifications.state,
              type: 'select',
              value: chosen ?? '',
              options: [['', ({ words }) => words.any], ...notificationStates.map(choice)],
            },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.notifications.notifications,
          empty: (texts) => texts.notifications.nobodyWasToldAnything,
          columns: [
            { label: (texts) => texts.notifications.notification, isCut: true },
            { label: (texts) => texts.notifications.state },
            { label: (texts) => texts.notifications.channel },
            { label: (texts) => texts.notifications.to, isCut: true },
            { label: (texts) => texts.notifications.attempts, isRight: true },
            { label: (texts) => texts.notifications.lastAnswer },
            { label: (texts) => texts.notifications.created },
            { label: (texts) => texts.notifications.nextAttempt },
          ],
          rows: notifications.map((line) => [
            { text: line.subject, href: `/notifications/${line.id}` },
            state(line.state),
            line.channel,
            line.to === '' ? null : line.to,
            String(line.attempts),
            line.lastAnswer,
            time(line.created),
            line.state === 'pending' ? time(line.dueAt) : null,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/notifications', query, { cursor: next }) },
        ...(query.has('cursor') ? [] : [...(await ruleBlocks(request)), ...(await channelBlocks(request))]),
      ],
    }
  },
}

async function ruleBlocks(request: PageRequest): Promise<Block[]> {
  const { rules } = await request.ask(notificationRuleList, {})
  const { channels } = await request.ask(notificationChannelList, {})
  const names = rules.map(({ name }) => name)
  const table: Block = {
    kind: 'table',
    label: (texts) => texts.notifications.rules,
    empty: (texts) => texts.notifications.noneYetNobodyIsTold,
    columns: [
      { label: (texts) => texts.notifications.rule },
      { label: (texts) => texts.notifications.events },
      { label: (texts) => texts.notifications.channel },
      { label: (texts) => texts.notifications.how },
      { label: (texts) => texts.notifications.party },
      { label: (texts) => texts.notifications.balanceBelow, isRight: true },
    ],
    rows: rules.map(({ name, events, channel, how, party, below }) => [
      name,
      events.join(', '),
      channel,
      how === 'now'
        ? (texts: Texts) => texts.notifications.atOnce
        : (texts: Texts) => texts.notifications.inTheDigest,
      party,
      below,
    ]),
  }
  const forms =
    channels.length === 0
      ? []
      : operationForm(request, notificationRuleSet, {
          title: (texts) => texts.notifications.addOrChangeARule,
          lead: (texts) => texts.notifications.eventsAre(eventNames.join(', ')),
          button: (texts) => texts.notifications.save,
          fields: ['name', 'events', 'channel', 'how', 'party', 'below'],
          adjusted: { channel: oneOf(channels.map(({ name }) => name)) },
        })
  const removal =
    names.length === 0
      ? []
      : operationForm(request, notificationRuleRemove, {
          title: (texts) => texts.notifications.removeARule,
          lead: (texts) => texts.notifications.whatItCountedAndHas,
          button: (texts) => texts.notifications.remove,
          isDanger: true,
          fields: ['name'],
          adjusted: { name: oneOf(names) },
        })
  return [
    {
      kind: 'heading',
      text: (texts) => texts.notifications.rules,
      note: (texts) => texts.notifications.whatIsToldAndWhere,
    },
    table,
    ...forms,
    ...removal,
  ]
}

async function channelBlocks(request: PageRequest): Promise<Block[]> {
  const { channels } = await request.ask(notificationChannelList, {})
  const names = channels.map(({ name }) => name)
  const table: Block = {
    kind: 'table',
    label: (texts) => texts.notifications.channels,
    empty: (texts) => texts.notifications.noneYet,
    columns: [
      { label: (texts) => texts.notifications.channel },
      { label: (texts) => texts.notifications.kind },
      { label: (texts) => texts.notifications.to },
      { label: (texts) => texts.notifications.language },
      { label: (texts) => texts.notifications.digest },
      { label: (texts) => texts.notifications.nextDigest },
    ],
    rows: channels.map((channel) => [
      channel.name,
      named(channel.kind),
      channel.key === null
        ? channel.to === 'party'
          ? (texts: Texts) => texts.notifications.theContactOfTheParty
          : [...channel.to].join(', ')
        : { text: channel.url ?? '', note: signed(channel.key) },
      channel.language,
      `${channel.digestAt} ${channel.timeZone}`,
      time(channel.nextDigest),
    ]),
  }
  const about =
    names.length === 0
      ? []
      : [
          ...operationForm(request, notificationTest, {
            title: (texts) => texts.notifications.testAChannel,
            lead: (texts) => texts.notifications.aMessageThatSaysThat,
            button: (texts) => texts.notifications.sendATest,
            fields: ['channel', 'party'],
            adjusted: { channel: oneOf(names) },
          }),
          ...operationForm(request, notificationChannelRemove, {
            title: (texts) => texts.notifications.removeAChannel,
            button: (texts) => texts.notifications.remove,
            isDanger: true,
            fields: ['name'],
            adjusted: { name: oneOf(names) },
          }),
        ]
  return [
    {
      kind: 'heading',
      text: (texts) => texts.notifications.channels,
      note: (texts) => texts.notifications.whereItIsTold,
    },
    table,
    ...operationForm(request, notificationChannelSet, {
      title: (texts) => texts.notifications.addOrChangeAChannel,
      button: (texts) => texts.notifications.save,
      fields: ['name', 'kind', 'to', 'url', 'language', 'timeZone', 'digestAt'],
    }),
    ...about,
  ]
}

export const notificationPage: Page = {
  path: /^\/notifications\/(?<id>[\w-]{1,64})$/,
  least: 'operator',
  room: 'Notifications',
  async render(request) {
    const shown = await request.ask(notificationShow, { id: request.params.id ?? '' })
    return {
      title: shown.subject,
      crumb: { href: '/notifications', text: (texts) => texts.notifications.notifications },
      liveSeconds: 5,
      blocks: [
        factsOf(shown),
        ...(shown.to === '' ? [] : retryForm(request, shown)),
        {
          kind: 'heading',
          text: (texts) => texts.notifications.text,
          note: (texts) => texts.notifications.asAMailHasIt,
        },
        { kind: 'source', label: (texts) => texts.notifications.text, text: shown.text },
      ],
    }
  },
}

const signed = (key: string) => (texts: Texts) => texts.notifications.signedWith(key)

function factsOf(shown: NotificationDocument): Block {
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.notifications.state, state(shown.state)],
      [(texts) => texts.notifications.channel, shown.channel],
      [(texts) => texts.notifications.to, shown.to === '' ? null : shown.to],
      [(texts) => texts.notifications.attempts, String(shown.attempts)],
      [(texts) => texts.notifications.lastAnswer, shown.lastAnswer],
      [(texts) => texts.notifications.why, shown.error],
      [(texts) => texts.notifications.created, time(shown.created)],
      [(texts) => texts.notifications.nextAttempt, shown.state === 'pending' ? time(shown.dueAt) : null],
      [(texts) => texts.notifications.settled, time(shown.settled)],
      [(texts) => texts.notifications.notification, { text: shown.id, isCode: true, copy: true }],
    ],
  }
}

function retryForm(request: PageRequest, { id, state: its }: NotificationDocument): Block[] {
  const lead = (texts: Texts) =>
    its === 'delivered' ? texts.notifications.itWasDeliveredAndIs : texts.notifications.itIsSentAtOnce
  return operationForm(request, notificationRetry, {
    title: (texts) => texts.notifications.resend,
    lead,
    button: (texts) => texts.notifications.sendAgain,
    fields: [],
    hidden: { id },
  })
}

export const notificationActions: readonly Action[] = [
  operationAction(notificationRuleSet, () => ({ kind: 'go', to: '/notifications' })),
  operationAction(notificationChannelSet, ({ name, secret, key }) =>
    secret === null
      ? { kind: 'go', to: '/notifications' }
      : {
          kind: 'show',
          view: {
            title: (texts) => texts.notifications.channelIsAdded(name),
            crumb: { href: '/notifications', text: (texts) => texts.notifications.notifications },
            blocks: [
              { kind: 'text', text: (texts) => texts.notifications.itsWebhooksAreSignedWith },
              {
                kind: 'facts',
                items: [
                  ['Key', { text: key ?? '', isCode: true, copy: true }],
                  ['Secret', { text: secret, isCode: true, copy: true }],
                ],
              },
            ],
          },
        },
  ),
]
