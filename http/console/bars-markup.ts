/** Counts by day, drawn with an axis: what a bar comes to is read off lines, and told by each bar. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Block } from './blocks.ts'
import { say, type View } from './view.ts'

const step = 44
/** Where days begin, beside the figures of the axis. */
const left = 48
const top = 12
const bottom = 132
const highest = bottom - top

export function barsMarkup({ label, unit, days }: Extract<Block, { kind: 'bars' }>, view: View): Markup {
  const most = roundedUp(Math.max(1, ...days.flatMap(({ parts }) => parts.map(({ count }) => count))))
  const width = left + days.length * step
  const yOf = (count: number) => bottom - (count / most) * highest
  return html`<figure class="bars"><svg viewBox="0 0 ${width} 156" role="img" aria-label="${say(label, view)}">
${ticksOf(most).map(
  (count) => html`<line x1="${left}" x2="${width}" y1="${yOf(count) + 0.5}" y2="${yOf(count) + 0.5}"/>
<text class="main axis" x="${left - 6}" y="${yOf(count) + 3.5}">${view.number(count)}</text>`,
)}${days.flatMap(({ day, parts }, index) =>
  parts.map(({ name, tone, count }, place) => {
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * highest))
    const x = left + index * step + 5 + place * 11
    return html`
<rect class="${tone}" x="${x}" y="${bottom - height}" width="9" height="${height}"><title>${view.day(day)} · ${say(name, view)}: ${view.number(count)}</title></rect>`
  }),
)}
${days.map(({ day }, index) => {
  const isMain = index % 6 === 0
  return html`<text${attributes({ class: isMain && 'main' })} x="${left + index * step + 5}" y="148">${dayAndMonth(day, view)}</text>`
})}</svg>
<figcaption>${(days[0]?.parts ?? []).map(
    ({ name, tone }) => html`<span class="key ${tone}">${say(name, view)}</span> `,
  )}<small>${say(unit, view)}</small></figcaption></figure>`
}

/** To a figure that is read at a glance: 1, 2 or 5 with noughts. */
function roundedUp(count: number): number {
  const unit = 10 ** Math.floor(Math.log10(count))
  return ([1, 2, 5, 10].find((times) => times * unit >= count) ?? 10) * unit
}

/** Nothing, the half and all of it; of one there is no half. */
function ticksOf(most: number): number[] {
  return most % 2 === 0 ? [0, most / 2, most] : [0, most]
}

/** The day as the view writes it, without its year. */
function dayAndMonth(day: string, view: View): string {
  return view.day(day).replace(/^\d{4}\D|\D\d{4}$/, '')
}
