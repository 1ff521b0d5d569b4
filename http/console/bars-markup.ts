/** Counts by day, drawn. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Block } from './blocks.ts'
import { say, type View } from './view.ts'

const step = 44
const highest = 104

export function barsMarkup({ label, days }: Extract<Block, { kind: 'bars' }>, view: View): Markup {
  const most = Math.max(1, ...days.flatMap(({ parts }) => parts.map(({ count }) => count)))
  const width = days.length * step
  return html`<figure class="bars"><svg viewBox="0 0 ${width} 130" role="img" aria-label="${say(label, view)}">
<line x1="0" x2="${width}" y1="110.5" y2="110.5"/>${days.flatMap(({ day, parts }, index) =>
    parts.map(({ name, tone, count }, place) => {
      const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * highest))
      const x = index * step + 5 + place * 11
      return html`
<rect class="${tone}" x="${x}" y="${110 - height}" width="9" height="${height}"><title>${view.day(day)} · ${say(name, view)}: ${view.number(count)}</title></rect>`
    }),
  )}
${days.map(({ day }, index) => {
  const isMain = index % 6 === 0
  return html`<text${attributes({ class: isMain && 'main' })} x="${index * step + 5}" y="126">${dayAndMonth(day, view)}</text>`
})}</svg>
<figcaption>${(days[0]?.parts ?? []).map(
    ({ name, tone }) => html`<span class="key ${tone}">${say(name, view)}</span> `,
  )}</figcaption></figure>`
}

/** The day as the view writes it, without its year. */
function dayAndMonth(day: string, view: View): string {
  return view.day(day).replace(/^\d{4}\D|\D\d{4}$/, '')
}
