/** Corrections and conversions as an operator books them: filled in, looked at first, and booked, without a barrier on the way. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { recordOutflow } from '../../../actors/chains/outflows.ts'
import { assetCurrency } from '../../../machines/money.ts'
import { launchBrowser } from '../../support/browser.ts'
import { addOperators } from '../../support/console.ts'
import { look, sendForm, visitsOf } from '../../support/console-barriers.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { commit } from '../../support/order-world.ts'
import { orderIn } from '../../support/orders.ts'

const browser = await launchBrowser()
const asset = { symbol: 'USDC', id: 'the mint of USDC', decimals: 6 }
const currency = assetCurrency(asset.symbol, 'SOLANA', asset.decimals)

/** Fees of the operator's in an asset, of which some leaves the treasury. */
async function outflow({ core: { store }, clock }: TestNode): Promise<void> {
  const own = (kind: 'treasury' | 'fee') => ({ kind, ownerId: '', currency }) as const
  const fees = { kind: 'fee', debit: own('treasury'), credit: own('fee'), amountMinor: 30_000_000n }
  await commit(store, [{ post: { ...fees, orderId: null, reference: null } }])
  const sent = { blockchain: 'SOLANA', transactionId: 'transaction 1', index: '0', height: '10' } as const
  const left = { at: clock.now(), assetId: asset.id, amount: 20_000_000n, to: 'an exchange', references: [] }
  await recordOutflow(store, { assets: [asset] }, { ...sent, ...left })
}

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('a correction and a conversion are looked at, booked, and have no barrier', async () => {
    const node = await startTestNode()
    closing(() => stopTestNode(node))
    await node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
    await addOperators(node)
    const { id: order } = await orderIn(node, 'PAY_OUT', 'COMPLETED')
    await outflow(node)
    const page = await pageAs(node, 'administrator')
    const has = async (text: RegExp) => assert.match((await page.textContent('main')) ?? '', text)

    const correction = {
      ...{ party: 'Network A', because: 'goodwill', currency: 'MXN', amount: '2.50', tax: '0.40' },
      ...{ order, reference: 'mail 1', reason: 'a slow till' },
    }
    await page.goto(`${node.operatorUrl}/adjustments`)
    await sendForm(page, '/adjustment/record', correction, true)
    await has(/What would be booked[\s\S]*2\.50/i)
    await look(page, 'a correction, shown')
    await page.goto(`${node.operatorUrl}/adjustments`)
    await has(/Nothing was corrected/)
    await sendForm(page, '/adjustment/record', correction, false)
    await has(/mail 1[\s\S]*2\.50/)
    await look(page, 'a correction, booked')
    await sendForm(page, '/adjustment/record', correction, false)
    await has(/The correction mail 1 of Network A was booked already/)
    await look(page, 'a correction, refused')

    await page.goto(`${node.operatorUrl}/conversions`)
    const conversion = { transaction: 'transaction 1', reason: 'order 88 at the exchange' }
    await sendForm(page, '/conversion/record', conversion, true)
    await has(/What would be booked[\s\S]*20\.00/i)
    await look(page, 'a conversion, shown')
    await page.goto(`${node.operatorUrl}/conversions`)
    await sendForm(page, '/conversion/record', conversion, false)
    await has(/order 88 at the exchange/)
    await look(page, 'a conversion, recorded')
    const sale = {
      bank: 'main',
      reference: 'SPEI 1',
      amount: '345.00',
      feePart: '20',
      reason: 'as the bank says',
    }
    await sendForm(page, '/conversion/sell', sale, true)
    await has(/What would be booked[\s\S]*345\.00/i)
    await look(page, 'a sale, shown')
    await page.goto(`${node.operatorUrl}/conversions`)
    await sendForm(page, '/conversion/sell', sale, false)
    await has(/345\.00 MXN/)
    await look(page, 'a sale, booked')
  })
}

test.run()
