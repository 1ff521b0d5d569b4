/**
 * What the console's pages are made of. A page is data; here alone it becomes markup, and every text in it is
 * escaped, wherever it came from.
 */
import { template } from '../pages/templates.ts'
import { readableTime } from './readable.ts'

export type Tone = 'plain' | 'good' | 'waiting' | 'busy' | 'bad'

export interface Text {
  text: string
  href?: string
  tone?: Tone
  /** ISO 8601; the text is made from it. */
  time?: string
  /** An id, a key, a code: one width for each sign. */
  isCode?: boolean
  /** Not to be broken into lines: an amount. */
  isWhole?: boolean
  /** May be long, and without a blank in it: broken anywhere. */
  isLong?: boolean
  /** Under the text, in small letters. */
  note?: string
  title?: string
}

/** `null` is shown as a dash. */
export type Cell = string | null | Text

export interface Column {
  label: string
  isRight?: boolean
}

export interface Field {
  name: string
  label: string
  type: 'text' | 'area' | 'select' | 'check' | 'password' | 'datetime-local' | 'date' | 'search'
  hint?: string
  /** What is wrong with the value, told beside it. */
  problem?: string
  value?: string
  isOptional?: boolean
  options?: readonly (readonly [value: string, text: string])[]
  maxLength?: number
  autocomplete?: string
}

export type Block =
  | { kind: 'notice'; tone: Tone; title: string; lines: readonly string[] }
  | { kind: 'secret'; label: string; value: string; note: string }
  | { kind: 'heading'; text: string; id?: string; note?: string }
  | { kind: 'text'; text: string }
  | { kind: 'links'; items: readonly Text[] }
  | {
      kind: 'tiles'
      label: string
      items: readonly { label: string; value: string; href?: string; tone?: Tone; note?: string }[]
    }
  | { kind: 'facts'; items: readonly (readonly [label: string, value: Cell])[] }
  | {
      kind: 'table'
      label: string
      columns: readonly Column[]
      rows: readonly (readonly Cell[])[]
      empty: string
    }
  | { kind: 'next'; href: string | null }
  | { kind: 'form'; form: Form }
  | { kind: 'filters'; action: string; fields: readonly Field[]; button: string }
  | { kind: 'source'; label: string; text: string }
  | { kind: 'bars'; label: string; days: readonly { day: string; parts: readonly Bar[] }[] }
  /** Markup of our own making alone. */
  | { kind: 'drawing'; label: string; svg: string }

export interface Bar {
  name: string
  tone: Tone
  count: number
}

export interface Form {
  /** Where it is sent to. */
  action: string
  title: string
  lead?: string
  button: string
  isDanger?: boolean
  fields: readonly Field[]
  hidden: Readonly<Record<string, string>>
  /** The page is there for it: it cannot be folded away. */
  isMain?: boolean
}

export interface RenderContext {
  /** Goes into every form. */
  formToken: string
  /** Where a form was shown, so that it can be shown again with what is wrong. */
  from: string
  /** What was sent and could not be done: its form is open, and filled in as it was. */
  failed: { action: string; values: Readonly<Record<string, string>> } | null
}

const cellTemplate = template<Text & { shown: string }>(
  `<% const inner = it.isCode ? 'code' : 'span'; %>` +
    `<% if (it.href) { %><a href="<%= it.href %>"<% if (it.title) { %> title="<%= it.title %>"<% } %>><% } %>` +
    `<% if (it.time) { %><time datetime="<%= it.time %>"><%= it.shown %></time><% } else { %>` +
    `<<%= inner %><% if (it.tone) { %> class="badge <%= it.tone %>"<% } else if (it.isWhole) { %> class="whole"<% } else if (it.isLong) { %> class="long"<% } %>` +
    `<% if (it.title && !it.href) { %> title="<%= it.title %>"<% } %>><bdi><%= it.shown %></bdi></<%= inner %>><% } %>` +
    `<% if (it.href) { %></a><% } %>` +
    `<% if (it.note) { %><small><%= it.note %></small><% } %>`,
)

function cell(value: Cell): string {
  if (value === null || value === '') return '<span class="nothing">–</span>'
  const text = typeof value === 'string' ? { text: value } : value
  return cellTemplate({ ...text, shown: text.time === undefined ? text.text : readableTime(text.time) })
}

/** The parts that only show something are marked, so that each can be asked for anew without the others. */
export function renderBlocks(blocks: readonly Block[], context: RenderContext): string {
  const parts: string[] = []
  blocks.forEach((block, index) => {
    const isForm = block.kind === 'form'
    const markup = renderBlock(block, context, index)
    const isLive = !['form', 'filters', 'secret', 'notice'].includes(block.kind)
    // Forms that follow each other stand side by side.
    if (isForm && blocks[index - 1]?.kind !== 'form') parts.push('<div class="acts">')
    parts.push(isLive ? `<div data-live="${index}">${markup}</div>` : markup)
    if (isForm && blocks[index + 1]?.kind !== 'form') parts.push('</div>')
  })
  return parts.join('\n')
}

function renderBlock(block: Block, context: RenderContext, index: number): string {
  switch (block.kind) {
    case 'facts':
      return factsTemplate({ items: block.items.map(([label, value]) => [label, cell(value)] as const) })
    case 'table':
      return tableTemplate({ ...block, rows: block.rows.map((row) => row.map(cell)) })
    case 'links':
      return `<p class="links">${block.items.map(cell).join(' ')}</p>`
    case 'form':
      return renderForm(block.form, context, index)
    case 'filters':
      return filtersTemplate({
        ...block,
        fields: block.fields.map((field) => renderField(field, `f${index}`)),
      })
    case 'bars':
      return renderBars(block.label, block.days)
    case 'drawing':
      return drawingTemplate(block)
    default:
      return plainTemplates[block.kind](block)
  }
}

type Plain = Extract<Block, { kind: 'notice' | 'secret' | 'heading' | 'text' | 'tiles' | 'next' | 'source' }>

const plainTemplates: Readonly<Record<Plain['kind'], (block: Plain) => string>> = {
  notice: template(
    `<div class="notice <%= it.tone %>" role="<%= it.tone === 'bad' ? 'alert' : 'status' %>">` +
      `<strong><%= it.title %></strong><% for (const line of it.lines) { %><p><%= line %></p><% } %></div>`,
  ),
  secret: template(
    `<div class="notice waiting" role="status"><strong><%= it.label %></strong>` +
      `<p><code class="secret"><%= it.value %></code></p><p><%= it.note %></p></div>`,
  ),
  heading: template(
    `<h2<% if (it.id) { %> id="<%= it.id %>"<% } %>><%= it.text %><% if (it.note) { %> <small><%= it.note %></small><% } %></h2>`,
  ),
  text: template(`<p class="lead"><%= it.text %></p>`),
  tiles: template(
    `<ul class="tiles" aria-label="<%= it.label %>"><% for (const tile of it.items) { %><li class="<%= tile.tone || 'plain' %>">` +
      `<% if (tile.href) { %><a href="<%= tile.href %>"><% } %><strong><%= tile.value %></strong> <span><%= tile.label %></span><% if (tile.note) { %><small><%= tile.note %></small><% } %>` +
      `<% if (tile.href) { %></a><% } %></li><% } %></ul>`,
  ),
  next: template(
    `<% if (it.href) { %><p class="next"><a class="button quiet" href="<%= it.href %>" rel="next">Older ones</a></p><% } %>`,
  ),
  source: template(
    `<div class="source" role="region" aria-label="<%= it.label %>" tabindex="0"><pre><%= it.text %></pre></div>`,
  ),
}

const factsTemplate = template<{ items: readonly (readonly [string, string])[] }>(
  `<dl class="facts"><% for (const [label, value] of it.items) { %><div><dt><%= label %></dt><dd><%~ value %></dd></div><% } %></dl>`,
)

// Narrow screens show each row as a card; the roles say all the same that it is a table.
const tableTemplate = template<{
  label: string
  columns: readonly Column[]
  rows: readonly (readonly string[])[]
  empty: string
}>(
  `<% if (it.rows.length === 0) { %><p class="empty"><%= it.empty %></p><% } else { %>
<table role="table" aria-label="<%= it.label %>"><thead role="rowgroup"><tr role="row"><% for (const column of it.columns) { %>
<th role="columnheader" scope="col"<% if (column.isRight) { %> class="right"<% } %>><%= column.label %></th><% } %></tr></thead>
<tbody role="rowgroup"><% for (const row of it.rows) { %><tr role="row"><% for (const [index, value] of row.entries()) { %>
<td role="cell" data-label="<%= it.columns[index].label %>"<% if (it.columns[index].isRight) { %> class="right"<% } %>><div><%~ value %></div></td><% } %></tr><% } %>
</tbody></table><% } %>`,
)

const drawingTemplate = template<{ label: string; svg: string }>(
  `<div class="drawing" role="region" aria-label="<%= it.label %>" tabindex="0"><%~ it.svg %></div>`,
)

const formTemplate = template<
  Form & { isOpen: boolean; markup: readonly string[]; hiddenFields: readonly (readonly string[])[] }
>(
  `<% if (it.isMain) { %><div class="act main"><% } else { %>
<details class="act<%= it.isDanger ? ' danger' : '' %>"<% if (it.isOpen) { %> open<% } %>><summary><%= it.title %></summary><% } %>
<form method="post" action="<%= it.action %>"><% if (it.lead) { %><p><%= it.lead %></p><% } %>
<% for (const [name, value] of it.hiddenFields) { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% } %>
<% for (const field of it.markup) { %><%~ field %><% } %>
<button<% if (it.isDanger) { %> class="danger"<% } %>><%= it.button %></button></form><%~ it.isMain ? '</div>' : '</details>' %>`,
)

function renderForm(form: Form, context: RenderContext, index: number): string {
  const { failed } = context
  const again = failed !== null && failed.action === form.action && isSame(form.hidden, failed.values)
  const fields = again
    ? form.fields.map((field) => ({ ...field, ...refilled(field, failed.values[field.name]) }))
    : form.fields
  const hidden = { ...form.hidden, form_token: context.formToken, from: context.from }
  return formTemplate({
    ...form,
    isOpen: again,
    markup: fields.map((field) => renderField(field, `f${index}`)),
    hiddenFields: Object.entries(hidden),
  })
}

/** No password is sent back. */
function refilled(field: Field, value: string | undefined): { value?: string } {
  return value === undefined || field.type === 'password' ? {} : { value }
}

/** The revision may be a newer one now, and that is what the reader is told. */
function isSame(hidden: Form['hidden'], values: Readonly<Record<string, string>>): boolean {
  return Object.entries(hidden).every(([name, value]) => name === 'revision' || values[name] === value)
}

const fieldTemplate = template<Field & { id: string }>(`
<% const notes = [it.problem ? it.id + '-problem' : '', it.hint ? it.id + '-hint' : ''].join(' ').trim(); const isPlain = it.type === 'search' || it.type === 'date';
const described = (it.problem ? ' aria-invalid="true"' : '') + (notes ? ' aria-describedby="' + notes + '"' : ''); const required = it.isOptional ? '' : ' required'; %>
<div class="field">
<% if (it.type === 'check') { %>
<label class="check"><input type="checkbox" name="<%= it.name %>" value="yes"<% if (it.value) { %> checked<% } %>> <%= it.label %></label>
<% } else { %><label for="<%= it.id %>"><%= it.label %><% if (it.isOptional && !isPlain) { %> <small>optional</small><% } %></label>
<% if (it.type === 'area') { %>
<textarea id="<%= it.id %>" name="<%= it.name %>" rows="<%= it.maxLength > 2000 ? 12 : 3 %>" maxlength="<%= it.maxLength || 500 %>"<%~ required %><%~ described %>><%= it.value %></textarea>
<% } else if (it.type === 'select') { %>
<select id="<%= it.id %>" name="<%= it.name %>"<%~ described %>><% for (const [value, text] of it.options) { %>
<option value="<%= value %>"<% if (value === it.value) { %> selected<% } %>><%= text %></option><% } %></select>
<% } else { %>
<input id="<%= it.id %>" type="<%= it.type %>" name="<%= it.name %>" maxlength="<%= it.maxLength || 500 %>" spellcheck="false"
<% if (it.type !== 'password') { %> value="<%= it.value %>"<% } %><% if (it.autocomplete) { %> autocomplete="<%= it.autocomplete %>"<% } %><%~ required %><%~ described %>>
<% } %><% } %>
<% if (it.problem) { %><p class="problem" id="<%= it.id %>-problem"><%= it.problem %></p><% } %>
<% if (it.hint) { %><p class="hint" id="<%= it.id %>-hint"><%= it.hint %></p><% } %></div>`)

function renderField(field: Field, prefix: string): string {
  return fieldTemplate({ value: '', ...field, id: `${prefix}-${field.name}` })
}

const filtersTemplate = template<{ action: string; fields: readonly string[]; button: string }>(
  `<form class="filters" method="get" action="<%= it.action %>" role="search"><% for (const field of it.fields) { %><%~ field %><% } %>
<button class="quiet"><%= it.button %></button></form>`,
)

const barsTemplate = template<{
  label: string
  width: number
  names: readonly { name: string; tone: Tone }[]
  rects: readonly { x: number; y: number; height: number; tone: Tone; title: string }[]
  ticks: readonly { x: number; text: string; isMain: boolean }[]
}>(
  `<figure class="bars"><svg viewBox="0 0 <%= it.width %> 130" role="img" aria-label="<%= it.label %>">
<line x1="0" x2="<%= it.width %>" y1="110.5" y2="110.5"/><% for (const r of it.rects) { %>
<rect class="<%= r.tone %>" x="<%= r.x %>" y="<%= r.y %>" width="9" height="<%= r.height %>"><title><%= r.title %></title></rect><% } %>
<% for (const tick of it.ticks) { %><text<% if (tick.isMain) { %> class="main"<% } %> x="<%= tick.x %>" y="126"><%= tick.text %></text><% } %></svg>
<figcaption><% for (const each of it.names) { %><span class="key <%= each.tone %>"><%= each.name %></span> <% } %></figcaption></figure>`,
)

function renderBars(label: string, days: readonly { day: string; parts: readonly Bar[] }[]): string {
  const most = Math.max(1, ...days.flatMap(({ parts }) => parts.map(({ count }) => count)))
  const step = 44
  return barsTemplate({
    label,
    width: days.length * step,
    names: days[0]?.parts ?? [],
    rects: days.flatMap(({ day, parts }, index) =>
      parts.map(({ name, tone, count }, place) => {
        const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * 104))
        return {
          x: index * step + 5 + place * 11,
          y: 110 - height,
          height,
          tone,
          title: `${day} ${name}: ${count}`,
        }
      }),
    ),
    ticks: days.map(({ day }, index) => ({
      x: index * step + 5,
      text: day.slice(5),
      isMain: index % 6 === 0,
    })),
  })
}
