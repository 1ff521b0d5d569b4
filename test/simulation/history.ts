/** One history: so many events of a seed, then everything is healed, comes to rest, and is judged once more. */
import type { Counts } from './counts.ts'
import { deeds, healAndRest, settleAll } from './deeds.ts'
import { templateFor } from './template.ts'
import { World } from './world.ts'

export interface HistoryOptions {
  seed: number
  length: number
  /** The numbers of the events that are played; all of them unless said otherwise. */
  only?: readonly number[]
}

export interface History {
  seed: number
  /** What cannot be, as it was found; nothing where all is well. */
  problems: readonly string[]
  trace: readonly string[]
  /** SHA-256 of the trace. */
  digest: string
  counts: Counts
}

export async function playHistory({ seed, length, only }: HistoryOptions): Promise<History> {
  const mode = seed % 2 === 0 ? 'production' : 'sandbox'
  const { template, since } = await templateFor(mode, true)
  const world = new World(seed, { mode, template, since })
  world.platform.install()
  try {
    await play(world, only ?? Array.from({ length }, (_, index) => index))
  } catch (error) {
    world.problem(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    world.host.remove()
    world.platform.uninstall()
  }
  const { problems, trace, digest, counts } = world
  counts.answers = world.network.answered
  counts.lists = world.listings.reduce((sum, { walked }) => sum + walked, 0)
  counts.claims = world.claimants.opened
  counts.claimsMoved = world.claimants.moved
  counts.calls = world.witness.calls
  counts.webhooks = world.receivers.received
  counts.orders = world.shops.reduce((sum, { created }) => sum + created, world.payers.created)
  Object.assign(counts, world.chain.counts)
  return { seed, problems, trace, digest, counts }
}

async function play(world: World, events: readonly number[]): Promise<void> {
  const { random, host, platform } = world
  await host.start()
  for (const event of events) {
    random.begin(event)
    world.counts.events += 1
    world.witness.passes(platform.trueTime)
    if (host.process === null && random.chance(0.6)) await deeds.start(world)
    await deeds[chosen(random.below(total))](world)
    if (random.chance(0.25)) {
      for (let turns = random.below(4); turns > 0; turns--) await platform.turn()
      continue
    }
    await platform.rest()
    world.check()
    if (world.problems.length > 0) return
  }
  random.begin(-1)
  await healAndRest(world)
  if (world.problems.length === 0) await settleAll(world)
}

/** How often each comes about, in a thousand or so. */
const weights: readonly (readonly [keyof typeof deeds, number])[] = [
  ['create', 130],
  ['repeat', 20],
  ['offer', 140],
  ['act', 300],
  ['look', 60],
  ['actAll', 40],
  ['rush', 45],
  ['meddle', 30],
  ['list', 50],
  ['deliverCopy', 30],
  ['receive', 50],
  ['passMoment', 90],
  ['passMinutes', 35],
  ['passHours', 8],
  ['remit', 40],
  ['pay', 150],
  ['reorganise', 20],
  ['failChain', 10],
  ['deposit', 40],
  ['reverse', 6],
  ['cancel', 16],
  ['resolve', 45],
  ['claim', 60],
  ['answerClaim', 15],
  ['decideClaim', 45],
  ['freeze', 6],
  ['drain', 5],
  ['closeStatement', 12],
  ['orderPayment', 8],
  ['moveOn', 12],
  ['askTwo', 22],
  ['approve', 45],
  ['decideAtOnce', 20],
  ['killApproving', 14],
  ['kill', 8],
  ['cut', 10],
  ['stop', 5],
  ['jump', 6],
  ['rightClock', 8],
]

function chosen(number: number): keyof typeof deeds {
  let left = number
  for (const [name, weight] of weights) {
    left -= weight
    if (left < 0) return name
  }
  return 'act'
}

const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
