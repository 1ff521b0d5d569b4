/** The blocks of a page as markup; every text in them is escaped, wherever it came from. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import { qrSvg } from '../pages/qr.ts'
import { barsMarkup } from './bars-markup.ts'
import type { Block, Cell, Column, RenderContext } from './blocks.ts'
import { cell, sentence, small, textOf } from './cell-markup.ts'
import { filtersMarkup, formMarkup } from './form-markup.ts'
import { listFileHref, maxLines } from './list-links.ts'
import { monthMarkup } from './month-markup.ts'
import { noticeMarkup } from './notice-markup.ts'
import { say, type View, type Words } from './view.ts'
import { translationOf } from './wording.ts'

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

/** @param within the place of the fold that they are in: the ids of fields are of one page */
export function blocksMarkup(blocks: readonly Block[], context: RenderContext, within = ''): Markup {
  const areActs = (block: Block | undefined) => block?.kind === 'form' || hasActs(block)
  return html`${blocks.map((block, index) => {
    const markup = blockMarkup(block, context, `${within}${index}`)
    // What can be done stands side by side.
    const isFirst = areActs(block) && !areActs(blocks[index - 1])
    const isLast = areActs(block) && !areActs(blocks[index + 1])
    return html`${isFirst ? html`<div class="acts">\n` : ''}${markup}${isLast ? html`\n</div>` : ''}\n`
  })}`
}

const hasActs = (block: Block | undefined): boolean =>
  block?.kind === 'links' && block.items.some(({ isAct }) => isAct)

function blockMarkup(block: Block, context: RenderContext, index: string): Markup {
  const { view } = context
  const said = (words: Words) => say(words, view)
  switch (block.kind) {
    case 'notice':
      return noticeMarkup(block, view)
    case 'secret':
      return html`<div class="notice waiting" role="status"><strong>${said(block.label)}</strong>
<p><code class="secret" data-copy="${block.value}">${block.value}</code></p><p>${said(block.note)}</p></div>`
    case 'heading':
      return html`<h2${attributes({ id: block.id })}>${said(block.text)}${small(block.note, view, ' ')}</h2>`
    case 'text':
      return html`<p class="lead">${sentence(block.text, view)}</p>`
    case 'list':
      return html`<ul class="lead">${block.items.map((item) => html`<li>${said(item)}</li>`)}</ul>`
    case 'links':
      return html`<p class="links">${block.items.map((item) => html`${cell(item, view, true)} `)}</p>`
    case 'tiles':
      return tilesMarkup(block, view)
    case 'facts':
      return html`<dl class="facts">${block.items.map(
        ([label, value]) => html`<div><dt>${said(label)}</dt><dd>${cell(value, view)}</dd></div>`,
      )}</dl>`
    case 'explained':
      return html`<dl class="explained">${block.items.map(
        ({ name, value, lines }) =>
          html`<div><dt>${cell(name, view)}</dt><dd>${cell(value, view)}</dd>${lines.map(
            (line) => html`<dd class="said">${cell(line, view)}</dd>`,
          )}</div>`,
      )}</dl>`
    case 'table':
      return tableMarkup(block, context)
    case 'fold':
      return html`<details class="fold"><summary>${said(block.title)}</summary>${blocksMarkup(block.blocks, context, `${index}-`)}</details>`
    case 'next':
      return nextMarkup(block, view)
    case 'form':
      return formMarkup(block.form, context, index)
    case 'filters':
      return filtersMarkup(block, context, index)
    case 'source':
      return html`<div class="source" role="region" aria-label="${said(block.label)}" tabindex="0"><pre>${block.text}</pre></div>`
    case 'month':
      return monthMarkup(block, view)
    case 'bars':
      return barsMarkup(block, view)
    case 'qr':
      return html`<div class="code-to-scan">${qrSvg(block.text, said(block.label))}</div>`
    case 'drawing':
      return drawingMarkup(block, view, index)
  }
}

function nextMarkup({ href, part, before }: BlockOf<'next'>, view: View): Markup {
  const { frame, lists } = view.texts
  if (part === undefined) {
    if (href === null) return html``
    return html`<p class="next"><a class="button quiet" href="${href}" rel="next">${frame.olderOnes}</a></p>`
  }
  const link = (to: string | null | undefined, text: string, rel: string) =>
    to ? html` <a class="button quiet" href="${to}" rel="${rel}">${text}</a>` : ''
  return html`<p class="next">${say(part, view)}${link(before, lists.linesBefore, 'prev')}${link(href, lists.linesAfter, 'next')}</p>`
}

const sizes = ['whole', '100', '150', '200'] as const

/** Its size is chosen without scripts: the style goes by what is chosen. */
function drawingMarkup({ label, svg }: BlockOf<'drawing'>, view: View, index: string): Markup {
  const { chartSize, wholeChart, percent } = view.texts.frame
  return html`<div class="chart-frame"><fieldset class="zoom"><legend>${chartSize}</legend>${sizes.map(
    (size) => html`
<label><input type="radio" id="size-${index}-${size}" name="size-${index}" value="${size}" autocomplete="off"${attributes({ checked: size === '100' })}> ${
      size === 'whole' ? wholeChart : percent(size)
    }</label>`,
  )}</fieldset>
<div class="drawing" role="region" aria-label="${say(label, view)}" tabindex="0">${svg}</div></div>`
}

/** What a narrow tile holds in a line, in characters: of its value, and of what stands under it. */
const narrowTile = { value: 9, note: 14 }

function tilesMarkup({ label, items }: BlockOf<'tiles'>, view: View): Markup {
  const isLong = (words: Words, most: number) =>
    say(words, view)
      .split(' ')
      .some(({ length }) => length > most)
  const isWide = items.some(
    ({ value, note = '' }) => isLong(value, narrowTile.value) || isLong(note, narrowTile.note),
  )
  return html`<ul class="${isWide ? 'tiles wide' : 'tiles'}" aria-label="${say(label, view)}">${items.map(
    ({ tone = 'plain', href, value, label, note }) => {
      const inner = html`<strong>${say(value, view)}</strong> <span>${say(label, view)}</span>${small(note, view)}`
      return html`<li class="${tone}">${href ? html`<a href="${href}">${inner}</a>` : inner}</li>`
    },
  )}</ul>`
}

// Narrow screens show each row as a card; the roles say all the same that it is a table.
function tableMarkup(
  { label, columns, rows, empty, isList, list }: BlockOf<'table'>,
  { view, from }: RenderContext,
): Markup {
  if (rows.length === 0) return html`<p class="empty">${say(empty, view)}</p>`
  const side = (index: number) => {
    const { isRight, isCut } = columns[index] ?? {}
    return attributes({ class: isRight ? 'right' : isCut && 'cut' })
  }
  // A list has none on a phone either, and it is the longest of all tables.
  const labelled = (index: number) =>
    attributes({ 'data-label': isList ? null : say(columns[index]?.label ?? '', view) })
  return html`${list === undefined ? '' : fileMarkup(listFileHref(from, list), view)}
<table role="table" aria-label="${say(label, view)}"${attributes({ class: isList && 'list' })}><thead role="rowgroup"><tr role="row">${columns.map(
    (column, index) => html`
<th role="columnheader" scope="col"${side(index)}${attributes({ 'aria-sort': column.sorted?.way })}>${headMarkup(column, view)}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${row.map(
        (value, index) =>
          html`<td role="cell"${labelled(index)}${side(index)}><div${whole(value, columns[index], isList === true, view)}>${cell(value, view)}</div></td>`,
      )}</tr>`,
  )}
</tbody></table>`
}

function fileMarkup(href: string, { texts: { frame }, number }: View): Markup {
  return html`
<p class="file"><a href="${href}" title="${frame.atMostLines(number(maxLines))}">${frame.downloadCsv}</a></p>`
}

/** The link turns the list round. */
function headMarkup({ label, sorted }: Column, view: View): Markup {
  if (sorted === undefined) return html`${say(label, view)}`
  const isUp = sorted.way === 'ascending'
  const { newestFirst, oldestFirst, fromLargest, fromSmallest } = view.texts.lists
  const title = sorted.isOfAll ? (isUp ? fromLargest : fromSmallest) : isUp ? newestFirst : oldestFirst
  const arrow = { ascending: ' ↑', descending: ' ↓', none: '' }[sorted.way]
  return html`<a href="${sorted.href}" title="${title}">${say(label, view)}${arrow}</a>`
}

/** As long as lists show every cell whole. */
const shortCell = 30

/** What may be cut off is told beside the pointer, with what stands under it. */
function whole(value: Cell, column: Column | undefined, isList: boolean, view: View) {
  if (value === null || !(column?.isCut || isList)) return attributes({})
  const { note = '', ...shown } = textOf(value)
  if (shown.title !== undefined || shown.time !== undefined) return attributes({})
  const parts = [shown, textOf(note)].map(({ text, isEnglish }) => {
    const said = say(text, view)
    const known = isEnglish ? translationOf(said, view) : said
    return { told: known ?? said, isForeign: known === null && view.language !== 'en' }
  })
  const told = parts.flatMap((part) => (part.told === '' ? [] : [part.told])).join(': ')
  const isShown = column?.isCut || told.length > shortCell
  // The cell has the language of its title, too: marks inside of it say nothing of that.
  const isForeign = parts.some((part) => part.isForeign)
  return attributes({ title: isShown ? told : null, lang: isShown && isForeign && 'en' })
}
