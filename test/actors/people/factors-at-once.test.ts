/** What comes at once: two pages of one session, two browsers of one person, and what one changes while the other looks on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addAuthenticator,
  addPasskey,
  askForAuthenticator,
  askForNewPasskey,
  type Enrolled,
  removePasskey,
  renewRecoveryCodes,
} from '../../../actors/people/enrolment.ts'
import { factorsOf } from '../../../actors/people/factor-documents.ts'
import { askForPasskey, type FactorContext, type Prover, prove } from '../../../actors/people/factors.ts'
import { softwareAuthenticator } from '../../support/authenticator.ts'
import { dispatchOf, password } from '../../support/console.ts'
import type { TestNode } from '../../support/node.ts'
import { code, factorWorld, reasonOf, right } from './factor-world.ts'

const world = factorWorld(test)
const { place, sessions, signIn, codeOf, withAuthenticator, person } = world

let node: TestNode
let context: FactorContext

test.before(() => {
  ;({ node, context } = world)
})

test('two pages of one session ask each for itself: each is answered once, and neither undoes the other', async () => {
  const [key, second] = [softwareAuthenticator(), softwareAuthenticator()]
  const name = await person('olga')
  const first = await signIn(name)
  const [one, other] = [await askForNewPasskey(context, first), await askForNewPasskey(context, first)]
  const shown = await askForAuthenticator(context, first)
  assert.is((await askForAuthenticator(context, first)).secret, shown.secret)
  right(await addPasskey(context, first, { label: 'one', answer: key.create(one, place) }))
  right(await addPasskey(context, first, { label: 'other', answer: second.create(other, place) }))
  right(await addAuthenticator(context, first, codeOf(shown.secret)))
  assert.is.not(
    (await askForAuthenticator(context, first)).secret,
    shown.secret,
    'what was confirmed is over',
  )

  const prover = await signIn(name)
  const asked = await Promise.all([askForPasskey(context, prover), askForPasskey(context, prover)])
  const [left, later] = asked.map((options) => ({
    kind: 'passkey' as const,
    answer: key.get(options ?? { challenge: '' }, place),
  }))
  if (left === undefined || later === undefined) throw new Error('no passkey was asked for')
  const { token } = right(await prove(context, prover, left))
  const within = { name, token }
  assert.is(reasonOf(await prove(context, within, left)), 'expired')
  right(await prove(context, within, later))
  assert.is(reasonOf(await prove(context, within, later)), 'expired')
})

test('two that answer one challenge at once: one is right', async () => {
  const key = softwareAuthenticator(false)
  const name = await person('petra')
  const first = await signIn(name)
  const made = { label: 'x', answer: key.create(await askForNewPasskey(context, first), place) }
  const both = await Promise.all([addPasskey(context, first, made), addPasskey(context, first, made)])
  assert.equal(both.map(reasonOf).toSorted(), ['expired', 'ok'])
  const prover = await signIn(name)
  const asked = await askForPasskey(context, prover)
  const proof = { kind: 'passkey', answer: key.get(asked ?? { challenge: '' }, place) } as const
  const proved = await Promise.all([prove(context, prover, proof), prove(context, prover, proof)])
  assert.equal(proved.map(reasonOf).toSorted(), ['expired', 'ok'])
})

/** What two browsers add at once, whose password was right in both. */
type Adding = (prover: Prover) => Promise<() => Promise<Enrolled>>

const addings: Record<string, Adding> = {
  'a passkey': async (prover) => {
    const answer = softwareAuthenticator().create(await askForNewPasskey(context, prover), place)
    return () => addPasskey(context, prover, { label: 'x', answer })
  },
  'an authenticator': async (prover) => {
    const { secret } = await askForAuthenticator(context, prover)
    return () => addAuthenticator(context, prover, codeOf(secret))
  },
}

let couples = 0

for (const [one, addOne] of Object.entries(addings))
  for (const [other, addOther] of Object.entries(addings))
    test(`of two browsers that add a first factor at once, ${one} and ${other}, one has it, and the other signs in anew`, async () => {
      const name = await person(`couple-${++couples}`)
      const provers = [await signIn(name), await signIn(name)] as const
      const adds = [await addOne(provers[0]), await addOther(provers[1])]
      const made = await Promise.all(adds.map((add) => add()))
      assert.equal(made.map(reasonOf).toSorted(), ['ok', 'stale'])
      const seen = await Promise.all(provers.map(({ token }) => sessions().look(token)))
      assert.equal(
        seen.map((session) => session?.standing),
        made.map(({ ok }) => (ok ? 'in' : undefined)),
      )
      const { passkeys, authenticator } = await factorsOf(node.core.store, name)
      assert.is(passkeys.length + (authenticator === null ? 0 : 1), 1)
    })

test('each change of factors ends every other session, and a new password all of them', async () => {
  const name = await person('rita')
  const { prover, secret } = await withAuthenticator(name)
  const enter = async () => {
    node.clock.advance(30_000)
    const entered = await signIn(name)
    return { name, token: right(await prove(context, entered, code(codeOf(secret)))).token }
  }
  const key = softwareAuthenticator()
  const changes: (() => Promise<Enrolled>)[] = [
    () => renewRecoveryCodes(context, prover),
    async () => {
      const answer = key.create(await askForNewPasskey(context, prover), place)
      return addPasskey(context, prover, { label: 'x', answer })
    },
    () => removePasskey(context, prover, key.id, true),
  ]
  for (const change of changes) {
    const other = await enter()
    const half = await signIn(name)
    assert.ok(await sessions().find(other.token))
    right(await change())
    for (const { token } of [other, half]) assert.is(await sessions().look(token), null)
    assert.ok(await sessions().find(prover.token), 'its own goes on')
  }
  await dispatchOf(node)('operator.reset', { name, password }, 'root')
  assert.is(await sessions().look(prover.token), null)
})

test.run()
