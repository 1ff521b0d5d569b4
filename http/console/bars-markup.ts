/** Counts by day, drawn. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Bar } from './blocks.ts'

const step = 44
const highest = 104

export function barsMarkup(label: string, days: readonly { day: string; parts: readonly Bar[] }[]): Markup {
  const most = Math.max(1, ...days.flatMap(({ parts }) => parts.map(({ count }) => count)))
  const width = days.length * step
  return html`<figure class="bars"><svg viewBox="0 0 ${width} 130" role="img" aria-label="${label}">
<line x1="0" x2="${width}" y1="110.5" y2="110.5"/>${days.flatMap(({ day, parts }, index) =>
    parts.map(({ name, tone, count }, place) => {
      const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * highest))
      const x = index * step + 5 + place * 11
      return html`
<rect class="${tone}" x="${x}" y="${110 - height}" width="9" height="${height}"><title>${day} ${name}: ${count}</title></rect>`
    }),
  )}
${days.map(({ day }, index) => {
  const isMain = index % 6 === 0
  return html`<text${attributes({ class: isMain && 'main' })} x="${index * step + 5}" y="126">${day.slice(5)}</text>`
})}</svg>
<figcaption>${(days[0]?.parts ?? []).map(
    ({ name, tone }) => html`<span class="key ${tone}">${name}</span> `,
  )}</figcaption></figure>`
}
