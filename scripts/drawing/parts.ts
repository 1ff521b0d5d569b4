/** What a chart is drawn of, and how large each part is: states with what they keep, and what leads from one to another. */
import type {
  ChartOutline,
  OutlinedState,
  OutlinedTransition,
} from '../../actors/inspection/chart-outline.ts'

/** A line of text: of one width for each sign, so that it takes as much room here as in any browser. */
export interface Line {
  text: string
  kind: 'name' | 'event' | 'guard' | 'act'
  /** Of the transition that it tells of. */
  transition?: Placed
}

export interface Placed extends OutlinedTransition {
  /** Among all transitions of the chart. */
  place: number
}

export interface Size {
  width: number
  height: number
}

/** All ways from one state to another: one arrow, and one card of labels on it. */
export interface Arrow {
  id: string
  from: string
  to: string
  lines: readonly Line[]
}

/** In pixels; monospaced signs are at most so wide for their height. */
const signWidth = 0.61
const textSizes: Readonly<Record<Line['kind'], number>> = { name: 14, event: 13, guard: 12, act: 12 }
export const lineHeight = 18
export const margin = { x: 10, y: 6 } as const

/** Between a name and what is told under it. */
export const gap = 6

export function isHeaded(lines: readonly Line[]): boolean {
  return lines.length > 1 && lines[0]?.kind === 'name'
}

export function textSize({ kind }: Line): number {
  return textSizes[kind]
}

export function sizeOf(lines: readonly Line[]): Size {
  const widths = lines.map((line) => line.text.length * textSize(line) * signWidth)
  return {
    width: Math.ceil(Math.max(...widths)) + 2 * margin.x,
    height: lines.length * lineHeight + 2 * margin.y + (isHeaded(lines) ? gap : 0),
  }
}

/** What a state is called, what it does when it is entered and left, and what it takes without being left. */
export function stateLines(
  { label, entry, exit, id }: OutlinedState,
  transitions: readonly Placed[],
): Line[] {
  const own = transitions.filter(({ from, to }) => from === id && to === id)
  return [
    { text: label, kind: 'name' },
    ...entry.map((name): Line => ({ text: `entry / ${name}`, kind: 'act' })),
    ...exit.map((name): Line => ({ text: `exit / ${name}`, kind: 'act' })),
    ...transitionLines(own, transitions),
  ]
}

export function arrowsOf(transitions: readonly Placed[]): Arrow[] {
  const ways = Map.groupBy(
    transitions.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} ${to}`,
  )
  return [...ways].map(([id, group]) => {
    const { from = '', to = '' } = group[0] ?? {}
    return { id, from, to, lines: transitionLines(group, transitions) }
  })
}

export function placedTransitions({ transitions }: ChartOutline): Placed[] {
  return transitions.map((transition, place) => ({ ...transition, place }))
}

/** An event once, and under it each of its guards. */
function transitionLines(group: readonly Placed[], all: readonly Placed[]): Line[] {
  return [...Map.groupBy(group, ({ event }) => event)].flatMap(([event, ways]): Line[] => {
    const [first] = ways
    const text = event === '' ? 'at once' : event
    const guards = ways.flatMap((way) =>
      wrapped(guardOf(way, all)).map((part): Line => ({ text: part, kind: 'guard', transition: way })),
    )
    // A way without a guard is told by its event; where there are several, each is by its guard.
    return [
      { text, kind: 'event', ...(ways.length === 1 && first !== undefined ? { transition: first } : {}) },
      ...guards,
    ]
  })
}

const longestLine = 28

/** Broken before an operator where it is long. */
function wrapped(guard: string): string[] {
  const lines: string[] = []
  for (const part of guard.split(/ (?=&&|\|\|)/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${part}`.length <= longestLine)
      lines[lines.length - 1] = `${last} ${part}`
    else lines.push(last === undefined ? part : ` ${part}`)
  }
  return lines.filter((line) => line !== '')
}

/** Without a guard it is what is left when those before it did not pass. */
function guardOf({ from, event, guard, place }: Placed, all: readonly Placed[]): string {
  if (guard !== '') return `[${guard}]`
  return all.some((other) => other.from === from && other.event === event && other.place < place)
    ? '[else]'
    : ''
}
