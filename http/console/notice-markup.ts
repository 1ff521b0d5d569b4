/** Notices, on a page and in a form. */
import { html, type Markup } from '../pages/markup.ts'
import type { Notice } from './blocks.ts'
import { sentence } from './cell-markup.ts'
import { say, type View } from './view.ts'

export function noticeMarkup({ tone, title, lines }: Notice, view: View): Markup {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
<strong>${say(title, view)}</strong>${lines.map((line) => html`<p>${sentence(line, view)}</p>`)}</div>`
}
