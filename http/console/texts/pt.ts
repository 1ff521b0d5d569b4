/** Português do Brasil. */

import type { Texts } from './en.ts'
import * as answers from './pt/answers.ts'
import * as approvals from './pt/approvals.ts'
import * as claims from './pt/claims.ts'
import * as drafts from './pt/drafts.ts'
import { findings } from './pt/findings.ts'
import * as frame from './pt/frame.ts'
import * as judged from './pt/judged.ts'
import * as lists from './pt/lists.ts'
import * as morning from './pt/morning.ts'
import * as node from './pt/node.ts'
import * as notifications from './pt/notifications.ts'
import * as orders from './pt/orders.ts'
import * as parties from './pt/parties.ts'
import * as people from './pt/people.ts'
import { reasons } from './pt/reasons.ts'
import * as reconciliation from './pt/reconciliation.ts'
import * as sandbox from './pt/sandbox.ts'
import * as settlement from './pt/settlement.ts'
import * as start from './pt/start.ts'
import { wording } from './pt/wording.ts'
import { words } from './pt/words.ts'
import recorded from './said/pt.json' with { type: 'json' }
import type { Sentences } from './said/sentences.ts'

/** What the node says in English: each sentence that `npm run sentences` has recorded. */
const said: Sentences = recorded

export const pt: Texts = {
  ...drafts,
  ...frame,
  ...judged,
  ...lists,
  ...morning,
  ...notifications,
  ...people,
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
  words,
  wording: { ...wording, ...findings, ...said },
}
