/**
 * This tree's node beside the same node of another commit, on SQLite, in turn: `npm run bench -- --against COMMIT`.
 * For whoever has to show that a change made nothing slower.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable, quantile, spread } from './figures.ts'
import { closedLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
const root = join(import.meta.dirname, '../..')

interface Figures {
  creations: number[]
  pairs: number[]
  /** Of one creation and one pair together, in µs. */
  processorUs: number[]
}

interface Variant {
  name: string
  server: RunningServer
  figures: Figures
}

/** @param commit whatever git calls one; its packages have to be the ones that are installed */
export async function benchAgainst({ commit, rounds = 12, units = 800 }: AgainstOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-against-'))
  const variants: Variant[] = []
  try {
    const servers = join(treeOf(commit, folder), 'test/bench/servers')
    variants.push({ name: commit, server: await startServer('node.ts', { servers }), figures: noFigures() })
    variants.push({ name: 'this tree', server: await startServer('node.ts'), figures: noFigures() })
    console.log(`${connections} connections, ${rounds} rounds of ${units} pairs with each, in turn`)
    for (const { server } of variants) await measure(server, 'warm', units, noFigures())
    for (let round = 0; round < rounds; round++) {
      // Who is first changes: what the machine does in a round's beginning is nobody's cost.
      for (const { server, figures } of round % 2 === 0 ? variants : variants.toReversed()) {
        await measure(server, `${round}`, units, figures)
      }
    }
    report(variants)
  } finally {
    for (const { server } of variants) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface AgainstOptions {
  commit: string
  rounds?: number
  units?: number
}

function treeOf(commit: string, folder: string): string {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

async function measure(server: RunningServer, run: string, units: number, into: Figures): Promise<void> {
  const before = await server.processorMs()
  const made = await closedLoop(server.port, { connections, units }, creation(run))
  const codes = await readyCodes(server, units)
  const paid = await closedLoop(server.port, { connections, units }, pair(codes))
  into.creations.push(made.count / made.seconds)
  into.pairs.push(paid.count / paid.seconds)
  into.processorUs.push((1000 * ((await server.processorMs()) - before)) / units)
}

function report([before, after]: readonly Variant[]): void {
  if (before === undefined || after === undefined) return
  const rows = (['creations', 'pairs', 'processorUs'] as const).map((what) => {
    const [old, present] = [before.figures[what], after.figures[what]]
    const changes = present.map((value, round) => 100 * (value / (old[round] ?? Number.NaN) - 1))
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(changes, part).toFixed(1))
    return [titles[what], spread(old), spread(present), `${middle} (${low}–${high})`]
  })
  printTable(['', before.name, after.name, 'change %'], rows)
  console.log(
    'Changes are of two figures of one round: the median, and between which half of the rounds lie.',
  )
}

const titles = {
  creations: 'creations/s',
  pairs: 'start+confirm/s',
  processorUs: 'processor µs of both',
} as const

function noFigures(): Figures {
  return { creations: [], pairs: [], processorUs: [] }
}
