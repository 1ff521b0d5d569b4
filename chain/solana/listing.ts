/**
 * Which transactions are to be read after a cursor. A listing is used only when it is proved complete: an
 * endpoint that lags, is pruned or sits in a pool whose members disagree must not make a gap.
 */
import { type Connection, PublicKey, SolanaJSONRPCError } from '@solana/web3.js'
import type { Instant } from '../../machines/time.ts'
import { token2022Program, tokenProgram } from './addresses.ts'
import { type Cursor, comparePlaces, type Place } from './cursor.ts'
import { attempt, ChainFailed, finality, type SolanaNetwork } from './network.ts'
import { readTokenAccount } from './token-account.ts'

/**
 * Blocks this near the head are read again. An endpoint that is 128 slots behind its peers calls itself
 * unhealthy, so the members of a pool disagree by less.
 */
const overlapSlots = 150

/** The most signatures that one request lists. */
const listLimit = 1_000

/**
 * Token accounts outside the settings are looked at this often, so many at a time, so far back. Most of what
 * they receive is spam, and it must not keep anyone from reading the rest.
 */
const othersEveryMs = 60_000
const maxOthers = 5
const maxOthersSignatures = 20
const maxOthersAttempts = 3

/** A slot without a block has no time; so many in a row are not seen. */
const maxSkippedSlots = 32

export interface Listing {
  readonly target: number
  readonly readTo: Instant | null
  /** Oldest first; failed transactions are not among them. */
  readonly places: readonly Place[]
  /** Those of tokens outside the settings: few, and never a part of a pass. */
  readonly placesOfOthers: readonly Place[]
  readonly anchors: Readonly<Record<string, number>>
  /** Present when the accounts outside the settings were looked at. */
  readonly others: Readonly<Record<string, string>> | null
}

interface Listed extends Place {
  readonly failed: boolean
}

export class Lister {
  readonly #network: SolanaNetwork
  #othersAt: Instant | null = null
  /** How often a changed balance was looked into, and nothing was found that explains it. */
  readonly #unexplained = new Map<string, number>()

  readonly #onlyAccepted: boolean

  constructor(network: SolanaNetwork, { onlyAccepted = false } = {}) {
    this.#network = network
    this.#onlyAccepted = onlyAccepted
  }

  async list(connection: Connection, cursor: Cursor): Promise<Listing> {
    const head = await connection.getSlot(finality)
    if (head < cursor.floor)
      throw new ChainFailed(
        'inconsistent',
        `names slot ${head} as its last final one, after slot ${cursor.floor} had been read.`,
      )
    const target = cursor.pass?.target ?? Math.max(cursor.floor, head - overlapSlots)
    const readTo = cursor.pass?.readTo ?? (await this.#readTo(connection, cursor, target))

    const places = new Map<string, Place>()
    const anchors: Record<string, number> = {}
    for (const { account } of this.#network.assets) {
      const name = account.toBase58()
      const anchor = cursor.anchors[name]
      const listed = await listAccount(connection, account, cursor.floor, anchor, target)
      const deep = listed.filter(({ slot }) => slot <= target).map(({ slot }) => slot)
      const newest = Math.max(...deep, anchor ?? -1)
      if (newest >= 0) anchors[name] = newest
      for (const place of listed)
        if (!place.failed && place.slot > cursor.floor && isLeft(cursor, place))
          places.set(place.signature, place)
    }
    const { others, placesOfOthers } = await this.#listOthers(connection, cursor)
    return {
      target,
      readTo,
      anchors,
      others,
      places: [...places.values()].sort(comparePlaces),
      placesOfOthers: placesOfOthers.filter(({ signature }) => !places.has(signature)),
    }
  }

  async #readTo(connection: Connection, cursor: Cursor, target: number): Promise<Instant | null> {
    if (target === cursor.floor && cursor.readTo !== null) return cursor.readTo
    const time = await blockTime(connection, target)
    return time === null || (cursor.readTo ?? 0) > time ? cursor.readTo : time
  }

  /** Transfers of other tokens: nobody announces them, but they change what the treasury's accounts hold. */
  async #listOthers(
    connection: Connection,
    cursor: Cursor,
  ): Promise<{ others: Listing['others']; placesOfOthers: Place[] }> {
    if (this.#onlyAccepted) return { others: null, placesOfOthers: [] }
    const now = this.#network.clock()
    if (this.#othersAt !== null && now - this.#othersAt < othersEveryMs)
      return { others: null, placesOfOthers: [] }
    this.#othersAt = now
    const balances = await this.balancesOfOthers(connection)
    if (balances === null) return { others: null, placesOfOthers: [] }
    const places = new Map<string, Place>()
    const others: Record<string, string> = { ...cursor.others }
    const changed = balances.filter(([account, amount]) => amount !== (cursor.others[account] ?? '0'))
    for (const [account, amount] of changed.slice(0, maxOthers)) {
      const listed = await signatures(connection, new PublicKey(account), { limit: maxOthersSignatures })
      const recent = listed.filter(({ slot }) => slot > cursor.othersFloor)
      for (const place of recent) if (!place.failed) places.set(place.signature, place)
      // A balance that nothing explains may come from a fresher back end: it is looked at a few times.
      const attempts = (this.#unexplained.get(account) ?? 0) + 1
      const isSettled = recent.length > 0 || attempts >= maxOthersAttempts
      if (isSettled) others[account] = amount
      if (isSettled) this.#unexplained.delete(account)
      else this.#unexplained.set(account, attempts)
    }
    return { others, placesOfOthers: [...places.values()] }
  }

  /**
   * Token accounts of the treasury that the settings do not name, and what each holds. `null` when the endpoint
   * does not tell: many public ones serve no such lists, and accepted deposits do not depend on them.
   */
  async balancesOfOthers(connection: Connection): Promise<readonly [string, string][] | null> {
    const lists = await attempt(connection, 'the endpoint', () =>
      Promise.all(
        [tokenProgram, token2022Program].map((programId) =>
          connection.getTokenAccountsByOwner(this.#network.treasury, { programId }, finality),
        ),
      ),
    )
    this.#network.otherTokensProblem = lists.ok
      ? null
      : `Transfers of other tokens to the treasury are not seen: ${lists.failure.message}`
    if (!lists.ok) return null
    const accepted = new Set(this.#network.assets.map(({ account }) => account.toBase58()))
    return lists.value
      .flatMap(({ value }) => value)
      .flatMap(({ pubkey, account }): [string, string][] => {
        const name = pubkey.toBase58()
        const token = readTokenAccount(account)
        return token === null || accepted.has(name) ? [] : [[name, token.amount.toString()]]
      })
  }
}

function isLeft({ pass }: Cursor, place: Place): boolean {
  return pass === null || comparePlaces(place, pass.after) > 0
}

/** Everything above the floor, newest first, with proof that nothing is missing in between. */
async function listAccount(
  connection: Connection,
  account: PublicKey,
  floor: number,
  anchor: number | undefined,
  target: number,
): Promise<readonly Listed[]> {
  const listed: Listed[] = []
  for (;;) {
    const [expected, before] = [listed.at(-1), listed.at(-2)]
    const page = await signatures(connection, account, {
      limit: listLimit,
      // A back end may lag behind the head that another one named, but not behind what becomes the floor.
      minContextSlot: target,
      // From the last but one, so that the page has to begin with what is known already.
      ...(before === undefined ? {} : { before: before.signature }),
    })
    if (expected !== undefined && page[0]?.signature !== expected.signature)
      throw new ChainFailed('inconsistent', `lists no signatures before ${expected.signature}.`)
    const older = expected === undefined ? page : page.slice(1)
    listed.push(...older)
    if ((listed.at(-1)?.slot ?? Number.POSITIVE_INFINITY) <= floor) return listed
    // Some endpoints give shorter pages than were asked for: only a page without anything older is the last.
    if (older.length === 0 || listed.length < 2) break
  }
  // The account's history ended above the floor. Either nothing older exists, or the endpoint has lost it.
  const first = await connection.getFirstAvailableBlock()
  if (first > floor)
    throw new ChainFailed(
      'history_missing',
      `keeps nothing before slot ${first}, and chain deposits have been read up to slot ${floor} only. ` +
        'Add an endpoint with an older history to chains.SOLANA.rpc.',
    )
  if (anchor !== undefined && anchor >= first)
    throw new ChainFailed('inconsistent', `does not list what it has listed for slot ${anchor}.`)
  return listed
}

async function signatures(
  connection: Connection,
  account: PublicKey,
  options: { limit: number; before?: string; minContextSlot?: number },
): Promise<readonly Listed[]> {
  const page = await connection.getSignaturesForAddress(account, options, finality)
  return page.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null }))
}

/** Time of a slot, or of the nearest one before it that has a block. */
export async function blockTime(connection: Connection, slot: number): Promise<Instant | null> {
  for (let candidate = slot; candidate > slot - maxSkippedSlots; candidate -= 1) {
    try {
      const seconds = await connection.getBlockTime(candidate)
      return seconds === null ? null : seconds * 1000
    } catch (error) {
      if (!isSkipped(error)) throw error
    }
  }
  return null
}

/** -32007 and -32009: there was no block in this slot. */
function isSkipped(error: unknown): boolean {
  return error instanceof SolanaJSONRPCError && (error.code === -32007 || error.code === -32009)
}
