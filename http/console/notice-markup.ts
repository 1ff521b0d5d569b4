/** What a page tells of itself, or a form of how it ended. */
import { html, type Markup } from '../pages/markup.ts'
import type { Block } from './blocks.ts'
import { sentence } from './cell-markup.ts'
import { say, type View } from './view.ts'

export type Notice = Extract<Block, { kind: 'notice' }>

export function noticeMarkup({ tone, title, lines }: Notice, view: View): Markup {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
<strong>${say(title, view)}</strong>${lines.map((line) => html`<p>${sentence(line, view)}</p>`)}</div>`
}
