/**
 * `npm run drawings`: draws every chart, and what the workers are, into `data/drawings.json`, which the node shows, and
 * into `docs/charts/`. Nothing is drawn at run time, and nothing in a browser.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { render } from 'state-machine-cat'
import { type ChartOutline, type OutlinedState, outlineOf } from '../actors/inspection/chart-outline.ts'
import { drawnMachines } from '../actors/inspection/machines.ts'
import { mermaidOf } from '../actors/inspection/mermaid.ts'

const home = join(import.meta.dirname, '..')

const classOf = (id: string) => `s-${id.replaceAll(/\W/g, '-')}`

async function drawingOf(outline: ChartOutline): Promise<string> {
  const drawn: unknown = await render(JSON.stringify(astOf(outline)), {
    inputType: 'json',
    outputType: 'svg',
  })
  if (typeof drawn !== 'string') throw new Error('state-machine-cat drew no text.')
  return tidy(drawn)
}

function astOf({ root, transitions }: ChartOutline) {
  const stateOf = (state: OutlinedState): object => ({
    name: state.id,
    label: state.label,
    type: 'regular',
    typeExplicitlySet: true,
    class: `${classOf(state.id)}${state.isFinal ? ' final' : ''}`,
    actions: [
      ...state.entry.map((body) => ({ type: 'entry', body })),
      ...state.exit.map((body) => ({ type: 'exit', body })),
    ],
    ...(state.children.length === 0 ? {} : { statemachine: { states: statesOf(state) } }),
  })
  const statesOf = (state: OutlinedState) => [
    ...(state.initial === null
      ? []
      : [{ name: `${state.id}.initial`, type: 'initial', typeExplicitlySet: true }]),
    ...state.children.map(stateOf),
  ]
  const beginnings = (state: OutlinedState): { from: string; to: string }[] => [
    ...(state.initial === null ? [] : [{ from: `${state.id}.initial`, to: state.initial }]),
    ...state.children.flatMap(beginnings),
  ]
  const lines = transitions.map(({ from, to, event, guard }, place) => ({
    from,
    to,
    event,
    label: [event, guard === '' ? '' : `[${guard}]`].filter((part) => part !== '').join('\n'),
    class: `t-${event.replaceAll(/\W/g, '-')} from-${classOf(from)} n-${place}`,
  }))
  return {
    states: statesOf(root),
    transitions: [...beginnings(root), ...lines].map((line, id) => ({ id, ...line })),
  }
}

/** One `svg` element that takes its colours from the page, without styles of its own: a strict policy refuses them. */
function tidy(svg: string): string {
  return `${svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--[\s\S]*?-->\s*/g, '')
    .replaceAll(/<style>[\s\S]*?<\/style>\s*/g, '')
    .replaceAll(/ style="[^"]*"/g, '')
    .replaceAll(/<title>[\s\S]*?<\/title>\s*/g, '')
    .replaceAll('&#45;', '-')
    .replace('fill="white"', 'fill="none"')
    .replaceAll('fill="black"', 'fill="currentColor"')
    .replaceAll('stroke="black"', 'stroke="currentColor"')
    .replaceAll(
      'font-family="Helvetica,sans-Serif"',
      'font-family="Helvetica, Arial, Liberation Sans, sans-serif" fill="currentColor"',
    )
    .trim()}\n`
}

/** The texts of the files, by their paths in the repository. */
export async function drawAll(): Promise<Map<string, string>> {
  const drawings: Record<string, { svg: string; mermaid: string }> = {}
  for (const [name, machine] of Object.entries(drawnMachines)) {
    const outline = outlineOf(machine)
    drawings[name] = { svg: await drawingOf(outline), mermaid: mermaidOf(outline) }
  }
  const files = new Map([['data/drawings.json', `${JSON.stringify(drawings, null, 2)}\n`]])
  for (const [name, { svg }] of Object.entries(drawings)) files.set(`docs/charts/${name}.svg`, svg)
  return files
}

if (import.meta.main) {
  mkdirSync(join(home, 'docs/charts'), { recursive: true })
  for (const [path, text] of await drawAll()) writeFileSync(join(home, path), text)
}
