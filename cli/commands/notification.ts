/** `ventanilla notification …` */
import type { Command } from 'commander'
import { type AppliedNotifications, notificationApply } from '../../actors/notifications/apply-operation.ts'
import type {
  ChannelDocument,
  NotificationDocument,
  NotificationSummary,
  RuleDocument,
} from '../../actors/notifications/documents.ts'
import {
  notificationEvents,
  notificationList,
  notificationRetry,
  notificationShow,
  notificationTest,
} from '../../actors/notifications/operations.ts'
import {
  notificationChannelList,
  notificationChannelRemove,
  notificationChannelSet,
  notificationRuleList,
  notificationRuleRemove,
  notificationRuleSet,
  type SetChannel,
} from '../../actors/notifications/rule-operations.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  more,
  withOperations,
  writtenInput,
} from '../command.ts'
import { readInputText } from '../input-file.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addNotificationCommands(terminal: Terminal, program: Command): void {
  const notification = addGroup(program, 'notification', 'Say who is told of what, and see what was told.')
  addOperationCommand(terminal, notification, {
    operation: notificationList,
    show: ({ notifications, next }) => listText(notifications) + more(next),
  })
  addOperationCommand(terminal, notification, { operation: notificationShow, show: notificationText })
  addOperationCommand(terminal, notification, {
    operation: notificationRetry,
    show: (sent) => listText([sent]),
  })
  addOperationCommand(terminal, notification, {
    operation: notificationTest,
    show: ({ notifications }) => listText(notifications),
  })
  addOperationCommand(terminal, notification, {
    operation: notificationEvents,
    show: ({ events }) =>
      table(events, [
        { title: 'EVENT', value: ({ event }) => event },
        { title: 'TOLD', value: ({ isLasting }) => (isLasting ? 'when it begins and is over' : 'each one') },
      ]),
  })
  addChannelCommands(terminal, notification)
  addRuleCommands(terminal, notification)
  addApplyCommand(terminal, notification)
}

function addChannelCommands(terminal: Terminal, notification: Command): void {
  const channel = addGroup(notification, 'channel', 'Look at where notifications go, and change it.')
  addOperationCommand(terminal, channel, {
    operation: notificationChannelList,
    show: ({ channels }) => (channels.length === 0 ? 'No channels.\n' : channelTable(channels)),
  })
  addOperationCommand(terminal, channel, { operation: notificationChannelSet, show: channelText })
  addOperationCommand(terminal, channel, {
    operation: notificationChannelRemove,
    show: ({ removed }) => `${removed} is removed.\n`,
  })
}

function addRuleCommands(terminal: Terminal, notification: Command): void {
  const rule = addGroup(notification, 'rule', 'Look at what is told, and change it.')
  addOperationCommand(terminal, rule, {
    operation: notificationRuleList,
    show: ({ rules }) => (rules.length === 0 ? 'No rules.\n' : ruleTable(rules)),
  })
  addOperationCommand(terminal, rule, { operation: notificationRuleSet, show: (set) => ruleTable([set]) })
  addOperationCommand(terminal, rule, {
    operation: notificationRuleRemove,
    show: ({ removed }) => `${removed} is removed.\n`,
  })
}

function addApplyCommand(terminal: Terminal, notification: Command): void {
  const command = addCommand(notification, 'apply <file>', {
    summary: `${notificationApply.summary} - reads standard input.`,
    examples: ['notification apply notifications.json --dry-run', 'notification apply notifications.json'],
  })
  addOptions(command, notificationApply.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const [file = ''] = command.args
    const input = { ...writtenInput(notificationApply, command), text: await readInputText(terminal, file) }
    const applied = await withOperations(terminal, options, (operations) =>
      operations.perform(notificationApply, input),
    )
    answer(terminal, options, applied, appliedText(applied))
  })
}

function appliedText({ dryRun, changes, secrets }: AppliedNotifications): string {
  if (changes.length === 0) return 'Nothing to change: it was so already.\n'
  const made = Object.entries(secrets).map(
    ([name, secret]) => `secret of ${name}, shown only once: ${secret}\n`,
  )
  return `${dryRun ? 'It would be:\n' : ''}${changes.join('\n')}\n${made.join('')}`
}

function listText(notifications: readonly NotificationSummary[]): string {
  if (notifications.length === 0) return 'No notifications.\n'
  return table(notifications, [
    { title: 'ID', value: ({ id }) => id },
    { title: 'STATE', value: ({ state }) => state },
    { title: 'CHANNEL', value: ({ channel }) => channel },
    { title: 'TO', value: ({ to }) => to },
    { title: 'SUBJECT', value: ({ subject }) => subject },
    { title: 'ATTEMPTS', value: ({ attempts }) => attempts, right: true },
    { title: 'LAST', value: ({ lastAnswer }) => lastAnswer },
    { title: 'CREATED', value: ({ created }) => shortTime(created) },
  ])
}

function notificationText(shown: NotificationDocument): string {
  const facts = fields([
    ['id', shown.id],
    ['state', shown.state],
    ['channel', shown.channel],
    ['to', shown.to],
    ['subject', shown.subject],
    ['attempts', String(shown.attempts)],
    ['last answer', shown.lastAnswer],
    ['error', shown.error],
    ['created', shortTime(shown.created)],
    ['due', shown.state === 'pending' ? shortTime(shown.dueAt) : null],
    ['settled', shown.settled === null ? null : shortTime(shown.settled)],
  ])
  return facts + section('Text', shown.text)
}

function channelTable(channels: readonly ChannelDocument[]): string {
  return table(channels, [
    { title: 'CHANNEL', value: ({ name }) => name },
    { title: 'KIND', value: ({ kind }) => kind },
    { title: 'TO', value: targetOf },
    { title: 'LANGUAGE', value: ({ language }) => language },
    { title: 'DIGEST', value: ({ digestAt, timeZone }) => `${digestAt} ${timeZone}` },
    { title: 'KEY', value: ({ key }) => key },
  ])
}

function targetOf({ url, to }: ChannelDocument): string {
  if (url !== null) return url
  return to === 'party' ? 'the contact of the party' : to.join(', ')
}

function channelText({ secret, ...channel }: SetChannel): string {
  const shown = secret === null ? '' : `Its secret, shown only once: ${secret}\n`
  return channelTable([channel]) + shown
}

function ruleTable(rules: readonly RuleDocument[]): string {
  return table(rules, [
    { title: 'RULE', value: ({ name }) => name },
    { title: 'EVENTS', value: ({ events }) => events.join(', ') },
    { title: 'CHANNEL', value: ({ channel }) => channel },
    { title: 'HOW', value: ({ how }) => how },
    { title: 'PARTY', value: ({ party }) => party },
    { title: 'BELOW', value: ({ below }) => below },
  ])
}
