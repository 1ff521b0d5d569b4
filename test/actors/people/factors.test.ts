import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addPasskey,
  askForNewPasskey,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from '../../../actors/people/enrolment.ts'
import { askForPasskey, type FactorContext, prove } from '../../../actors/people/factors.ts'
import { softwareAuthenticator } from '../../support/authenticator.ts'
import { dispatchOf } from '../../support/console.ts'
import type { TestNode } from '../../support/node.ts'
import { code, factorWorld, reasonOf, right } from './factor-world.ts'

const world = factorWorld(test)
const { place, sessions, signIn, codeOf, withAuthenticator, person } = world

let node: TestNode
let context: FactorContext

test.before(() => {
  ;({ node, context } = world)
})

test('whoever has an authenticator is in once its code was right, with a token of its own', async () => {
  const { secret, codes } = await withAuthenticator(await person('ana'))
  assert.is(codes.length, 10)
  const prover = await signIn('ana')
  assert.is(await sessions().find(prover.token), null)
  assert.is((await sessions().look(prover.token))?.standing, 'factor')
  const { token } = right(await prove(context, prover, code(codeOf(secret))))
  assert.is.not(token, prover.token)
  assert.is(await sessions().look(prover.token), null, 'the token from before opens nothing')
  const found = await sessions().find(token)
  assert.equal([found?.name, found?.hasFactor, found?.factorAt], ['ana', true, node.clock.now()])
})

test('a code counts once, one step late or early, and never one before the last', async () => {
  const { secret } = await withAuthenticator(await person('berta'))
  const tried = async (typed: string) => reasonOf(await prove(context, await signIn('berta'), code(typed)))
  const early = codeOf(secret, 30_000)
  assert.is(await tried(early), 'ok')
  assert.is(await tried(early), 'used')
  assert.is(await tried(codeOf(secret)), 'used', 'of the step before')
  node.clock.advance(60_000)
  assert.is(await tried(codeOf(secret, -30_000)), 'used')
  assert.is(await tried(codeOf(secret)), 'ok')
  node.clock.advance(90_000)
  assert.is(await tried(codeOf(secret, -60_000)), 'wrong')
  assert.is(await tried(codeOf(secret, 60_000)), 'wrong')
  assert.is(await tried(codeOf(secret, -30_000)), 'ok')
})

test('two that send the same code at once: one is in', async () => {
  const { secret } = await withAuthenticator(await person('carla'))
  const [one, other] = [await signIn('carla'), await signIn('carla')]
  const typed = code(codeOf(secret))
  const answers = await Promise.all([prove(context, one, typed), prove(context, other, typed)])
  assert.equal(answers.map(reasonOf).toSorted(), ['ok', 'used'])
})

test('five wrong codes lock the authenticator until a recovery code was right, which is so once', async () => {
  const { secret, codes } = await withAuthenticator(await person('dora'))
  const tried = async (typed: string) => reasonOf(await prove(context, await signIn('dora'), code(typed)))
  for (let attempt = 0; attempt < 5; attempt++) assert.is(await tried('000000'), 'wrong')
  assert.is(await tried(codeOf(secret)), 'locked', 'the right one, too')
  node.clock.advance(86_400_000)
  assert.is(await tried(codeOf(secret)), 'locked', 'and the day after')
  const [first = '', second = ''] = codes
  assert.is(await tried(first.toUpperCase().replaceAll('-', ' ')), 'ok')
  assert.is(await tried(first), 'used')
  assert.is(await tried(codeOf(secret)), 'ok')
  assert.is(await tried(second), 'ok')
  assert.is(await tried('aaaa-aaaa-aaaa-aaaa'), 'wrong')
})

test('a passkey signs in; its challenge is answered once, in its own session and in time', async () => {
  const key = softwareAuthenticator()
  const name = await person('eva')
  const first = await signIn(name)
  const made = key.create(await askForNewPasskey(context, first), place)
  const added = right(await addPasskey(context, first, { label: 'Blue key', answer: made }))
  assert.is(added.recoveryCodes.length, 10)
  assert.is(reasonOf(await addPasskey(context, first, { label: 'Again', answer: made })), 'expired')

  const prover = await signIn(name)
  const asked = await askForPasskey(context, prover)
  if (asked === null) throw new Error('no passkey was asked for')
  assert.equal(asked.allowCredentials, [{ id: key.id, type: 'public-key', transports: ['usb'] }])
  const other = await signIn(name)
  await askForPasskey(context, other)
  const answer = key.get(asked, place)
  assert.is(
    reasonOf(await prove(context, other, { kind: 'passkey', answer })),
    'expired',
    'of another session',
  )
  right(await prove(context, prover, { kind: 'passkey', answer }))

  const late = await signIn(name)
  const again = await askForPasskey(context, late)
  node.clock.advance(10 * 60_000 + 1)
  assert.is(
    reasonOf(await prove(context, late, { kind: 'passkey', answer: key.get(again ?? asked, place) })),
    'expired',
  )
})

test('what another origin, another host or another passkey has signed is refused, and so is nonsense', async () => {
  const [key, strange] = [softwareAuthenticator(), softwareAuthenticator()]
  const name = await person('frida')
  const first = await signIn(name)
  for (const answer of [
    key.create(await askForNewPasskey(context, first), { ...place, origin: 'http://localhost:9' }),
    null,
    {},
  ])
    assert.not.ok((await addPasskey(context, first, { label: 'x', answer })).ok)
  const made = key.create(await askForNewPasskey(context, first), place)
  right(await addPasskey(context, first, { label: 'Blue', answer: made }))

  type Asked = { challenge: string }
  const cases: [string, (asked: Asked) => unknown][] = [
    ['another origin', (asked) => key.get(asked, { ...place, origin: 'https://evil.example' })],
    ['another port', (asked) => key.get(asked, { ...place, origin: 'http://localhost:9' })],
    ['another rpId', (asked) => key.get(asked, { ...place, rpId: 'evil.example' })],
    ['another kind', (asked) => key.get(asked, { ...place, type: 'webauthn.create' })],
    ['a passkey of nobody', (asked) => strange.get(asked, place)],
    ['nothing', () => null],
    ['a list', () => []],
    ['an empty answer', () => ({ id: key.id, rawId: key.id, type: 'public-key', response: {} })],
    ['a long id', () => ({ id: 'A'.repeat(5000), response: {} })],
  ]
  for (const [what, answered] of cases) {
    const prover = await signIn(name)
    const asked = await askForPasskey(context, prover)
    const answer = answered(asked ?? { challenge: '' })
    assert.is(reasonOf(await prove(context, prover, { kind: 'passkey', answer })), 'invalid', what)
    assert.is((await sessions().look(prover.token))?.standing, 'factor', what)
  }
  const last = await signIn(name)
  await askForPasskey(context, last)
  const unasked = { kind: 'passkey', answer: key.get({ challenge: 'AAAA' }, place) } as const
  assert.is(reasonOf(await prove(context, last, unasked)), 'expired', 'another challenge')
  const foreign = await signIn(await person('gerda'))
  const asked = { challenge: 'AAAA' }
  assert.is(
    reasonOf(await prove(context, foreign, { kind: 'passkey', answer: key.get(asked, place) })),
    'expired',
  )
})

test('a passkey whose counter goes back is a clone, and counts no more, whoever holds it', async () => {
  const key = softwareAuthenticator()
  const name = await person('hanna')
  const first = await signIn(name)
  const made = key.create(await askForNewPasskey(context, first), place)
  const { recoveryCodes } = right(await addPasskey(context, first, { label: 'Blue', answer: made }))
  const tried = async () => {
    const prover = await signIn(name)
    const asked = await askForPasskey(context, prover)
    const answer = asked === null ? null : key.get(asked, place)
    return reasonOf(await prove(context, prover, { kind: 'passkey', answer }))
  }
  assert.is(await tried(), 'ok')
  assert.is(await tried(), 'ok')
  key.counter = 0
  assert.is(await tried(), 'cloned')
  key.counter = 100
  assert.is.not(await tried(), 'ok', 'it is not asked for any more')
  assert.is(
    (await sessions().look((await signIn(name)).token))?.standing,
    'factor',
    'a password alone is not enough now',
  )
  const [recovery = ''] = recoveryCodes
  assert.is(reasonOf(await prove(context, await signIn(name), code(recovery))), 'ok')
})

test('an authenticator that counts nothing is no clone', async () => {
  const key = softwareAuthenticator(false)
  const name = await person('ines')
  const first = await signIn(name)
  right(
    await addPasskey(context, first, {
      label: 'Phone',
      answer: key.create(await askForNewPasskey(context, first), place),
    }),
  )
  for (let time = 0; time < 2; time++) {
    const prover = await signIn(name)
    const asked = await askForPasskey(context, prover)
    right(
      await prove(context, prover, { kind: 'passkey', answer: key.get(asked ?? { challenge: '' }, place) }),
    )
  }
})

test('who has a factor proves it again before another is added, removed, or codes are made', async () => {
  const { prover } = await withAuthenticator(await person('julia'))
  const key = softwareAuthenticator()
  node.clock.advance(5 * 60_000)
  assert.is(reasonOf(await renewRecoveryCodes(context, prover)), 'stale')
  assert.is(reasonOf(await removeAuthenticator(context, prover, false)), 'stale')
  const answer = key.create(await askForNewPasskey(context, prover), place)
  assert.is(reasonOf(await addPasskey(context, prover, { label: 'x', answer })), 'stale')
})

test('the last factor stays where one is a must; without one there are no recovery codes', async () => {
  const { prover, secret, codes } = await withAuthenticator(await person('karla'))
  assert.is(reasonOf(await removeAuthenticator(context, prover, true)), 'last')
  const key = softwareAuthenticator()
  const answer = key.create(await askForNewPasskey(context, prover), place)
  assert.is(right(await addPasskey(context, prover, { label: 'x', answer })).recoveryCodes.length, 0)
  right(await removeAuthenticator(context, prover, true))
  assert.is(reasonOf(await removePasskey(context, prover, key.id, true)), 'last')
  assert.is(reasonOf(await removePasskey(context, prover, 'of-nobody', false)), 'missing')
  right(await removePasskey(context, prover, key.id, false))
  const after = await signIn('karla')
  assert.is((await sessions().look(after.token))?.standing, 'in')
  for (const typed of [codeOf(secret), codes[0] ?? ''])
    assert.is(reasonOf(await prove(context, after, code(typed))), 'wrong')
})

test('new recovery codes end those from before', async () => {
  const { prover, codes } = await withAuthenticator(await person('lena'))
  const renewed = right(await renewRecoveryCodes(context, prover)).recoveryCodes
  assert.is(renewed.length, 10)
  assert.is(reasonOf(await prove(context, await signIn('lena'), code(codes[1] ?? ''))), 'wrong')
  assert.is(reasonOf(await prove(context, await signIn('lena'), code(renewed[0] ?? ''))), 'ok')
})

test('who has lost every factor is let in again by whoever has the machine, and by nobody who is signed in', async () => {
  const { prover } = await withAuthenticator(await person('maria'))
  const ask = dispatchOf(node)
  const found = await sessions().find(prover.token)
  const asked = ask('operator.resetFactors', { name: 'maria' }, 'maria', found ?? undefined)
  const error = await asked.then(() => null, String)
  assert.match(error ?? '', /is not for whoever is signed in/)
  const reset = await ask('operator.resetFactors', { name: 'maria' }, 'root')
  assert.equal(reset, { name: 'maria', passkeys: 0, authenticator: true })
  assert.is(await sessions().find(prover.token), null, 'its sessions are ended')
  const after = await signIn('maria')
  assert.is((await sessions().look(after.token))?.standing, 'in')
  const { entries } = (await ask('audit.list', { operation: 'operator.resetFactors' }, 'test')) as {
    entries: object[]
  }
  assert.match(JSON.stringify(entries), /"operator":"root".*the authenticator removed/)
})

test('no secret, code or token is in the database or the audit log as it is', async () => {
  const { prover, secret, codes } = await withAuthenticator(await person('nora'))
  const { entries } = (await dispatchOf(node)('audit.list', { limit: 200 }, 'test')) as { entries: object[] }
  const log = JSON.stringify(entries)
  assert.match(log, /operator\.addFactor/)
  assert.match(log, /operator\.proveFactor/)
  for (const text of [secret, prover.token, ...codes]) assert.not.ok(log.includes(text))
})

test.run()
