import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AnchorDigest, noAnchor } from '../../../actors/anchors/anchor.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { type Check, verify } from '../../../actors/verification/verify.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { journalHashes } from '../../../persistence/queries/anchors.ts'
import { factByName, recordFact } from '../../../persistence/queries/node.ts'
import { fakeClock } from '../../support/clock.ts'
import { isOnPostgres, testDatabases } from '../../support/database.ts'
import {
  graceMs,
  hourMs,
  journalKey,
  type OrderWorld,
  operator,
  orderWorlds,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const databases = testDatabases(test)
/** URL of a database with all of it, which the first test makes. */
let sound = ''

/** Orders in every status and every end, of both directions. */
async function playAll(world: OrderWorld): Promise<void> {
  await world.deposit(900_000n)
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    await world.order({ direction })
    const [started, paid, refused, cancelled, forced] = [
      await world.order({ direction }),
      await world.order({ direction }),
      await world.order({ direction }),
      await world.order({ direction }),
      await world.order({ direction }),
    ]
    for (const order of [started, paid, refused, forced]) await world.start(order.id, 'A')
    await world.confirm(paid.id, 'A')
    await world.start(refused.id, 'B')
    await world.giveBack(refused.id, 'A')
    await world.cancel(cancelled.id)
    await world.cancel(forced.id, true)
  }
  const late = await world.order({ expiryAt: world.clock.now() + hourMs })
  const lateAndLocked = await world.order({ expiryAt: world.clock.now() + hourMs })
  await world.start(lateAndLocked.id, 'B')
  world.clock.advance(hourMs + graceMs)
  for (const { id } of [late, lateAndLocked]) await world.orders.expire(id)
  await world.order({ priceMinor: 10_000_000n })
  await resolveCancelled(world)
  // More than there is: the rest is a debt, and a part of that is repaid.
  await world.takeBack((await world.balance({})) + 500n)
  await world.deposit(200n)
}

/** One that was cancelled while locked is honoured, the other returned. */
async function resolveCancelled(world: OrderWorld): Promise<void> {
  const exceptions = await world.rows('exceptions')
  const cancelled = exceptions.filter(({ kind }) => kind === 'cancelled_while_locked')
  for (const [index, as] of (['honour', 'return'] as const).entries()) {
    const exceptionId = cancelled[index]?.id ?? ''
    const resolving = { exceptionId, as, reason: 'said so', evidence: null, operator }
    await resolveException({ store: world.store, ...world.orders.context }, resolving)
  }
}

async function verifyAt(url: string, onProgress?: (done: number, total: number) => void): Promise<Check[]> {
  const reader = await openReader(url)
  try {
    const found = await verify({ reader, journalKey, ...(onProgress ? { onProgress } : {}) })
    assert.is(
      found.ok,
      found.checks.every((check) => check.ok),
    )
    return found.checks
  } finally {
    await reader.close()
  }
}

test('a database whose orders have come to every end is sound, also while a store has it open', async () => {
  await inWorld(async (world) => {
    await playAll(world)
    const progress: [number, number][] = []
    const checks = await verifyAt(world.url, (...at) => progress.push(at))
    assert.equal(
      checks.filter(({ ok }) => !ok),
      [],
    )
    assert.equal(
      checks.map(({ name }) => name),
      [
        'integrity',
        'references',
        'ledger',
        'numbers',
        'treasury',
        'payments',
        'statements',
        'adjustments',
        'conversions',
        'claims',
        'approvals',
        'money',
        'orders',
        'journal',
        'webhooks',
        'refunds',
        'archive',
      ],
    )
    assert.equal(progress.at(-1), [15, 15])
    sound = await databases.copy(world.url)
  })
})

const anOrder = (where: string) => `id = (SELECT id FROM orders WHERE ${where} LIMIT 1)`
const ofOrder = (where: string) => `order_id = (SELECT id FROM orders WHERE ${where} LIMIT 1)`
const paid = "status = 'COMPLETED' AND direction = 'PAY_OUT'"
const reserved = "status = 'READY' AND direction = 'PAY_OUT'"
const available = "id LIKE 'available:%'"

const laterExpiry = isOnPostgres
  ? "jsonb_set(snapshot::jsonb, '{context,expiryAt}', to_jsonb(expiry_at + 1))::text"
  : "json_set(snapshot, '$.context.expiryAt', expiry_at + 1)"

const damagesOfPostgres: [what: string, sql: string, checks: string[]][] = [
  [
    'an index was left unfinished',
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_due'::regclass",
    ['integrity'],
  ],
]

const damagesOfSqlite: typeof damagesOfPostgres = [
  [
    'an index lost a row',
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_schema SET sql = replace(sql, 'WHERE due_at IS NOT NULL', 'WHERE due_at IS NULL')
       WHERE name = 'orders_due'`,
    ['integrity'],
  ],
  // No table by itself shows it.
  [
    'pages belong to nothing',
    `PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'orders_due'`,
    ['integrity'],
  ],
]

const damages: [what: string, sql: string, checks: string[]][] = [
  [
    'a balance was raised',
    `UPDATE accounts SET balance_minor = balance_minor + 1 WHERE ${available}`,
    ['ledger'],
  ],
  [
    'two balances were changed alike',
    `UPDATE accounts SET balance_minor = balance_minor + CASE WHEN ${available} THEN 1 ELSE -1 END
       WHERE ${available} OR id LIKE 'bank:%'`,
    ['ledger'],
  ],
  [
    'a posting is gone',
    `DELETE FROM postings WHERE ${ofOrder(paid)} AND kind = 'settle'`,
    ['ledger', 'money', 'numbers'],
  ],
  [
    'a posting was made twice',
    `INSERT INTO postings (kind, debit_account, credit_account, amount_minor, currency, order_id, posted_at,
         debit_day, debit_number, credit_day, credit_number)
       SELECT kind, debit_account, credit_account, amount_minor, currency, order_id, posted_at,
         debit_day, debit_number + 1000, credit_day, credit_number + 1000 FROM postings
       WHERE kind = 'settle' LIMIT 1`,
    ['ledger', 'money', 'numbers'],
  ],
  [
    'a number is in the place of another',
    `UPDATE postings SET credit_number = 1000 WHERE ${ofOrder(paid)} AND kind = 'settle'`,
    ['numbers'],
  ],
  [
    'a number was given twice',
    `UPDATE postings SET debit_number = (SELECT other.credit_number FROM postings AS other
         WHERE other.credit_account = postings.debit_account LIMIT 1)
       WHERE ${ofOrder(paid)} AND kind = 'settle'`,
    ['numbers'],
  ],
  [
    'a day went back',
    `UPDATE postings SET debit_day = '2000-01-01' WHERE ${ofOrder(paid)} AND kind = 'settle'`,
    ['numbers'],
  ],
  [
    'an account counts more than it has',
    `UPDATE accounts SET posting_count = posting_count + 1`,
    ['numbers'],
  ],
  ['an account was opened too early', `UPDATE accounts SET first_open_day = ''`, ['numbers']],
  [
    'the archive claims a number that is there',
    `INSERT INTO archived_balances (account_id, balance_minor, posting_count)
       SELECT id, 0, 1 FROM accounts WHERE ${available}`,
    ['numbers'],
  ],
  [
    'an order was set to paid',
    `UPDATE orders SET status = 'COMPLETED', due_at = NULL, paid_at = 1 WHERE ${anOrder(reserved)}`,
    ['ledger', 'money', 'orders', 'webhooks'],
  ],
  [
    'a suspended order was forgotten by its exception',
    `UPDATE exceptions SET state = 'resolved', resolved_at = 1 WHERE kind = 'expired_while_locked'`,
    ['money'],
  ],
  [
    'the word of an operator was changed',
    "UPDATE exceptions SET resolution = CASE resolution WHEN 'honour' THEN 'return' ELSE 'honour' END",
    ['money'],
  ],
  [
    'a debt stands beside what is available',
    `UPDATE accounts SET balance_minor = balance_minor + 7 WHERE ${available};
     UPDATE accounts SET balance_minor = balance_minor - 7 WHERE id LIKE 'bank:%';
     INSERT INTO postings (kind, debit_account, credit_account, amount_minor, currency, posted_at)
       SELECT 'deposit', 'bank::MXN', id, 7, 'MXN', 1 FROM accounts WHERE ${available}`,
    ['ledger', 'numbers'],
  ],
  [
    'what an order was created with was changed, its snapshot too',
    `UPDATE orders SET expiry_at = expiry_at + 1, due_at = due_at + 1,
       snapshot = ${laterExpiry} WHERE ${anOrder(reserved)}`,
    ['orders'],
  ],
  ['a price was changed', `UPDATE orders SET price_minor = 5 WHERE ${anOrder(paid)}`, ['money', 'orders']],
  [
    'a lock was handed on',
    `UPDATE orders SET lock_provider_id = 'network-b' WHERE status = 'PAYMENT_STARTED'`,
    ['orders'],
  ],
  [
    'a snapshot went back',
    `UPDATE orders SET snapshot = (SELECT snapshot FROM orders WHERE ${reserved} LIMIT 1) WHERE ${anOrder(paid)}`,
    ['orders'],
  ],
  ['a snapshot is no JSON', `UPDATE orders SET snapshot = '{' WHERE ${anOrder(paid)}`, ['orders']],
  ['a revision is missing', `UPDATE orders SET revision = revision + 1 WHERE ${anOrder(paid)}`, ['orders']],
  ['a waiting order is not waited for', 'DELETE FROM funding_requests', ['orders']],
  [
    'a journal entry tells of another provider',
    `UPDATE journal SET actor = 'provider:Network B' WHERE ${ofOrder(paid)} AND sequence = 3`,
    ['journal'],
  ],
  [
    'a journal entry is gone',
    `DELETE FROM journal WHERE ${ofOrder(paid)} AND sequence = 2`,
    ['journal', 'orders'],
  ],
  [
    'the last entries of a journal are gone',
    `DELETE FROM journal WHERE ${ofOrder(paid)} AND sequence >= 3;
     UPDATE orders SET journal_count = 2 WHERE ${anOrder(paid)}`,
    ['journal', 'orders'],
  ],
  ['a webhook is gone', `DELETE FROM webhooks WHERE ${ofOrder(paid)}`, ['webhooks']],
  [
    'a webhook was made twice',
    `CREATE TEMP TABLE copy AS SELECT * FROM webhooks LIMIT 1;
     UPDATE copy SET id = 'another', sequence = sequence + 1;
     INSERT INTO webhooks SELECT * FROM copy`,
    ['webhooks'],
  ],
  [
    'a webhook tells another end',
    `UPDATE webhooks SET order_status = 'EXPIRED' WHERE ${ofOrder(paid)}`,
    ['webhooks'],
  ],
  ['an order is gone', `DELETE FROM orders WHERE ${anOrder(reserved)}`, ['ledger', 'references']],
  ...(isOnPostgres ? damagesOfPostgres : damagesOfSqlite),
]

for (const [what, sql, expected] of damages) {
  test(`it is found that ${what}`, async () => {
    const checks = await verifyAt(await databases.changed(sound, sql))
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name)
    assert.equal(failed.sort(), expected, JSON.stringify(checks))
  })
}

test('its anchors are checked where there are some', async () => {
  const reader = await openReader(sound)
  async function* lines(digest: string) {
    yield JSON.stringify({ at: '2026-03-01T12:00:00.000Z', position: 1, entries: 1, digest })
  }
  const anchorsOf = async (anchors: AsyncIterable<string>) =>
    (await verify({ reader, journalKey, anchors })).checks.at(-1)
  const [entry] = await reader.snapshot((query) => query(journalHashes, { after: 0, until: 1, limit: 1 }))
  const digest = new AnchorDigest(journalKey, noAnchor)
  digest.add(entry ?? { position: 0, hash: '' })
  const right = digest.finish(Date.UTC(2026, 2, 1, 12)).digest
  const held = await anchorsOf(lines(right))
  assert.equal(held, { name: 'anchors', ok: true, detail: '1 anchors hold for 1 entries of the journal' })
  const wrong = await anchorsOf(lines('A'.repeat(43)))
  assert.equal([wrong?.name, wrong?.ok], ['anchors', false])
  assert.match(wrong?.detail ?? '', /^entries 1 to 1 of the journal, from the beginning to /)
  await reader.close()
})

test('a reader cannot write, and sees one moment in a snapshot', async () => {
  const url = await databases.create()
  const store = await openStore(url, { clock: fakeClock() })
  const reader = await openReader(url)
  const seen = await reader.snapshot(async (query) => {
    const before = await query(factByName, { name: 'a' })
    await store.execute(recordFact, { name: 'a', value: '1' })
    return [before, await query(factByName, { name: 'a' })]
  })
  assert.equal(seen, [[], []])
  assert.is((await reader.snapshot((query) => query(factByName, { name: 'a' }))).length, 1)
  let refused: unknown
  await reader
    .snapshot((query) => query(recordFact, { name: 'b', value: '1' }))
    .catch((error) => {
      refused = error
    })
  assert.match(String(refused), /readonly|read-only/)
  await reader.close()
  await store.close()
})

test.run()
