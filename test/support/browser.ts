/** A headless Chromium for tests and pictures: `/usr/bin/chromium`, or the one that `CHROMIUM` names. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** For its start, a page, or what is waited for on one: what does not come by then is missing, however busy the machine is. */
const patienceMs = 120_000

/**
 * What nobody sees: the popups of the address bar, for which Chromium starts a process with each window. The last such switch counts,
 * so that what Playwright turns off is turned off here as well.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/** `null` where there is none; the reason is told, and in CI it is a failure (`scripts/test.ts`). */
export async function launchBrowser(): Promise<Browser | null> {
  if (!existsSync(executablePath)) {
    console.log(`SKIP no Chromium at ${executablePath}: apt-get install chromium`)
    return null
  }
  const browser = await chromium.launch({
    executablePath,
    timeout: patienceMs,
    // A container has no sandbox of the kernel's, and the pages are our own; nothing else is to be asked of anybody.
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join(',')}`,
    ],
  })
  return browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
}

/** What a page says for a moment is there until somebody has looked, however busy the machine is: its timers end no more. */
export async function holdTimers(page: Page): Promise<void> {
  await page.evaluate('globalThis.setTimeout = () => 0')
}

/** A page stays as it was loaded from now on, however long somebody looks: it does not renew itself. */
export const keepAsLoaded = (page: Page) => page.addInitScript('globalThis.setInterval = () => 0')

export const screens = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
} as const
