/** Charts as they were drawn at build time, with what is of interest marked. */
import { type Markup, trusted } from '../pages/markup.ts'

export interface Marks {
  /** A status: the state of that name, and what leads out of it. */
  status: string
  /** The transition that was taken last, by its place among those of the chart. */
  last?: number
}

export type Drawing = (chart: string, marks?: Marks) => Markup | null

/** @param drawings SVG texts by chart. */
export function createDrawings(drawings: ReadonlyMap<string, string>): Drawing {
  return (chart, marks) => {
    const svg = drawings.get(chart)
    if (svg === undefined) return null
    return trusted(marks === undefined ? svg : marked(svg, marks))
  }
}

/** Groups of a drawing are named for their state (`s-…`), the state that they lead out of (`from-s-…`), and their places (`n-…`). */
function marked(svg: string, { status, last }: Marks): string {
  const groups = [...svg.matchAll(/<g class="([^"]*)"/g)].map(([, list = '']) => list.split(' '))
  const within = groups.flat().find((name) => name.startsWith('s-') && name.endsWith(`-${status}`))
  if (within === undefined) return svg
  return svg.replaceAll(/<g class="([^"]*)"/g, (group, list: string) => {
    const names = list.split(' ')
    const from = names.find((name) => name.startsWith('from-s-'))?.slice('from-'.length)
    const added = [
      ...(names.includes(within) ? ['on'] : []),
      // What leads out of a state that it is within may be taken, too.
      ...(from !== undefined && (within === from || within.startsWith(`${from}-`)) ? ['possible'] : []),
      ...(last !== undefined && names.includes(`n-${last}`) ? ['last'] : []),
    ]
    return added.length === 0 ? group : `<g class="${[...names, ...added].join(' ')}"`
  })
}
