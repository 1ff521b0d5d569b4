/** Turns what is known of an order into the page that its end user, and the person at the till, read. */

import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { formatDuration, formatMoney, formatTime, type Locale, locales } from '../pages/locale.ts'
import { trusted } from '../pages/markup.ts'
import { qrSvg } from '../pages/qr.ts'
import { type StatusTone, statusTones } from '../pages/status-tones.ts'
import { barcodeSvg } from './barcode.ts'
import { groupCode } from './code.ts'
import { fundingFacts, fundingPart } from './funding.ts'
import { paymentPart } from './payment.ts'
import { inOrder, placesPart } from './places.ts'
import { scriptPath } from './scripts.ts'
import { checkoutStyles } from './styles.ts'
import {
  type Fact,
  type MessageData,
  messageMarkup,
  type OrderData,
  orderMarkup,
  type PageData,
  pageMarkup,
  type Tone,
} from './template.ts'
import { texts } from './texts/index.ts'
import type { CheckoutOrder, CheckoutView } from './view.ts'

type OrderView = Extract<CheckoutView, { kind: 'order' }>

/** How soon the page asks again; `null` where nothing changes any more. */
const refreshSeconds: Readonly<Record<StatusTone, number | null>> = {
  waiting: 10,
  ready: 15,
  busy: 5,
  done: null,
  stopped: null,
}

type Page = Omit<PageData, 'sandbox'>

/** `checkoutUrl` is the address of the page without an order, without a slash at its end. */
export function renderCheckout(
  view: CheckoutView,
  locale: Locale,
  checkoutUrl: string,
  isSandbox = false,
): string {
  const sandbox = isSandbox ? texts[locale].sandbox : null
  return String(pageMarkup({ ...pageOf(view, locale, checkoutUrl), sandbox }))
}

function pageOf(view: CheckoutView, locale: Locale, checkoutUrl: string): Page {
  const base = new URL(checkoutUrl).pathname.replace(/\/$/, '')
  const words = texts[locale]
  switch (view.kind) {
    case 'order':
      return renderOrder(view, locale, base, checkoutUrl)
    case 'form':
    case 'not_found': {
      const { heading, lead } = view.kind === 'form' ? words.form : words.notFound
      const { label, hint, button } = words.form
      const tone = view.kind === 'form' ? 'asking' : 'stopped'
      const form = { action: `${base}/`, locale, label, hint, button }
      return renderMessage(frame(locale, tone, base, null), heading, { lead, form })
    }
    case 'unavailable': {
      const { heading, lead } = words.unavailable
      return renderMessage(frame(locale, 'stopped', base, 10), heading, { lead, form: null })
    }
  }
}

function renderOrder(view: OrderView, locale: Locale, base: string, checkoutUrl: string): Page {
  const { order: given, now, aheadMs = 0, isPaused } = view
  const order = {
    ...given,
    description: inOrder(given.description),
    merchantName: inOrder(given.merchantName),
    merchantContact: inOrder(given.merchantContact),
  }
  const words = texts[locale]
  const status = statusAt(order, now)
  const money = formatMoney(locale, order.country, order.price, order.currency)
  const facts = {
    amount: `${money.number}\u00A0${money.currency}`,
    merchant: order.merchantName,
  }
  const funding = fundingPart(order, now, locale)
  const general = words.statuses[order.direction][status]
  const heading = funding?.heading ?? general.heading
  const isUsable = status === 'READY'
  const payment = paymentPart(order, now, locale, checkoutUrl)
  const open = isUsable || status === 'CREATED' ? order.expiryAt : null
  const until = funding === null ? open : funding.until
  const refresh = refreshSeconds[statusTones[status]]
  const left = leftData(until, now, locale, order.country)
  const data: OrderData = {
    amount: {
      // What is sent and what is handed over are two amounts.
      label: payment === null ? words.amount : words.receive,
      isLabelled: payment !== null,
      number: money.number,
      currency: money.currency,
      isLong: money.number.length > 11,
      isStruck: status === 'CANCELLED' || status === 'EXPIRED',
    },
    lead: funding?.lead ?? general.lead(facts),
    code: isUsable ? codeData(order.code, locale) : null,
    payment,
    left,
    // Whoever has the code of a pay-out gets its cash; that of a pay-in only lets one pay.
    aheadClock: aheadMs < 60_000 ? null : words.aheadClock(formatDuration(locale, aheadMs)),
    warning: isUsable && order.direction === 'PAY_OUT' ? words.keepSecret : null,
    steps: isUsable
      ? { heading: words.stepsHeading[order.direction], items: words.steps[order.direction](facts) }
      : null,
    places: isUsable ? placesPart(order, locale, facts.amount) : null,
    facts: factsOf(order, status, locale, payment !== null, left?.label ?? null),
    back: backLink(order, status, locale),
    print: status === 'COMPLETED' ? words.print : null,
    refresh: refresh === null ? null : refreshData(isPaused, locale),
  }
  return {
    ...frame(locale, statusTones[status], base, isPaused ? null : refresh, payment !== null),
    title: `${heading} · ${words.titles[order.direction]}`,
    live:
      refresh === null || isPaused ? null : { events: `${base}/${order.id}/events`, version: order.version },
    merchant: order.merchantName,
    heading,
    isWide: isUsable || payment !== null,
    body: orderMarkup(data),
  }
}

/** A code past its time cannot be started, though the order may not have been told yet. */
function statusAt(order: CheckoutOrder, now: Instant): OrderStatus {
  return order.status === 'READY' && now >= order.expiryAt ? 'EXPIRED' : order.status
}

function codeData(code: string, locale: Locale): OrderData['code'] {
  const words = texts[locale]
  const groups = groupCode(code)
  const lines = groups.flatMap((_, index) => (index % 2 === 0 ? [groups.slice(index, index + 2)] : []))
  return {
    label: words.code,
    lines,
    spelled: [...code].join(' '),
    qr: qrSvg(code, words.qr),
    barcode: barcodeSvg(code, words.barcode),
    copy: words.copy,
    copied: words.copied,
    print: words.print,
  }
}

const soonMs = 10 * 60_000
const longestCountdownMs = 30 * 24 * 60 * 60_000

function leftData(until: Instant | null, now: Instant, locale: Locale, country: string): OrderData['left'] {
  if (until === null) return null
  const words = texts[locale]
  const leftMs = until - now
  // Nobody counts in thousands of days.
  if (leftMs > longestCountdownMs) {
    return { label: words.validUntil, text: formatTime(locale, country, until), ms: null, isSoon: false }
  }
  const text = leftMs < 60_000 ? words.lessThanAMinute : formatDuration(locale, leftMs)
  return { label: words.timeLeft, text, ms: leftMs, isSoon: leftMs < soonMs }
}

/** @param shown the label of what stands in the countdown's place, and need not be said twice */
function factsOf(
  order: CheckoutOrder,
  status: OrderStatus,
  locale: Locale,
  hasWallets: boolean,
  shown: string | null,
): Fact[] {
  const words = texts[locale]
  const time = (label: string, at: Instant): Fact => ({
    label,
    value: formatTime(locale, order.country, at),
    datetime: new Date(at).toISOString(),
  })
  const facts: Fact[] = []
  if (order.paidAt !== null) facts.push(time(words.paid[order.direction], order.paidAt))
  if (status === 'EXPIRED') facts.push(time(words.expired, order.expiryAt))
  const isOpen = status === 'CREATED' || status === 'READY'
  if (isOpen && shown !== words.validUntil) facts.push(time(words.validUntil, order.expiryAt))
  facts.push(...fundingFacts(order, locale, hasWallets))
  facts.push(...refundFacts(order, locale))
  facts.push({ label: words.description, value: order.description, datetime: null })
  if (status === 'COMPLETED') facts.push({ label: words.merchant, value: order.merchantName, datetime: null })
  if (order.merchantContact !== '') {
    facts.push({ label: words.contact, value: order.merchantContact, datetime: null })
  }
  facts.push({ label: words.reference, value: order.id, datetime: null })
  return facts
}

/** Whose purchase a refund gives back, so that its end user knows why there is money. */
function refundFacts({ refund, country, currency, merchantName }: CheckoutOrder, locale: Locale): Fact[] {
  if (refund === null) return []
  const { label, purchase } = texts[locale].refund
  const money = formatMoney(locale, country, refund.price, currency)
  const value = purchase({
    what: inOrder(refund.description),
    amount: `${money.number}\u00A0${money.currency}`,
    merchant: merchantName,
    time: formatTime(locale, country, refund.paidAt),
  })
  return [{ label, value, datetime: null }]
}

function backLink(order: CheckoutOrder, status: OrderStatus, locale: Locale): OrderData['back'] {
  const url = URL.parse(order.returnUrl)
  // The creation checked it, but a link is where a script would hide.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return {
    url: url.href,
    text: texts[locale].backTo(order.merchantName),
    isMain: refreshSeconds[statusTones[status]] === null,
  }
}

function refreshData(isPaused: boolean, locale: Locale): OrderData['refresh'] {
  const words = texts[locale]
  const going = `?lang=${locale}`
  const paused = `${going}&refresh=off`
  return {
    text: isPaused ? words.isPaused : words.refreshes,
    links: [
      { text: words.refreshNow, href: isPaused ? paused : going },
      { text: isPaused ? words.resume : words.pause, href: isPaused ? going : paused },
    ],
  }
}

function renderMessage(framed: ReturnType<typeof frame>, heading: string, message: MessageData): Page {
  return {
    ...framed,
    title: heading,
    live: null,
    merchant: null,
    heading,
    isWide: false,
    body: messageMarkup(message),
  }
}

const styles = trusted(checkoutStyles)

/** @param refreshSeconds how soon the page asks again; `null` where nothing changes */
function frame(locale: Locale, tone: Tone, base: string, refreshSeconds: number | null, hasWallets = false) {
  const items = locales.map((each) => ({
    locale: each,
    name: texts[each].language,
    isCurrent: each === locale,
  }))
  const languages = { label: texts[locale].languages, items }
  // Also where nothing changes any more: a receipt can be printed.
  const scripts = [scriptPath(base, 'page'), ...(hasWallets ? [scriptPath(base, 'wallet')] : [])]
  const { offline } = texts[locale]
  return {
    locale,
    tone,
    styles,
    languages,
    refreshSeconds,
    scripts,
    offline,
  }
}
