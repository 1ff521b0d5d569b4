/** The pages of terms and calendars with everything on them, as people see them. */

import { test } from 'uvu'
import example from '../../../docs/examples/terms.json' with { type: 'json' }
import { launchBrowser } from '../../support/browser.ts'
import { addOperators, dispatchOf } from '../../support/console.ts'
import { look, openFolds, visitsOf } from '../../support/console-barriers.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('terms and calendars have no barrier', async () => {
    const node = await startTestNode()
    closing(() => stopTestNode(node))
    await addOperators(node)
    const [shop, network] = ['Terms Shop', 'Terms Network']
    const [merchant] = example.merchants
    const [provider] = example.providers
    const networks = provider?.networks.map((one) => ({ ...one, id: '0099' }))
    const file = {
      ...example,
      merchants: [{ ...merchant, name: shop }],
      providers: [{ ...provider, name: network, networks }],
    }
    await dispatchOf(node)('apply', file, 'test')
    const page = await pageAs(node, 'administrator')
    const paths = [
      `/terms?kind=merchant&party=${shop}`,
      `/terms?kind=provider&party=${network}`,
      '/calendars',
      `/terms?kind=merchant&party=${shop}&form=fee`,
      `/terms?kind=provider&party=${network}&form=network-0099`,
      '/calendars?form=calendar',
      '/rates?form=rate',
    ]
    for (const path of paths) {
      await page.goto(`${node.operatorUrl}${path}`)
      await look(page, path)
      await openFolds(page)
      await look(page, `${path}, unfolded`)
    }
  })
}

test.run()
