/** The keys that sign evidence stay what they are: under a new master key, and in a backup that is restored. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { evidenceRotate } from '../../actors/evidence/operations.ts'
import { evidenceKeys } from '../../actors/evidence/signing-key.ts'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { keyRewrap } from '../../actors/operations/re-encryption.ts'
import { onSqlite } from '../support/console.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

let node: TestNode
let order = ''
test.before(async () => {
  node = await startTestNode(onSqlite())
  const path = '/api/v1/merchants/orders/pay-out/'
  order = (await node.request({ as: 'mk_shop', path, body: payOutBody() })).json.id
})
test.after(async () => {
  await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

const worldIn = (directory: string) => ({
  cwd: node.directory,
  env: {
    VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
    VENTANILLA_KEYS_FILE: join(node.directory, 'node.db.key'),
  },
  clock: node.clock,
})
type World = ReturnType<typeof worldIn>

async function run(world: World, ...args: string[]) {
  const ran = await ventanilla(world, ...args)
  assert.is(ran.code, 0, `${args.join(' ')}: ${ran.err}`)
  return ran
}

/** A file of the order, and the public key that signs now. */
async function take(world: World, name: string): Promise<void> {
  await run(world, 'order', 'evidence', order, '--out', `${name}.zip`)
  const pem = (await run(world, 'evidence', 'key', '--field', 'current.publicKey')).out
  writeFileSync(join(node.directory, `${name}.pem`), pem)
}

const checks = async (world: World, name: string, key = name) =>
  (await ventanilla(world, 'evidence', 'check', `${name}.zip`, '--key', `${key}.pem`)).code === 0

test('evidence from before checks after its key and the master key were changed at once, and in what is restored', async () => {
  const world = worldIn(node.directory)
  await take(world, 'first')
  assert.ok(await checks(world, 'first'))
  const newKeyFile = join(node.directory, 'new.key')
  writeFileSync(newKeyFile, generateMasterKey())
  const context = { ...node.core, clock: node.clock, operator: 'ana' }
  await Promise.all([
    evidenceRotate.run(context, {}),
    keyRewrap.run(context, { newKeyFile }),
    evidenceRotate.run(context, {}),
  ])
  assert.is((await evidenceKeys(node.core.store)).length, 3, 'none is forgotten')
  await take(world, 'second')
  assert.ok((await checks(world, 'first')) && (await checks(world, 'second')))
  assert.not.ok(await checks(world, 'second', 'first'), 'another key has signed')

  const backup = (await run(world, 'backup', join(node.directory, 'backups'), '--field', 'folder')).out.trim()
  const elsewhere = join(node.directory, 'elsewhere')
  mkdirSync(elsewhere)
  const restored = worldIn(elsewhere)
  await run(restored, 'restore', backup)
  copyFileSync(join(node.directory, 'node.db.key'), join(elsewhere, 'node.db.key'))
  const keys = async (of: World) => (await run(of, 'evidence', 'key')).out
  assert.is(await keys(restored), await keys(world))
  await take(restored, 'third')
  assert.ok(await checks(restored, 'third', 'second'), 'the same key signs')
  assert.ok((await checks(restored, 'first')) && (await checks(restored, 'second')))
})

test.run()
