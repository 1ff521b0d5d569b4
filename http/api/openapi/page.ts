/** The document as pages for people, one an operation: made on the server, without scripts or other hosts. */
import { html, type Markup } from '../../pages/markup.ts'
import { codeMarkup, pageFrame, spanMarkup, tableMarkup, tabsMarkup } from './page-layout.ts'
import { type FieldView, type OperationView, type PageView, spans } from './page-view.ts'
import { samplesOf } from './samples.ts'
import { signatureContent } from './signature-page.ts'
import { webhookContent } from './webhook-page.ts'

/** Every page by its name, made when it is asked for. @param url of the node */
export function documentPages(view: PageView, url: string): ReadonlyMap<string, () => string> {
  const pages = new Map<string, () => string>([
    ['', () => pageFrame(view, '', `${view.title} API`, overviewContent(view))],
    ['signature', () => pageFrame(view, 'signature', 'Signing a request', signatureContent(view))],
    ['webhooks', () => pageFrame(view, 'webhooks', 'Receiving webhooks', webhookContent(view))],
  ])
  for (const operation of view.groups.flatMap(({ operations }) => operations)) {
    const { id, summary } = operation
    pages.set(id, () => pageFrame(view, id, summary, operationContent(operation, url)))
  }
  return pages
}

function overviewContent({ base, summary, introduction, groups }: PageView): Markup {
  return html`<p class="muted">${summary}. All paths are below <code>${base}</code>.</p>
<p>Start with <a href="${base}/docs/signature">how a request is signed</a> and <a href="${base}/docs/webhooks">how webhooks are received</a>.
Clients for TypeScript, Python and PHP do both.</p>
${introduction.map((paragraph) => html`<p>${paragraph.map(spanMarkup)}</p>\n`)}
${groups.map(
  ({ title, operations }) => html`<h2>${title}</h2>
<dl>${operations.map(
    ({ id, summary, method, path }) => html`<dt><a href="${base}/docs/${id}">${summary}</a></dt>
<dd><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></dd>\n`,
  )}</dl>
`,
)}`
}

function operationContent(operation: OperationView, url: string): Markup {
  const { description, method, path, asked, told, bodies, answers, errors, sample } = operation
  const samples = samplesOf(sample, url).map(({ language, text }) => ({ title: language, text }))
  return html`<p class="request"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</p>
<p>${spans(description).map(spanMarkup)}</p>
<div class="columns">
<div class="column">
<h2>Request</h2>
${tabsMarkup('sample', 'Language of the sample', samples)}
</div>
<div class="column">
<h2>Answer</h2>
${tabsMarkup('answer', 'Status of the answer', answers)}
</div>
<div class="column">
${asked.map(fieldsMarkup)}
${bodies.map(
  ({ title, text }) => html`<details><summary>${title}, all fields</summary>${codeMarkup(text)}</details>\n`,
)}
</div>
<div class="column">
${told.map(fieldsMarkup)}
</div>
</div>
${errors.length === 0 ? '' : errorsMarkup(errors)}`
}

function fieldsMarkup({ title, fields }: OperationView['asked'][number]): Markup {
  return html`<h2>${title}</h2>
<dl>${fields.map(fieldMarkup)}</dl>
`
}

function fieldMarkup({ name, type, required, description }: FieldView): Markup {
  return html`<dt><code>${name}</code> <span class="muted">${type}${required ? ', required' : ''}</span></dt>
<dd>${spans(description).map(spanMarkup)}</dd>\n`
}

function errorsMarkup(errors: OperationView['errors']): Markup {
  const rows = errors.map(({ status, code, detail, when }) => [
    status,
    html`<code>${code}</code>`,
    detail,
    when,
  ])
  return tableMarkup('Errors', ['status', 'code', 'for example', 'when'], rows)
}
