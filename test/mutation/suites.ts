/**
 * What stands in for `uvu` while mutants are run: the same suites, which end at the first test that fails, and may be
 * registered and run again and again.
 */
import type { Test } from 'uvu'

type State = Record<string, unknown>
type Step = (state: State) => unknown

interface Suite {
  tests: { name: string; handler: Step }[]
  only: { name: string; handler: Step }[]
  before: Step[]
  after: Step[]
  beforeEach: Step[]
  afterEach: Step[]
  state: State
}

const queue: Suite[] = []

function empty(state: State): Suite {
  return { tests: [], only: [], before: [], after: [], beforeEach: [], afterEach: [], state }
}

export function suite(_name = '', state: State = {}): Test {
  let current = empty(state)
  const add = (name: string, handler: Step) => current.tests.push({ name, handler })
  const before = Object.assign((step: Step) => current.before.push(step), {
    each: (step: Step) => current.beforeEach.push(step),
  })
  const after = Object.assign((step: Step) => current.after.push(step), {
    each: (step: Step) => current.afterEach.push(step),
  })
  const run = () => {
    queue.push(current)
    current = empty(state)
  }
  const only = (name: string, handler: Step) => current.only.push({ name, handler })
  return Object.assign(add, { before, after, run, only, skip: () => {} }) as unknown as Test
}

export const test = suite()

/** Forgets what was registered by a file that did not come to its end. */
export function forgetSuites(): void {
  queue.length = 0
}

/** Runs what was registered since, and gives the first failure, `NAME: MESSAGE`; `null` when there is none. */
export async function runSuites(): Promise<string | null> {
  for (const one of queue.splice(0)) {
    const failure = await runSuite(one)
    if (failure !== null) return failure
  }
  return null
}

async function runSuite({ tests, only, before, after, beforeEach, afterEach, state }: Suite) {
  let failure: string | null = null
  try {
    for (const step of before) await step(state)
    for (const { name, handler } of only.length > 0 ? only : tests) {
      try {
        for (const step of beforeEach) await step(state)
        await handler(state)
      } catch (error) {
        failure = `${name}: ${messageOf(error)}`
      }
      for (const step of afterEach) await step(state)
      if (failure !== null) break
    }
  } catch (error) {
    failure ??= messageOf(error)
  }
  try {
    for (const step of after) await step(state)
  } catch (error) {
    failure ??= messageOf(error)
  }
  return failure
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
