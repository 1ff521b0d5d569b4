/** How a chart looks, wherever it is shown: in the colours of the pages. `.on` is the state that something is in. */
import { type Colour, colours } from './tokens.ts'

const used: Readonly<Record<string, Colour>> = {
  '--page': 'page',
  '--surface': 'surface',
  '--ink': 'ink',
  '--muted': 'muted',
  '--line': 'line',
  '--field': 'field',
}

/** What the styles below need where there is no page around a chart; nothing is marked there. */
export const chartColours: Readonly<Record<string, readonly [light: string, dark: string]>> =
  Object.fromEntries(Object.entries(used).map(([name, colour]) => [name, colours[colour]]))

export const chartStyles = `
.chart { font-family: var(--font-code, ui-monospace, Menlo, Consolas, monospace); font-size: 13px; overflow: visible; }
.chart rect, .chart path { fill: none; stroke: var(--field); stroke-width: 1.25; }
.chart text { fill: var(--ink); }
.chart .state rect { fill: var(--surface); }
.chart .state > path { stroke: var(--line); }
.chart .parent > rect { fill: var(--page); }
.chart .name { font-weight: 600; }
.chart .card rect { fill: var(--surface); stroke: var(--line); }
.chart .guard, .chart .act { fill: var(--muted); }
.chart polygon, .chart circle { fill: var(--field); }
.chart .possible path { stroke: var(--accent); stroke-width: 1.75; }
.chart .possible polygon { fill: var(--accent); }
.chart .card.possible rect { stroke: var(--accent); }
.chart .on > rect { stroke: var(--accent); stroke-width: 3; fill: var(--ready-surface); }
.chart .on > .name { fill: var(--ready-ink); }
.chart .last path { stroke: var(--busy-ink); stroke-width: 3; }
.chart .last polygon { fill: var(--busy-ink); }
.chart .way.last text { fill: var(--busy-ink); font-weight: 600; }
`
