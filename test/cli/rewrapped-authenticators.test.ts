import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createVault, generateMasterKey, parseMasterKey } from '../../actors/keys/vault.ts'
import { keyRewrap } from '../../actors/operations/re-encryption.ts'
import { addAuthenticator, askForAuthenticator } from '../../actors/people/enrolment.ts'
import { prove } from '../../actors/people/factors.ts'
import { consolePlace } from '../../actors/people/passkeys.ts'
import { createSessions } from '../../actors/people/sessions.ts'
import { addOperator, password } from '../support/console.ts'
import { startTestNode, stopTestNode } from '../support/node.ts'
import { operatorOf } from '../support/operations.ts'
import { changedStore } from '../support/order-world.ts'

test('an authenticator gives codes that count under the new master key, too, whenever it was added', async () => {
  const node = await startTestNode()
  const { store, vault } = node.core
  const place = consolePlace('http://localhost:8081')
  const context = { store, vault, clock: node.clock, place }
  const sessions = createSessions({ store, clock: node.clock })
  const signIn = async (name: string) => {
    const token = await sessions.signIn({ name, password, address: '127.0.0.1' })
    return { name, token: token ?? '' }
  }
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: node.clock.now() })
  const enrol = async (name: string) => {
    await addOperator(node, name, 'viewer')
    const prover = await signIn(name)
    const { secret } = await askForAuthenticator(context, prover)
    assert.ok((await addAuthenticator(context, prover, codeOf(secret))).ok)
    return secret
  }
  const early = await enrol('early')
  let late = ''
  const newKeyFile = join(node.directory, 'new.key')
  writeFileSync(newKeyFile, generateMasterKey())
  const meanwhile = changedStore(store, {
    // Behind what was read to be sealed anew, and before it is written.
    async step(step) {
      if (late === '') late = await enrol('late')
      return store.step(step)
    },
  })
  await operatorOf({ ...node.core, store: meanwhile, clock: node.clock }).ask(keyRewrap, { newKeyFile })
  const next = createVault(parseMasterKey(readFileSync(newKeyFile, 'utf8')))
  node.clock.advance(30_000)
  for (const [name, secret] of [
    ['early', early],
    ['late', late],
  ] as const) {
    const proved = await prove({ ...context, vault: next }, await signIn(name), {
      kind: 'code',
      code: codeOf(secret),
    })
    assert.ok(proved.ok, name)
  }
  await stopTestNode(node)
})

test.run()
