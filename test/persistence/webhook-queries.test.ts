/** However much waits, no statement of deliveries and pruning looks at more than its answer: by the plans SQLite makes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhooksPage } from '../../persistence/queries/operations.ts'
import * as answers from '../../persistence/queries/stored-answers.ts'
import * as retention from '../../persistence/queries/webhook-retention.ts'
import * as deliveries from '../../persistence/queries/webhooks.ts'
import type { WebhookState } from '../../persistence/schema-webhooks.ts'
import { planOf } from '../support/query-plan.ts'

function assertSeeks(name: string, plan: string[]): void {
  // Groups of at most a thousand rows, and equal times among those of one merchant, are sorted; nothing else is.
  const isFree = /TEMP B-TREE FOR (GROUP BY|LAST TERM OF ORDER BY)|^SCAN due$|SUBQUERY|CO-ROUTINE/
  for (const step of plan) assert.ok(isFree.test(step) || step.startsWith('SEARCH '), `${name}: ${step}`)
}

const pruning = [...Object.values(retention), ...Object.values(answers)]
for (const each of [...Object.values(deliveries), ...pruning])
  test(`${each.name} seeks what it answers`, () => assertSeeks(each.name, planOf<object, unknown>(each)))

const states: WebhookState[] = ['pending', 'delivered', 'dead', 'superseded']
const filters = [
  ...states.map((state) => ({ state })),
  ...states.map((state) => ({ state, merchantId: 'shop' })),
  { merchantId: 'shop' },
  { orderId: 'o1' },
  { orderId: 'o1', state: 'dead' as const },
]

for (const filter of filters)
  for (const after of [null, { at: 1, id: 'w1' }])
    test(`a page of webhooks by ${JSON.stringify(filter)}${after ? ', a later one' : ''} seeks`, () => {
      const plan = planOf(webhooksPage(filter, { after, limit: 100 }))
      // An order has a handful, which are sorted.
      assertSeeks(
        'webhook.page',
        plan.filter((step) => !('orderId' in filter) || !step.includes('FOR ORDER BY')),
      )
    })

test("of a merchant's delivered webhooks the merchant's index is taken, of the rest that of the state", () => {
  const indexOf = (state: WebhookState) =>
    planOf(webhooksPage({ state, merchantId: 'shop' }, { after: null, limit: 100 }))[0]
  assert.match(indexOf('delivered') ?? '', /USING INDEX webhooks_by_merchant/)
  assert.match(indexOf('superseded') ?? '', /USING INDEX webhooks_by_state/)
  assert.match(planOf<object, unknown>(deliveries.deadLettersOf)[0] ?? '', /USING INDEX webhooks_dead/)
})

test.run()
