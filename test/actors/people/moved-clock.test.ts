import { TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addAuthenticator,
  addPasskey,
  askForAuthenticator,
  askForNewPasskey,
  renewRecoveryCodes,
} from '../../../actors/people/enrolment.ts'
import { askForPasskey, type FactorContext, type Prover, prove } from '../../../actors/people/factors.ts'
import { consolePlace } from '../../../actors/people/passkeys.ts'
import { createSessions, isFresh, sessionTimes } from '../../../actors/people/sessions.ts'
import { softwareAuthenticator } from '../../support/authenticator.ts'
import { addOperator, dispatchOf, password } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const place = consolePlace('http://localhost:8081')
const hourMs = 3_600_000

let node: TestNode
let context: FactorContext

test.before(async () => {
  node = await startTestNode()
  context = { store: node.core.store, vault: node.core.vault, clock: node.clock, place }
})

test.after(() => stopTestNode(node))

const sessions = () => createSessions({ store: node.core.store, clock: node.clock })

async function signIn(name: string): Promise<Prover> {
  const token = await sessions().signIn({ name, password, address: '127.0.0.1' })
  if (token === null) throw new Error(`${name} was not let in`)
  return { name, token }
}

/** A step at a time that was a mistake: from now on steps wait for it, and the wall does not. */
async function hourThatWasNone(): Promise<void> {
  node.clock.jump(hourMs)
  await signIn('ana')
  node.clock.jump(-hourMs)
}

const outcome = (result: { ok: true } | { ok: false; reason: string }) => (result.ok ? 'ok' : result.reason)

test('an authenticator and a passkey are right by the time on the wall, also after a clock went forward and back', async () => {
  await addOperator(node, 'ana', 'administrator')
  const first = await signIn('ana')
  const { secret } = await askForAuthenticator(context, first)
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: node.clock.now() })
  assert.is(outcome(await addAuthenticator(context, first, codeNow())), 'ok')
  const key = softwareAuthenticator()
  const asked = await askForNewPasskey(context, first)
  assert.is(
    outcome(await addPasskey(context, first, { label: 'key', answer: key.create(asked, place) })),
    'ok',
  )
  node.clock.advance(30_000)
  await hourThatWasNone()
  const byCode = await signIn('ana')
  const proved = await prove(context, byCode, { kind: 'code', code: codeNow() })
  assert.is(outcome(proved), 'ok')
  const session = await sessions().find(proved.ok ? proved.token : '')
  assert.is(isFresh(session?.factorAt ?? null, node.clock), true)
  assert.is(isFresh(session?.factorAt ?? null, { now: () => node.clock.now() + 5 * 60_000 + 1 }), false)
  const within = { name: 'ana', token: proved.ok ? proved.token : '' }
  assert.is(outcome(await renewRecoveryCodes(context, within)), 'ok')
  const byKey = await signIn('ana')
  const options = await askForPasskey(context, byKey)
  assert.ok(options)
  const answer = key.get(options ?? { challenge: '' }, place)
  assert.is(outcome(await prove(context, byKey, { kind: 'passkey', answer })), 'ok')
})

test('a factor that was proved at a time that was a mistake is not fresh until then', () => {
  const now = node.clock.now()
  assert.is(isFresh(now + hourMs, { now: () => now }), false)
  assert.is(isFresh(now, { now: () => now }), true)
})

test('a session that was seen at a time that was a mistake is idle from its next request on', async () => {
  await addOperator(node, 'berta', 'viewer')
  const { token } = await signIn('berta')
  node.clock.jump(sessionTimes.idleMs)
  assert.ok(await sessions().find(token))
  node.clock.jump(-sessionTimes.idleMs)
  assert.ok(await sessions().find(token))
  node.clock.advance(sessionTimes.idleMs + 1)
  assert.is(await sessions().find(token), null)
})

const yearMs = 365 * 24 * hourMs

/** Uses it again and again, so that it is never idle. @returns how long it lived */
async function lifeOf(token: string): Promise<number> {
  const began = node.clock.now()
  while ((await sessions().find(token)) !== null) node.clock.advance(sessionTimes.idleMs / 2)
  return node.clock.now() - began
}

test('a session that began in a year that was a mistake ends with it, and the next lives no longer than any', async () => {
  await addOperator(node, 'clara', 'administrator')
  const before = await signIn('clara')
  node.clock.jump(yearMs)
  assert.is(await sessions().find(before.token), null)
  const { token } = await signIn('clara')
  assert.ok(await sessions().find(token))
  node.clock.jump(-yearMs)
  assert.is(await sessions().find(token), null)
  const after = await signIn('clara')
  const lived = await lifeOf(after.token)
  assert.ok(lived >= sessionTimes.absoluteMs && lived <= sessionTimes.absoluteMs + sessionTimes.idleMs)
})

test('a year too early, a session begins and ends as any', async () => {
  await addOperator(node, 'dora', 'administrator')
  node.clock.jump(-yearMs)
  const { token } = await signIn('dora')
  assert.ok(await sessions().find(token))
  node.clock.jump(yearMs)
  assert.is(await sessions().find(token), null)
})

test('a password that was changed in a year that was a mistake lets its person in, and ends what was before', async () => {
  await addOperator(node, 'eva', 'administrator')
  const before = await signIn('eva')
  node.clock.jump(yearMs)
  await dispatchOf(node)('operator.reset', { name: 'eva', password }, 'root')
  node.clock.jump(-yearMs)
  assert.is(await sessions().find(before.token), null)
  assert.ok(await sessions().find((await signIn('eva')).token))
})

test.run()
