/** How many attempts to prove who one is there are before anybody has to wait: of one name, from one address, of one browser. */
import type { Context } from 'koa'
import { foldedName } from '../../actors/people/sessions.ts'
import type { Instant } from '../../machines/time.ts'
import { addressKey } from '../limits/client-address.ts'
import { createWindows } from '../limits/windows.ts'

const attempts = { windowMs: 300_000, ofName: 10, ofAddress: 30, proofsOfAddress: 60 }

export const maxNameLength = 64

export interface Attempts {
  /**
   * Counted before anything is worked out: what comes at once is as many attempts.
   * @param name `null` where nobody is named: then its address alone counts
   * @returns seconds to wait, or `null`
   */
  mustWait(context: Context, name: string | null): number | null
  /** The same of a browser that the name has signed in with before: what strangers try elsewhere does not count. */
  mustWaitWith(browser: string): number | null
  /** The same of a second factor, by whoever's password was right: no stranger's counts, so that none keeps them from moving money. */
  mustWaitToProve(context: Context, name: string): number | null
  /** Whether it is the first refusal of this name from this address for a while: a flood is written down once. */
  isNews(context: Context, name: string): boolean
}

export function createAttempts(clock: { now(): Instant }): Attempts {
  const create = () => createWindows({ windowMs: attempts.windowMs, maxKeys: 10_000 })
  const [names, addresses, browsers, told] = [create(), create(), create(), create()]
  const proofs = { ofName: create(), ofAddress: create() }
  return {
    isNews(context, name) {
      const key = `${addressKey(addressOf(context))} ${nameKey(name)}`
      return !told.count(key, 1, clock.now()).isOver
    },
    mustWaitToProve(context, name) {
      const now = clock.now()
      return secondsOf([
        proofs.ofName.count(name, attempts.ofName, now),
        proofs.ofAddress.count(addressKey(addressOf(context)), attempts.proofsOfAddress, now),
      ])
    },
    mustWaitWith: (browser) => secondsOf([browsers.count(browser, attempts.ofName, clock.now())]),
    mustWait(context, name) {
      const now = clock.now()
      const ofAddress = addresses.count(addressKey(addressOf(context)), attempts.ofAddress, now)
      // A name is remembered for a while: no longer one than anybody has, and none for an address that has to wait.
      const isUncounted = ofAddress.isOver || name === null
      const ofName = isUncounted ? [] : [names.count(nameKey(name), attempts.ofName, now)]
      return secondsOf([ofAddress, ...ofName])
    },
  }
}

/** Until all of these are over; `null` where none is. */
function secondsOf(counted: readonly { isOver: boolean; resetMs: number }[]): number | null {
  const waits = counted.filter(({ isOver }) => isOver).map(({ resetMs }) => Math.ceil(resetMs / 1000))
  return waits.length === 0 ? null : Math.max(...waits)
}

/** As the sign-in reads it: however a name is spelled, it is the same one. */
function nameKey(name: string): string {
  return foldedName(name).slice(0, maxNameLength)
}

/** The socket's: whoever can write headers could choose any other. */
export function addressOf(context: Context): string {
  return context.req.socket.remoteAddress ?? 'unknown'
}
