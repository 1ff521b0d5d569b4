import { test } from 'uvu'
import { launchBrowser } from '../../support/browser.ts'
import { lookAtAll, visitsOf } from '../../support/console-barriers.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const visits = visitsOf(test, browser)

  test('no page has a barrier that axe knows on a phone, in light and in dark', () =>
    lookAtAll(visits, 'phone'))
}

test.run()
