import { TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { quarantine } from '../../../actors/anchors/restore-watch.ts'
import type { Invitation } from '../../../actors/operations/invitations.ts'
import {
  addAuthenticator,
  addPasskey,
  askForAuthenticator,
  askForNewPasskey,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from '../../../actors/people/enrolment.ts'
import { operatorResetFactors } from '../../../actors/people/factor-operations.ts'
import { prove } from '../../../actors/people/factors.ts'
import { acceptInvitation, findInvitation } from '../../../actors/people/invitations.ts'
import { consolePlace } from '../../../actors/people/passkeys.ts'
import { createSessions } from '../../../actors/people/sessions.ts'
import { recoveryCodesOf } from '../../../persistence/queries/people.ts'
import { row, type Store } from '../../../persistence/store.ts'
import { softwareAuthenticator } from '../../support/authenticator.ts'
import { addOperator, dispatchOf, password } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
})

test.after(() => stopTestNode(node))

const sessions = () => createSessions({ store: node.core.store, clock: node.clock })
const ask = (name: string, input: object, operator = 'test') => dispatchOf(node)(name, input, operator)
const signIn = async (name: string) =>
  (await sessions().signIn({ name, password, address: '127.0.0.1' })) ?? ''

async function invite(name: string, by: string): Promise<string> {
  const { link } = (await ask('operator.invite', { name, role: 'administrator' }, by)) as Invitation
  return new URL(link ?? '').searchParams.get('invitation') ?? ''
}

const isOpen = async (token: string) =>
  (await findInvitation(node.core.store, token, node.clock.now())) !== null

/** As a node leaves it that is killed between the step that disables somebody and the end of their sessions. */
async function disableHalf(name: string): Promise<void> {
  await node.core.store.step({
    rows: { person: row('people', { name }) },
    decide: (_, at) => ({
      answer: null,
      writes: [{ update: 'people', key: { name }, set: { disabled_at: at } }],
    }),
  })
}

test('who is disabled, or no administrator any more, leaves no invitation behind', async () => {
  for (const name of ['ana', 'berta', 'carla']) await addOperator(node, name, 'administrator')
  const [ofAna, ofBerta, ofCarla] = [
    await invite('a', 'ana'),
    await invite('b', 'berta'),
    await invite('c', 'carla'),
  ]
  await ask('operator.disable', { name: 'ana' })
  await ask('operator.change', { name: 'berta', role: 'viewer' })
  await ask('operator.change', { name: 'carla', role: 'administrator' })
  assert.equal([await isOpen(ofAna), await isOpen(ofBerta), await isOpen(ofCarla)], [false, false, true])
  const accepted = await acceptInvitation(
    { store: node.core.store, clock: node.clock },
    { token: ofAna, password, address: '127.0.0.1' },
  )
  assert.is(accepted, null)
})

test('what a killed node has not ended does not come back with whoever is enabled', async () => {
  await addOperator(node, 'dora', 'administrator')
  const session = await signIn('dora')
  const invitation = await invite('d', 'dora')
  await disableHalf('dora')
  await ask('operator.enable', { name: 'dora' })
  assert.equal([await sessions().find(session), await isOpen(invitation)], [null, false])
})

test('disabling somebody again says that they are, and ends what was not', async () => {
  await addOperator(node, 'eva', 'administrator')
  await signIn('eva')
  const invitation = await invite('e', 'eva')
  await disableHalf('eva')
  const error = await ask('operator.disable', { name: 'eva' }).then(() => null, String)
  assert.match(error ?? '', /disabled already/)
  assert.is(await isOpen(invitation), false)
  const { operators } = (await ask('operator.list', {})) as {
    operators: { name: string; sessions: number }[]
  }
  assert.is(operators.find(({ name }) => name === 'eva')?.sessions, 0)
})

test('after a restore no session, no link and no recovery code of before counts', async () => {
  await addOperator(node, 'franz', 'administrator')
  const token = await signIn('franz')
  const context = contextOf(node.core.store)
  const prover = { name: 'franz', token }
  const { secret } = await askForAuthenticator(context, prover)
  const code = () => new TOTP({ secret }).generate({ timestamp: node.clock.now() })
  const enrolled = await addAuthenticator(context, prover, code())
  const [recovery = ''] = enrolled.ok ? enrolled.recoveryCodes : []
  const invitation = await invite('f', 'franz')
  await quarantine(node.core.store, node.clock.now())
  assert.equal([await sessions().look(token), await isOpen(invitation)], [null, false])
  node.clock.advance(30_000)
  const tried = async (typed: string) =>
    (await prove(context, { name: 'franz', token: await signIn('franz') }, { kind: 'code', code: typed })).ok
  assert.equal([await tried(recovery), await tried(code())], [false, true])
})

const place = consolePlace('http://localhost:8081')
const contextOf = (store: Store) => ({ store, vault: node.core.vault, clock: node.clock, place })
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: node.clock.now() })

test('recovery codes that are made twice at once are ten, and no more', async () => {
  await addOperator(node, 'gerda', 'administrator')
  const prover = { name: 'gerda', token: await signIn('gerda') }
  const { store } = node.core
  const { secret } = await askForAuthenticator(contextOf(store), prover)
  await addAuthenticator(contextOf(store), prover, codeOf(secret))
  const both = await Promise.all([1, 2].map(() => renewRecoveryCodes(contextOf(store), prover)))
  assert.equal(
    both.map(({ ok }) => ok),
    [true, true],
  )
  assert.is((await store.query(recoveryCodesOf, { name: 'gerda' })).length, 10)
})

test('beside a copied passkey the last factor that lets anybody in stays', async () => {
  await addOperator(node, 'ida', 'administrator')
  const { store } = node.core
  const prover = { name: 'ida', token: await signIn('ida') }
  const { secret } = await askForAuthenticator(contextOf(store), prover)
  await addAuthenticator(contextOf(store), prover, codeOf(secret))
  const key = softwareAuthenticator()
  const answer = key.create(await askForNewPasskey(contextOf(store), prover), place)
  await addPasskey(contextOf(store), prover, { label: 'key', answer })
  await store.step({
    rows: {},
    decide: (_, at) => ({
      answer: null,
      writes: [{ update: 'passkeys', key: { id: key.id }, set: { cloned_at: at } }],
    }),
  })
  const without = await removeAuthenticator(contextOf(store), prover, true)
  assert.equal(without, { ok: false, reason: 'last' })
  assert.is((await removePasskey(contextOf(store), prover, key.id, true)).ok, true)
})

test('a session that is open while factors are removed adds none of its own', async () => {
  await addOperator(node, 'hugo', 'operator')
  const { store } = node.core
  const first = { name: 'hugo', token: await signIn('hugo') }
  const { secret } = await askForAuthenticator(contextOf(store), first)
  await addAuthenticator(contextOf(store), first, codeOf(secret))
  node.clock.advance(10 * 60_000)
  const thief = { name: 'hugo', token: await signIn('hugo') }
  const asked = await askForAuthenticator(contextOf(store), thief)
  const add = () => addAuthenticator(contextOf(store), thief, codeOf(asked.secret))
  assert.equal(await add(), { ok: false, reason: 'stale' })
  const outcomes: unknown[] = []
  const step: Store['step'] = async (given) => {
    const result = await store.step(given)
    outcomes.push(await add())
    return result
  }
  const watched = new Proxy(store, {
    get(target, name) {
      const value = name === 'step' ? step : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await operatorResetFactors.run(
    { ...node.core, store: watched, clock: node.clock, operator: 'test' },
    { name: 'hugo' },
  )
  assert.equal(outcomes, [{ ok: false, reason: 'stale' }])
})

test.run()
