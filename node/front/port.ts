/**
 * Calls between two threads: many in one message both ways, because a message costs more than what is in it. What arrives in
 * one turn of the loop is asked in one message; what is answered by one commit goes back in one.
 */
import type { CoreCalls } from './core-calls.ts'
import { type PlainError, plainError, rebuiltError } from './plain-errors.ts'

type Name = keyof CoreCalls

/** Answered under its number. */
export type Call = readonly [number: number, name: Name, args: readonly unknown[]]

export type Reply =
  | readonly [number: number, isOk: true, value: unknown]
  | readonly [number: number, isOk: false, error: PlainError]

/** A total record, so that a new call does not compile until it is named; nothing else can be asked for. */
const names: Readonly<Record<Name, true>> = {
  readiness: true,
  openSecret: true,
  recordUse: true,
  tryExpire: true,
  takeLooks: true,
  create: true,
  tell: true,
  refuseOnce: true,
  lookAtQuote: true,
  quote: true,
  withdraw: true,
  anchorNow: true,
  sendReport: true,
  openClaim: true,
  tellClaim: true,
  resendWebhook: true,
  resendWebhooks: true,
  ping: true,
  simulate: true,
  noteRequests: true,
  readRequests: true,
  setFault: true,
  removeFault: true,
  receive: true,
  offer: true,
  relay: true,
}

export interface Caller {
  readonly calls: CoreCalls
  settle(replies: readonly Reply[]): void
}

/** @param post sends to the core what was asked in one turn */
export function createCaller(post: (calls: readonly Call[]) => void): Caller {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked: Call[] = []
  let last = 0

  const flush = () => {
    const calls = asked
    asked = []
    post(calls)
  }
  const callNamed =
    (name: Name) =>
    (...args: unknown[]) => {
      const settled = Promise.withResolvers<unknown>()
      last++
      waiting.set(last, settled)
      // After all sockets that are readable were read.
      if (asked.length === 0) setImmediate(flush)
      asked.push([last, name, args])
      return settled.promise
    }
  const named = Object.keys(names) as Name[]
  return {
    // What each takes and returns is data, which is copied; the types are those of the core's own.
    calls: Object.fromEntries(named.map((name) => [name, callNamed(name)])) as unknown as CoreCalls,
    settle(replies) {
      for (const reply of replies) {
        const [number] = reply
        const settled = waiting.get(number)
        waiting.delete(number)
        if (reply[1]) settled?.resolve(reply[2])
        else settled?.reject(rebuiltError(reply[2]))
      }
    },
  }
}

/**
 * Carries out what is asked; each once, whatever becomes of who asked.
 * @param post sends back what was answered together
 */
export function createCallee(
  calls: CoreCalls,
  post: (replies: readonly Reply[]) => void,
): (asked: readonly Call[]) => void {
  let replies: Reply[] = []
  const flush = () => {
    const answered = replies
    replies = []
    post(answered)
  }
  const reply = (one: Reply) => {
    // Runs once all that the same commit has answered is here.
    if (replies.length === 0) process.nextTick(flush)
    replies.push(one)
  }
  return (asked) => {
    for (const [number, name, args] of asked) {
      if (!Object.hasOwn(names, name)) throw new Error(`Of the core there is no call of ${name}.`)
      const call = calls[name] as (...args: readonly unknown[]) => Promise<unknown>
      call(...args).then(
        (value) => reply([number, true, value]),
        (error: unknown) => reply([number, false, plainError(error)]),
      )
    }
  }
}
