/**
 * A generator of incomplete answers: everything an endpoint says while a few payments are read, and then the same with
 * each member of each answer removed, or null, one at a time. Whatever is missing, nothing may be lost or doubled.
 */
import * as assert from 'uvu/assert'
import type { Gate, GateRequest } from '../support/chains/gate.ts'
import { transfer, value } from './asking.ts'
import { Book } from './book.ts'
import { type Context, openAdapter } from './contract-context.ts'

type Path = readonly (string | number)[]
type Change = 'null' | 'removed'

interface Cut {
  readonly request: string
  readonly path: Path
  readonly change: Change
}

/** Every member of a JSON value, at any depth; the value itself is the empty path. */
function* pathsOf(json: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (typeof json !== 'object' || json === null) return
  const isList = Array.isArray(json)
  for (const [name, member] of Object.entries(json))
    yield* pathsOf(member, [...path, isList ? Number(name) : name])
}

function cutOut(json: unknown, [name, ...rest]: Path, change: Change): void {
  if (typeof json !== 'object' || json === null || name === undefined) return
  if (rest.length > 0) cutOut(Reflect.get(json, name), rest, change)
  else if (change === 'null') Reflect.set(json, name, null)
  else if (Array.isArray(json)) json.splice(Number(name), 1)
  else Reflect.deleteProperty(json, name)
}

/** What a request asks for, without what tells it from its repetition. */
function nameOf({ method, path, body }: GateRequest): string {
  return `${method} ${path} ${body.replace(/"id":("[^"]*"|\d+)/g, '"id":0')}`
}

function gatesOf({ chain }: Context): readonly Gate[] {
  return [chain.gate, chain.spareGate].filter((gate) => gate !== null)
}

export interface Story {
  readonly book: Book
  /** The orders, and what each is to have received. */
  readonly expected: ReadonlyMap<string, bigint>
}

/** All that is paid in the story. */
const storyUnits = 86n

/** Two orders of one wallet, one paid in two parts; and a payment without a reference. */
async function tellStory(t: Context): Promise<Story> {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(1_000n)
  const [one, two] = [transfer(t.chain, wallet, 70n), transfer(t.chain, wallet, 11n)]
  const expected = new Map([
    [book.open(one), 70n],
    [book.open(two), 11n],
  ])
  await t.chain.pay(wallet, { units: 40n, references: [one.reference] })
  await t.chain.pay(wallet, { units: 11n, references: [two.reference] })
  await t.chain.pay(wallet, { units: 30n, references: [one.reference] })
  await t.chain.pay(wallet, { units: 5n })
  await t.chain.finalize()
  return { book, expected }
}

/** Every cut of what is answered while the story is read by an adapter that knows nothing yet. */
async function cutsOf(t: Context, { book }: Story): Promise<readonly Cut[]> {
  const answers = new Map<string, unknown>()
  for (const gate of gatesOf(t))
    gate.rewrite = (request, answer) => {
      answers.set(nameOf(request), JSON.parse(answer))
      return answer
    }
  const adapter = openAdapter(t)
  await book.fork().catchUp(adapter)
  await adapter.close()
  for (const gate of gatesOf(t)) gate.rewrite = null
  return [...answers].flatMap(([request, answer]) =>
    [...pathsOf(answer)].flatMap((path) =>
      (['null', 'removed'] as const).map((change) => ({ request, path, change })),
    ),
  )
}

/**
 * Reads the story while an answer is cut at every endpoint, goes on when all is well again, and then, as after a
 * restart that has lost its memory, reads everything once more.
 *
 * @returns what is wrong in the end: nothing, if the cut did no harm.
 */
async function readWith(t: Context, { book: told, expected }: Story, cut: Cut): Promise<string[]> {
  const book = told.fork()
  const start = book.cursor
  for (const gate of gatesOf(t))
    gate.rewrite = (request, answer) => {
      if (nameOf(request) !== cut.request) return answer
      const json: unknown = JSON.parse(answer)
      cutOut(json, cut.path, cut.change)
      return JSON.stringify(json)
    }
  // What a network says never throws: it is a failure, or an answer.
  const adapter = openAdapter(t)
  await book.catchUp(adapter)
  await adapter.close()
  for (const gate of gatesOf(t)) gate.rewrite = null
  const after = openAdapter(t)
  const failure = await book.catchUp(after)
  book.cursor = start
  await book.catchUp(after)
  await after.close()
  const problems = failure === null ? [] : [`it ended with ${failure}`]
  const total = [...book.deposits.values()].reduce((sum, { amount }) => sum + amount, 0n)
  if (total !== storyUnits) problems.push(`the deposits come to ${total}`)
  for (const [id, units] of expected) {
    const { received } = book.order(id)
    // Of a list that lost a number two endpoints may convince the node: that is a person's, with all of its money.
    const isToPerson = isShortened(cut) && received < units
    if (received !== units && !isToPerson)
      problems.push(`an order of ${units} has ${received}: ${book.verdictsOf(id).join('; ')}`)
  }
  return problems
}

function isShortened({ path, change }: Cut): boolean {
  return change === 'removed' && typeof path.at(-1) === 'number'
}

/** Every so many of the cuts. @returns how many there were. */
export async function assertHarmless(t: Context, every: number): Promise<number> {
  const story = await tellStory(t)
  const cuts = await cutsOf(t, story)
  assert.ok(cuts.length > 100, `${cuts.length} cuts`)
  const wrong: string[] = []
  for (const [index, cut] of cuts.entries()) {
    if (index % every !== 0) continue
    for (const problem of await readWith(t, story, cut))
      wrong.push(`${cut.change} ${cut.path.join('.')} of ${cut.request.slice(0, 90)}: ${problem}`)
  }
  assert.equal(wrong.slice(0, 20), [])
  return cuts.length
}
