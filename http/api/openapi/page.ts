/** The document as a page for people: made on the server, with the shared look, without scripts or other hosts. */
import { createHash } from 'node:crypto'
import { html, type Markup, trusted } from '../../pages/markup.ts'
import { tokenStyles } from '../../pages/tokens.ts'
import type { ApiDocument } from './document.ts'
import { type FieldView, type OperationView, type Span, viewOf } from './page-view.ts'

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

export function documentPage(document: ApiDocument): string {
  const { title, version, summary, base, introduction, headers, groups } = viewOf(document)
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<style>${trusted(styles)}</style>
</head>
<body>
<nav aria-label="Contents">
${groups.map(
  (group) => html`<strong>${group.title}</strong>
<ul>
${group.operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>\n`)}
</ul>
`,
)}
<ul><li><a href="${base}/openapi.json">openapi.json</a></li></ul>
</nav>
<main>
<h1>${title} API</h1>
<p class="muted">${summary}. Version ${version}; all paths are below <code>${base}</code>.</p>
<h2>In short</h2>
${introduction.map((spans) => html`<p>${spans.map(spanMarkup)}</p>\n`)}
<h2>Headers that sign</h2>
${tableMarkup(
  ['header', 'what it is'],
  headers.map(({ name, description }) => [html`<code>${name}</code>`, description]),
)}
${groups.map((group) => html`<h2>${group.title}</h2>\n${group.operations.map(operationMarkup)}`)}
</main>
</body>
</html>
`)
}

function spanMarkup({ kind, text }: Span): Markup {
  if (kind === 'strong') return html`<strong>${text}</strong>`
  return kind === 'code' ? html`<code>${text}</code>` : html`${text}`
}

function operationMarkup(operation: OperationView): Markup {
  const { id, summary, description, method, path, lists, examples, errors } = operation
  return html`<section class="operation" id="${id}">
<h3>${summary}</h3>
<p class="request"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</p>
<p>${description}</p>
${lists.map(
  ({ title, fields }) => html`<h4>${title}</h4>
${tableMarkup(['name', 'type', 'what it is'], fields.map(fieldCells))}
`,
)}
${examples.map(
  ({ title, text }) => html`<details><summary>${title}</summary><pre tabindex="0">${text}</pre></details>\n`,
)}
${errors.length === 0 ? '' : errorsMarkup(errors)}
</section>
`
}

function fieldCells({ name, type, required, description }: FieldView): Cells {
  return [html`<code>${name}</code>`, `${type}${required ? ', required' : ''}`, description]
}

function errorsMarkup(errors: OperationView['errors']): Markup {
  const rows = errors.map(({ status, code, detail, when }) => [
    status,
    html`<code>${code}</code>`,
    detail,
    when,
  ])
  return html`<details><summary>Errors</summary>
${tableMarkup(['status', 'code', 'for example', 'when'], rows)}
</details>`
}

type Cells = readonly (string | Markup)[]

function tableMarkup(heads: readonly string[], rows: readonly Cells[]): Markup {
  return html`<div class="scroll"><table>
<tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</table></div>`
}
