/** Plays hostile inputs to a parser: what it throws, how long it needs, and what it keeps of them. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { bytesOf, hostileInputs, type Input } from './inputs.ts'

export interface Parser {
  name: string
  /** Valid inputs, which are changed. */
  samples: readonly string[]
  /** Whatever it throws is a fault, unless it says no with an error of its own. */
  parse(text: string, bytes: Buffer, sample: number): unknown
  isRefusal?(error: unknown): boolean
  /** Of inputs that go to all parsers, for one that is dear: 1 where nothing is said. */
  share?: number
}

export interface Played {
  inputs: number
  slowestMs: number
  slowest: string
  /** Between the first part of the inputs and all of them. */
  growthBytes: number
}

export interface Limits {
  /** Of the processor, for one input; `null` where nobody looks. */
  mostMs: number | null
  /** In so many parts, the first and the last of which tell what is kept. */
  parts: number
}

/** @throws the fault, with the seed and the path that play it again, and the smallest input that shows it */
export async function play(parser: Parser, seed: number, runs: number, limits: Limits): Promise<Played> {
  let [slowestMs, slowest] = [0, '']
  const run = async ({ sample, text }: Input) => {
    const startedAt = performance.now()
    await parse(parser, sample, text)
    const neededMs = performance.now() - startedAt
    if (neededMs <= slowestMs) return
    // Other processes, garbage and compiling are no doing of an input: what is slow by itself is slow again.
    const fastestMs = await fastest(parser, sample, text)
    const isNoticed = fastestMs > noticeableMs
    const againMs = isNoticed ? Math.min(fastestMs, await processorMsOf(parser, sample, text)) : fastestMs
    if (againMs > slowestMs) [slowestMs, slowest] = [againMs, text]
    if (limits.mostMs !== null && againMs > limits.mostMs)
      throw new Error(`it took ${againMs.toFixed(0)} ms of the processor`)
  }
  const heaps: number[] = []
  const { parts } = limits
  const inputs = hostileInputs(parser.samples)
  const perPart = Math.ceil(runs / parts)
  for (let part = 0; part < parts; part++) {
    await fc.assert(fc.asyncProperty(inputs, run), {
      seed: seed + part,
      numRuns: perPart,
    })
    if (parts > 1 && (part === 0 || part === parts - 1)) heaps.push(await heapBytes())
  }
  const [first = 0] = heaps
  return { inputs: perPart * parts, slowestMs, slowest, growthBytes: (heaps.at(-1) ?? 0) - first }
}

/** One input again, as a failure has named it. */
export async function playAgain(parser: Parser, seed: number, path: string): Promise<void> {
  const property = fc.asyncProperty(hostileInputs(parser.samples), ({ sample, text }) =>
    parse(parser, sample, text),
  )
  await fc.assert(property, { seed, path, endOnFailure: true })
}

async function parse(parser: Parser, sample: number, text: string): Promise<void> {
  try {
    await parser.parse(text, bytesOf(text), sample)
  } catch (error) {
    if (parser.isRefusal?.(error) !== true) throw error
  }
}

/** What seems to take longer is measured by what it costs of the processor. */
const noticeableMs = 20

async function fastest(parser: Parser, sample: number, text: string): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < 3; count++) {
    const startedAt = performance.now()
    await parse(parser, sample, text)
    leastMs = Math.min(leastMs, performance.now() - startedAt)
  }
  return leastMs
}

/** Of one input, the mean of some times: the system counts in steps of some milliseconds. */
async function processorMsOf(parser: Parser, sample: number, text: string): Promise<number> {
  const times = 10
  const before = process.threadCpuUsage()
  for (let count = 0; count < times; count++) await parse(parser, sample, text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / times
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is held weakly is held until the present turn ends. */
async function heapBytes(): Promise<number> {
  await setImmediate()
  collect()
  return process.memoryUsage().heapUsed
}
