/** The document as a page for people: made on the server, with the shared look, without scripts or other hosts. */
import { createHash } from 'node:crypto'
import { template } from '../../pages/templates.ts'
import { tokenStyles } from '../../pages/tokens.ts'
import type { ApiDocument } from './document.ts'
import { type PageView, viewOf } from './page-view.ts'

const styles = `${tokenStyles}
body { display: grid; grid-template-columns: 1fr; max-width: 76rem; margin: 0 auto; padding: var(--space-4); gap: var(--space-5); }
main, nav { min-width: 0; }
h1 { font-size: var(--text-amount-long); line-height: 1.2; }
h2 { font-size: var(--text-large); margin: var(--space-6) 0 var(--space-3); }
h3 { font-size: var(--text); margin: 0; }
h4 { font-size: var(--text-small); color: var(--muted); margin: var(--space-4) 0 var(--space-1); }
p + p { margin-top: var(--space-3); }
.muted { color: var(--muted); }
nav ul { list-style: none; margin: 0 0 var(--space-3); padding: 0; font-size: var(--text-small); }
nav li a { display: block; padding: var(--space-1) 0; text-decoration: none; }
section.operation {
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
  padding: var(--space-4); margin-bottom: var(--space-4); scroll-margin-top: var(--space-4);
}
.request { font: var(--text-small)/1.6 var(--font-code); margin: var(--space-2) 0 var(--space-3); }
.method { display: inline-block; padding: 0 var(--space-2); border-radius: var(--space-1); font-weight: 700; }
.get { background: var(--busy-surface); color: var(--busy-ink); }
.post { background: var(--ready-surface); color: var(--ready-ink); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: var(--text-small); overflow-wrap: normal; }
td:first-child { white-space: nowrap; }
td { min-width: 7rem; }
th { text-align: left; color: var(--muted); font-weight: 600; }
th, td { padding: var(--space-1) var(--space-3) var(--space-1) 0; vertical-align: top; border-bottom: 1px solid var(--line); }
code, pre { font-family: var(--font-code); font-size: var(--text-small); }
pre {
  margin: 0; padding: var(--space-3); background: var(--page); border: 1px solid var(--line);
  border-radius: var(--space-2); overflow-x: auto;
}
summary { cursor: pointer; padding: var(--space-2) 0; color: var(--accent); font-size: var(--text-small); font-weight: 600; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 60rem) {
  body { grid-template-columns: 15rem 1fr; }
  nav { position: sticky; top: var(--space-4); align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
@media print { nav { display: none; } body { display: block; } }
`

/** Nothing but the one style of the page itself. */
export const documentPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const render = template<PageView & { styles: string }>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %> API</title>
<style><%~ it.styles %></style>
</head>
<body>
<nav aria-label="Contents">
<% for (const group of it.groups) { %>
<strong><%= group.title %></strong>
<ul>
<% for (const operation of group.operations) { %>
<li><a href="#<%= operation.id %>"><%= operation.summary %></a></li>
<% } %>
</ul>
<% } %>
<ul><li><a href="<%= it.base %>/openapi.json">openapi.json</a></li></ul>
</nav>
<main>
<h1><%= it.title %> API</h1>
<p class="muted"><%= it.summary %>. Version <%= it.version %>; all paths are below <code><%= it.base %></code>.</p>
<h2>In short</h2>
<% for (const paragraph of it.introduction) { %>
<p><% for (const span of paragraph) { %><% if (span.kind === 'strong') { %><strong><%= span.text %></strong><% } else if (span.kind === 'code') { %><code><%= span.text %></code><% } else { %><%= span.text %><% } %><% } %></p>
<% } %>
<h2>Headers that sign</h2>
<div class="scroll"><table>
<tr><th scope="col">header</th><th scope="col">what it is</th></tr>
<% for (const header of it.headers) { %>
<tr><td><code><%= header.name %></code></td><td><%= header.description %></td></tr>
<% } %>
</table></div>
<% for (const group of it.groups) { %>
<h2><%= group.title %></h2>
<% for (const operation of group.operations) { %>
<section class="operation" id="<%= operation.id %>">
<h3><%= operation.summary %></h3>
<p class="request"><span class="method <%= operation.method.toLowerCase() %>"><%= operation.method %></span> <%= operation.path %></p>
<p><%= operation.description %></p>
<% for (const list of operation.lists) { %>
<h4><%= list.title %></h4>
<div class="scroll"><table>
<tr><th scope="col">name</th><th scope="col">type</th><th scope="col">what it is</th></tr>
<% for (const field of list.fields) { %>
<tr><td><code><%= field.name %></code></td><td><%= field.type %><% if (field.required) { %>, required<% } %></td><td><%= field.description %></td></tr>
<% } %>
</table></div>
<% } %>
<% for (const example of operation.examples) { %>
<details><summary><%= example.title %></summary><pre tabindex="0"><%= example.text %></pre></details>
<% } %>
<% if (operation.errors.length > 0) { %>
<details><summary>Errors</summary>
<div class="scroll"><table>
<tr><th scope="col">status</th><th scope="col">code</th><th scope="col">for example</th><th scope="col">when</th></tr>
<% for (const error of operation.errors) { %>
<tr><td><%= error.status %></td><td><code><%= error.code %></code></td><td><%= error.detail %></td><td><%= error.when %></td></tr>
<% } %>
</table></div>
</details>
<% } %>
</section>
<% } %>
<% } %>
</main>
</body>
</html>
`)

export function documentPage(document: ApiDocument): string {
  return render({ ...viewOf(document), styles })
}
