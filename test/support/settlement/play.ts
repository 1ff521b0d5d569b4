/**
 * Two shops and two networks that settle in three currencies, played by chance: the same for the same seed. An independent bookkeeper
 * is told what was answered, and has to come to the same amounts.
 */
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { withdrawalRequest } from '../../../actors/settlement/withdrawal-operations.ts'
import { planComingDays } from '../../../actors/terms/planning.ts'
import { isOpen } from '../../../machines/statuses.ts'
import { seededRandom } from '../../durability/random.ts'
import { problemsIn } from '../agreed-terms.ts'
import { archiveOf, dayMs } from '../archive.ts'
import { playForeign } from '../foreign-orders.ts'
import { Bookkeeper } from '../model/bookkeeper.ts'
import { written } from '../model/figures.ts'
import { operatorOf } from '../operations.ts'
import { hourMs, type OrderWorld, otherShop, tills } from '../order-world.ts'
import { closerOf } from '../statement-world.ts'
import * as banks from './bank-deeds.ts'
import { compare } from './comparison.ts'
import { correct } from './correction-deeds.ts'
import { convert, foreign, sell } from './foreign-deeds.ts'
import * as orders from './order-deeds.ts'
import { markets, terms } from './terms.ts'
import { type Deed, look, type Play, pick } from './world.ts'

/** So that not many days have to pass. */
const archivedAfterDays = 3

/** What every sequence begins with. */
export async function agree(world: OrderWorld): Promise<void> {
  await operatorOf(world).ask(apply, terms)
}

/**
 * Plays so many deeds in a world that has agreed on the terms, then closes what is open, and compares.
 *
 * @param log is told each deed, for whoever reads a failure
 * @returns kinds of postings that came about, and how many orders went to the archive
 */
export async function playSettlement(
  world: OrderWorld,
  { seed, length, log }: { seed: number; length: number; log: string[] },
): Promise<{ kinds: ReadonlySet<string>; archived: number }> {
  const foreign = playForeign(world)
  const own = { ...foreign, orders: foreign.foreignOrders }
  const play: Play = {
    ...own,
    random: seededRandom(seed),
    operator: operatorOf(own),
    books: new Bookkeeper(terms, world.clock.now()),
    closer: closerOf(own),
    archive: archiveOf(own, undefined, archivedAfterDays),
    orderIds: [],
    statuses: new Map(),
    paymentIds: [],
    wires: [],
    strays: [],
    unsold: [],
    corrected: new Map(),
    kinds: new Set(),
    references: 0,
  }
  try {
    await playDeeds(play, length, log)
    await note(play)
    return { kinds: play.kinds, archived: (await play.rows('archived_orders')).length }
  } finally {
    play.archive.close()
  }
}

async function note({ kinds, rows }: Play): Promise<void> {
  for (const { kind } of await rows('postings')) kinds.add(kind)
}

async function playDeeds(play: Play, length: number, log: string[]): Promise<void> {
  for (let done = 0; done < length; done++) {
    const deed = pick(play, weighted)
    log.push(deed.name)
    await deed(play)
    await look(play)
  }
  play.clock.advance(60 * hourMs)
  await expire(play)
  await closeDays(play)
  await compareAll(play)
  if ((await play.rows('archived_orders')).length > 0) assert.equal((await play.archive.check()).problems, [])
}

async function compareAll(play: Play): Promise<void> {
  await compare(play)
  assert.equal(await problemsIn(play), [])
}

/** An order that is paid on its chain and, mostly, handed out. */
async function payForeign(play: Play): Promise<void> {
  const id = await foreign(play)
  if (id !== null && !play.random.chance(0.2)) await orders.handle(play, id)
}

async function letTimePass(play: Play): Promise<void> {
  play.clock.advance((1 + play.random.below(30)) * hourMs + play.random.below(3_600_000))
  await expire(play)
  if (play.random.chance(0.8)) await closeDays(play)
}

/** What is old and done with goes to the archive; books, statements and what is due stay as they are. */
async function archiveOld(play: Play): Promise<void> {
  play.clock.advance((archivedAfterDays + 1) * dayMs)
  await expire(play)
  await closeDays(play)
  await note(play)
  await play.archive.deliver()
  await play.archive.archive({ waitMs: 0 })
  assert.equal(play.archive.errors, [])
  play.books.archive(new Set((await play.rows('archived_orders')).map(({ id }) => id)))
  await compareAll(play)
}

/** A chain is read past what expires. */
async function expire(play: Play): Promise<void> {
  for (const chain of ['SOLANA', 'STELLAR'] as const) await play.read([], play.clock.now(), chain)
  for (const id of play.orderIds) {
    if (!isOpen(play.statuses.get(id) as 'READY')) continue
    await play.orders.expire(id)
    await look(play)
  }
}

async function closeDays(play: Play): Promise<void> {
  await planComingDays(play.store, { clock: play.clock, isTrusted: () => true })
  await play.closer.pass()
  assert.equal(play.closer.errors, [])
  play.books.endDays(play.clock.now())
}

/** Of a party with or without terms, as it may ask at any time. */
async function closeNow(play: Play): Promise<void> {
  const { currency, merchant } = pick(play, markets)
  const party = pick(play, [merchant, tills.A, tills.B]).name
  try {
    await play.operator.ask(statementClose, { party, currency })
  } catch (error) {
    if (error instanceof OperationError && error.message.includes('is closed in')) return
    throw error
  }
  play.books.closeNow(party, currency, play.clock.now())
  await play.closer.pass()
  play.books.endDays(play.clock.now())
}

/** All, a part, or more than there is, by the merchant that is settled on request: what becomes of it the bookkeeper says. */
async function withdraw(play: Play): Promise<void> {
  const { books, clock, random } = play
  const [merchant, currency] = [otherShop.name, 'KWD']
  const most = books.withdrawable(merchant, currency)
  const part = 1n + (most * BigInt(random.below(140))) / 100n
  const withdrawn = random.chance(0.4) ? 'all' : part
  const amount = withdrawn === 'all' ? {} : { amount: written(withdrawn, currency) }
  const asked = { merchant, currency, reason: 'it asks', ...amount }
  const why = books.isClosed(merchant, currency, clock.now())
    ? /is closed in/
    : withdrawn !== 'all' && withdrawn > most
      ? /at most/
      : most === 0n
        ? /nothing to withdraw/
        : null
  if (why !== null) {
    assert.match((await play.operator.refusal('withdrawal.request', asked)).message, why)
    return
  }
  const done = await play.operator.ask(withdrawalRequest, asked)
  assert.is(done.amount, written(withdrawn === 'all' ? most : withdrawn, currency))
  books.withdraw(merchant, currency, clock.now(), withdrawn)
  await play.closer.pass()
  books.endDays(clock.now())
}

const { payIn, payOut, refund, goOn, doubt, confirmLate, resolve } = orders
const { deposit, reverse, receive, order, payWhole, tellBank, bankLine, identify } = banks

/** How often each comes about. */
const weighted: readonly Deed[] = [
  ...[payIn, payIn, payIn, payOut, payOut, payOut, refund, goOn, goOn, doubt, doubt, confirmLate, resolve],
  ...[deposit, deposit, deposit, reverse, reverse, receive, order, order, payWhole, payWhole, payWhole],
  ...[
    payForeign,
    payForeign,
    payForeign,
    payForeign,
    convert,
    convert,
    convert,
    sell,
    correct,
    correct,
    correct,
  ],
  ...[
    archiveOld,
    tellBank,
    tellBank,
    bankLine,
    identify,
    letTimePass,
    letTimePass,
    letTimePass,
    letTimePass,
    closeNow,
  ],
  withdraw,
]
