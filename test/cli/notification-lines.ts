/** What the transcript asks about notifications; nothing is sent, since a running node would send it and a stopped one would not. */

export const notificationLines: readonly (readonly string[])[] = [
  ['notification', 'channel', 'set', 'operations', '--kind', 'email', '--to', 'ops@pay.example'],
  ['notification', 'channel', 'list'],
  ['notification', 'rule', 'set', 'urgent', '--channel', 'operations', '--events', 'disk.low,alarm'],
  ['notification', 'rule', 'list'],
  ['notification', 'apply', 'notifications.json'],
  ['notification', 'events'],
  ['notification', 'test', 'nowhere'],
  ['notification', 'list'],
  ['notification', 'show', 'unknown'],
  ['notification', 'retry', 'unknown'],
  ['notification', 'channel', 'remove', 'operations'],
  ['notification', 'rule', 'remove', 'urgent'],
]
