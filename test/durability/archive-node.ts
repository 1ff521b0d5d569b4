/** Archives in a process of its own, to be killed at any moment: what is to be killed is this, and nothing beside it. */

import { createArchiving } from '../../actors/archive/archiving.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import { openArchiveFiles } from '../../node/archive-files.ts'
import { openStore } from '../../persistence/index.ts'
import { journalKey } from '../support/order-world.ts'
import { stuckOrdersOf } from '../support/stuck-orders.ts'

const [url = '', folder = '', at = ''] = process.argv.slice(2)
const clock = { now: () => Number(at) }
const store = await openStore(url, { clock })
const pass = createArchiving({
  ordersDays: 30,
  journalKey,
  files: openArchiveFiles(folder, null),
  condition: createCondition(),
  stuck: stuckOrdersOf(store, clock),
  clock,
  isTrusted: () => true,
  log: {
    info() {},
    error: (facts, message) => process.stderr.write(`${message} ${JSON.stringify(facts)}\n`),
  },
})
process.send?.('begun')
while ((await pass(store)).nextAt != null);
await store.close()
process.disconnect?.()
