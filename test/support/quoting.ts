/** A node that quotes: two merchants with limits of their own, and rates of several ages. */
import { unreachableSolana, unreachableStellar } from './chains/unreachable.ts'
import { secretOf, startTestNode, type TestAnswer, type TestNode, type TestRequest } from './node.ts'

const path = '/api/v1/merchants/quotes/'

const merchant = (name: string, key: string, pairs: object[]) => ({
  name,
  credentials: [{ key, secret: secretOf(key) }],
  pairs,
})

const rate = (changes: Record<string, unknown>) => ({
  blockchains: ['SOLANA', 'STELLAR'],
  send: 'USDC',
  country: 'MX',
  target: 'MXN',
  rate: '17.25',
  feeFixed: '0.50',
  feeBps: 100,
  ...changes,
})

export const parties = {
  merchants: [
    merchant('Shop', 'mk_shop', [
      { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00', cashIncrement: '0.50' },
      { country: 'CL', currency: 'CLP', min: '1000', max: '5000000', directions: ['PAY_IN'] },
      { country: 'AR', currency: 'ARS', min: '10', max: '5000000' },
      { country: 'PE', currency: 'PEN', min: '1', max: '5000' },
    ]),
    merchant('Other Shop', 'mk_other', [
      { country: 'MX', currency: 'MXN', min: '1.00', max: '100.00', cashIncrement: '0.01' },
    ]),
  ],
  rates: [
    rate({}),
    rate({ country: 'CL', target: 'CLP', rate: '950' }),
    rate({ blockchains: ['MONAD'] }),
    rate({ country: 'PE', target: 'PEN', rate: '3.70', maxAgeSeconds: 60 }),
    rate({ blockchains: ['SOLANA'], send: 'EURC' }),
  ],
}

export const valid = {
  blockchain: 'SOLANA',
  send: '100.00',
  send_currency: 'USDC',
  target_country: 'MX',
  target_currency: 'MXN',
}

export function startQuotingNode(): Promise<TestNode> {
  // Monad stays off.
  return startTestNode({ env: { ...unreachableSolana, ...unreachableStellar }, parties })
}

export type Quote = (changes?: Record<string, unknown>, request?: Partial<TestRequest>) => Promise<TestAnswer>

export const quoteOn =
  (node: TestNode): Quote =>
  (changes = {}, request = {}) =>
    node.request({ as: 'mk_shop', path, body: { ...valid, ...changes }, ...request })
