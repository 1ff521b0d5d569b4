/** What is written of an order's fee and commission, by the terms that are in force: protocol 15.1. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  commissionAfter,
  coversFee,
  coversPayIn,
  feeAgreement,
  feeColumns,
  noCommission,
  noFees,
} from '../../../actors/orders/fees.ts'
import type { Row } from '../../../persistence/store.ts'

const nothing = { fee_minor: 0n, fee_tax_minor: 0n, fee_terms_id: null }
const none = { commission_minor: 0n, commission_tax_minor: 0n, commission_terms_id: null }
const kept = { commission_minor: 500n, commission_tax_minor: 80n, commission_terms_id: 'old' }
const at = 1

test('without terms nothing is charged, and nothing earned', () => {
  const order = { direction: 'PAY_IN', currency: 'MXN', priceMinor: 100n } as const
  assert.equal(feeColumns([], order, at), nothing)
  assert.equal(noCommission, none)
  assert.equal(noFees, { ...nothing, ...none })
  assert.is(feeAgreement({ ...nothing, currency: 'MXN' }), undefined)
})

test('what is charged is written in the order’s currency, by the terms it follows from', () => {
  const fee = { fee_minor: 1050n, fee_tax_minor: 168n, fee_terms_id: 'terms' }
  assert.equal(feeAgreement({ ...fee, currency: 'MXN' }), { terms: 'terms', amount: '10.50', tax: '1.68' })
})

test('a pay-in has to bring its fee and the tax on it; a pay-out brings nothing', () => {
  const fee = { ...nothing, fee_minor: 100n, fee_tax_minor: 16n }
  assert.equal(
    [116n, 115n].map((price) => coversFee('PAY_IN', price, fee)),
    [true, false],
  )
  assert.ok(coversFee('PAY_OUT', 0n, fee))
})

test('a pay-in that nobody has made yet is judged by the terms for pay-ins in its currency', () => {
  const terms: Row<'fee_terms'> = {
    id: 'terms',
    party_id: 'shop',
    kind: 'fee',
    network_id: '',
    country: 'MX',
    currency: 'MXN',
    direction: 'PAY_IN',
    from_day: '2026-01-01',
    from_at: 0,
    fixed_minor: 100n,
    bps: 0,
    min_minor: null,
    max_minor: null,
    tax_bps: 1_600,
  }
  const covers = (priceMinor: bigint, currency = 'MXN') => coversPayIn([terms], { currency, priceMinor }, at)
  assert.equal([covers(116n), covers(115n), covers(1n, 'CLP')], [true, false, true])
})

test('a commission comes with the lock, stays with it, and goes with it', () => {
  const start = { type: 'payment.start', at, providerId: 'A', networkId: 'a' } as const
  const confirm = { type: 'payment.confirm', at, providerId: 'A' } as const
  const commission = { terms: 'new', amount: '700', tax: '112' }
  const brought = { commission_minor: 700n, commission_tax_minor: 112n, commission_terms_id: 'new' }
  assert.equal(commissionAfter(none, { ...start, commission }, true), brought)
  assert.equal(commissionAfter(kept, start, true), none)
  assert.equal(commissionAfter({ ...kept, ...{ id: 'order' } }, confirm, true), kept)
  assert.equal(commissionAfter(kept, { ...start, commission }, false), none)
})

test.run()
