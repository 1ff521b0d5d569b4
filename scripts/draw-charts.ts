/**
 * `npm run drawings`: draws every chart, and what the workers are, into `data/drawings.json`, which the node shows, and
 * into `docs/charts/`. Nothing is drawn at run time, and nothing in a browser.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outlineOf } from '../actors/inspection/chart-outline.ts'
import { drawnMachines } from '../actors/inspection/machines.ts'
import { mermaidOf } from '../actors/inspection/mermaid.ts'
import { chartColours, chartStyles } from '../http/pages/chart-styles.ts'
import { layoutOf } from './drawing/layout.ts'
import { picture } from './drawing/picture.ts'

const home = join(import.meta.dirname, '..')

/** A picture that stands in a file of its own brings its colours along. */
function withStyles(svg: string): string {
  const used = `${chartStyles}.chart { background: var(--page); }`.replaceAll('\n', '')
  const theme = (index: 0 | 1) =>
    Object.entries(chartColours)
      .map(([name, pair]) => `${name}: ${pair[index]};`)
      .join(' ')
  const styles = `.chart { ${theme(0)} } @media (prefers-color-scheme: dark) { .chart { ${theme(1)} } } ${used}`
  return svg.replace('>', `>\n<style>${styles}</style>`)
}

/** The texts of the files, by their paths in the repository. */
export async function drawAll(): Promise<Map<string, string>> {
  const drawings: Record<string, { svg: string; mermaid: string }> = {}
  for (const [name, machine] of Object.entries(drawnMachines)) {
    const outline = outlineOf(machine)
    drawings[name] = { svg: String(picture(await layoutOf(outline))), mermaid: mermaidOf(outline) }
  }
  const files = new Map([['data/drawings.json', `${JSON.stringify(drawings, null, 2)}\n`]])
  for (const [name, { svg }] of Object.entries(drawings))
    files.set(`docs/charts/${name}.svg`, withStyles(svg))
  return files
}

if (import.meta.main) {
  mkdirSync(join(home, 'docs/charts'), { recursive: true })
  for (const [path, text] of await drawAll()) writeFileSync(join(home, path), text)
}
