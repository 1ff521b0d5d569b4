/** English; the other languages have the same texts, or do not compile. */
import * as answers from './en/answers.ts'
import * as approvals from './en/approvals.ts'
import * as claims from './en/claims.ts'
import * as drafts from './en/drafts.ts'
import * as frame from './en/frame.ts'
import * as judged from './en/judged.ts'
import * as lists from './en/lists.ts'
import * as morning from './en/morning.ts'
import * as node from './en/node.ts'
import * as notifications from './en/notifications.ts'
import { onPages } from './en/on-pages.ts'
import * as orders from './en/orders.ts'
import * as parties from './en/parties.ts'
import * as people from './en/people.ts'
import { reasons } from './en/reasons.ts'
import * as reconciliation from './en/reconciliation.ts'
import * as sandbox from './en/sandbox.ts'
import * as settlement from './en/settlement.ts'
import * as start from './en/start.ts'
import { words } from './en/words.ts'

/** What the node says is English as it is, but that a page's times are of its own zone, and that it names no commands for what it has. */
const wording: Readonly<Record<string, string>> = {
  'Made since (UTC)': 'Made since',
  'Dead since (UTC)': 'Dead since',
  'Until (UTC)': 'Until',
  ...onPages,
}

export const en = {
  ...frame,
  ...drafts,
  ...judged,
  ...lists,
  ...morning,
  ...answers,
  ...start,
  ...orders,
  ...parties,
  ...sandbox,
  ...settlement,
  ...reconciliation,
  ...approvals,
  ...claims,
  ...node,
  reasons,
  ...people,
  ...notifications,
  words,
  wording,
}

/** Each text, or what makes it of what is known: a language without one does not compile. */
export type Texts = typeof en
