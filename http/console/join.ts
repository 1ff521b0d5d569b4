/** The page behind the link of an invitation. */
import type { Role } from '../../actors/foundation/roles.ts'
import { greatestPasswordLength, leastPasswordLength } from '../../actors/people/passwords.ts'
import type { Block, Notice } from './blocks.ts'
import type { PageView } from './page.ts'
import { word } from './readable.ts'

/** What is wrong, a line each. */
export type Lines = Notice['lines']

export const joinPath = '/join'

export function joinFormView(
  { name, role, invitedBy }: { name: string; role: Role; invitedBy: string },
  invitation: string,
  problems: Lines,
): PageView {
  const notices: Block[] =
    problems.length === 0
      ? []
      : [{ kind: 'notice', tone: 'bad', title: (texts) => texts.entry.notMade, lines: problems }]
  return {
    title: (texts) => texts.invitations.join,
    blocks: [
      ...notices,
      {
        kind: 'form',
        form: {
          action: joinPath,
          title: (texts) => texts.invitations.join,
          lead: (texts) => texts.invitations.joinLead(name, word(texts, role), invitedBy),
          button: (texts) => texts.invitations.joinIt,
          isMain: true,
          hidden: { invitation },
          fields: [
            {
              name: 'password',
              label: (texts) => texts.invitations.choosePassword,
              type: 'password',
              autocomplete: 'new-password',
              hint: (texts) => texts.entry.atLeastCharactersAFew(leastPasswordLength),
              maxLength: greatestPasswordLength,
              isFocused: true,
            },
          ],
        },
      },
    ],
  }
}

export const goneView: PageView = {
  title: (texts) => texts.invitations.gone,
  blocks: [
    {
      kind: 'notice',
      tone: 'bad',
      title: (texts) => texts.invitations.gone,
      lines: [(texts) => texts.invitations.goneWhy],
    },
  ],
}
