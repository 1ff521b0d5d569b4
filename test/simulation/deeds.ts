/** What the scheduler may let happen, one event each. What cannot be at the moment is left out. */
import { settled } from './operators.ts'
import type { World } from './world.ts'

type Deed = (world: World) => Promise<void> | void

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** How long the last orders may run. */
const longestHours = 72

/** Time passes; what has fallen due meanwhile is done one after the other, as after a stall or a suspend. */
async function elapse({ platform, random, witness }: World, ms: number): Promise<void> {
  platform.pass(ms)
  witness.passes(platform.trueTime)
  for (let fired = 0; platform.fire(); fired++) {
    if (fired > 500) throw new Error('timers fire without end')
    if (random.chance(0.8)) await platform.rest()
  }
  await platform.rest()
}

function begun(world: World): void {
  for (const till of world.tills) if (world.random.chance(0.7)) till.act()
  if (world.random.chance(0.4)) world.pick(world.shops)?.create()
}

function cutOff({ network, receivers }: World): void {
  network.cut()
  receivers.cut()
}

export const deeds = {
  create: (world) => world.pick(world.shops)?.create(),
  repeat(world) {
    for (const shop of world.shops) shop.repeat()
  },
  offer(world) {
    const till = world.pick(world.tills.filter(({ isIdle }) => isIdle))
    const order = world.pick(world.orders('READY'))
    if (till === undefined || order === undefined) return
    // Two tills of one network that both have an order would let go of what the other holds.
    const isTaken = world.tills.some(
      (one) => one.orderId === order.id && one.provider.name === till.provider.name,
    )
    if (isTaken) return
    till.take(order)
    till.act()
  },
  act(world) {
    world.pick(world.tills.filter(({ isIdle }) => !isIdle))?.act()
  },
  look: (world) => world.pick(world.shops)?.look(),
  /** Many at once, some of whom say what was said before. */
  rush(world) {
    const isTillFirst = world.random.chance(0.6)
    if (isTillFirst) for (const till of world.tills) till.act()
    for (const shop of world.shops) {
      shop.repeat()
      shop.create()
    }
    if (!isTillFirst) begun(world)
    world.network.deliverCopy()
  },
  meddle(world) {
    const till = world.pick(world.tills)
    const order = world.pick([
      ...world.orders('PAYMENT_STARTED'),
      ...world.orders('COMPLETED'),
      ...world.orders('READY'),
    ])
    if (till === undefined || order === undefined || order.holder === till.provider.name) return
    const isOwn = world.tills.some(
      (one) => one.orderId === order.id && one.provider.name === till.provider.name,
    )
    if (!isOwn) till.meddle(order, world.random.chance(0.6) ? 'confirm' : 'cancel')
  },
  list(world) {
    const index = world.random.below(world.shops.length)
    world.listings[index]?.turn(world.shops[index]?.orders ?? [])
  },
  actAll(world) {
    for (const till of world.tills) till.act()
  },
  deliverCopy: (world) => void world.network.deliverCopy(),
  receive: (world) => void world.receivers.answerOne(),
  passMoment: (world) => elapse(world, 20 + world.random.below(4_000)),
  passMinutes: (world) => elapse(world, world.random.below(12 * minuteMs)),
  passHours: (world) => elapse(world, world.random.below(20 * hourMs)),
  remit: (world) => world.payers.begin(),
  pay: (world) => world.payers.act(),
  reorganise: (world) => world.note(world.chain.reorganise(world.random)),
  failChain: (world) => world.note(world.chain.fail(world.random)),
  deposit: (world) => world.operator.deposit(),
  reverse: (world) => world.operator.reverse(),
  async cancel(world) {
    const order = world.pick([
      ...world.orders('READY'),
      ...world.orders('CREATED'),
      ...world.orders('PAYMENT_STARTED'),
    ])
    if (order === undefined) return
    const force = world.random.chance(0.5)
    const name = `operator ${world.counts.events}`
    await world.platform.rest()
    world.witness.begins(order, name, { does: 'operator cancels' })
    const ended = await world.operator.cancel(order.id, force)
    if (ended === null) return
    if (ended.ok) world.witness.ends(order, name, 200)
    else if (force) world.witness.ends(order, name, 400)
    else world.witness.withdraws(order, name)
  },
  async resolve(world) {
    await world.operator.resolve()
  },
  claim: (world) => world.claimants.open(),
  answerClaim: (world) => world.claimants.answer(),
  async decideClaim(world) {
    await world.claimants.decide()
  },
  freeze: (world) => world.operator.freeze(),
  drain: (world) => world.operator.drain(),
  async closeStatement(world) {
    if (world.host.process !== null) await world.operator.closeStatements()
  },
  orderPayment: (world) => world.operator.orderPayment(),
  moveOn: (world) => world.operator.moveOn(),
  /** Of accounts, thresholds and invitations. */
  askTwo: (world) => world.people.ask(),
  approve: (world) => world.people.decide(1),
  decideAtOnce: (world) => world.people.decide(2 + world.random.below(2)),
  /** The node is gone while somebody approves: before it is written, behind it, or behind what it has brought about. */
  async killApproving(world) {
    const { host, platform, random, people, counts } = world
    if (host.process === null || people.waiting().length === 0) return
    await platform.rest()
    world.catchUp()
    for (const { outcome } of people.begin(1 + random.below(2))) outcome.catch(() => {})
    for (let turns = random.below(14); turns > 0; turns--) await platform.turn()
    world.network.isSilent = true
    world.receivers.isSilent = true
    const isWritten = random.chance(0.5) && (await host.cutInNextCommit(random))
    if (host.process !== null) host.kill()
    cutOff(world)
    counts.cuts += isWritten ? 1 : 0
    counts.kills += isWritten ? 0 : 1
    counts.approvalKills += 1
    world.note(`killed while somebody approved${isWritten ? ', in a commit' : ''}`)
    world.catchUp()
    people.demoteSomebody()
  },
  async kill(world) {
    if (world.host.process === null) return
    begun(world)
    for (let turns = world.random.below(6); turns > 0; turns--) await world.platform.turn()
    world.host.kill()
    cutOff(world)
    world.counts.kills += 1
    world.note('killed')
  },
  async cut(world) {
    if (world.host.process === null) return
    await world.platform.rest()
    begun(world)
    world.network.isSilent = true
    world.receivers.isSilent = true
    const isWritten = await world.host.cutInNextCommit(world.random)
    cutOff(world)
    world.counts.cuts += isWritten ? 1 : 0
    world.counts.kills += isWritten ? 0 : 1
    world.note(`the power is cut ${isWritten ? 'in a commit' : ''}`)
  },
  async stop(world) {
    if (world.host.process === null) return
    await world.platform.rest()
    await world.host.stop()
    cutOff(world)
    world.counts.stops += 1
    world.note('stopped')
  },
  async start(world) {
    if (world.host.process !== null) return
    await world.host.start()
    world.note('started')
  },
  /** While the node lives: of a clock that is set ahead while it is down nobody can know. */
  async jump(world) {
    const { platform, random, host } = world
    if (host.process === null || platform.clockOffsetMs !== 0) return
    const ms = random.chance(0.5) ? random.below(3 * hourMs) : random.below(90 * hourMs)
    platform.clockOffsetMs = (random.chance(0.6) ? 1 : -1) * (45_000 + ms)
    world.counts.jumps += 1
    world.note(`the clock jumps by ${platform.clockOffsetMs}`)
    await elapse(world, 3_000)
  },
  async rightClock(world) {
    const { platform, host } = world
    if (platform.clockOffsetMs === 0 || host.process === null) return
    platform.clockOffsetMs = 0
    world.note('the clock is right again')
    await elapse(world, 3_000)
    await world.operator.acceptClock()
  },
} satisfies Record<string, Deed>

/** All faults end, and everybody ends what was begun. */
export async function healAndRest(world: World): Promise<void> {
  const { network, receivers, host, platform, operator } = world
  network.faults = { lostRequest: 0, lostAnswer: 0, duplicate: 0 }
  receivers.isWell = true
  world.chain.heal()
  await deeds.start(world)
  platform.clockOffsetMs = 0
  await elapse(world, 3_000)
  await operator.acceptClock()
  if (operator.isDrained) await operator.drain()
  operator.isHurried = true
  await world.people.settle()
  for (const name of [...world.approvalTruth.frozen]) await operator.unfreeze(name)
  for (const till of world.tills) till.isClosing = true
  for (let round = 0; round < 80; round++) {
    for (const till of world.tills) till.act()
    for (const shop of world.shops) shop.repeat()
    network.deliverCopy()
    await platform.rest()
    if (world.tills.every(({ isIdle }) => isIdle) && world.shops.every(({ isSure }) => isSure)) break
    await elapse(world, 4_000)
  }
  for (let round = 0; round < 60 && !world.hasReadChain; round++) {
    await elapse(world, 20_000)
    world.catchUp()
  }
  for (const till of world.tills)
    if (!till.isIdle) world.problem(`${till.provider.network} does not end with ${till.orderId}`)
  for (const { isSure, merchant } of world.shops)
    if (!isSure) world.problem(`${merchant.name} is never answered`)
  world.check()
  if (host.process === null) throw new Error('the node is gone at the end')
}

/** Every order ends, everything is told and resolved; then all that is known is compared. */
export async function settleAll(world: World): Promise<void> {
  // Day by day, or after a long sleep.
  const parts = 1 + world.random.below(3)
  for (let part = 0; part < parts; part++) await elapse(world, (longestHours / parts) * hourMs)
  for (let round = 0; round < 40; round++) {
    // Most orders have ended by now: some of them are disputed.
    if (round < 4) await world.claimants.open()
    if (round > 1) world.claimants.answer()
    const isDecided = round > 3 && (await world.claimants.decide())
    const isResolved = (await world.operator.resolve()) || isDecided || round < 4
    for (const [index, listing] of world.listings.entries()) listing.turn(world.shops[index]?.orders ?? [])
    await elapse(world, 20_000)
    const isTold =
      world.host.reader.all("SELECT 1 FROM webhooks WHERE state = 'pending' LIMIT 1").length === 0
    if (!isResolved && isTold) break
  }
  await world.operator.closeStatements(settled)
  // Lines are sealed a moment after their statement was closed.
  await elapse(world, 20_000)
  world.check()
  for (const problem of world.truth.checkAtRest(world.host.reader.view(world.platform.trueTime)))
    world.problem(problem)
  for (const problem of world.approvalTruth.checkAtRest(
    world.host.reader.approvalView(world.platform.trueTime),
  ))
    world.problem(problem)
  for (const problem of world.chainTruth.checkAtRest(world.chain.movements, world.host.reader.chainView()))
    world.problem(problem)
  world.checkStatements()
  for (const problem of await world.host.verify()) world.problem(problem)
  for (const id of world.witness.impossible())
    world.problem(`what was answered of order ${id} cannot be: ${world.witness.show(id)}`)
}
