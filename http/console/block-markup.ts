/** The blocks of a page as markup; every text in them is escaped, wherever it came from. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import { barsMarkup } from './bars-markup.ts'
import type { Block, Cell, RenderContext, Text } from './blocks.ts'
import { filtersMarkup, formMarkup } from './form-markup.ts'
import { monthMarkup } from './month-markup.ts'
import { readableTime } from './readable.ts'

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

export function blocksMarkup(blocks: readonly Block[], context: RenderContext): Markup {
  const isForm = (block: Block | undefined) => block?.kind === 'form'
  return html`${blocks.map((block, index) => {
    const markup = blockMarkup(block, context, index)
    // Forms that follow each other stand side by side.
    const isFirst = isForm(block) && !isForm(blocks[index - 1])
    const isLast = isForm(block) && !isForm(blocks[index + 1])
    return html`${isFirst ? html`<div class="acts">\n` : ''}${markup}${isLast ? html`\n</div>` : ''}\n`
  })}`
}

function blockMarkup(block: Block, context: RenderContext, index: number): Markup {
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

function tilesMarkup({ label, items }: BlockOf<'tiles'>): Markup {
  return html`<ul class="tiles" aria-label="${label}">${items.map(
    ({ tone = 'plain', href, value, label, note }) => {
      const inner = html`<strong>${value}</strong> <span>${label}</span>${small(note)}`
      return html`<li class="${tone}">${href ? html`<a href="${href}">${inner}</a>` : inner}</li>`
    },
  )}</ul>`
}

// Narrow screens show each row as a card; the roles say all the same that it is a table.
function tableMarkup({ label, columns, rows, empty }: BlockOf<'table'>): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const side = (index: number) => attributes({ class: columns[index]?.isRight && 'right' })
  return html`
<table role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${columns.map(
    (column, index) => html`
<th role="columnheader" scope="col"${side(index)}>${column.label}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${row.map(
        (value, index) => html`
<td role="cell" data-label="${columns[index]?.label ?? ''}"${side(index)}><div>${cell(value)}</div></td>`,
      )}</tr>`,
  )}
</tbody></table>`
}

function cell(value: Cell): Markup {
  if (value === null || value === '') return html`<span class="nothing">–</span>`
  const text = typeof value === 'string' ? { text: value } : value
  const { href, title, note } = text
  const inner = cellText(text)
  return html`${href ? html`<a${attributes({ href, title })}>${inner}</a>` : inner}${small(note)}`
}

function cellText({ text, time, href, title, isCode, tone, isWhole, isLong }: Text): Markup {
  if (time !== undefined) return html`<time datetime="${time}">${readableTime(time)}</time>`
  const looks = attributes({
    class: tone ? `badge ${tone}` : isWhole ? 'whole' : isLong && 'long',
    // A link has it already.
    title: href ? null : title,
  })
  return isCode
    ? html`<code${looks}><bdi>${text}</bdi></code>`
    : html`<span${looks}><bdi>${text}</bdi></span>`
}
