/** The master key is changed while the node runs, and wherever that is cut off the next start reads everything. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../actors/foundation/audit.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { MasterKeyFile } from '../../actors/keys/master-key.ts'
import { createVault, generateMasterKey, parseMasterKey } from '../../actors/keys/vault.ts'
import { keyRotate } from '../../actors/operations/keys.ts'
import { keyRewrap } from '../../actors/operations/re-encryption.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import { type Core, openCore } from '../../node/core.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { OutcomeUnknown, type Store } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { secretOf, startTestNode, stopTestNode, testParties } from '../support/node.ts'
import { operatorOf } from '../support/operations.ts'
import { changedStore } from '../support/order-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'key-rewrap-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const clock = fakeClock()
let worlds = 0

interface World {
  keyFile: string
  newKeyFile: string
  /** Opens what is on the disk, as a node that starts. */
  open(): Promise<Core>
  fingerprints: { old: string; new: string }
}

/** A provisioned database under the old key, and a file with the new one. */
async function world(): Promise<World> {
  const place = join(folder, String(worlds++))
  mkdirSync(place)
  const settings = loadSettings({ cwd: place, env: { VENTANILLA_DATABASE: 'sqlite:node.db' } })
  const open = () => openCore(settings, { clock })
  const core = await open()
  await apply.run({ ...core, clock, operator: 'ana' }, testParties)
  await core.store.close()
  const newKeyFile = join(place, 'new.key')
  writeFileSync(newKeyFile, generateMasterKey())
  const keyFile = settings.keys.file
  const fingerprints = { old: fingerprintOf(keyFile), new: fingerprintOf(newKeyFile) }
  return { keyFile, newKeyFile, open, fingerprints }
}

function fingerprintOf(file: string): string {
  return createVault(parseMasterKey(readFileSync(file, 'utf8'))).fingerprint
}

async function secretIn(core: Core): Promise<string | undefined> {
  return (await core.credentials.identify('mk_shop'))?.secret
}

/** Whatever happened, the next start reads everything, under the key that the file then holds. */
async function assertReadable({ open, keyFile }: World): Promise<string> {
  const core = await open()
  assert.is(await secretIn(core), secretOf('mk_shop'))
  const [fact] = await core.store.query(factByName, { name: 'master_key' })
  assert.is(fact?.value, fingerprintOf(keyFile))
  await core.store.close()
  return fact?.value ?? ''
}

test('a running node goes on serving while its master key is changed, and starts with the new one', async () => {
  const node = await startTestNode()
  const newKeyFile = join(node.directory, 'new.key')
  writeFileSync(newKeyFile, generateMasterKey())
  const { file } = node.settings.keys
  const [old, next] = [fingerprintOf(file), fingerprintOf(newKeyFile)]
  let isChanging = true
  const statuses = new Set<number>()
  const look = async (as: string, path: string) => {
    for (let at = 1; isChanging || at < 20; at++) {
      statuses.add((await node.request({ as, path, at: at / 1000 })).status)
    }
  }
  const looking = Promise.all([
    look('mk_shop', '/api/v1/merchants/orders/pay-out/'),
    look('mk_other', '/api/v1/merchants/orders/pay-in/'),
  ])
  const { ask } = operatorOf({ ...node.core, clock: node.clock })
  const rewrapped = await ask(keyRewrap, { newKeyFile })
  isChanging = false
  await looking
  assert.equal([...statuses], [200])
  assert.equal(rewrapped, {
    fingerprintBefore: old,
    fingerprint: next,
    credentials: 4,
    keyFile: file,
    keptFile: `${file}.${old}`,
  })
  assert.equal([fingerprintOf(file), fingerprintOf(rewrapped.keptFile)], [next, old])
  assert.equal([statSync(file).mode & 0o777, existsSync(`${file}.next`)], [0o600, false])
  const { entries } = await ask(auditList, { operation: 'key.rewrap' })
  assert.equal([entries[0]?.input, entries[0]?.outcome], [{ newKeyFile }, `done: from ${old} to ${next}`])
  await node.stop()
  const { directory } = node
  const again = await startTestNode({ directory, parties: null })
  assert.is((await again.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/' })).status, 200)
  assert.is(again.core.vault.fingerprint, next)
  await stopTestNode(again)
})

/** What a process that has died does: nothing more. */
class Died extends Error {}

type Point = keyof MasterKeyFile | 'before the step' | 'behind the step' | 'unknown step' | 'kept' | 'renamed'

/** The key's file and the store of a process that dies at a point. */
function dying(
  core: Core,
  { keyFile, fingerprints }: World,
  point: Point,
): { masterKey: MasterKeyFile; store: Store } {
  let isDead = false
  const live = <Result>(at: Point, work: () => Result): Result => {
    if (at === point) isDead = true
    if (isDead) throw new Died(at)
    return work()
  }
  const { masterKey, store } = core
  return {
    masterKey: {
      path: masterKey.path,
      read: () => live('read', () => masterKey.read()),
      prepare: (key) => live('prepare', () => masterKey.prepare(key)),
      withdraw: () => live('withdraw', () => masterKey.withdraw()),
      promote: (before) =>
        live('promote', () => {
          if (point === 'kept') writeFileSync(`${keyFile}.${fingerprints.old}`, readFileSync(keyFile))
          live('kept', () => {})
          const kept = masterKey.promote(before)
          return live('renamed', () => kept)
        }),
    },
    store: changedStore(store, {
      async step(step) {
        live('before the step', () => {})
        const result = await store.step(step)
        live('behind the step', () => {})
        if (point === 'unknown step') throw new OutcomeUnknown('the commit failed')
        return result
      },
    }),
  }
}

const cutOff: [point: Point, isChanged: boolean][] = [
  ['read', false],
  ['prepare', false],
  ['before the step', false],
  ['behind the step', true],
  ['unknown step', true],
  ['promote', true],
  ['kept', true],
  ['renamed', true],
]

for (const [point, isChanged] of cutOff)
  test(`cut off at "${point}" the change is ${isChanged ? 'finished by the next start' : 'not made'}`, async () => {
    const made = await world()
    const { open, newKeyFile, fingerprints, keyFile } = made
    const core = await open()
    const context = { ...core, clock, operator: 'ana', ...dying(core, made, point) }
    let error: unknown
    await keyRewrap.run(context, { newKeyFile }).catch((thrown: unknown) => {
      error = thrown
    })
    assert.ok(error instanceof Error, 'it went through')
    await core.store.close()
    assert.is(await assertReadable(made), isChanged ? fingerprints.new : fingerprints.old)
    assert.is(existsSync(`${keyFile}.${fingerprints.old}`), isChanged)
    // And it can be done again, from wherever it is.
    const again = await open()
    writeFileSync(newKeyFile, generateMasterKey())
    await keyRewrap.run({ ...again, clock, operator: 'ana' }, { newKeyFile })
    await again.store.close()
    assert.is(await assertReadable(made), fingerprintOf(newKeyFile))
  })

test('a step that was refused leaves everything as it was', async () => {
  const made = await world()
  const core = await made.open()
  const store = changedStore(core.store, {
    step: async () => {
      throw new Error('the disk is full')
    },
  })
  const context = { ...core, clock, operator: 'ana' }
  const failed = keyRewrap.run({ ...context, store }, made)
  await failed.catch(() => {})
  assert.not(existsSync(`${made.keyFile}.next`))
  assert.is(await secretIn(core), secretOf('mk_shop'))
  await keyRewrap.run(context, { newKeyFile: made.newKeyFile })
  assert.is(await secretIn(core), secretOf('mk_shop'))
  await core.store.close()
  assert.is(await assertReadable(made), made.fingerprints.new)
})

test('keys that are made meanwhile are under the new key, too', async () => {
  const made = await world()
  const core = await made.open()
  const context = { ...core, clock, operator: 'ana' }
  const [rotated] = await Promise.all([
    keyRotate.run(context, { party: 'Shop' }),
    keyRewrap.run(context, { newKeyFile: made.newKeyFile }),
    keyRotate.run(context, { party: 'Network A' }),
    apply.run(context, { merchants: [{ name: 'New Shop', credentials: [{ key: 'mk_new' }] }] }),
  ])
  await core.store.close()
  await assertReadable(made)
  const again = await made.open()
  assert.is((await again.credentials.identify(rotated.key))?.secret, rotated.secret)
  assert.is((await again.credentials.identify('mk_new'))?.name, 'New Shop')
  await again.store.close()
})

test('of two changes at once one is refused, and nothing is lost', async () => {
  const made = await world()
  const core = await made.open()
  const another = `${made.newKeyFile}.2`
  writeFileSync(another, generateMasterKey())
  const context = { ...core, clock, operator: 'ana' }
  const ended = await Promise.allSettled(
    [made.newKeyFile, another].map((newKeyFile) => keyRewrap.run(context, { newKeyFile })),
  )
  assert.equal(
    ended.map((one) => (one.status === 'rejected' ? (one.reason as Error).message : one.value.fingerprint)),
    [made.fingerprints.new, 'The master key is being changed already.'],
  )
  await core.store.close()
  assert.is(await assertReadable(made), made.fingerprints.new)
})

test('a file that is a link stays one', async () => {
  const made = await world()
  const real = `${made.keyFile}.real`
  renameSync(made.keyFile, real)
  symlinkSync(real, made.keyFile)
  const core = await made.open()
  await keyRewrap.run({ ...core, clock, operator: 'ana' }, { newKeyFile: made.newKeyFile })
  await core.store.close()
  assert.ok(lstatSync(made.keyFile).isSymbolicLink())
  assert.equal(
    [fingerprintOf(real), existsSync(`${real}.${made.fingerprints.old}`)],
    [made.fingerprints.new, true],
  )
  await assertReadable(made)
})

test('what cannot be meant or done is refused before anything is changed', async () => {
  const made = await world()
  const { keyFile, newKeyFile } = made
  const core = await made.open()
  const context = { ...core, clock, operator: 'ana' }
  const refusal = async (input: string): Promise<string> => {
    const error = await keyRewrap.run(context, { newKeyFile: input }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof OperationError, String(error))
    return error.message
  }
  const bad = join(folder, 'bad.key')
  writeFileSync(bad, 'secret text that is no key')
  assert.is(await refusal(bad), `${bad}: A master key is 32 bytes as one line of base64.`)
  assert.is(await refusal(`${bad}.none`), `${bad}.none: It cannot be read (ENOENT).`)
  assert.is(await refusal(keyFile), `${keyFile} holds the key that is in use.`)
  mkdirSync(`${keyFile}.next`)
  assert.match(await refusal(newKeyFile), /^No key can be put beside .*; nothing was changed\.$/)
  rmSync(`${keyFile}.next`, { recursive: true })
  // Somebody has replaced the file under a running node: the key in use would be nowhere.
  const present = readFileSync(keyFile)
  writeFileSync(keyFile, generateMasterKey())
  assert.match(await refusal(newKeyFile), /does not hold the key in use: it holds another key; nothing was/)
  rmSync(keyFile)
  assert.match(
    await refusal(newKeyFile),
    /does not hold the key in use: it cannot be read \(ENOENT\); nothing was/,
  )
  writeFileSync(keyFile, present)
  await core.store.close()
  assert.is(await assertReadable(made), made.fingerprints.old)
})

test('a file that could not be replaced is told, and the next start replaces it', async () => {
  const made = await world()
  const core = await made.open()
  const masterKey: MasterKeyFile = {
    ...core.masterKey,
    promote: () => {
      throw Object.assign(new Error('read-only file system'), { code: 'EROFS' })
    },
  }
  const context = { ...core, clock, operator: 'ana' }
  let error: unknown
  await keyRewrap.run({ ...context, masterKey }, { newKeyFile: made.newKeyFile }).catch((thrown: unknown) => {
    error = thrown
  })
  assert.ok(error instanceof OperationError)
  assert.is(
    error.message,
    `Everything is under the new key now, but ${made.keyFile} could not be replaced (EROFS).`,
  )
  assert.is(await secretIn(core), secretOf('mk_shop'), 'the node goes on')
  // A further change would put its key where the key in use is.
  writeFileSync(made.newKeyFile, generateMasterKey())
  await keyRewrap.run(context, { newKeyFile: made.newKeyFile }).catch((thrown: unknown) => {
    error = thrown
  })
  assert.match(String(error), /does not hold the key in use/)
  await core.store.close()
  assert.is(await assertReadable(made), made.fingerprints.new)
})

test.run()
