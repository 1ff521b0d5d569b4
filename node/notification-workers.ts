/** The workers of notifications: what happened is handed to the rules, conditions are watched, and messages are sent. */
import type { Logger } from 'pino'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import type { PassResult } from '../actors/foundation/worker.ts'
import { createNotificationDelivery } from '../actors/notifications/delivery.ts'
import { createLevelWatch } from '../actors/notifications/levels.ts'
import { pruneNotifications } from '../actors/notifications/retention.ts'
import { createHooking, createMailing } from '../actors/notifications/sending.ts'
import { createTelling } from '../actors/notifications/telling.ts'
import type { WebhookSender } from '../actors/webhooks/sender.ts'
import type { Store } from '../persistence/store.ts'
import type { Core } from './core.ts'
import { mailDomainOf } from './mailer.ts'
import type { Settings } from './settings/config.ts'

interface PolledWorker {
  id: string
  pollMs: number
  pass: () => Promise<PassResult>
  finish?: () => Promise<void>
}

interface Means {
  log: Logger
  sender: WebhookSender
  wake: (id: string) => void
  /** Makes a pass one that one node at a time makes. */
  leading: (role: string, pass: (own: Store) => Promise<PassResult>) => () => Promise<PassResult>
}

const pollMs = { notifications: 5_000, levels: 60_000, retention: 86_400_000 }

export function notificationWorkersOf(
  settings: Settings,
  core: Core,
  clock: NodeClock,
  { log, sender, leading, wake }: Means,
): PolledWorker[] {
  const { store, vault, clockWatch, condition, backups, surroundings, verification, hookRules } = core
  const { isTrusted } = clockWatch
  const { retentionDays } = settings.webhooks
  const common = { store, clock, isTrusted, log }
  const telling = createTelling({ clock, mode: settings.mode })
  const watch = createLevelWatch({ clock, condition, backups, surroundings, file: verification.file })
  const mails = createNotificationDelivery({
    ...common,
    kind: 'email',
    wake: () => wake('mails'),
    timeoutMs: settings.mail.timeoutSeconds * 1000,
    send: createMailing({ store, vault, clock, mail: core.mail, domain: mailDomainOf(settings) }),
  })
  const hooks = createNotificationDelivery({
    ...common,
    kind: 'webhook',
    wake: () => wake('hooks'),
    timeoutMs: settings.webhooks.timeoutSeconds * 1000,
    send: createHooking({ store, vault, clock, sender, rules: hookRules }),
  })
  const prune = (own: Store) => pruneNotifications(own, { retentionDays, clock, isTrusted })
  return [
    { id: 'notifications', pollMs: pollMs.notifications, pass: leading('notifications', telling) },
    { id: 'levels', pollMs: pollMs.levels, pass: leading('levels', watch) },
    { id: 'mails', pollMs: pollMs.notifications, pass: mails.pass, finish: mails.finish },
    {
      ...{ id: 'hooks', pollMs: pollMs.notifications, pass: hooks.pass },
      finish: async () => {
        await hooks.finish()
        sender.close()
      },
    },
    { id: 'told', pollMs: pollMs.retention, pass: leading('told', prune) },
  ]
}
