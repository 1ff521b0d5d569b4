/** What all pages of the API's documentation share: the frame, the contents, and the marks they are made of. */
import { createHash } from 'node:crypto'
import { attributes, html, type Markup, trusted } from '../../pages/markup.ts'
import { tokenStyles } from '../../pages/tokens.ts'
import type { PageView, Span } from './page-view.ts'

const styles = `${tokenStyles}
body { max-width: 90rem; margin: 0 auto; padding: 0 var(--space-4) var(--space-6); }
main, nav, .column { min-width: 0; }
header { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-5); align-items: baseline; padding: var(--space-4) 0; border-bottom: 1px solid var(--line); }
header a { font-weight: 600; text-decoration: none; }
h1 { font-size: var(--text-amount-long); line-height: 1.2; margin-top: var(--space-5); }
h2 { font-size: var(--text-large); margin: var(--space-6) 0 var(--space-3); scroll-margin-top: var(--space-4); }
h3 { font-size: var(--text); margin: var(--space-4) 0 var(--space-2); }
p, main ul, main ol { margin: var(--space-3) 0 0; max-width: 44rem; }
.muted { color: var(--muted); }
nav { border-top: 1px solid var(--line); margin-top: var(--space-6); padding-top: var(--space-4); font-size: var(--text-small); }
nav strong { display: block; margin-top: var(--space-4); }
nav ul { list-style: none; margin: var(--space-1) 0 0; padding: 0; }
nav a { display: block; padding: var(--space-1) var(--space-2); text-decoration: none; border-radius: var(--space-1); }
nav a[aria-current] { background: var(--ready-surface); color: var(--ready-ink); font-weight: 600; }
.columns { display: grid; gap: 0 var(--space-6); }
.request { font: var(--text-small)/1.6 var(--font-code); margin: var(--space-3) 0; }
.method { display: inline-block; padding: 0 var(--space-2); border-radius: var(--space-1); font-weight: 700; }
.get { background: var(--busy-surface); color: var(--busy-ink); }
.post { background: var(--ready-surface); color: var(--ready-ink); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: var(--text-small); overflow-wrap: normal; }
caption { text-align: left; font-weight: 600; padding: var(--space-4) 0 var(--space-1); }
th { text-align: left; color: var(--muted); font-weight: 600; }
th, td { padding: var(--space-2) var(--space-3) var(--space-2) 0; vertical-align: top; border-bottom: 1px solid var(--line); }
dl { margin: var(--space-2) 0 0; font-size: var(--text-small); }
dt { padding-top: var(--space-2); border-top: 1px solid var(--line); }
dd { padding: 0 0 var(--space-2); }
code, pre { font-family: var(--font-code); font-size: var(--text-small); }
pre { margin: 0; padding: var(--space-3); background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); overflow-x: auto; line-height: 1.45; overflow-wrap: normal; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
pre:focus-visible { outline: 3px solid var(--accent); }
summary { cursor: pointer; padding: var(--space-2) 0; color: var(--accent); font-size: var(--text-small); font-weight: 600; }
summary:focus-visible { outline: 3px solid var(--accent); }
.tabs { display: flex; flex-wrap: wrap; margin: var(--space-2) 0 0; position: relative; }
.tabs input { position: absolute; opacity: 0; }
.tabs label { padding: var(--space-1) var(--space-3); font-size: var(--text-small); font-weight: 600; color: var(--muted); cursor: pointer; border-bottom: 3px solid transparent; }
.tabs input:checked + label { color: var(--accent); border-color: var(--accent); }
.tabs input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: -3px; }
.tabs pre { display: none; order: 1; width: 100%; max-height: 34rem; overflow-y: auto; }
.tabs input:checked + label + pre { display: block; }
@media (min-width: 64rem) {
  .frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: var(--space-6); }
  nav { order: -1; border: 0; margin: 0; padding-top: 0; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
  header a[href="#contents"] { display: none; }
}
@media (min-width: 80rem) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
@media print { nav, header a[href="#contents"] { display: none; } .tabs pre { display: block; } }
`

/** Nothing but the one style of the pages themselves. */
export const documentPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Pages that are none of an operation. */
const topics = [
  { name: '', title: 'Overview' },
  { name: 'signature', title: 'Signing a request' },
  { name: 'webhooks', title: 'Receiving webhooks' },
] as const

/** @param name of the page: an operation's id, a topic's, or `''` for the first one */
export function pageFrame(view: PageView, name: string, title: string, content: Markup): string {
  const { base, groups, isSandbox } = view
  const link = (target: string, text: string) =>
    html`<li><a href="${base}/docs${target === '' ? '' : `/${target}`}"${attributes({ 'aria-current': target === name ? 'page' : null })}>${text}</a></li>\n`
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${view.title} API</title>
<style>${trusted(styles)}</style>
</head>
<body>
<header><a href="${base}/docs">${view.title} API</a> <span class="muted">version ${view.version}</span>${isSandbox ? html` <strong>sandbox</strong>` : ''} <a href="#contents">Contents</a></header>
<div class="frame">
<main>
<h1>${title}</h1>
${content}
</main>
<nav id="contents" aria-label="Contents">
<ul>${topics.map((topic) => link(topic.name, topic.title))}<li><a href="${base}/openapi.json">openapi.json</a></li></ul>
${groups.map(
  (group) => html`<strong>${group.title}</strong>
<ul>${group.operations.map(({ id, summary }) => link(id, summary))}</ul>
`,
)}
</nav>
</div>
</body>
</html>
`)
}

export function spanMarkup({ kind, text }: Span): Markup {
  if (kind === 'strong') return html`<strong>${text}</strong>`
  return kind === 'code' ? html`<code>${text}</code>` : html`${text}`
}

export function codeMarkup(text: string, isWrapped = false): Markup {
  return html`<pre tabindex="0"${attributes({ class: isWrapped ? 'wrapped' : null })}><code>${text}</code></pre>\n`
}

/**
 * Texts of which one is seen at a time, chosen without a script.
 *
 * @param name of the choice, once on a page
 */
export function tabsMarkup(
  name: string,
  label: string,
  tabs: readonly { title: string; text: string }[],
): Markup {
  return html`<div class="tabs" role="radiogroup" aria-label="${label}">
${tabs.map(
  ({ title, text }, index) =>
    html`<input type="radio" name="${name}" id="${name}-${index}"${attributes({ checked: index === 0 })}><label for="${name}-${index}">${title}</label>
<pre tabindex="0"><code>${text}</code></pre>\n`,
)}</div>
`
}

type Cells = readonly (string | Markup)[]

export function tableMarkup(caption: string, heads: readonly string[], rows: readonly Cells[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</table></div>
`
}
