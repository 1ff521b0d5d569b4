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

function marked(svg: string, { status, last }: Marks): string {
  return svg.replaceAll(/<g id="[^"]*" class="([^"]*)"/g, (group, list: string) => {
    const classes = list.split(' ')
    const isOf = (prefix: string, name: string) =>
      classes.some((each) => each.startsWith(prefix) && each.endsWith(`-${name}`))
    const isLast = last !== undefined && classes.includes(`n-${last}`)
    const added = [
      ...(isOf('s-', status) ? ['on'] : []),
      ...(isOf('from-s-', status) ? ['possible'] : []),
      ...(isLast ? ['last'] : []),
    ]
    return added.length === 0 ? group : group.replace(list, [list, ...added].join(' '))
  })
}
