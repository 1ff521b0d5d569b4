/** What the model takes for a fault of the node, and what not: histories that show the difference are rare. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ApprovalTruth, type ApprovalView, type SeenApproval } from './model/approvals.ts'
import { ChainTruth } from './model/chain.ts'
import { type SeenOrder, Truth } from './model/truth.ts'

const order = (id: string, more: Partial<SeenOrder>): SeenOrder => ({
  ...{ id, merchant: 'Shop', merchantOrderId: id, direction: 'PAY_OUT', price: '9.00', status: 'READY' },
  ...{ expiryAt: 1, holder: null, locks: 0, isPaid: false },
  ...more,
})

test('cash that is handed out of a refund after its money was returned is not given back by the node', () => {
  const truth = new Truth()
  const said = { merchant: 'Shop', price: '9.00', expiryAt: 1 } as const
  truth.promised('payIn', { ...said, merchantOrderId: 'payIn', direction: 'PAY_IN' })
  for (const id of ['first', 'second'])
    truth.promised(id, { ...said, merchantOrderId: id, direction: 'PAY_OUT', refundOf: 'payIn' })
  for (const id of ['payIn', 'first']) truth.cash(id, { provider: 'A', at: 0 })
  const orders = [
    order('payIn', { direction: 'PAY_IN', status: 'COMPLETED', holder: 'A', isPaid: true }),
    order('first', { status: 'CANCELLED', holder: 'A' }),
    order('second', {}),
  ]
  const webhooks = ['payIn', 'first'].map((id) => ({
    ...{ id, order: id, sequence: 1, status: 'COMPLETED', isFinal: true, state: 'pending' },
  }))
  const ended = { kind: 'cancelled_while_locked', order: 'first', state: 'resolved' }
  const problems = (resolution: string) =>
    truth.check({ at: 0, orders, webhooks, exceptions: [{ ...ended, resolution }] })
  assert.equal(problems('return'), [])
  assert.equal(problems('dismiss'), ['of pay-in payIn 1800 is given back, and it brought 900'])
})

test('what was given back before a claim has shown that less had come was paid all the same, and no more is', () => {
  const truth = new Truth()
  const said = { merchant: 'Shop', expiryAt: 1 } as const
  const refund = (id: string, price: string) =>
    truth.promised(id, { ...said, price, merchantOrderId: id, direction: 'PAY_OUT', refundOf: 'payIn' })
  truth.promised('payIn', { ...said, price: '9.00', merchantOrderId: 'payIn', direction: 'PAY_IN' })
  truth.cash('payIn', { provider: 'A', at: 0 })
  refund('first', '5.00')
  truth.corrected('payIn', -600n)
  const final = { id: 'w', sequence: 1, status: 'COMPLETED', isFinal: true, state: 'pending' }
  const problems = (...refunds: readonly (readonly [string, string])[]) =>
    truth.check({
      ...{ at: 0, exceptions: [], webhooks: [{ ...final, order: 'payIn' }] },
      orders: [
        order('payIn', { direction: 'PAY_IN', status: 'COMPLETED', holder: 'A', isPaid: true }),
        ...refunds.map(([id, price]) => order(id, { price })),
      ],
    })
  assert.equal(problems(['first', '5.00']), [])
  refund('second', '1.00')
  assert.equal(problems(['first', '5.00'], ['second', '1.00']), [
    'of pay-in payIn 600 is given back, and it brought 300',
  ])
})

test('an order may expire although it was paid in time if an endpoint left the payment out, and that is told', () => {
  const movement = { id: 'tx', units: 5n, wallet: 'w', reference: 'r', at: 0, isFinal: true }
  const deposit = {
    id: 'd',
    transaction: 'tx',
    units: 5n,
    order: null,
    credited: 0n,
    outcome: 'order_expired',
  }
  const foreign = { id: 'o', status: 'EXPIRED', reference: 'r', wallet: 'w', expected: 5n, received: 0n }
  const told = { kind: 'deposit_unmatched', order: null, transaction: 'tx' }
  const problems = (wasLeftOut: boolean, exceptions = [told]) =>
    new ChainTruth().checkAtRest([{ ...movement, wasLeftOut }], {
      deposits: [deposit],
      orders: [{ ...foreign, fundingDeadline: 1 }],
      exceptions,
    })
  assert.equal(problems(true), [])
  assert.equal(problems(false), ['order o was paid in time by tx, and has expired'])
  assert.equal(problems(true, []), ["of payment tx 5 are nobody's"])
})

const ana = { name: 'ana', isPerson: true }
const luis = { name: 'luis', role: 'administrator', isEnabled: true, letInBy: null } as const
const people = [
  { ...luis, name: 'ana' },
  luis,
  { ...luis, name: 'nina', letInBy: 'ana' },
  { ...luis, name: 'paco', role: 'operator' },
] as const
const deposit = { operation: 'deposit.add', input: '{"amount":"90.00"}' }

/** Ana asks for a deposit, and somebody says yes: what is found where the database tells of it as follows. */
function judged(
  approver: string,
  more: Partial<SeenApproval> = {},
  told: Partial<ApprovalView> = {},
): string[] {
  const truth = new ApprovalTruth(people, { '*': 5_000n })
  truth.asked(1, { ...deposit, who: ana })
  const events = [
    { type: 'approval.ask', actor: 'ana', at: 0 },
    { type: 'approval.approve', actor: approver, at: 1 },
    { type: 'approval.carry_out', actor: 'ana', at: 1 },
  ]
  const seen = {
    ...deposit,
    number: 1,
    askedBy: 'ana',
    isPerson: true,
    state: 'carried_out',
    expiresAt: 9,
    events,
  }
  const approval = { ...seen, ...more }
  truth.tries(approver, seen)
  truth.carriedOut([approval], people)
  const outcome = `done (approval 1, approved by ${approver})`
  const view = {
    ...{ at: 2, approvals: [approval], audit: [{ operation: 'deposit.add', operator: 'ana', outcome }] },
    ...{ people, invitations: [], thresholds: [{ operation: '*', minor: 5_000n }], frozen: [] },
  }
  return truth.check({ ...view, ...told })
}

const twice = [
  { type: 'approval.ask', actor: 'ana', at: 0 },
  { type: 'approval.approve', actor: 'luis', at: 1 },
  { type: 'approval.carry_out', actor: 'ana', at: 1 },
  { type: 'approval.carry_out', actor: 'ana', at: 9 },
]
const verdicts: readonly (readonly [what: string, found: string[], expected: readonly string[]])[] = [
  ['somebody else', judged('luis'), []],
  ['whoever asked', judged('ana'), ['approval 1 of deposit.add is approved by ana, who has asked for it']],
  [
    'whom whoever asked has let in',
    judged('nina'),
    ['approval 1 of deposit.add is approved by nina, who counts as one with whoever asked'],
  ],
  [
    'who may not',
    judged('paco'),
    [
      'approval 1 of paco, who may not do it any more, was carried out',
      'approval 1 of deposit.add is approved by paco, who is a mere operator',
    ],
  ],
  [
    'two where another input is there',
    judged('luis', { input: '{"amount":"91.00"}' }),
    ['approval 1 of deposit.add is not what was asked for: ana deposit.add {"amount":"90.00"}'],
  ],
  [
    'two, twice, and too late',
    judged('luis', { events: twice }),
    [
      'approval 1 of deposit.add is carried_out, and was carried out 2 times',
      'approval 1 of deposit.add was carried out, and then approval.carry_out',
      'approval 1 of deposit.add was carried out after its time',
    ],
  ],
  [
    'two of whom the audit log knows nothing',
    judged('luis', {}, { audit: [] }),
    ['approval 1 of deposit.add is 0 times in the audit log with ana and luis'],
  ],
  [
    'two, while somebody was demoted whom nobody has changed',
    judged('luis', {}, { people: people.slice(1) }),
    [
      'the people are luis administrator,nina administrator by ana,paco operator, and should be ' +
        'ana administrator,luis administrator,nina administrator by ana,paco operator',
    ],
  ],
]
for (const [what, found, expected] of verdicts)
  test(`of what is approved by ${what} the model finds ${expected.length}`, () => {
    assert.equal(found, expected)
  })

test('what is split is found as soon as it is too much for one', () => {
  const truth = new ApprovalTruth(people, { '*': 5_000n })
  const view = { ...{ at: 0, approvals: [], audit: [], people, invitations: [], frozen: [] } }
  const found = () => truth.check({ ...view, thresholds: [{ operation: '*', minor: 5_000n }] })
  const moves = (at: number, minor: bigint) =>
    truth.alone({ operation: 'deposit.add', input: '{}', who: ana }, at, { minor, parties: ['Shop'] })
  moves(0, 3_000n)
  moves(1, 2_000n)
  assert.equal(found(), [])
  moves(2, 1n)
  assert.is(found().length, 2, 'of ana, and of the shop')
  moves(86_400_003, 5_000n)
  assert.equal(found(), [])
})

test.run()
