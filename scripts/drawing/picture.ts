/** A chart that was laid out, as one `svg` element without styles of its own: the page's, or a file's, colour it by its classes. */
import type { ElkPoint } from 'elkjs'
import type { OutlinedState } from '../../actors/inspection/chart-outline.ts'
import { attributes, html, type Markup } from '../../http/pages/markup.ts'
import type { Box, DrawnArrow, Layout, StateBox } from './layout.ts'
import { gap, isHeaded, type Line, lineHeight, margin, type Placed, textSize } from './parts.ts'

export function picture({ width, height, states, arrows, beginnings }: Layout): Markup {
  return html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${states.map(stateMarkup)}
${beginnings.map(
  ({ dot, path }) =>
    html`<g class="begin"><circle cx="${at(dot.x + dot.width / 2)}" cy="${at(dot.y + dot.height / 2)}" r="${dot.width / 2}"/>${lineMarkup(path)}${headMarkup(path)}</g>\n`,
)}
${arrows.map(arrowMarkup)}
${arrows.map(cardMarkup)}
</svg>
`
}

/** Of a state's elements: `s-payIn-open-READY`. */
const classOf = (id: string) => `s-${id.replaceAll(/\W/g, '-')}`

const at = (number: number) => String(Math.round(number * 10) / 10)

function boxMarkup({ x, y, width, height }: Box, inset = 0, radius = 8): Markup {
  return html`<rect x="${at(x + inset)}" y="${at(y + inset)}" width="${at(width - 2 * inset)}" height="${at(height - 2 * inset)}" rx="${radius - inset}"/>`
}

function stateMarkup({ state, lines, ...box }: StateBox): Markup {
  const { isFinal, id, children } = state
  return html`<g class="state ${classOf(id)}${isFinal ? ' final' : ''}${children.length > 0 ? ' parent' : ''}">${boxMarkup(box)}${
    isFinal ? boxMarkup(box, 3) : ''
  }${dividerMarkup(box, lines, state)}${linesMarkup(box, lines, state)}</g>\n`
}

/** Below its name, where more is told of it, or there are states within it. */
function dividerMarkup({ x, y, width }: Box, lines: readonly Line[], { isFinal }: OutlinedState): Markup {
  if (!isHeaded(lines)) return html``
  const below = at(y + margin.y + lineHeight + 1)
  const inset = isFinal ? 3 : 0
  return html`<path d="M${at(x + inset)} ${below}H${at(x + width - inset)}"/>`
}

/** What is told of one transition is a group, so that it can be marked. */
function linesMarkup(box: Box, lines: readonly Line[], state: OutlinedState | null): Markup {
  const groups: { transition: Placed | undefined; texts: Markup[] }[] = []
  for (const [index, line] of lines.entries()) {
    const { transition } = line
    const last = groups.at(-1)
    const text = textMarkup(box, lines, index, state)
    if (last !== undefined && transition !== undefined && last.transition === transition)
      last.texts.push(text)
    else groups.push({ transition, texts: [text] })
  }
  return html`${groups.map(({ transition, texts }) => {
    if (transition === undefined) return html`${texts}`
    const { event, from, place, actions } = transition
    const kind = `t-${event.replaceAll(/\W/g, '-')} from-${classOf(from)} n-${place}`
    return html`<g class="way ${kind}">${actions.length === 0 ? '' : html`<title>${actions.join(', ')}</title>`}${texts}</g>`
  })}`
}

function textMarkup(box: Box, lines: readonly Line[], index: number, state: OutlinedState | null): Markup {
  const line = lines[index]
  if (line === undefined) return html``
  const isMiddle = line.kind === 'name' && state?.children.length === 0
  const isContinued = line.text.startsWith(' ')
  const below = index > 0 && isHeaded(lines) ? gap : 0
  const place = attributes({
    x: at(isMiddle ? box.x + box.width / 2 : box.x + margin.x + (isContinued ? 8 : 0)),
    y: at(box.y + margin.y + (index + 0.72) * lineHeight + below),
    'text-anchor': isMiddle ? 'middle' : null,
  })
  return html`<text class="${line.kind}" font-size="${textSize(line)}"${place}>${line.text.trimStart()}</text>`
}

function arrowMarkup({ arrow, paths }: DrawnArrow): Markup {
  const places = [
    ...new Set(arrow.lines.flatMap(({ transition }) => (transition ? [`n-${transition.place}`] : []))),
  ]
  const last = paths.at(-1) ?? []
  return html`<g class="arrow from-${classOf(arrow.from)} ${places.join(' ')}">${paths.map(lineMarkup)}${headMarkup(last)}</g>\n`
}

function cardMarkup({ arrow, card }: DrawnArrow): Markup {
  return html`<g class="card from-${classOf(arrow.from)}">${boxMarkup(card, 0, 6)}${linesMarkup(card, arrow.lines, null)}</g>\n`
}

const bend = 8

/** Its corners are round. */
function lineMarkup(points: readonly ElkPoint[]): Markup {
  const parts = points.map((point, index) => {
    const before = points[index - 1]
    const after = points[index + 1]
    if (before === undefined) return `M${at(point.x)} ${at(point.y)}`
    if (after === undefined) return `L${at(point.x)} ${at(point.y)}`
    const from = towards(point, before)
    const to = towards(point, after)
    return `L${at(from.x)} ${at(from.y)}Q${at(point.x)} ${at(point.y)} ${at(to.x)} ${at(to.y)}`
  })
  return html`<path d="${parts.join('')}"/>`
}

function towards(from: ElkPoint, to: ElkPoint): ElkPoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = Math.min(bend, length / 2) / (length || 1)
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

function headMarkup(points: readonly ElkPoint[]): Markup {
  const [before, end] = points.slice(-2)
  if (before === undefined || end === undefined) return html``
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1
  const way = { x: (end.x - before.x) / length, y: (end.y - before.y) / length }
  const corner = (side: number) =>
    `${at(end.x - 9 * way.x + side * 4.5 * way.y)},${at(end.y - 9 * way.y - side * 4.5 * way.x)}`
  return html`<polygon points="${at(end.x)},${at(end.y)} ${corner(1)} ${corner(-1)}"/>`
}
