import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type MessageData,
  messageMarkup,
  type OrderData,
  orderMarkup,
  type PageData,
  pageMarkup,
} from '../../../http/checkout/template.ts'
import { html, type Markup } from '../../../http/pages/markup.ts'
import { naughtyTexts, readBack, skeletonOf, withTexts } from '../../support/markup.ts'

const link = { href: '/', text: 'text' }
const fact = { label: 'label', value: 'value', datetime: null }

/** With everything that a page can have. */
const order: OrderData = {
  amount: { label: 'label', isLabelled: true, number: '1', currency: 'MXN', isLong: true, isStruck: true },
  lead: 'lead',
  aheadClock: 'aheadClock',
  code: {
    label: 'label',
    lines: [['1', '2'], ['3']],
    spelled: 'spelled',
    qr: html`<svg></svg>`,
    barcode: html`<svg></svg>`,
    copy: 'copy',
    copied: 'copied',
    print: 'print',
  },
  payment: {
    heading: 'heading',
    facts: [fact, fact],
    settings: 'settings',
    noScript: 'no script',
    here: { lead: 'lead', link, copy: 'copy', copied: 'copied' },
    elsewhere: { summary: 'summary', lead: 'lead', qr: html`<svg></svg>`, link },
  },
  left: { label: 'label', text: 'text', ms: 5, isSoon: true },
  warning: 'warning',
  steps: { heading: 'heading', items: ['one', 'two'] },
  places: {
    where: {
      heading: 'heading',
      places: [
        { name: 'name', lines: ['one', 'two'], note: { text: 'text', language: 'es' } },
        { name: 'name', lines: [], note: null },
      ],
      more: 'more',
    },
    bring: { heading: 'heading', items: ['one', 'two'] },
  },
  facts: [fact, { ...fact, datetime: 'datetime' }],
  back: { url: '/', text: 'text', isMain: false },
  print: 'print',
  refresh: { text: 'text', links: [link, link] },
}
const message: MessageData = {
  lead: 'lead',
  form: { action: '/', locale: 'en', label: 'label', hint: 'hint', button: 'button' },
}
const page: PageData = {
  locale: 'en',
  title: 'title',
  refreshSeconds: 5,
  live: { events: 'events', version: 'version' },
  offline: 'offline',
  scripts: ['/a.js', '/b.js'],
  styles: html`a { }`,
  sandbox: 'sandbox',
  merchant: 'merchant',
  heading: 'heading',
  tone: 'busy',
  body: html`<p></p>`,
  isWide: true,
  languages: {
    label: 'label',
    items: [
      { locale: 'es', name: 'name', isCurrent: true },
      { locale: 'en', name: 'name', isCurrent: false },
    ],
  },
}

/** @param count of the places where texts stand */
function holds<Data extends object>(
  name: string,
  data: Data,
  markupOf: (data: Data) => Markup,
  count: number,
): void {
  test(`no text gets out of its place in ${name}`, () => {
    const plain = skeletonOf(String(markupOf(withTexts(data, 'x', ['tone']))))
    fc.assert(
      fc.property(naughtyTexts, (text) => {
        const markup = String(markupOf(withTexts(data, text, ['tone'])))
        assert.equal(skeletonOf(markup), plain)
      }),
    )
    const sign = 'm\'"&<>m'
    const shown = readBack(String(markupOf(withTexts(data, sign, ['tone']))))
    assert.is(shown.split(sign).length - 1, count, 'every text is on the page')
  })
}

holds('an order', order, orderMarkup, 59)
holds('a message', message, messageMarkup, 6)
holds('the frame of a page', page, pageMarkup, 17)

test.run()
