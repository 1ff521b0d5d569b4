/** How a notification leaves the node: as a mail, or as a signed webhook to a URL that an operator has named. */
import type { AttemptOutcome } from '../../machines/retry.ts'
import { secretByName } from '../../persistence/queries/node.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import { secretName } from '../keys/node-secrets.ts'
import type { Vault } from '../keys/vault.ts'
import type { TargetRules } from '../outbound/target.ts'
import { webhookHeaders } from '../webhooks/headers.ts'
import type { WebhookSender } from '../webhooks/sender.ts'
import type { Notice } from './events.ts'
import { linkOf } from './invitation-mail.ts'
import type { MailSender } from './mail.ts'
import { messageOf } from './message.ts'
import { statementFile } from './statement-file.ts'

export interface SentNotice {
  outcome: AttemptOutcome
  /** `250`, or `timeout` where no answer counts. */
  answer: string
  error: string | null
  retryAfter: string | null
}

/** Never rejects for what is wrong outside. Aborting ends the attempt at once. */
export type SendNotice = (notification: Row<'notifications'>, signal?: AbortSignal) => Promise<SentNotice>

/** The key that a channel's webhooks name, and the name of its secret among the node's. */
export function channelKey(channel: string): string {
  return `notification:${channel}`
}

export interface MailingOptions {
  store: Store
  vault: Vault
  clock: Clock
  /** `null` while no server is set: what is to be sent waits for one. */
  mail: MailSender | null
  /** Of the sender, behind the ids of messages. */
  domain: string
}

export function createMailing(options: MailingOptions): SendNotice {
  const { store, mail, domain } = options
  return async ({ id, target, body_json, created_at }, signal) => {
    if (mail === null) {
      const error = 'No mail server is set: mail.host and mail.from.'
      return { outcome: 'unavailable', answer: 'no server', error, retryAfter: null }
    }
    const notice: Notice = JSON.parse(body_json)
    const link = notice.invited === undefined ? null : await linkOf(options, notice.invited)
    if (notice.invited !== undefined && link === null) {
      const error = 'The invitation was used or withdrawn, or it has ended: invite again.'
      return { outcome: 'refused', answer: 'no invitation', error, retryAfter: null }
    }
    const attachment = await statementFile(store, notice)
    const headers = { messageId: `<${id}@${domain}>`, date: new Date(created_at), to: target }
    const sent = await mail.send({ ...messageOf(notice, link), ...headers, attachment }, signal)
    const { outcome, status, error } = sent
    return { outcome, answer: status === null ? outcome : String(status), error, retryAfter: null }
  }
}

export interface HookingOptions {
  store: Pick<Store, 'query'>
  vault: Vault
  clock: Clock
  sender: WebhookSender
  rules: TargetRules
}

/** Signed as the webhooks of merchants are, with the key and the secret of the channel. */
export function createHooking({ store, vault, clock, sender, rules }: HookingOptions): SendNotice {
  return async ({ id, channel, target: url, body_json: body, attempts }, signal) => {
    const key = channelKey(channel)
    const [sealed] = await store.query(secretByName, { name: key })
    if (sealed === undefined) {
      const error = 'The channel is gone, and its secret with it.'
      return { outcome: 'refused', answer: 'no secret', error, retryAfter: null }
    }
    const secret = vault.open(secretName(key), sealed.ciphertext)
    const headers = webhookHeaders({ id, sequence: 1, url, body }, attempts, { key, secret }, worldNow(clock))
    const { outcome, status, error, retryAfter } = await sender.send({ url, body, headers, rules }, signal)
    return { outcome, answer: status === null ? outcome : String(status), error, retryAfter }
  }
}
