/** An upgrade names the deposits of what was due to be sent back before. */
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '../../persistence/migrations/index.ts'

test('orders and refunds from before name their deposits, the oldest first', () => {
  const database = new Database(':memory:')
  const apply = (from: number, to?: number) => {
    for (const { sqlite, onlySqlite = '' } of migrations.slice(from, to)) database.exec(sqlite + onlySqlite)
  }
  const at = migrations.findIndex(({ name }) => name.endsWith('named-deposits'))
  apply(0, at)
  database.pragma('foreign_keys = OFF')
  const insert = (table: string, values: Record<string, unknown>) => {
    const columns = Object.keys(values)
    const places = columns.map((column) => `@${column}`)
    database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`).run(values)
  }
  for (const order_id of ['paid', 'unpaid'])
    insert('foreign_orders', {
      ...{ order_id, quote_id: order_id, blockchain: 'SOLANA', send_currency: 'USDC', asset_id: 'mint' },
      ...{ asset_decimals: 6, wallet: 'w', reference: order_id, expected_minor: 9, received_minor: 5 },
      ...{ fee_minor: 0, rounding_minor: 0, funding_deadline_at: 1, transaction_text: '' },
    })
  const deposit = (transaction_id: string, credited_minor: number, recorded_at: number) =>
    insert('deposits', {
      ...{ id: `SOLANA/${transaction_id}/0`, blockchain: 'SOLANA', transaction_id, transfer_index: '0' },
      ...{ height: '1', asset_id: 'mint', amount: '9', sender: 'w', references_json: '[]', flags_json: '[]' },
      ...{ evidence_json: '{}', order_id: 'paid', credited_minor, outcome: 'credited', recorded_at },
    })
  deposit('second', 2, 20)
  deposit('first', 3, 10)
  deposit('not credited', 0, 15)
  insert('exceptions', {
    ...{
      id: 'due',
      kind: 'refund_due',
      state: 'open',
      order_id: 'paid',
      reason: '',
      opened_at: 1,
      revision: 1,
    },
    evidence_json: '{"stake":{"currency":"USDC.SOLANA/6","minor":"5"}}',
  })
  apply(at)
  const credits = [
    { transactionId: 'first', minor: '3', sender: 'w' },
    { transactionId: 'second', minor: '2', sender: 'w' },
  ]
  const kept = database.prepare('SELECT order_id, credits_json FROM foreign_orders ORDER BY order_id').all()
  assert.equal(kept, [
    { order_id: 'paid', credits_json: JSON.stringify(credits) },
    { order_id: 'unpaid', credits_json: '[]' },
  ])
  const evidence = database.prepare('SELECT evidence_json FROM exceptions').pluck().get()
  assert.equal(JSON.parse(String(evidence)), {
    stake: { currency: 'USDC.SOLANA/6', minor: '5' },
    deposits: credits,
  })
  database.close()
})

test.run()
