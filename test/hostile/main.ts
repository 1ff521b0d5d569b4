/**
 * `npm run soak -- hostile`, or `node test/hostile/main.ts [INPUTS] [--parser NAME] [--seed N]`: so many hostile inputs for all
 * parsers together, the slowest of each, and what they have left in memory. With `--path P` one input again, as a failure names it.
 */
import { parseArgs } from 'node:util'
import { chainParsers } from './chain-answers.ts'
import { parsers } from './parsers.ts'
import { type Parser, type Played, play, playAgain } from './play.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parser: { type: 'string' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
  },
})
const inputs = Number(positionals[0] ?? 1_000_000)
const seed = Number(values.seed)
const mostMs = 100
/** More than what is compiled and cached of the parser itself, and much less than a byte of each input. */
const mostGrowthBytes = 8 * 2 ** 20

const all = [...parsers, ...(await chainParsers())]
const chosen = all.filter(({ name }) => values.parser === undefined || name.includes(values.parser))
const shares = chosen.reduce((sum, { share = 1 }) => sum + share, 0)

async function playOne(parser: Parser): Promise<Played | null> {
  const runs = Math.ceil((inputs * (parser.share ?? 1)) / shares)
  try {
    const played = await play(parser, seed, runs, { mostMs, parts: 10 })
    const { slowestMs, slowest, growthBytes } = played
    const isGrown = growthBytes > mostGrowthBytes
    const figures = [
      `${played.inputs} inputs`,
      `slowest ${slowestMs.toFixed(1)} ms: ${JSON.stringify(slowest.slice(0, 40))} (${slowest.length})`,
      `heap ${(growthBytes / 2 ** 20).toFixed(2)} MB`,
    ]
    console.log(`${isGrown ? 'GROWS' : 'ok   '} ${parser.name}: ${figures.join(', ')}`)
    return isGrown ? null : played
  } catch (error) {
    console.log(`FAIL  ${parser.name}: ${textOf(error)}`)
    return null
  }
}

/** What fast-check says of the input, and what was thrown. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const thrown = cause instanceof Error ? cause.stack : cause
  return `${error.message.slice(0, 4_000)}\n${thrown ?? ''}`
}

if (values.path !== undefined) {
  const [parser] = chosen
  if (parser === undefined) throw new Error(`no parser is named ${values.parser}`)
  await playAgain(parser, seed, values.path)
  console.log('nothing is wrong with it')
} else {
  const startedAt = performance.now()
  const played: (Played | null)[] = []
  for (const parser of chosen) played.push(await playOne(parser))
  const total = played.reduce((sum, one) => sum + (one?.inputs ?? 0), 0)
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(
    `${total} inputs without a fault, ${played.filter((one) => one === null).length} faults, ${minutes.toFixed(1)} min`,
  )
  process.exitCode = played.includes(null) ? 1 : 0
}
