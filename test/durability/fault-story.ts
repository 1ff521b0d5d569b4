/**
 * The program whose disk fails: it plays the same orders again and again, each time on a disk that fails in another
 * place, starts anew without the fault, and prints what came of each as one line of JSON.
 *
 * Standard input holds the faults, a line each: `STORY OP KIND N STICKY`, as the shim takes them. The story is
 * `first`, a start on nothing, `orders`, a start on a database that is there and orders on it, or `moved`, the same
 * with a log so short that the thread that moves it writes and syncs too. N = 0 plays without a fault, to count; N with
 * a percent sign is a share of what was counted.
 */
import { cpSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../node/exit-codes.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'
import { startTestNode, testParties } from '../support/node.ts'
import { problemsAfter } from './kept.ts'
import { playOrders, type Told } from './story.ts'
import { readReport } from './write-log.ts'

export interface FaultOutcome {
  fault: string
  /** Whether the story came to the place. */
  fired: boolean
  writes: number
  syncs: number
  /** How the program met it. */
  ending: 'went on' | 'stopped' | 'did not start'
  /** Orders played to their end. */
  finished: number
  problems: string[]
}

const root = String(process.env.WRITE_LOG_ROOT)
const controlFile = String(process.env.WRITE_LOG_CONTROL)
const control = openSync(controlFile, 'a')
const command = (text: string) => writeSync(control, text)
const template = join(root, 'template')
const directory = join(root, 'data')
const file = join(directory, 'node.db')
/** A first start has to make the database, above all; one order shows that it works. */
const orders = new Map([
  ['first', 1],
  ['orders', 6],
  ['moved', 6],
])

/** By story. */
const counts = new Map<string, { writes: number; syncs: number }>()
/** What nobody awaited: a program that ends of it has crashed. */
const crashes: string[] = []
process.on('uncaughtException', (error) => crashes.push(`crashed: ${error.stack}`))

try {
  mkdirSync(template)
  await (await startTestNode({ directory: template })).stop()
  for (const fault of readFileSync(0, 'utf8').trim().split('\n')) {
    process.stdout.write(`${JSON.stringify(await meet(fault))}\n`)
  }
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}

async function meet(fault: string): Promise<FaultOutcome> {
  const [story = '', operation, kind, place = '', isSticky] = fault.split(' ')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  if (story !== 'first') cpSync(template, directory, { recursive: true })
  crashes.length = 0
  const acknowledged: Told[] = []
  const met = { ending: 'went on' as FaultOutcome['ending'], finished: 0, problems: [] as string[] }
  const counted = counts.get(story)?.[operation === 'sync' ? 'syncs' : 'writes'] ?? 0
  const at = place.endsWith('%') ? Math.ceil((counted * Number.parseFloat(place)) / 100) : Number(place)
  command(`arm ${operation} ${kind} ${at === 0 ? 1_000_000_000 : at} ${isSticky}`)
  try {
    await play(story, acknowledged, met)
  } catch (error) {
    if (error instanceof CommandError) met.ending = 'did not start'
    else met.problems.push(`threw: ${error instanceof Error ? error.stack : error}`)
  }
  command('report')
  command('disarm')
  const { fired, writes, syncs } = readReport(controlFile)
  if (at === 0) counts.set(story, { writes, syncs })
  met.problems.push(...crashes)
  try {
    const again = await startTestNode({ directory, makesDatabase: true })
    const played = await playOrders(again, { count: 1, connections: 1 }, (told) => acknowledged.push(told))
    if (played !== 1) met.problems.push('after the restart an order could not be played')
    await again.stop()
    met.problems.push(...(await problemsAfter(file, acknowledged)))
  } catch (error) {
    met.problems.push(`after the restart: ${error instanceof Error ? error.stack : error}`)
  }
  return { fault, fired, writes, syncs, ...met }
}

async function play(
  story: string,
  acknowledged: Told[],
  met: Pick<FaultOutcome, 'ending' | 'finished'>,
): Promise<void> {
  const node = await startTestNode({
    directory,
    parties: null,
    makesDatabase: true,
    ...(story === 'moved' ? { logPages: 10 } : {}),
    onFailure: () => {
      met.ending = 'stopped'
    },
  })
  try {
    if (story === 'first') await node.apply(testParties)
    met.finished = await playOrders(node, { count: orders.get(story) ?? 0, connections: 3 }, (told) =>
      acknowledged.push(told),
    )
  } catch (error) {
    if (!(error instanceof StoreUnavailable) && !(error instanceof OutcomeUnknown)) throw error
  } finally {
    await node.stop()
  }
}
