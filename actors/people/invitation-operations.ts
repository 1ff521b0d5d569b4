/** Inviting somebody to be an operator. */

import { type Decision, row } from '../../persistence/store.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { type Invitation, makeInvitation } from './invitations.ts'
import { operatorName, roleField } from './operations.ts'

export interface InvitationContext extends OperationContext {
  /** Where the console is reached: links begin with it. */
  operatorUrl: string
}

export const operatorInvite = defineOperation({
  name: 'operator.invite',
  summary: 'Invite somebody to be an operator, by a link that makes one account within 24 hours.',
  examples: ['operator invite luis --role operator'],
  fields: { name: operatorName, role: roleField },
  arguments: ['name'],
  isRead: false,
  run: (context: InvitationContext, { name, role }): Promise<Invitation> =>
    makeInvitation(context, { name, role, invitedBy: context.operator }),
})

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
