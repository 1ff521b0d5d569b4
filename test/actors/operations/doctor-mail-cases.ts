/** What goes wrong with mails and notifications, for the doctor's test. */

import { notificationTest } from '../../../actors/notifications/operations.ts'
import { notificationChannelSet } from '../../../actors/notifications/rule-operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit } from '../../support/order-world.ts'
import type { Case } from './doctor-world.ts'

const channel = { name: 'operations', kind: 'email', to: 'ops@shop.example' } as const

export const mailCases: Case[] = [
  {
    when: 'a channel needs a mail server, and none is set',
    async change(world) {
      await operatorOf(world).ask(notificationChannelSet, channel)
      return {}
    },
    check: 'mail',
    sees: /the channel operations needs one/,
    says: /Set mail\.host/,
  },
  {
    when: 'the mail server does not let the node in',
    change: async () => ({
      mail: { check: async () => ({ stage: 'login' as const, error: 'Invalid login: 535 no' }) },
    }),
    check: 'mail',
    sees: /^login: Invalid login: 535 no$/,
    says: /mail\.passwordFile/,
  },
  {
    when: 'nobody was told',
    async change(world) {
      const ana = operatorOf(world)
      await ana.ask(notificationChannelSet, channel)
      const { notifications } = await ana.ask(notificationTest, { channel: 'operations' })
      const key = { id: notifications[0]?.id ?? '' }
      await commit(world.store, [{ update: 'notifications', key, set: { state: 'dead', settled_at: 1 } }])
      return {}
    },
    check: 'notifications',
    sees: /^0 wait to be sent, 1 are dead letters$/,
    says: /`ventanilla notification list --state dead`/,
  },
]
