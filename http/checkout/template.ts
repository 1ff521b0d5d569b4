/** The checkout page's markup. */
import { template } from '../pages/templates.ts'

export type Tone = 'asking' | 'waiting' | 'ready' | 'busy' | 'done' | 'stopped'

/** Drawn for the eye alone: the heading beside each says the same. */
export const icons: Readonly<Record<Tone, string>> = {
  asking: '<circle cx="11" cy="11" r="6"/><path d="m15.5 15.5 5 5"/>',
  waiting: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  ready: '<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.8 2.8L16 9.5"/>',
  busy: '<path d="M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6"/>',
  done: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  stopped: '<circle cx="12" cy="12" r="9"/><path d="m8.5 8.5 7 7m0-7-7 7"/>',
}

export interface Fact {
  label: string
  value: string
  /** ISO 8601, when the value is a time. */
  datetime: string | null
}

/** How a foreign-currency order is paid for with a wallet. */
export interface PaymentData {
  heading: string
  facts: readonly Fact[]
  /** For the wallet script: what it asks, and what it says, as JSON. */
  settings: string
  noScript: string
  /** For a phone, whose wallet is another app of it. */
  here: { lead: string; link: { href: string; text: string } | null; copy: string; copied: string }
  elsewhere: { summary: string; lead: string; qr: string; link: { href: string; text: string } | null }
}

export interface OrderData {
  amount: {
    label: string
    isLabelled: boolean
    number: string
    currency: string
    isLong: boolean
    isStruck: boolean
  }
  lead: string
  code: {
    label: string
    lines: readonly (readonly string[])[]
    spelled: string
    qr: string
    barcode: string
    copy: string
    copied: string
    print: string
  } | null
  payment: PaymentData | null
  /** `ms` is `null` where a date stands in the place of a countdown. */
  left: { label: string; text: string; ms: number | null; isSoon: boolean } | null
  warning: string | null
  steps: { heading: string; items: readonly string[] } | null
  facts: readonly Fact[]
  back: { url: string; text: string; isMain: boolean } | null
  /** A receipt can be kept on paper. */
  print: string | null
  refresh: { text: string; links: readonly { text: string; href: string }[] } | null
}

export const orderTemplate = template<OrderData>(`
<div class="body">
<div class="now">
<% if (it.amount.isLabelled) { %>
  <p class="label over"><%= it.amount.label %></p>
<% } %>
  <p class="amount<%= it.amount.isLong ? ' long' : '' %>">
<% if (!it.amount.isLabelled) { %>
    <span class="visually-hidden"><%= it.amount.label %>: </span>
<% } %>
    <span<% if (it.amount.isStruck) { %> class="struck"<% } %>><%= it.amount.number %></span>
    <small><%= it.amount.currency %></small></p>
  <p><%= it.lead %></p>
<% if (it.code) { %>
  <div>
    <p class="label"><%= it.code.label %></p>
    <p class="visually-hidden"><%= it.code.spelled %></p>
    <p class="code" aria-hidden="true"><% for (const line of it.code.lines) { %>
<span class="line"><% for (const group of line) { %><span><%= group %></span><% } %></span><% } %></p>
  </div>
  <div class="marks"><%~ it.code.qr %><%~ it.code.barcode %></div>
  <p class="scripted actions">
    <button type="button" id="copy" class="quiet" data-do="copy" data-done="<%= it.code.copied %>"><%= it.code.copy %></button>
    <button type="button" id="print" class="quiet" data-do="print"><%= it.code.print %></button></p>
<% } %>
<% if (it.payment) { %>
  <section class="payment">
    <h2><%= it.payment.heading %></h2>
    <dl><% for (const fact of it.payment.facts) { %>
      <div><dt><%= fact.label %></dt><dd><bdi><%= fact.value %></bdi></dd></div><% } %>
    </dl>
    <div id="wallet" data-wallet="<%= it.payment.settings %>"></div>
    <noscript><p class="warning"><%= it.payment.noScript %></p></noscript>
    <div class="here">
<% if (it.payment.here.link) { %>
      <a class="button" href="<%= it.payment.here.link.href %>"><%= it.payment.here.link.text %></a>
<% } %>
      <p><%= it.payment.here.lead %></p>
      <p class="scripted"><button type="button" id="copy-address" class="quiet" data-do="copy-address"
        data-done="<%= it.payment.here.copied %>"><%= it.payment.here.copy %></button></p>
    </div>
    <details class="elsewhere"><summary><%= it.payment.elsewhere.summary %></summary>
      <p><%= it.payment.elsewhere.lead %></p>
      <%~ it.payment.elsewhere.qr %>
<% if (it.payment.elsewhere.link) { %>
      <a class="button quiet" href="<%= it.payment.elsewhere.link.href %>"><%= it.payment.elsewhere.link.text %></a>
<% } %>
    </details>
  </section>
<% } %>
<% if (it.left) { %>
  <p class="time"><span class="label"><%= it.left.label %></span>
    <strong<% if (it.left.isSoon) { %> class="soon"<% } %>
<% if (it.left.ms !== null) { %> data-left="<%= it.left.ms %>"<% } %>><%= it.left.text %></strong></p>
<% } %>
<% if (it.warning) { %>
  <p class="warning"><%= it.warning %></p>
<% } %>
</div>
<div class="more">
<% if (it.steps) { %>
  <section>
    <h2><%= it.steps.heading %></h2>
    <ol><% for (const step of it.steps.items) { %><li><%= step %></li><% } %></ol>
  </section>
<% } %>
  <dl>
<% for (const fact of it.facts) { %>
    <div><dt><%= fact.label %></dt><dd><% if (fact.datetime) { %>
<time datetime="<%= fact.datetime %>"><%= fact.value %></time><% } else { %><bdi><%= fact.value %></bdi><% } %></dd></div>
<% } %>
  </dl>
<% if (it.back) { %>
  <a class="button<%= it.back.isMain ? '' : ' quiet' %>" href="<%= it.back.url %>" target="_top" rel="noreferrer">
    <%= it.back.text %></a>
<% } %>
<% if (it.print) { %>
  <p class="scripted actions"><button type="button" id="print" class="quiet" data-do="print"><%= it.print %></button></p>
<% } %>
<% if (it.refresh) { %>
  <p class="refresh"><span><%= it.refresh.text %></span>
<% for (const link of it.refresh.links) { %>
    <a href="<%= link.href %>"><%= link.text %></a>
<% } %>
  </p>
<% } %>
</div>
</div>
`)

export interface MessageData {
  lead: string
  form: { action: string; locale: string; label: string; hint: string; button: string } | null
}

export const messageTemplate = template<MessageData>(`
<div class="body">
<div class="now">
  <p><%= it.lead %></p>
<% if (it.form) { %>
  <form action="<%= it.form.action %>" method="get">
    <label for="id"><%= it.form.label %></label>
    <input id="id" name="id" required maxlength="2048" aria-describedby="hint" autocomplete="off"
      autocapitalize="none" spellcheck="false">
    <p id="hint" class="label"><%= it.form.hint %></p>
    <input type="hidden" name="lang" value="<%= it.form.locale %>">
    <button><%= it.form.button %></button>
  </form>
<% } %>
</div>
</div>
`)

export interface PageData {
  locale: string
  title: string
  refreshSeconds: number | null
  /** What a live page is told by, and in which version it is; `null` where nothing changes. */
  live: { events: string; version: string } | null
  offline: string
  scripts: readonly string[]
  styles: string
  merchant: string | null
  heading: string
  tone: Tone
  icon: string
  body: string
  /** On a wide screen what to show and what to know stand side by side. */
  isWide: boolean
  languages: { label: string; items: readonly { locale: string; name: string; isCurrent: boolean }[] }
}

export const pageTemplate = template<PageData>(`<!doctype html>
<html lang="<%= it.locale %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<% if (it.refreshSeconds !== null) { %>
<noscript><meta http-equiv="refresh" content="<%= it.refreshSeconds %>"></noscript>
<% } %>
<title><%= it.title %></title>
<link rel="icon" href="data:,">
<style><%~ it.styles %></style>
<% for (const script of it.scripts) { %>
<script src="<%= script %>" defer></script>
<% } %>
</head>
<body<% if (it.live) { %> data-events="<%= it.live.events %>" data-version="<%= it.live.version %>"<% } %>
<% if (it.refreshSeconds !== null) { %> data-poll="<%= it.refreshSeconds %>"<% } %>>
<% if (it.merchant !== null) { %>
<header><p class="merchant"><bdi><%= it.merchant %></bdi></p></header>
<% } %>
<p id="announcement" class="visually-hidden" role="status"></p>
<p id="offline" class="warning" role="status" hidden><%= it.offline %></p>
<main<% if (it.isWide) { %> class="wide"<% } %>>
<div class="status <%= it.tone %>">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true"><%~ it.icon %></svg>
<h1><%= it.heading %></h1>
</div>
<%~ it.body %>
</main>
<footer><nav aria-label="<%= it.languages.label %>">
<% for (const language of it.languages.items) { %>
<% if (language.isCurrent) { %><strong lang="<%= language.locale %>" aria-current="true"><%= language.name %></strong>
<% } else { %><a href="?lang=<%= language.locale %>" lang="<%= language.locale %>" hreflang="<%= language.locale %>">
<%= language.name %></a><% } %>
<% } %>
</nav></footer>
</body>
</html>
`)
