/** All time comes through the composition root, or no clock of a test, and no simulated one, would be the program's. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const rooms = '{machines,chain,persistence,actors,http,node}/**/*.ts'

function filesWith(pattern: RegExp): string[] {
  return globSync(rooms, { cwd: root, exclude: ['**/browser/**'] })
    .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
    .toSorted()
}

test('only the clock of the system asks what time it is', () => {
  assert.equal(filesWith(/\bDate\.now\b|\bnew Date\(\)/), [join('node', 'system-clock.ts')])
})

/** Where something goes by the world's clock though a sandbox's is ahead; why, is in docs/decisions, 0094. */
const ofWorld = [
  // The clocks themselves.
  'actors/foundation/clock.ts',
  'actors/sandbox/advancing.ts',
  'actors/sandbox/clock-operations.ts',
  'node/core.ts',
  'node/node.ts',
  // Times of messages, and for how long one is remembered.
  'actors/notifications/sending.ts',
  'actors/operations/credentials.ts',
  'actors/orders/answer-retention.ts',
  'actors/sandbox/inbox.ts',
  'actors/sandbox/sandbox-sender.ts',
  'actors/webhooks/attempts.ts',
  'actors/webhooks/ping.ts',
  'http/api/authentication.ts',
  // Limits, and what a form has just done.
  'http/api/request-checks.ts',
  'http/console/answer-form.ts',
  'http/console/answer-page.ts',
  'node/front/application.ts',
  'node/front/inline.ts',
  'node/operator-listener.ts',
  // Sessions and what proves who somebody is.
  'actors/people/enrolment.ts',
  'actors/people/factors.ts',
  'actors/people/pending.ts',
  'actors/people/sessions.ts',
  // Chains.
  'node/chain-times.ts',
  'node/chains.ts',
  // Backups' files.
  'actors/condition/backup-operations.ts',
  'actors/notifications/levels.ts',
  'actors/operations/doctor-state.ts',
  'node/metrics/metrics.ts',
  // Pages say how far the clock is ahead.
  'http/checkout/routes.ts',
  'http/console/answer.ts',
]

test('what goes by the world’s clock in a sandbox is listed', () => {
  const found = filesWith(
    /\b(?:worldNow|worldAge|worldAgo|worldClockOf)\b|\bworld\b[?!]?\.\w|\.machine\b.*clock/,
  )
  assert.equal(found, ofWorld.toSorted())
})

test('no statement asks the database for the time', () => {
  const asking = filesWith(
    /CURRENT_(?:TIMESTAMP|DATE|TIME)\b|\b(?:now|clock_timestamp|statement_timestamp)\(\)::|datetime\('now'/i,
  )
  assert.equal(asking, [])
})

test.run()
