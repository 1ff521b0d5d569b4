/** Inviting somebody to be an operator, by a link that is printed, or mailed by what mails notifications. */
import { formatInstant } from '../../machines/time.ts'
import { operatorByName } from '../../persistence/queries/people.ts'
import { type Decision, row } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import type { Role } from '../foundation/roles.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { isAddress, languages } from '../notifications/channels.ts'
import { invitationMail } from '../notifications/invitation-mail.ts'
import { invitationMs, keepInvitation } from '../people/invitations.ts'
import { operatorName, roleField } from '../people/operations.ts'
import { generateToken } from '../people/sessions.ts'

export interface InvitationContext extends OperationContext {
  /** Where the console is reached: links begin with it. */
  operatorUrl: string
  vault: ChangingVault
  surroundings: Pick<Surroundings, 'mode'>
  /** `null` where no mail server is set. */
  mail: object | null
}

export interface Invitation {
  name: string
  role: Role
  /** Holds what makes the account: shown once, and kept nowhere. `null` where it is mailed. */
  link: string | null
  /** Where it is mailed to. */
  mailedTo: string | null
  expires: string
}

export const operatorInvite = defineOperation({
  name: 'operator.invite',
  summary: 'Invite somebody to be an operator, by a link that makes one account within 24 hours.',
  examples: [
    'operator invite luis --role operator',
    'operator invite luis --role operator --email luis@shop.example --language es',
  ],
  fields: {
    name: operatorName,
    role: roleField,
    email: optional(
      text({
        description: 'Where the link is mailed to, instead of being shown.',
        maxLength: 254,
        option: ['--email <address>', 'mail the link instead of printing it'],
        form: { label: 'E-mail', hint: 'Where the link is mailed to; without it the link is shown.' },
      }),
    ),
    language: optional(
      choice(languages, {
        description: "Of the mail; the asker's own by default, or en.",
        option: ['--language <language>', 'of the mail: en, es or pt'],
        form: {
          label: 'Language of the mail',
          choices: [
            ['es', 'Español'],
            ['pt', 'Português'],
            ['en', 'English'],
          ],
        },
      }),
    ),
  },
  arguments: ['name'],
  isRead: false,
  async run(context: InvitationContext, { name, role, email, language }): Promise<Invitation> {
    const { store, clock, vault, operator, operatorUrl, surroundings, mail } = context
    if (email !== undefined) assertMailable(mail, email)
    const [asker] = await store.query(operatorByName, { name: operator })
    const token = generateToken()
    const link = `${operatorUrl}/join?invitation=${token}`
    const expires = formatInstant(clock.now() + invitationMs)
    const mailed = {
      ...{ to: email ?? '', link, mode: surroundings.mode },
      language: language ?? asker?.language ?? 'en',
      timeZone: asker?.time_zone ?? 'UTC',
      invited: { name, role, invitedBy: operator, expires },
    }
    await keepInvitation(context, { name, role, invitedBy: operator, token }, (at) =>
      email === undefined ? [] : invitationMail(vault, mailed, at),
    )
    const isMailed = email !== undefined
    return { name, role, link: isMailed ? null : link, mailedTo: email ?? null, expires }
  },
})

/** @throws OperationError */
function assertMailable(mail: object | null, email: string): void {
  if (!isAddress(email)) {
    throw new OperationError('invalid', `email: "${email.slice(0, 80)}" is not an e-mail address.`)
  }
  if (mail !== null) return
  throw new OperationError('refused', 'No mail server is set: mail.host and mail.from.', {
    hint: 'Without an address the link is shown, and can be passed on through another safe channel.',
  })
}

export const operatorUninvite = defineOperation({
  name: 'operator.uninvite',
  summary: 'Withdraw an invitation that nobody has used yet.',
  examples: ['operator uninvite luis'],
  done: 'The invitation is withdrawn.',
  fields: { name: operatorName },
  arguments: ['name'],
  isRead: false,
  async run({ store }: OperationContext, { name }): Promise<{ name: string }> {
    await store.step({
      rows: { invitation: row('invitations', { name }) },
      decide: ({ invitation }): Decision<null> => {
        if (invitation === null) throw new OperationError('not_found', `There is no invitation for ${name}.`)
        return { answer: null, writes: [{ delete: 'invitations', key: { name } }] }
      },
    })
    return { name }
  },
})
