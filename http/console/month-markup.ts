/** Days in weeks, each with how it is. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Block } from './blocks.ts'

type Days = Extract<Block, { kind: 'month' }>['days']

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export function monthMarkup(label: string, days: Days): Markup {
  return html`<div class="month"><div class="weekdays" aria-hidden="true">${weekdays.map(
    (name) => html`<span>${name}</span>`,
  )}</div>
<ul aria-label="${label}">${days.map(({ day, href, tone, text, short }) =>
    href === undefined
      ? html`<li class="none" aria-hidden="true"></li>`
      : html`
<li${attributes({ class: tone })}><a href="${href}"><strong><time datetime="${day}">${day.slice(8)}</time></strong> <span class="whole">${text}</span><span class="short"${attributes({ title: text })}>${short}</span></a></li>`,
  )}</ul></div>`
}
