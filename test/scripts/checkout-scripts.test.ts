import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bundleCheckoutScripts, scriptsText } from '../../scripts/checkout-scripts.ts'

test('the checkout page’s scripts are bundled from their sources as they are: `npm run build:checkout`', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../../http/checkout/scripts.json'), 'utf8')
  assert.is(committed, scriptsText(await bundleCheckoutScripts()))
})

test.run()
