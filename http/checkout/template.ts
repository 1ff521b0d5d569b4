/** The checkout page's markup. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import { type PlacesData, placesMarkup } from './places-template.ts'

export type Tone = 'asking' | 'waiting' | 'ready' | 'busy' | 'done' | 'stopped'

/** Drawn for the eye alone: the heading beside each says the same. */
const icons: Readonly<Record<Tone, Markup>> = {
  asking: html`<circle cx="11" cy="11" r="6"/><path d="m15.5 15.5 5 5"/>`,
  waiting: html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`,
  ready: html`<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.8 2.8L16 9.5"/>`,
  busy: html`<path d="M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6"/>`,
  done: html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  stopped: html`<circle cx="12" cy="12" r="9"/><path d="m8.5 8.5 7 7m0-7-7 7"/>`,
}

export interface Fact {
  label: string
  value: string
  /** ISO 8601, when the value is a time. */
  datetime: string | null
}

interface Link {
  href: string
  text: string
}

/** How a foreign-currency order is paid for with a wallet. */
export interface PaymentData {
  heading: string
  facts: readonly Fact[]
  /** For the wallet script: what it asks, and what it says, as JSON. */
  settings: string
  noScript: string
  /** For a phone, whose wallet is another app of it. */
  here: { lead: string; link: Link | null; copy: string; copied: string }
  elsewhere: { summary: string; lead: string; qr: Markup; link: Link | null }
}

interface AmountData {
  label: string
  isLabelled: boolean
  number: string
  currency: string
  isLong: boolean
  isStruck: boolean
}

interface CodeData {
  label: string
  lines: readonly (readonly string[])[]
  spelled: string
  qr: Markup
  barcode: Markup
  copy: string
  copied: string
  print: string
}

export interface OrderData {
  amount: AmountData
  lead: string
  code: CodeData | null
  payment: PaymentData | null
  /** `ms` is `null` where a date stands in the place of a countdown. */
  left: { label: string; text: string; ms: number | null; isSoon: boolean } | null
  /** That a sandbox's times are not the world's. */
  aheadClock: string | null
  warning: string | null
  steps: { heading: string; items: readonly string[] } | null
  places: PlacesData | null
  facts: readonly Fact[]
  back: { url: string; text: string; isMain: boolean } | null
  /** A receipt can be kept on paper. */
  print: string | null
  refresh: { text: string; links: readonly Link[] } | null
}

/** Nothing is shown of what there is not. */
const shown = <Value>(value: Value | null, markup: (value: Value) => Markup): Markup =>
  value === null ? html`` : markup(value)

export function orderMarkup(data: OrderData): Markup {
  return html`
<div class="body">
<div class="now">
${amountMarkup(data.amount)}
  <p>${data.lead}</p>
${shown(data.code, codeMarkup)}
${shown(data.payment, paymentMarkup)}
${shown(
  data.left,
  ({ label, text, ms, isSoon }) => html`
  <p class="time"><span class="label">${label}</span>
    <strong${attributes({ class: isSoon && 'soon', 'data-left': ms })}>${text}</strong></p>`,
)}
${shown(data.aheadClock, (text) => html`<p class="ahead">${text}</p>`)}
${shown(data.warning, (warning) => html`<p class="warning">${warning}</p>`)}
</div>
<div class="more">
${shown(
  data.steps,
  ({ heading, items }) => html`
  <section>
    <h2>${heading}</h2>
    <ol>${items.map((step) => html`<li>${step}</li>`)}</ol>
  </section>`,
)}
${shown(data.places, placesMarkup)}
  <dl>${data.facts.map(
    ({ label, value, datetime }) => html`
    <div><dt>${label}</dt><dd>${
      datetime === null ? html`<bdi>${value}</bdi>` : html`<time datetime="${datetime}">${value}</time>`
    }</dd></div>`,
  )}
  </dl>
${shown(
  data.back,
  ({ url, text, isMain }) => html`
  <a class="button${isMain ? '' : ' quiet'}" href="${url}" target="_top" rel="noreferrer">
    ${text}</a>`,
)}
${shown(
  data.print,
  (text) => html`
  <p class="scripted actions"><button type="button" id="print" class="quiet" data-do="print">${text}</button></p>`,
)}
${shown(
  data.refresh,
  ({ text, links }) => html`
  <p class="refresh"><span>${text}</span>${links.map(
    (link) => html`
    <a href="${link.href}">${link.text}</a>`,
  )}
  </p>`,
)}
</div>
</div>
`
}

function amountMarkup({ label, isLabelled, number, currency, isLong, isStruck }: AmountData): Markup {
  return html`${isLabelled ? html`<p class="label over">${label}</p>` : ''}
  <p class="amount${isLong ? ' long' : ''}">
    ${isLabelled ? '' : html`<span class="visually-hidden">${label}: </span>`}
    <span${attributes({ class: isStruck && 'struck' })}>${number}</span>
    <small>${currency}</small></p>`
}

function codeMarkup({ label, lines, spelled, qr, barcode, copy, copied, print }: CodeData): Markup {
  return html`
  <div>
    <p class="label">${label}</p>
    <p class="visually-hidden">${spelled}</p>
    <p class="code" aria-hidden="true">${lines.map(
      (line) => html`<span class="line">${line.map((group) => html`<span>${group}</span>`)}</span>`,
    )}</p>
  </div>
  <div class="marks">${qr}${barcode}</div>
  <p class="scripted actions">
    <button type="button" id="copy" class="quiet" data-do="copy" data-done="${copied}">${copy}</button>
    <button type="button" id="print" class="quiet" data-do="print">${print}</button></p>`
}

function paymentMarkup({ heading, facts, settings, noScript, here, elsewhere }: PaymentData): Markup {
  return html`
  <section class="payment">
    <h2>${heading}</h2>
    <dl>${facts.map(
      ({ label, value }) => html`
      <div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
    )}
    </dl>
    <div id="wallet" data-wallet="${settings}"></div>
    <noscript><p class="warning">${noScript}</p></noscript>
    <div class="here">
      ${shown(here.link, ({ href, text }) => html`<a class="button" href="${href}">${text}</a>`)}
      <p>${here.lead}</p>
      <p class="scripted"><button type="button" id="copy-address" class="quiet" data-do="copy-address"
        data-done="${here.copied}">${here.copy}</button></p>
    </div>
    <details class="elsewhere"><summary>${elsewhere.summary}</summary>
      <p>${elsewhere.lead}</p>
      ${elsewhere.qr}
      ${shown(elsewhere.link, ({ href, text }) => html`<a class="button quiet" href="${href}">${text}</a>`)}
    </details>
  </section>`
}

export interface MessageData {
  lead: string
  form: { action: string; locale: string; label: string; hint: string; button: string } | null
}

export function messageMarkup({ lead, form }: MessageData): Markup {
  return html`
<div class="body">
<div class="now">
  <p>${lead}</p>
${shown(
  form,
  ({ action, locale, label, hint, button }) => html`
  <form action="${action}" method="get">
    <label for="id">${label}</label>
    <input id="id" name="id" required maxlength="2048" aria-describedby="hint" autocomplete="off"
      autocapitalize="none" spellcheck="false">
    <p id="hint" class="label">${hint}</p>
    <input type="hidden" name="lang" value="${locale}">
    <button>${button}</button>
  </form>`,
)}
</div>
</div>
`
}

interface Language {
  locale: string
  name: string
  isCurrent: boolean
}

export interface PageData {
  locale: string
  title: string
  refreshSeconds: number | null
  /** What a live page is told by, and in which version it is; `null` where nothing changes. */
  live: { events: string; version: string } | null
  offline: string
  scripts: readonly string[]
  styles: Markup
  /** That no money is behind it; `null` in production. */
  sandbox: string | null
  merchant: string | null
  heading: string
  tone: Tone
  body: Markup
  /** On a wide screen what to show and what to know stand side by side. */
  isWide: boolean
  languages: { label: string; items: readonly Language[] }
}

export function pageMarkup(page: PageData): Markup {
  const { locale, live, refreshSeconds, languages } = page
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${shown(
  refreshSeconds,
  (seconds) => html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`,
)}
<title>${page.title}</title>
<link rel="icon" href="data:,">
<style>${page.styles}</style>
${page.scripts.map((script) => html`<script src="${script}" defer></script>\n`)}
</head>
<body${attributes({ 'data-events': live?.events, 'data-version': live?.version, 'data-poll': refreshSeconds })}>
${shown(page.sandbox, (text) => html`<aside class="sandbox">${text}</aside>`)}
${shown(page.merchant, (name) => html`<header><p class="merchant"><bdi>${name}</bdi></p></header>`)}
<p id="announcement" class="visually-hidden" role="status"></p>
<p id="offline" class="warning" role="status" hidden>${page.offline}</p>
<main${attributes({ class: page.isWide && 'wide' })}>
<div class="status ${page.tone}">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true">${icons[page.tone]}</svg>
<h1>${page.heading}</h1>
</div>
${page.body}
</main>
<footer><nav aria-label="${languages.label}">
${languages.items.map(languageMarkup)}
</nav></footer>
</body>
</html>
`
}

function languageMarkup({ locale, name, isCurrent }: Language): Markup {
  if (isCurrent) return html`<strong lang="${locale}" aria-current="true">${name}</strong>\n`
  return html`<a href="?lang=${locale}" lang="${locale}" hreflang="${locale}">
${name}</a>`
}
