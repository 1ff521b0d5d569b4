/** Notifications in a world of orders: a channel, a rule, and what was told by it. */
import { createCondition } from '../../actors/condition/condition.ts'
import type { Notice } from '../../actors/notifications/events.ts'
import type { LevelsOptions } from '../../actors/notifications/levels.ts'
import type { MailSender } from '../../actors/notifications/mail.ts'
import { notificationChannelSet, notificationRuleSet } from '../../actors/notifications/rule-operations.ts'
import { createMailing, type SendNotice } from '../../actors/notifications/sending.ts'
import { createTelling } from '../../actors/notifications/telling.ts'
import { noBackups, operatorOf, quietSurroundings } from './operations.ts'
import type { OrderWorld } from './order-world.ts'

export const mailChannel = {
  name: 'operations',
  kind: 'email',
  to: 'ops@shop.example',
  timeZone: 'UTC',
} as const

export async function withRule(world: OrderWorld, events: string, more: object = {}) {
  const ana = operatorOf(world)
  await ana.ask(notificationChannelSet, mailChannel)
  await ana.ask(notificationRuleSet, { name: 'urgent', channel: 'operations', events, ...more })
  return ana
}

/** @param mail `null` where no server is set */
export function mailingOf(world: OrderWorld, mail: MailSender | null): SendNotice {
  const { store, clock } = world
  return createMailing({ store, clock, vault: operatorOf(world).vault, mail, domain: 'pay.example' })
}

export function tell(world: OrderWorld) {
  return createTelling({ clock: world.clock, mode: 'production' })(world.store)
}

/** All that was told, the oldest first: purpose, address, and of each line its event, phase and count. */
export async function toldOf(world: OrderWorld): Promise<string[]> {
  const rows = await world.rows('notifications')
  return rows
    .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
    .map(({ purpose, target, body_json }) => {
      const { told }: Notice = JSON.parse(body_json)
      const lines = told.map(({ event, phase, count }) => `${event} ${phase} ${count}`)
      return [purpose, target, ...lines].join(' | ')
    })
}

/** A watch of a node with which nothing is wrong. */
export function quietLevels(world: OrderWorld): LevelsOptions {
  return {
    ...{ clock: world.clock, condition: createCondition(), file: null },
    ...{ backups: noBackups, surroundings: quietSurroundings },
  }
}
