/**
 * What operators come to the console for: fifteen tasks, each as somebody who knows where things are would do it, from the first page
 * on. Each click, each choice and each Enter is counted as one; what is typed is not.
 */
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Language } from '../../actors/people/languages.ts'
import { type Texts, tables } from '../../http/console/texts/index.ts'
import type { ConsoleWorld } from './console.ts'

export interface Task {
  name: string
  /** @throws where it does not come to what was asked for */
  carryOut(hand: Hand, world: ConsoleWorld): Promise<void>
}

/** A hand that counts. */
export class Hand {
  clicks = 0
  readonly page: Page
  readonly #texts: Texts

  constructor(page: Page, language: Language) {
    this.page = page
    this.#texts = tables[language]
  }

  /** The first of those that are seen. */
  async click(selector: string): Promise<void> {
    this.clicks += 1
    await this.seen(selector).click()
    await this.page.waitForLoadState()
  }

  /** By the navigation, which is behind a button on a narrow screen. */
  async goTo(href: string): Promise<void> {
    const link = `nav.rooms a[href="${href}"]`
    if (!(await this.page.isVisible(link))) await this.click('nav.rooms > button')
    await this.click(link)
  }

  /** Into a field that is open. */
  async write(selector: string, text: string): Promise<void> {
    await this.seen(selector).fill(text)
  }

  async choose(selector: string, value: string): Promise<void> {
    this.clicks += 1
    await this.seen(selector).selectOption(value)
  }

  /** The box at the top of every page. */
  async search(text: string): Promise<void> {
    await this.click('.find input')
    await this.write('.find input', text)
    this.clicks += 1
    await this.page.keyboard.press('Enter')
    await this.page.waitForURL((url) => url.pathname !== '/')
  }

  /** A text of the page's language. */
  async finds(textOf: (texts: Texts) => string): Promise<void> {
    const text = (await this.page.locator('body').textContent()) ?? ''
    assert.ok(text.toLowerCase().includes(textOf(this.#texts).toLowerCase()), textOf(this.#texts))
  }

  async reads(pattern: RegExp): Promise<void> {
    assert.match(String(await this.page.evaluate(allTexts)), pattern)
  }

  seen(selector: string): Locator {
    return this.page.locator(selector).filter({ visible: true }).first()
  }
}

/** Of the whole document, whether it is cut off or not; cells stand beside each other without a blank. */
const allTexts = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode.data)
  return texts.join(' ')
})()`

const lastDigits = (id: string) => id.slice(-8)

const tasks: readonly Task[] = [
  {
    name: 'find an order by the last digits that somebody reads over the phone',
    async carryOut(hand, { orders }) {
      await hand.search(lastDigits(orders.started))
      assert.ok(hand.page.url().endsWith(`/orders/${orders.started}`))
    },
  },
  {
    name: 'find an order by the amount that its customer names',
    async carryOut(hand, { orders }) {
      await hand.search('40,000 MXN')
      assert.ok(hand.page.url().endsWith(`/orders/${orders.waiting}`))
    },
  },
  {
    name: 'say why this webhook failed',
    async carryOut(hand) {
      await hand.click('a[href="/webhooks?state=dead"]')
      await hand.click('table a[href^="/webhooks/"]')
      await hand.reads(/404/)
    },
  },
  {
    name: 'send a webhook again that nobody took',
    async carryOut(hand) {
      await hand.click('a[href="/webhooks?state=dead"]')
      await hand.click('table a[href^="/webhooks/"]')
      await hand.click('[data-opens="/webhook/retry"]')
      await hand.click('form[action="/webhook/retry"] button')
      await hand.page.locator('.toast').waitFor()
    },
  },
  {
    name: 'free the lock of a till that is dead',
    async carryOut(hand, { orders, ask }) {
      await hand.search(lastDigits(orders.started))
      await hand.click('[data-opens="/order/release"]')
      await hand.write('form[action="/order/release"] [name=reason]', 'the till is dead')
      await hand.click('form[action="/order/release"] button')
      const shown = (await ask('order.show', { id: orders.started }, 'test')) as { status: string }
      assert.is(shown.status, 'READY')
    },
  },
  {
    name: 'give a merchant a higher limit',
    async carryOut(hand) {
      await hand.goTo('/parties')
      await hand.click('a[href="/merchants/Shop"]')
      await hand.click('a[href*="form=pair-MX-MXN"]')
      await hand.write('.panel [name=max]', '65000.00')
      await hand.click('.panel form button')
      await hand.click('form[action="/apply"] button')
      await hand.reads(/65[.,]000[.,]00 MXN/)
    },
  },
  {
    name: 'say who cancelled this order',
    async carryOut(hand, { orders }) {
      await hand.search(lastDigits(orders.cancelled))
      await hand.reads(/\bana\b/)
    },
  },
  {
    name: 'give back a deposit that was booked by mistake',
    async carryOut(hand) {
      await hand.goTo('/parties')
      await hand.click('a[href="/merchants/Shop"]')
      await hand.click('[data-opens="/deposit/reverse"]')
      await hand.choose('form[action="/deposit/reverse"] [name=reference]', 'opening')
      await hand.write('form[action="/deposit/reverse"] [name=reason]', 'booked twice')
      await hand.click('form[action="/deposit/reverse"] button')
      // What would be taken back is shown first.
      await hand.click('.act.main form[action="/deposit/reverse"] button')
      await hand.page.locator('.toast').waitFor()
    },
  },
  {
    name: 'see what needs somebody now',
    async carryOut(hand) {
      await hand.click('a[href="/exceptions"]')
      await hand.finds(({ exceptions }) => exceptions.openExceptions)
    },
  },
  {
    name: 'stop a merchant whose key has leaked',
    async carryOut(hand) {
      await hand.goTo('/parties')
      await hand.click('a[href^="/merchants/Other"]')
      await hand.click('[data-opens="/party/freeze"]')
      await hand.write('form[action="/party/freeze"] [name=reason]', 'a leaked key')
      await hand.click('form[action="/party/freeze"] button')
      await hand.finds(({ parties }) => parties.frozenSince('').trim())
    },
  },
  {
    name: 'say what a merchant has available',
    async carryOut(hand) {
      await hand.goTo('/parties')
      await hand.finds(({ parties }) => parties.available)
    },
  },
  {
    name: 'say which orders a network holds, and since when',
    async carryOut(hand) {
      await hand.goTo('/parties')
      await hand.click('a[href="/providers/Network%20B"]')
      await hand.finds(({ parties }) => parties.ordersItHolds)
    },
  },
  {
    name: 'take the orders that are shown to a spreadsheet',
    async carryOut(hand) {
      await hand.goTo('/orders')
      const file = hand.page.waitForEvent('download')
      await hand.click('a[href^="/list.csv"]')
      assert.is((await file).suggestedFilename(), 'orders.csv')
    },
  },
  {
    name: 'say which days do not agree with the networks',
    async carryOut(hand) {
      await hand.click('main a[href="/reconciliation"]')
      await hand.finds(({ common }) => common.reconciliation)
    },
  },
  {
    name: 'say what is due today, and to whom',
    async carryOut(hand) {
      await hand.click('main a[href="/settlement"]')
      await hand.finds(({ common }) => common.settlement)
    },
  },
]

export interface Carried {
  name: string
  clicks: number
  milliseconds: number
}

/** Carries out all of them, each from the first page on. @throws with the task that did not come to what was asked for */
export async function carryOutAll(
  page: Page,
  world: ConsoleWorld,
  language: Language,
): Promise<readonly Carried[]> {
  await world.ask('operator.set', { name: 'administrator', language }, 'test')
  const carried: Carried[] = []
  for (const { name, carryOut } of tasks) {
    await page.goto(`${world.node.operatorUrl}/`)
    const hand = new Hand(page, language)
    const startedAt = performance.now()
    try {
      await carryOut(hand, world)
    } catch (error) {
      throw new Error(`${name}, in ${language}: ${String(error)}`, { cause: error })
    }
    carried.push({ name, clicks: hand.clicks, milliseconds: performance.now() - startedAt })
  }
  return carried
}
