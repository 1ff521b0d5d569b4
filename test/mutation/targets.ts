/** What is mutated, and the tests that ought to notice: a test is run where it reaches the mutant, the fastest first. */
export interface Target {
  files: readonly string[]
  tests: readonly string[]
}

const charts = [
  'test/machines/pay-in.test.ts',
  'test/machines/pay-out-local.test.ts',
  'test/machines/pay-out-foreign.test.ts',
  'test/machines/payment.test.ts',
  'test/machines/order.test.ts',
]

export const targets: Readonly<Record<string, Target>> = {
  machines: {
    files: [
      'machines/adjustment.ts',
      'machines/blockchains.ts',
      'machines/conversion.ts',
      'machines/index.ts',
      'machines/order-postings.ts',
      'machines/order.ts',
      'machines/pay-in.ts',
      'machines/pay-out-foreign.ts',
      'machines/pay-out-local.ts',
      'machines/payment.ts',
      'machines/rate-doubt.ts',
      'machines/rate-reading.ts',
      'machines/refusals.ts',
      'machines/retry.ts',
      'machines/statuses.ts',
      'machines/time.ts',
      'machines/written-names.ts',
    ],
    tests: [
      ...charts,
      'test/machines/adjustment.test.ts',
      'test/machines/blockchains.test.ts',
      'test/machines/conversion.test.ts',
      'test/machines/order-postings.test.ts',
      'test/machines/rate-doubt.test.ts',
      'test/machines/rate-reading.test.ts',
      'test/machines/retry.test.ts',
      'test/machines/statuses.test.ts',
      'test/machines/time.test.ts',
      'test/machines/written-names.test.ts',
    ],
  },
  money: {
    files: ['machines/money.ts', 'actors/foundation/money-reading.ts'],
    tests: ['test/machines/money.test.ts', 'test/actors/foundation/money-reading.test.ts'],
  },
  fees: {
    files: ['machines/fees.ts', 'machines/pricing.ts', 'machines/rate.ts', 'actors/orders/fees.ts'],
    tests: [
      'test/machines/fees.test.ts',
      'test/machines/pricing.test.ts',
      'test/machines/rate.test.ts',
      'test/actors/orders/fee-columns.test.ts',
      'test/actors/orders/fees.test.ts',
    ],
  },
  matching: {
    files: [
      'chain/matching.ts',
      'actors/reconciliation/quarantined-orders.ts',
      'actors/settlement/bank-lines.ts',
    ],
    tests: [
      'test/chain/matching.test.ts',
      'test/actors/reconciliation/quarantined-orders.test.ts',
      'test/actors/reconciliation/quarantined-words.test.ts',
      'test/actors/settlement/bank-lines.test.ts',
    ],
  },
  signature: {
    files: [
      'actors/keys/signature.ts',
      'http/api/authentication.ts',
      'client/signature.ts',
      'client/webhooks.ts',
    ],
    tests: [
      'test/actors/keys/signature.test.ts',
      'test/http/api/authentication.test.ts',
      'test/client/client.test.ts',
      'test/client/signature.test.ts',
    ],
  },
}
