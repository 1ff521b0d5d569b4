/** Every constraint that is an expected outcome, provoked once. */
import * as assert from 'uvu/assert'
import { type ConstraintName, type Row, row, type Write } from '../../persistence/store.ts'
import { accountsOf, find, merchantId, newOrder, type WithStore, write } from './rows.ts'

interface Violation {
  first: Write[]
  second: Write
}

const unusedOrder = newOrder('o0', 1)
const { debit, credit } = accountsOf('MXN')

const bank: Write = { insert: 'banks', values: { name: 'main', currency: 'MXN' } }
const run: Write = {
  insert: 'payment_runs',
  values: {
    id: 'r1',
    bank: 'main',
    currency: 'MXN',
    due_day: '2026-03-01',
    created_at: 1,
    created_by: 'ana',
    revision: 1,
  },
}

function payment(id: string, changes: Partial<Row<'payments'>>): Write {
  return {
    insert: 'payments',
    values: {
      id,
      party_id: merchantId,
      currency: 'MXN',
      direction: 'out',
      amount_minor: 1n,
      bank: 'main',
      bank_reference: 'b',
      is_in_file: 0,
      account: 'CLABE 1',
      party_account: 'payable',
      state: 'ordered',
      ordered_at: 1,
      ordered_by: 'ana',
      rest_minor: 0n,
      revision: 1,
      machine_version: 1,
      snapshot: '{}',
      ...changes,
    },
  }
}

function claim(id: string, number: number, changes: Partial<Row<'claims'>>): Write {
  const none = { fee_minor: 0n, fee_tax_minor: 0n, commission_minor: 0n, commission_tax_minor: 0n }
  return {
    insert: 'claims',
    values: {
      ...{ id, number, ...none },
      opened_by: 'merchant',
      opener: 'merchant:Demo Shop',
      respondent: 'provider',
      kind: 'paid_not_credited',
      order_id: 'o1',
      direction: 'PAY_IN',
      merchant_id: merchantId,
      provider_id: 'p1',
      is_held: 1,
      is_foreign: 0,
      currency: 'MXN',
      price_minor: 1n,
      due_on: '2026-12-01',
      due_at: 1,
      opened_at: 1,
      state: 'open',
      is_by_exception: 0,
      revision: 1,
      head: 'h',
      machine_version: 1,
      snapshot: '{}',
      ...changes,
    },
  }
}

const upheld = { state: 'upheld', ended_at: 1, ended_by: 'ana' } as const

/** Total: a new name does not compile until it is provoked here. */
const violations: Record<ConstraintName, Violation> = {
  'orders.merchant_order_id': {
    first: [newOrder('o1', 1, { merchant_order_id: 'A-1' })],
    second: newOrder('o2', 1, { merchant_order_id: 'A-1' }),
  },
  'orders.code': {
    first: [newOrder('o1', 1, { code: '4' })],
    second: newOrder('o2', 1, { code: '4' }),
  },
  'accounts.funds': {
    first: [{ post: { kind: 'deposit', debit, credit, amountMinor: 99n, orderId: null, reference: null } }],
    second: {
      post: {
        kind: 'return',
        debit: credit,
        credit: debit,
        amountMinor: 100n,
        orderId: null,
        reference: null,
      },
    },
  },
  'parties.name': {
    first: [],
    second: {
      insert: 'parties',
      values: { id: 'm2', kind: 'merchant', name: 'Demo Shop', contact: '', created_at: 1 },
    },
  },
  'credentials.key': {
    first: [],
    second: {
      insert: 'credentials',
      values: { key: 'mk_demo', party_id: 'p1', secret_ciphertext: '', created_at: 1 },
    },
  },
  'networks.network_id': twice({ insert: 'networks', values: { network_id: '0001', provider_id: 'p1' } }),
  'account_deposits.reference': twice({
    insert: 'account_deposits',
    values: { merchant_id: merchantId, reference: 'r', currency: 'MXN', amount_minor: 1n, deposited_at: 1 },
  }),
  'idempotency_keys.key': twice({
    insert: 'idempotency_keys',
    values: { party_id: 'p1', key: 'k', payload_digest: 'd', answer_json: '{}', created_at: 1 },
  }),
  'repeated_messages.digest': twice(
    {
      insert: 'repeated_messages',
      values: { party_id: 'p1', digest: 'd', order_id: 'o0', revision: 1, answer_json: '{}', accepted_at: 1 },
    },
    unusedOrder,
  ),
  'payments.bank_reference': { first: [bank, payment('y1', {})], second: payment('y2', {}) },
  'payments.run': {
    first: [bank, run, payment('y1', { run_id: 'r1' })],
    second: payment('y2', { run_id: 'r1', bank_reference: 'another' }),
  },
  'claims.provider_kind': { first: [claim('c1', 1, {})], second: claim('c2', 2, {}) },
  'claims.order_kind': {
    first: [claim('c1', 1, upheld)],
    second: claim('c2', 2, { ...upheld, provider_id: merchantId }),
  },
  'claims.exception': {
    first: [claim('c1', 1, { exception_id: 'e1' })],
    second: claim('c2', 2, { exception_id: 'e1', kind: 'twice' }),
  },
  'bank_entries.reference': twice(
    {
      insert: 'bank_entries',
      values: {
        bank: 'main',
        direction: 'in',
        reference: 'r',
        kind: 'charge',
        currency: 'MXN',
        amount_minor: 1n,
        reason: '',
        booked_at: 1,
        booked_by: 'ana',
      },
    },
    bank,
  ),
}

function twice(write: Write, ...before: Write[]): Violation {
  return { first: [...before, write], second: write }
}

export function constraintContract(withStore: WithStore): void {
  withStore('what a step has found and adds all the same is a named outcome, too', async (store) => {
    const { first, second } = violations['idempotency_keys.key']
    await write(store, first)
    const found: unknown[] = []
    const result = await store.step({
      rows: { known: row('idempotency_keys', { party_id: 'p1', key: 'k' }) },
      decide: ({ known }) => {
        found.push(known?.payload_digest)
        return { answer: null, writes: [second] }
      },
    })
    assert.equal(result, { outcome: 'violated', constraint: 'idempotency_keys.key' })
    assert.ok(found.every((digest) => digest === 'd'))
  })

  withStore('so is what a new row has in common with one that its step did not name', async (store) => {
    const { first, second } = violations['orders.merchant_order_id']
    await write(store, first)
    const result = await store.step({
      rows: { none: row('orders', { id: 'o2' }) },
      decide: () => ({ answer: null, writes: [second] }),
    })
    assert.equal(result, { outcome: 'violated', constraint: 'orders.merchant_order_id' })
  })

  withStore('of several, the one that comes first in the step is told', async (store) => {
    const { first, second } = violations['orders.merchant_order_id']
    const { second: unfunded } = violations['accounts.funds']
    await write(store, first)
    const ends = await Promise.all([write(store, [second, unfunded]), write(store, [unfunded, second])])
    assert.equal(ends, [
      { outcome: 'violated', constraint: 'orders.merchant_order_id' },
      { outcome: 'violated', constraint: 'accounts.funds' },
    ])
  })

  withStore('so it is of many rows that go into one table', async (store) => {
    const wrong = {
      reference: newOrder('lost', 1, { credential_key: 'mk_unknown' }),
      taken: newOrder('again', 1, { merchant_order_id: 'A-1' }),
      code: newOrder('coded', 1, { code: 'code-o1' }),
      number: newOrder('counted', 1, { price_minor: 2n ** 63n }),
    }
    await write(store, [newOrder('o1', 1, { merchant_order_id: 'A-1' })])
    const among = async (first: Write, second: Write) => {
      const right = Array.from({ length: 10 }, (_, index) => newOrder(`right-${index}`, 1))
      const writes = [...right.slice(0, 5), first, ...right.slice(5), second]
      const told = await write(store, writes).catch(() => 'rejected')
      assert.is(await find(store, row('orders', { id: 'right-0' })), null)
      return told
    }
    const violated = (constraint: ConstraintName) => ({ outcome: 'violated', constraint })
    assert.is(await among(wrong.reference, wrong.taken), 'rejected')
    assert.equal(await among(wrong.taken, wrong.reference), violated('orders.merchant_order_id'))
    assert.equal(await among(wrong.code, wrong.taken), violated('orders.code'))
    assert.equal(await among(wrong.taken, wrong.code), violated('orders.merchant_order_id'))
    assert.equal(await among(wrong.code, wrong.number), violated('orders.code'))
    assert.is(await among(wrong.number, wrong.code), 'rejected')
  })

  for (const [constraint, { first, second }] of Object.entries(violations)) {
    withStore(`${constraint} is a named outcome, and what else the step wrote is undone`, async (store) => {
      const fact = (name: string): Write => ({ insert: 'facts', values: { name, value: '' } })
      const [before, violated, other] = await Promise.all([
        write(store, first),
        write(store, [fact('undone'), second]),
        write(store, [fact('kept')]),
      ])
      assert.is(before.outcome, 'committed')
      assert.equal(violated, { outcome: 'violated', constraint })
      assert.is(other.outcome, 'committed')
      const facts = await store.step({
        rows: { undone: row('facts', { name: 'undone' }), kept: row('facts', { name: 'kept' }) },
        decide: (rows) => ({ answer: { ...rows }, writes: [] }),
      })
      assert.equal(facts.outcome === 'committed' && facts.answer, {
        undone: null,
        kept: { name: 'kept', value: '' },
      })
    })
  }
}
