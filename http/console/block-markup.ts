/** The blocks of a page as markup; every text in them is escaped, wherever it came from. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import { barsMarkup } from './bars-markup.ts'
import type { Block, Cell, Column, RenderContext, Text } from './blocks.ts'
import { filtersMarkup, formMarkup } from './form-markup.ts'
import { monthMarkup } from './month-markup.ts'
import { readableTime } from './readable.ts'

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

/** @param within the place of the fold that they are in: the ids of fields are of one page */
export function blocksMarkup(blocks: readonly Block[], context: RenderContext, within = ''): Markup {
  const isForm = (block: Block | undefined) => block?.kind === 'form'
  return html`${blocks.map((block, index) => {
    const markup = blockMarkup(block, context, `${within}${index}`)
    // Forms that follow each other stand side by side.
    const isFirst = isForm(block) && !isForm(blocks[index - 1])
    const isLast = isForm(block) && !isForm(blocks[index + 1])
    return html`${isFirst ? html`<div class="acts">\n` : ''}${markup}${isLast ? html`\n</div>` : ''}\n`
  })}`
}

function blockMarkup(block: Block, context: RenderContext, index: string): Markup {
  switch (block.kind) {
    case 'notice':
      return noticeMarkup(block)
    case 'secret':
      return html`<div class="notice waiting" role="status"><strong>${block.label}</strong>
<p><code class="secret">${block.value}</code></p><p>${block.note}</p></div>`
    case 'heading':
      return html`<h2${attributes({ id: block.id })}>${block.text}${small(block.note, ' ')}</h2>`
    case 'text':
      return html`<p class="lead">${block.text}</p>`
    case 'list':
      return html`<ul class="lead">${block.items.map((item) => html`<li>${item}</li>`)}</ul>`
    case 'links':
      return html`<p class="links">${block.items.map((item) => html`${cell(item)} `)}</p>`
    case 'tiles':
      return tilesMarkup(block)
    case 'facts':
      return html`<dl class="facts">${block.items.map(
        ([label, value]) => html`<div><dt>${label}</dt><dd>${cell(value)}</dd></div>`,
      )}</dl>`
    case 'table':
      return tableMarkup(block)
    case 'fold':
      return html`<details class="fold"><summary>${block.title}</summary>${blocksMarkup(block.blocks, context, `${index}-`)}</details>`
    case 'next':
      if (block.href === null) return html``
      return html`<p class="next"><a class="button quiet" href="${block.href}" rel="next">Older ones</a></p>`
    case 'form':
      return formMarkup(block.form, context, index)
    case 'filters':
      return filtersMarkup(block, index)
    case 'source':
      return html`<div class="source" role="region" aria-label="${block.label}" tabindex="0"><pre>${block.text}</pre></div>`
    case 'month':
      return monthMarkup(block.label, block.days)
    case 'bars':
      return barsMarkup(block.label, block.days)
    case 'drawing':
      return html`<div class="drawing" role="region" aria-label="${block.label}" tabindex="0">${block.svg}</div>`
  }
}

function small(note: string | undefined, before = ''): Markup {
  return note ? html`${before}<small>${note}</small>` : html``
}

function noticeMarkup({ tone, title, lines }: BlockOf<'notice'>): Markup {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
<strong>${title}</strong>${lines.map((line) => html`<p>${line}</p>`)}</div>`
}

/** What a narrow tile holds in a line, in characters: an amount with its currency may be longer. */
const narrowTile = 9

function tilesMarkup({ label, items }: BlockOf<'tiles'>): Markup {
  const isWide = items.some(({ value }) => value.length > narrowTile)
  return html`<ul class="${isWide ? 'tiles wide' : 'tiles'}" aria-label="${label}">${items.map(
    ({ tone = 'plain', href, value, label, note }) => {
      const inner = html`<strong>${value}</strong> <span>${label}</span>${small(note)}`
      return html`<li class="${tone}">${href ? html`<a href="${href}">${inner}</a>` : inner}</li>`
    },
  )}</ul>`
}

// Narrow screens show each row as a card; the roles say all the same that it is a table.
function tableMarkup({ label, columns, rows, empty, isList }: BlockOf<'table'>): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const side = (index: number) => {
    const { isRight, isCut } = columns[index] ?? {}
    return attributes({ class: isRight ? 'right' : isCut && 'cut' })
  }
  // A list has none on a phone either, and it is the longest of all tables.
  const labelled = (index: number) =>
    attributes({ 'data-label': isList ? null : (columns[index]?.label ?? '') })
  return html`
<table role="table" aria-label="${label}"${attributes({ class: isList && 'list' })}><thead role="rowgroup"><tr role="row">${columns.map(
    (column, index) => html`
<th role="columnheader" scope="col"${side(index)}>${column.label}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${row.map(
        (value, index) => html`
<td role="cell"${labelled(index)}${side(index)}><div${whole(value, columns[index])}>${cell(value)}</div></td>`,
      )}</tr>`,
  )}
</tbody></table>`
}

/** What may be cut off is told beside the pointer. */
function whole(value: Cell, column: Column | undefined) {
  if (!column?.isCut) return attributes({})
  return attributes({ title: typeof value === 'string' ? value : value?.title ? null : value?.text })
}

function cell(value: Cell): Markup {
  if (value === null || value === '') return html`<span class="nothing">–</span>`
  const text = typeof value === 'string' ? { text: value } : value
  const { href, title, note, isStrong } = text
  const plain = cellText(text)
  const inner = isStrong ? html`<strong>${plain}</strong>` : plain
  return html`${href ? html`<a${attributes({ href, title })}>${inner}</a>` : inner}${small(note)}`
}

function cellText(shown: Text): Markup {
  const { text, time, isExact, href, title, isCode, tone, isWhole, isLong, copy } = shown
  if (time !== undefined) {
    const kind = attributes({ class: isExact && 'exact' })
    return html`<time datetime="${time}"${kind}>${readableTime(time)}</time>`
  }
  const looks = attributes({
    class: tone ? `badge ${tone}` : isWhole ? 'whole' : isLong && 'long',
    // A link has it already.
    title: href ? null : title,
    'data-copy': copy === true ? text : copy,
  })
  return isCode
    ? html`<code${looks}><bdi>${text}</bdi></code>`
    : html`<span${looks}><bdi>${text}</bdi></span>`
}
