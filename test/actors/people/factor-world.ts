/** A node with people who prove who they are, for the tests of second factors. */
import { TOTP } from 'otpauth'
import type { Test } from 'uvu'
import { addAuthenticator, askForAuthenticator, type Enrolled } from '../../../actors/people/enrolment.ts'
import type { FactorContext, Proved, Prover } from '../../../actors/people/factors.ts'
import { consolePlace } from '../../../actors/people/passkeys.ts'
import { createSessions, type Sessions } from '../../../actors/people/sessions.ts'
import { addOperator, password } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

export function right<Result extends { ok: boolean }>(result: Result): Extract<Result, { ok: true }> {
  if (!result.ok) throw new Error(`It was refused: ${JSON.stringify(result)}`)
  return result as Extract<Result, { ok: true }>
}

export const reasonOf = (result: Proved | Enrolled) => (result.ok ? 'ok' : result.reason)

export const code = (typed: string) => ({ kind: 'code', code: typed }) as const

/** The node and the context are there once the tests run. */
export function factorWorld(test: Test) {
  const place = consolePlace('http://localhost:8081')
  let started: { node: TestNode; context: FactorContext } | null = null

  function there() {
    if (started === null) throw new Error('The tests have not begun.')
    return started
  }

  test.before(async () => {
    const node = await startTestNode()
    const { store, vault } = node.core
    started = { node, context: { store, vault, clock: node.clock, place } }
  })

  test.after(() => stopTestNode(there().node))

  const sessions = (): Sessions => {
    const { core, clock } = there().node
    return createSessions({ store: core.store, clock })
  }

  async function signIn(name: string): Promise<Prover> {
    const token = await sessions().signIn({ name, password, address: '127.0.0.1' })
    if (token === null) throw new Error(`${name} was not let in`)
    return { name, token }
  }

  const codeOf = (secret: string, shiftMs = 0) =>
    new TOTP({ secret }).generate({ timestamp: there().node.clock.now() + shiftMs })

  async function withAuthenticator(
    name: string,
  ): Promise<{ prover: Prover; secret: string; codes: readonly string[] }> {
    const { node, context } = there()
    const prover = await signIn(name)
    const { secret } = await askForAuthenticator(context, prover)
    const { recoveryCodes: codes } = right(await addAuthenticator(context, prover, codeOf(secret)))
    node.clock.advance(30_000)
    return { prover, secret, codes }
  }

  /** Of a name of its own, so that tests do not meet. */
  async function person(name: string): Promise<string> {
    await addOperator(there().node, name, 'administrator')
    return name
  }

  return {
    get node() {
      return there().node
    },
    get context() {
      return there().context
    },
    ...{ place, sessions, signIn, codeOf, withAuthenticator, person },
  }
}
