/**
 * Archives in a process of its own, to be killed at any moment: what is to be killed is this, and nothing beside it. With
 * `write|sync N` it is killed before its N-th write or sync; with 0 they are only counted.
 */
import { openSync, writeSync } from 'node:fs'
import { createArchiving } from '../../actors/archive/archiving.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import { openArchiveFiles } from '../../node/archive-files.ts'
import { openStore } from '../../persistence/index.ts'
import { journalKey } from '../support/order-world.ts'
import { stuckOrdersOf } from '../support/stuck-orders.ts'

const [url = '', folder = '', at = '', operation, place] = process.argv.slice(2)
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
const control = operation === undefined ? null : openSync(String(process.env.WRITE_LOG_CONTROL), 'a')
if (control !== null) writeSync(control, `arm ${operation} KILL ${place === '0' ? 1_000_000_000 : place} 0`)
while ((await pass(store)).nextAt != null);
await store.close()
if (control !== null) {
  writeSync(control, 'report')
  writeSync(control, 'disarm')
}
process.disconnect?.()
