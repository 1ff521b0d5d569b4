/** Each kind of claim, both directions, and each decision, with all its postings; what is right was written by hand. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClaimDecision, claimKinds, claimStates } from '../../machines/claim.ts'
import { claimLegs, hasAmount, payerOf, supposesCredit } from '../../machines/claim-postings.ts'

/** Of a price of 438.00 with the fees of protocol 15.1: minor units; the amount, where the kind has one, is in the first column. */
const rows = `
  PAY_IN  paid_not_credited -     | claim provider→available 43800, claim_fee available→fee 1095, claim_fee_tax available→tax_collected 175, claim_commission commission→provider 850, claim_commission_tax tax_credited→provider 136
  PAY_OUT paid_not_credited -     | claim available→provider 43800, claim_fee available→fee 1095, claim_fee_tax available→tax_collected 175, claim_commission commission→provider 850, claim_commission_tax tax_credited→provider 136
  PAY_IN  credited_not_paid -     | claim available→provider 43800, claim_fee fee→available 1095, claim_fee_tax tax_collected→available 175, claim_commission provider→commission 850, claim_commission_tax provider→tax_credited 136
  PAY_OUT credited_not_paid -     | claim provider→available 43800, claim_fee fee→available 1095, claim_fee_tax tax_collected→available 175, claim_commission provider→commission 850, claim_commission_tax provider→tax_credited 136
  PAY_IN  twice             -     | claim provider→available 43800
  PAY_OUT twice             -     | claim available→provider 43800
  PAY_IN  wrong_amount      50000 | claim provider→available 6200
  PAY_IN  wrong_amount      40000 | claim available→provider 3800
  PAY_OUT wrong_amount      50000 | claim available→provider 6200
  PAY_OUT wrong_amount      40000 | claim provider→available 3800
  PAY_IN  false_note        20000 | claim available→provider 20000
  PAY_OUT false_note        20000 | claim provider→available 20000
`

const parsed = rows
  .trim()
  .split('\n')
  .map((line) => {
    const [told = '', legs = ''] = line.split(' | ')
    const [direction, kind, amount] = told.trim().split(/ +/)
    const known = claimKinds.find((one) => one === kind)
    if (known === undefined || (direction !== 'PAY_IN' && direction !== 'PAY_OUT')) throw new Error(line)
    return {
      direction,
      kind: known,
      amountMinor: amount === '-' ? null : BigInt(amount ?? ''),
      legs,
    } as const
  })

const amounts = {
  priceMinor: 43_800n,
  feeMinor: 1_095n,
  feeTaxMinor: 175n,
  commissionMinor: 850n,
  commissionTaxMinor: 136n,
}

for (const { direction, kind, amountMinor, legs } of parsed) {
  const of = `${direction} ${kind}${amountMinor === null ? '' : ` ${amountMinor}`}`
  const written = (decision: ClaimDecision) =>
    claimLegs({ ...amounts, direction, kind, amountMinor }, decision)
      .map((leg) => `${leg.kind} ${leg.from}→${leg.to} ${leg.amountMinor}`)
      .join(', ')

  test(`${of}, accepted and upheld: ${legs}`, () => {
    assert.is(written('accepted'), legs)
    assert.is(written('upheld'), legs)
  })

  test(`${of}, rejected: nothing`, () => assert.is(written('rejected'), ''))

  test(`${of}: who pays is who is asked`, () => {
    const payer = legs.startsWith('claim provider→') ? 'provider' : 'merchant'
    assert.is(payerOf({ direction, kind, amountMinor, priceMinor: amounts.priceMinor }), payer)
    assert.is(hasAmount(kind), amountMinor !== null)
  })
}

test('every kind is in the table, and one alone asks for cash that is not booked', () => {
  assert.equal([...new Set(parsed.map(({ kind }) => kind))].toSorted(), [...claimKinds].toSorted())
  assert.equal(
    claimKinds.filter((kind) => !supposesCredit(kind)),
    ['paid_not_credited'],
  )
  assert.is(claimStates.length, 7)
})

test('an order without fees has one posting, and what is zero has none', () => {
  const none = { feeMinor: 0n, feeTaxMinor: 0n, commissionMinor: 0n, commissionTaxMinor: 0n }
  const claim = {
    ...none,
    priceMinor: 100n,
    direction: 'PAY_IN',
    kind: 'credited_not_paid',
    amountMinor: null,
  } as const
  assert.equal(claimLegs(claim, 'upheld'), [
    { kind: 'claim', from: 'available', to: 'provider', amountMinor: 100n },
  ])
  assert.equal(claimLegs({ ...claim, kind: 'wrong_amount', amountMinor: 100n }, 'upheld'), [])
})

test.run()
