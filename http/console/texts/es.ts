/** Español de América Latina, de usted. */

import type { Texts } from './en.ts'
import * as answers from './es/answers.ts'
import * as approvals from './es/approvals.ts'
import * as claims from './es/claims.ts'
import * as drafts from './es/drafts.ts'
import { findings } from './es/findings.ts'
import * as frame from './es/frame.ts'
import * as judged from './es/judged.ts'
import * as lists from './es/lists.ts'
import * as morning from './es/morning.ts'
import * as node from './es/node.ts'
import * as notifications from './es/notifications.ts'
import * as orders from './es/orders.ts'
import * as parties from './es/parties.ts'
import * as people from './es/people.ts'
import { reasons } from './es/reasons.ts'
import * as reconciliation from './es/reconciliation.ts'
import * as sandbox from './es/sandbox.ts'
import * as settlement from './es/settlement.ts'
import * as start from './es/start.ts'
import { wording } from './es/wording.ts'
import { words } from './es/words.ts'
import recorded from './said/es.json' with { type: 'json' }
import type { Sentences } from './said/sentences.ts'

/** What the node says in English: each sentence that `npm run sentences` has recorded. */
const said: Sentences = recorded

export const es: Texts = {
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
