/** Foreign-currency orders are paid for from the checkout page, on each local network, in a real browser. */
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Blockchain,
  type BlockchainFamily,
  blockchainFacts,
  blockchains,
} from '../../../machines/blockchains.ts'
import { barriers } from '../../support/barriers.ts'
import { holdTimers, launchBrowser, screens } from '../../support/browser.ts'
import { installWallet } from '../../support/browser-wallets.ts'
import type { LocalChain } from '../../support/chains/local-chain.ts'
import { type ForeignWorld, openForeignWorld } from '../../support/foreign-world.ts'

const browser: Browser | null = await launchBrowser()
test.after(async () => {
  await browser?.close()
  for (const world of worlds.values()) await (await world).close()
})

/** A network and its node take a second or two to start, so tests of one chain share them. */
const worlds = new Map<Blockchain, Promise<ForeignWorld>>()

function worldOf(blockchain: Blockchain): Promise<ForeignWorld> {
  const known = worlds.get(blockchain) ?? openForeignWorld(blockchain)
  worlds.set(blockchain, known)
  return known
}

const withBrowser = browser === null ? test.skip : test

interface Visit {
  world: ForeignWorld
  page: Page
  id: string
  address: string
  button(name: string): ReturnType<Page['getByRole']>
  /** Waits for a sentence of the wallet's panel. */
  told(text: string): Promise<void>
}

/** An order whose transaction is ready, and its page in a browser that has the wallet. */
async function visit(blockchain: Blockchain, use: (visit: Visit) => Promise<void>): Promise<void> {
  if (browser === null) throw new Error('there is no browser')
  const world = await worldOf(blockchain)
  const context = await browser.newContext({ locale: 'en-US', ...screens.phone })
  try {
    const { id, wallet } = await world.ready()
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(world.node.publicUrl) || request.url().startsWith('data:')
      if (!isOurs) complaints.push(request.url())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await installWallet(page, {
      blockchain,
      address: wallet.address,
      network: networkOf(world.chain),
      sign: async (transaction) => signed(world.chain, transaction, wallet.address),
    })
    await page.goto(`${world.node.publicUrl}/checkout/${id}`)
    await use({
      world,
      page,
      id,
      address: wallet.address,
      button: (name) => page.getByRole('button', { name }),
      told: (text) => page.locator('#wallet .told', { hasText: text }).waitFor(),
    })
    assert.equal(complaints, [])
  } finally {
    await context.close()
  }
}

function networkOf({ blockchain, settings }: LocalChain): string {
  const { family } = blockchainFacts[blockchain]
  if (family === 'stellar') return String(settings.passphrase)
  return family === 'evm' ? `0x${Number(settings.chainId).toString(16)}` : `solana:${settings.cluster}`
}

/** Stellar's wallets give back what they signed; the others send it themselves. */
async function signed(chain: LocalChain, transaction: string, address: string): Promise<string> {
  if (!('sign' in chain) || typeof chain.sign !== 'function')
    return await chain.submit(transaction, { address })
  return chain.sign(transaction, [{ address }])
}

const answerWith = (page: Page, error: { code?: number; message: string }) =>
  page.evaluate(`wallet.answer = ${JSON.stringify(error)}`)

const names: Readonly<Record<BlockchainFamily, string>> = {
  solana: 'Stub Wallet',
  stellar: 'Freighter',
  evm: 'Stub Wallet',
}

for (const blockchain of blockchains) {
  const name = names[blockchainFacts[blockchain].family]
  withBrowser(
    `on ${blockchain} a wallet signs what the page shows, and the order becomes READY`,
    async () => {
      await visit(blockchain, async ({ world, page, id, address, button, told }) => {
        assert.is(await page.textContent('h1'), 'Waiting for your transfer')
        const shown = (await page.textContent('.payment')) ?? ''
        for (const part of ['20.00 USDC', address, world.chain.treasury]) assert.match(shown, part)

        await page.evaluate(`wallet.address = 'another'`)
        await button(`Connect ${name}`).click()
        await told(`This order has to be paid from ${address}.`)
        await page.evaluate(`wallet.address = null; wallet.knowsNoOther = true; wallet.network = '0x1'`)
        await button('Try again').click()
        await told('Your wallet is on another network.')
        assert.equal(await barriers(page), [])
        await page.evaluate('wallet.network = null')
        await button('Try again').click()
        await told(`${name} is connected.`)
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.locator('summary').click()
        assert.equal(await barriers(page), [])

        await answerWith(page, { code: blockchain === 'STELLAR' ? -4 : 4001, message: 'The user said no' })
        await button('Sign and send 20.00 USDC').click()
        await told('You rejected it in your wallet. Nothing was sent')
        await answerWith(page, { message: 'insufficient funds for gas * price + value' })
        await button('Try again').click()
        await told('Your wallet does not have enough: it needs 20.00 USDC')
        await answerWith(page, { message: 'Transaction simulation failed: Blockhash not found' })
        await button('Try again').click()
        await told('your signature is no longer valid')
        await answerWith(page, { message: 'Something else' })
        await button('Try again').click()
        await told('It did not work: Something else. Nothing is lost')

        // The node sees the payment at once and would change the page before anybody reads that it was sent.
        const catchUp = world.chain.goStale('all')
        await page.route(`**/${id}`, (route) => route.abort())
        await button('Try again').click()
        await told('Sent. Your code appears here once')
        await page.unroute(`**/${id}`)
        catchUp()
        await world.finalize()
        await page.getByRole('heading', { level: 1, name: 'Ready to withdraw' }).waitFor()
        const code = (await world.node.core.orders.find(id))?.order.code
        assert.is((await page.textContent('.code'))?.replace(/\s/g, ''), code)
        await world.payOut(id)
        await page.getByRole('heading', { level: 1, name: 'Withdrawal completed' }).waitFor()
      })
    },
  )
}

withBrowser('who is too late, or has paid already, is told before anything is signed', async () => {
  await visit('STELLAR', async ({ world, page, id, button, told }) => {
    await button('Connect Freighter').click()
    await told('Freighter is connected.')
    // The page cannot know yet: no event reaches it.
    await page.route(`**/${id}`, (route) => route.abort())
    await world.sign(await world.read(id))
    await world.finalize()
    await world.statusIs(id, 'READY')
    await button('Sign and send').click()
    await told('This order has already been paid.')
    assert.is(await page.evaluate('wallet.asked.length'), 0)
    const late = await world.ready()
    await page.goto(`${world.node.publicUrl}/checkout/${late.id}`)
    world.clock.advance(1_801_000)
    const answer = await fetch(`${world.node.publicUrl}/checkout/${late.id}/transaction`)
    assert.is(answer.status, 409)
    assert.equal(await answer.json(), { problem: 'closed' })
  })
})

withBrowser('a page that was opened before there was anything to sign gets its wallets later', async () => {
  await visit('MONAD', async ({ page, id, button, told }) => {
    const before = (body: string) =>
      body
        .replace(/<script src="[^"]*wallet[^"]*" defer><\/script>/, '')
        .replace(/<section class="payment">.*?<\/section>/s, '')
        .replace(/data-version="[^"]*"/, 'data-version="earlier"')
    await page.route(
      `**/${id}`,
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: before(await response.text()) })
      },
      { times: 1 },
    )
    await page.reload()
    await button('Connect Stub Wallet').click()
    await told('Stub Wallet is connected.')
  })
})

withBrowser('what is not the order’s own is not sent on', async () => {
  await visit('STELLAR', async ({ world, id, address }) => {
    const submit = async (signed: string) => {
      const answer = await fetch(`${world.node.publicUrl}/checkout/${id}/submission`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ signed }),
      })
      return [answer.status, await answer.text()]
    }
    const failed = [409, JSON.stringify({ problem: 'failed' })]
    const { transaction } = await world.read(id)
    assert.equal(await submit(transaction), failed, 'unsigned')
    assert.equal(await submit('nonsense'), failed)
    const other = await world.ready()
    assert.equal(
      await submit(await signed(world.chain, other.order.transaction, other.wallet.address)),
      failed,
    )
    assert.equal(await submit(await signed(world.chain, transaction, address)), [200, '{}'])
    // Whoever presses twice: the network has it already, and says the same again.
    assert.equal(await submit(await signed(world.chain, transaction, address)), [200, '{}'])
  })
})

withBrowser('without a wallet the page says so, and offers the one on another device', async () => {
  await visit('SOLANA', async ({ world, page, id, address }) => {
    const bare = await (await page.context().browser()?.newContext({ locale: 'en-US' }))?.newPage()
    if (bare === undefined) throw new Error('there is no browser')
    await bare.goto(`${world.node.publicUrl}/checkout/${id}`)
    await bare.getByText('There is no wallet for Solana in this browser.').waitFor()
    await bare.getByText('Pay with a wallet on another device').click()
    assert.ok(await bare.getByRole('img', { name: 'QR code for a wallet on another device' }).isVisible())
    await bare.context().close()
    // What a phone wallet does with the link (Solana Pay, transaction requests).
    const url = `${world.node.publicUrl}/checkout/${id}/solana-pay`
    assert.equal(Object.keys(JSON.parse(await (await fetch(url)).text())), ['label', 'icon'])
    const ask = (account: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ account }),
      })
    assert.is((await ask('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')).status, 400)
    const { transaction }: { transaction: string } = JSON.parse(await (await ask(address)).text())
    await world.chain.submit(transaction, { address })
    await world.finalize()
    await page.getByRole('heading', { level: 1, name: 'Ready to withdraw' }).waitFor()
  })
})

withBrowser(
  'on a phone the page opens the wallet of this very phone, and never says to scan itself',
  async () => {
    await visit('STELLAR', async ({ world, page, id }) => {
      const phone = await page
        .context()
        .browser()
        ?.newContext({
          ...screens.phone,
          locale: 'en-US',
          hasTouch: true,
          isMobile: true,
          permissions: ['clipboard-read', 'clipboard-write'],
        })
      if (phone === undefined) throw new Error('there is no browser')
      const bare = await phone.newPage()
      const url = `${world.node.publicUrl}/checkout/${id}`
      await bare.goto(url)
      const open = bare.getByRole('link', { name: 'Open your wallet' })
      assert.match((await open.getAttribute('href')) ?? '', /^web\+stellar:tx\?xdr=/)
      // After the time in which a wallet could have come.
      await bare.getByText('Looking for wallets').waitFor({ state: 'detached' })
      assert.is(await bare.getByText('There is no wallet').count(), 0)
      assert.equal(await barriers(bare), [])
      await holdTimers(bare)
      await bare.getByRole('button', { name: 'Copy the address of this page' }).click()
      await bare.getByRole('button', { name: 'Copied' }).waitFor()
      assert.is(await bare.evaluate('navigator.clipboard.readText()'), url)
      await phone.close()
      assert.not(await page.getByRole('link', { name: 'Open your wallet' }).isVisible())
    })
  },
)

test.run()
