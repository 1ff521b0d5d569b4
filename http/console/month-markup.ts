/** Days in weeks, each with how it is. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Block } from './blocks.ts'
import { say, type View } from './view.ts'

export function monthMarkup({ label, days }: Extract<Block, { kind: 'month' }>, view: View): Markup {
  return html`<div class="month"><div class="weekdays" aria-hidden="true">${view.texts.frame.weekdays.map(
    (name) => html`<span>${name}</span>`,
  )}</div>
<ul aria-label="${say(label, view)}">${days.map(({ day, href, tone, text, short }) =>
    href === undefined
      ? html`<li class="none" aria-hidden="true"></li>`
      : html`
<li${attributes({ class: tone })}><a href="${href}"><strong><time datetime="${day}">${day.slice(8)} ${monthOf(day, view)}</time></strong> <span class="whole">${say(text, view)}</span><span class="short"${attributes({ title: say(text, view) })}>${say(short, view)}</span></a></li>`,
  )}</ul></div>`
}

/** `nov`: a calendar goes over the ends of months. */
function monthOf(day: string, { language }: View): string {
  const at = Date.parse(day)
  if (Number.isNaN(at)) return ''
  return new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }).format(at).replace('.', '')
}
