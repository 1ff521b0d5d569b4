/** The frame around every page of the console. */
import { createHash } from 'node:crypto'
import { template } from '../pages/templates.ts'
import { consoleScript } from './script.ts'
import { consoleStyles } from './styles.ts'

/** What a browser asks for beside the page, by a name that changes with its content. */
export const assets: ReadonlyMap<string, { type: string; text: string }> = new Map([
  [assetPath(consoleStyles, 'css'), { type: 'text/css', text: consoleStyles }],
  [assetPath(consoleScript, 'js'), { type: 'text/javascript', text: consoleScript }],
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

export interface NavigationItem {
  href: string
  text: string
  isCurrent: boolean
  /** What waits there. */
  count: number | null
}

export interface Frame {
  title: string
  heading: string
  mode: string
  /** `null` for nobody. */
  operator: { name: string; role: string } | null
  formToken: string
  navigation: readonly NavigationItem[]
  crumb: { href: string; text: string } | null
  /** Seconds until the page asks for itself again; `null` for never. */
  liveSeconds: number | null
  body: string
}

export const renderFrame = template<Frame>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title><%= it.title %> · Ventanilla</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath(consoleStyles, 'css')}">
<script src="${assetPath(consoleScript, 'js')}" defer></script>
</head>
<body<% if (it.operator === null) { %> class="alone"<% } %>>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="name" href="/">Ventanilla</a> <span class="badge <%= it.mode === 'production' ? 'bad' : 'waiting' %>"><%= it.mode %></span>
<% if (it.operator) { %><div class="who"><a href="/account"><%= it.operator.name %></a> <small><%= it.operator.role %></small>
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="<%= it.formToken %>"><button class="link">Sign out</button></form></div><% } %>
</header>
<% if (it.navigation.length > 0) { %><nav class="rooms" aria-label="Console"><ul><% for (const room of it.navigation) { %>
<li><a href="<%= room.href %>"<% if (room.isCurrent) { %> aria-current="page"<% } %>><%= room.text %><% if (room.count) { %>
 <span class="count"><%= room.count %></span><% } %></a></li><% } %></ul></nav><% } %>
<main id="content" tabindex="-1"<% if (it.liveSeconds !== null) { %> data-live-seconds="<%= it.liveSeconds %>"<% } %>>
<% if (it.crumb) { %><p class="crumb"><a href="<%= it.crumb.href %>">← <%= it.crumb.text %></a></p><% } %>
<h1><%= it.heading %></h1>
<%~ it.body %>
</main>
<% if (it.operator) { %><footer><p>Times are UTC.</p></footer><% } %>
</body>
</html>
`)
