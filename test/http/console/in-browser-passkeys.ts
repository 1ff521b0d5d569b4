import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Invitation } from '../../../actors/operations/invitations.ts'
import { launchBrowser, screens } from '../../support/browser.ts'
import { addOperator, dispatchOf, password } from '../../support/console.ts'
import { look } from '../../support/console-barriers.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const browser: Browser | null = await launchBrowser()

if (browser !== null) {
  let node: TestNode
  let context: BrowserContext
  const complaints: string[] = []

  /** Passkeys are of names alone: the console is reached as its setting says. */
  const urlOf = () => `http://localhost:${new URL(node.operatorUrl).port}`

  test.before(async () => {
    node = await startTestNode()
    await addOperator(node, 'ana', 'administrator')
    context = await browser.newContext(screens.desktop)
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
  })

  test.after(async () => {
    await browser.close()
    await stopTestNode(node)
  })

  async function authenticatorOf(
    page: Page,
    hasUserVerification = true,
  ): Promise<{ cdp: CDPSession; authenticatorId: string }> {
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasUserVerification,
        isUserVerified: hasUserVerification,
        automaticPresenceSimulation: true,
      },
    })
    return { cdp, authenticatorId }
  }

  async function signIn(page: Page, url = urlOf()): Promise<void> {
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('Name').fill('ana')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).click()

  test('a passkey is added, signs in, and is told apart from its copy', async () => {
    const page = await context.newPage()
    const { cdp, authenticatorId } = await authenticatorOf(page)
    await signIn(page)
    await page.getByRole('link', { name: 'ana', exact: true }).click()
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('What you call it').fill('Blue key')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const codes = ((await page.locator('.secret').textContent()) ?? '').split('\n')
    assert.is(codes.length, 10)
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.getByText('Blue key').first().waitFor()
    const before = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const [copy] = before.credentials
    if (copy === undefined) throw new Error('the authenticator has made no passkey')

    await signOut(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${urlOf()}/`)

    // Somebody has copied it before that: the copy counts on from where it was.
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId })
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...copy, signCount: 0 } })
    await signOut(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Two authenticators hold this passkey').waitFor()
    assert.is(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0)
    await page.getByLabel('Code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL(`${urlOf()}/`)
    await page.getByRole('link', { name: 'ana', exact: true }).click()
    await page.getByText('copied: counts no more').waitFor()
    await page.close()
  })

  test('at another address the browser makes no passkey, and says where they work', async () => {
    await dispatchOf(node)('operator.resetFactors', { name: 'ana' }, 'root')
    const page = await context.newPage()
    const { cdp, authenticatorId } = await authenticatorOf(page)
    await signIn(page, node.operatorUrl)
    await page.goto(`${node.operatorUrl}/account/passkey`)
    await page.getByLabel('What you call it').fill('Nowhere')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This browser has no passkeys here.').waitFor()
    assert.equal((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials, [])
    await page.close()
  })

  test('what was asked for waits for the passkey, and is done once it was right', async () => {
    const page = await context.newPage()
    await authenticatorOf(page)
    await signIn(page)
    await page.goto(`${urlOf()}/account/passkey`)
    await page.getByLabel('What you call it').fill('Red key')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    node.clock.advance(6 * 60_000)
    await page.goto(`${urlOf()}/operators`)
    await page.getByRole('button', { name: 'Invite an operator…' }).click()
    await page.getByLabel('Name').first().fill('gast')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'The link for gast' }).waitFor()
    assert.match((await page.locator('.secret').textContent()) ?? '', /\/join\?invitation=[\w-]{43}$/)
    await page.close()
  })

  test('two tabs ask for a passkey at once, and each is answered', async () => {
    await dispatchOf(node)('operator.resetFactors', { name: 'ana' }, 'root')
    const [page, other] = [await context.newPage(), await context.newPage()]
    await authenticatorOf(page, false)
    await authenticatorOf(other)
    await signIn(page)
    await page.waitForURL(`${urlOf()}/`)
    for (const tab of [page, other]) await tab.goto(`${urlOf()}/account/passkey`)
    const add = async (tab: Page, label: string) => {
      // Browsers ask no authenticator for a page that nobody looks at.
      await tab.bringToFront()
      await tab.getByLabel('What you call it').fill(label)
      await tab.getByRole('button', { name: 'Add a passkey' }).click()
    }
    await add(page, 'Key without a pin')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await add(other, 'Second tab')
    await other.waitForURL(`${urlOf()}/account`)
    await page.goto(`${urlOf()}/account`)
    for (const label of ['Key without a pin', 'Second tab']) await page.getByText(label).first().waitFor()

    await signOut(page)
    await signIn(page)
    await page.waitForURL(/sign-in\/factor/)
    await other.goto(`${urlOf()}/sign-in/factor?to=%2Forders`)
    await page.bringToFront()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${urlOf()}/`)
    await other.bringToFront()
    await other.getByRole('button', { name: 'Use a passkey' }).click()
    await other.waitForURL(/localhost:\d+\/(orders)?$/)
    for (const tab of [page, other]) await tab.close()
  })

  test('an authenticator that has lost its passkey is said to have failed, and a code lets in', async () => {
    await dispatchOf(node)('operator.resetFactors', { name: 'ana' }, 'root')
    const page = await context.newPage()
    const { cdp, authenticatorId } = await authenticatorOf(page)
    await signIn(page)
    await page.goto(`${urlOf()}/account/passkey`)
    await page.getByLabel('What you call it').fill('Lost key')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const [code = ''] = ((await page.locator('.secret').textContent()) ?? '').split('\n')
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await signOut(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page
      .locator('.passkey-problem')
      .filter({ hasText: /passkey/ })
      .waitFor()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL(`${urlOf()}/`)
    await page.close()
  })

  test('an idle session warns before it ends, and goes on if somebody is there', async () => {
    const page = await context.newPage()
    await addOperator(node, 'luis', 'viewer')
    await page.goto(`${urlOf()}/sign-in`)
    await page.getByLabel('Name').fill('luis')
    await page.getByLabel('Password').fill(password)
    await page.clock.install()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${urlOf()}/`)
    node.clock.advance(28 * 60_000 + 1_000)
    await page.clock.runFor(28 * 60_000 + 1_000)
    await page.getByText('You will be signed out in two minutes.').waitFor()
    // The session goes on once the node has heard of it, and not before.
    const heard = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/account/idle') && answer.request().headers()['live-refresh'] === undefined,
    )
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await heard
    await page.getByText('You will be signed out in two minutes.').waitFor({ state: 'detached' })
    node.clock.advance(20 * 60_000)
    assert.is((await page.goto(`${urlOf()}/orders`))?.status(), 200)
    await page.close()
  })

  test('no page of the way in and of one’s factors has a barrier, on a phone and a desktop', async () => {
    const page = await context.newPage()
    await authenticatorOf(page)
    const invited = await dispatchOf(node)('operator.invite', { name: 'nuria', role: 'viewer' }, 'ana')
    const { pathname, search } = new URL((invited as Invitation).link ?? '')
    await page.goto(urlOf() + pathname + search)
    await look(page, 'the link of an invitation')
    await addOperator(node, 'eva', 'administrator')
    await page.goto(`${urlOf()}/sign-in`)
    await page.getByLabel('Name').fill('eva')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${urlOf()}/`)
    for (const path of ['/account/factors', '/account/authenticator', '/account/passkey']) {
      await page.goto(urlOf() + path)
      await look(page, path)
    }
    await page.getByLabel('What you call it').fill('Green key')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await look(page, 'recovery codes')
    await page.goto(`${urlOf()}/account`)
    await look(page, 'account')
    await page.goto(`${urlOf()}/operators`)
    await look(page, 'operators')
    await signOut(page)
    await page.getByLabel('Name').fill('eva')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await look(page, 'the second half of a sign-in')
    await page.close()
  })

  test('nothing of it made the browser complain', () => {
    // What is refused on purpose is told by its status.
    assert.equal(
      complaints.filter((text) => !/status of (401|403)/.test(text)),
      [],
    )
  })
}

test.run()
