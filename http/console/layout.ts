/** The frame around every page of the console. */
import { createHash } from 'node:crypto'
import type { Role } from '../../actors/foundation/roles.ts'
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Text } from './blocks.ts'
import { printStyles } from './print/styles.ts'
import { age, named } from './readable.ts'
import bundled from './scripts.json' with { type: 'json' }
import { consoleStyles } from './styles.ts'
import { say, type View, type Words } from './view.ts'

/** Of pages for paper. */
export const printStylesPath = assetPath(printStyles, 'css')

/** What a browser asks for beside the page, by a name that changes with its content. */
export const assets: ReadonlyMap<string, { type: string; text: string }> = new Map([
  [assetPath(consoleStyles, 'css'), { type: 'text/css', text: consoleStyles }],
  [printStylesPath, { type: 'text/css', text: printStyles }],
  [assetPath(bundled.page, 'js'), { type: 'text/javascript', text: bundled.page }],
])

function assetPath(text: string, extension: string): string {
  return `/assets/${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`
}

export const consolePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const sections = ['daily', 'money', 'integration', 'node'] as const

export type Section = (typeof sections)[number]

export interface NavigationItem {
  href: string
  section: Section
  text: Words
  isCurrent: boolean
  /** What waits there. */
  count: number | null
}

export interface Crumb {
  href: string
  text: Words
}

/** How far a sandbox's clock is ahead, and where it is being moved to. */
export interface AheadClock {
  aheadMs: number
  /** ISO 8601; `null` while nobody moves it. */
  movingTo: string | null
}

export interface Frame {
  view: View
  title: Words
  heading: Words
  mode: string
  /** What the box for searching says. */
  sought: string
  /** ISO 8601: how long ago things were is told by it. */
  now: string
  /** Of a sandbox whose clock is not the world's; `null` elsewhere. */
  aheadClock: AheadClock | null
  /** `null` for nobody. */
  operator: { name: string; role: Role } | null
  formToken: string
  navigation: readonly NavigationItem[]
  /** What it is below, from the highest on; none for what is below nothing. */
  trail: readonly Crumb[]
  /** What was just done, told once. */
  told: Text | null
  /** How long the session lives without a request; `null` for nobody. */
  idleMs: number | null
  /** Seconds until the page asks for itself again; `null` for never. */
  liveSeconds: number | null
  body: Markup
}

export function renderFrame(frame: Frame): string {
  const { view, operator, liveSeconds, body } = frame
  const { frame: texts } = view.texts
  const said = (words: Words) => say(words, view)
  return String(html`<!doctype html>
<html lang="${view.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${said(frame.title)} · Ventanilla</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath(consoleStyles, 'css')}">
<script src="${assetPath(bundled.page, 'js')}" defer></script>
</head>
<body${attributes({
    class: operator === null && 'alone',
    'data-now': frame.now,
    'data-idle-ms': frame.idleMs,
    'data-texts': JSON.stringify(texts.scripts),
  })}>
<a class="skip" href="#content">${texts.skip}</a>
${topMarkup(frame)}
${navigationMarkup(frame.navigation, view)}
<main id="content" tabindex="-1"${attributes({ 'data-live-seconds': liveSeconds })}>
${clockMarkup(frame)}
${trailMarkup(frame)}
<h1>${said(frame.heading)}</h1>
${body}
</main>
${operator === null ? '' : html`<footer><p>${texts.zone(view.zone)} <a href="/account">${texts.otherZone}</a></p></footer>`}
</body>
</html>
`)
}

/** On every page, so that nobody takes its times for the world's. */
function clockMarkup({ aheadClock, view }: Frame): Markup {
  if (aheadClock === null) return html``
  const { clock } = view.texts.frame
  const { aheadMs, movingTo } = aheadClock
  const ahead = clock.ahead(say(age(Math.round(aheadMs / 1000)), view))
  const moving = movingTo === null ? '' : ` ${clock.moving(view.time(movingTo))}`
  return html`<p class="sandbox-clock notice waiting">${ahead}${moving}</p>`
}

function trailMarkup({ trail, title, view }: Frame): Markup {
  if (trail.length === 0) return html``
  return html`<nav class="crumb" aria-label="${view.texts.frame.trail}"><ol>${trail.map(
    ({ href, text }) => html`<li><a href="${href}">${say(text, view)}</a></li>`,
  )}<li aria-current="page">${say(title, view)}</li></ol></nav>`
}

function topMarkup(shown: Frame): Markup {
  const { view, mode, sought, operator, formToken, told, navigation } = shown
  const { frame } = view.texts
  const who =
    operator === null
      ? ''
      : html`<div class="who"><a href="/account">${operator.name}</a> <small>${say(named(operator.role), view)}</small>
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${formToken}">
<button class="link">${frame.signOut}</button></form></div>`
  return html`<header class="top">
<a class="name" href="/">Ventanilla</a>
<span class="badge ${mode === 'production' ? 'bad' : 'waiting'}">${say(named(mode), view)}</span>
${navigation.length === 0 ? '' : searchMarkup(sought, view)} ${who}
${told === null ? '' : html`<p class="toast notice ${told.tone ?? 'good'}" role="status"><strong>${say(told.text, view)}</strong></p>`}
</header>`
}

// Read, and so without a token: what is sent with GET would be in the address.
function searchMarkup(sought: string, { texts: { frame } }: View): Markup {
  return html`<form class="find" role="search" aria-label="${frame.everything}" method="get" action="/search">
<input type="search" name="q" value="${sought}" maxlength="500" spellcheck="false" autocomplete="off"
 aria-label="${frame.searchEverything}" aria-keyshortcuts="/" placeholder="${frame.searchHint}">
<button class="quiet">${frame.search}</button></form>`
}

/** All of it on a wide screen; behind a button on a narrow one, which opens without scripts. */
function navigationMarkup(navigation: readonly NavigationItem[], view: View): Markup {
  if (navigation.length === 0) return html``
  const { frame } = view.texts
  const waiting = navigation.reduce((sum, { count }) => sum + (count ?? 0), 0)
  return html`<nav class="rooms" aria-label="${frame.console}">
<button type="button" class="quiet" popovertarget="rooms">${frame.menu}${countMarkup(waiting)}</button>
<div id="rooms" popover>${sections.map((section) => {
    const items = navigation.filter((item) => item.section === section)
    return html`
<p id="rooms-${section}">${frame.sections[section]}</p>
<ul aria-labelledby="rooms-${section}">${items.map(
      ({ href, text, isCurrent, count }) => html`
<li><a href="${href}"${attributes({ 'aria-current': isCurrent && 'page' })}>${say(text, view)}${countMarkup(count)}</a></li>`,
    )}</ul>`
  })}
</div></nav>`
}

function countMarkup(count: number | null): Markup {
  return count ? html` <span class="count">${count}</span>` : html``
}
