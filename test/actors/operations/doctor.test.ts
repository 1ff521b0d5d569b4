/** Each thing that usually goes wrong, gone wrong once: what the doctor sees, and what it says to do. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { doctor } from '../../../actors/operations/doctor.ts'
import { chains } from '../../support/foreign-orders.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, operator } from '../../support/order-world.ts'
import { backupCases } from './doctor-backup-cases.ts'
import { cases as otherCases } from './doctor-cases.ts'
import { mailCases } from './doctor-mail-cases.ts'
import {
  backupsWith,
  dayMs,
  fileWithMode,
  folder,
  liveRate,
  onDisk,
  readChain,
  surroundings,
  useKeys,
} from './doctor-world.ts'

const play = inOrderWorld(test)

chmodSync(folder, 0o755)

test.after(() => rmSync(folder, { recursive: true, force: true }))

const cases = [...otherCases, ...backupCases, ...mailCases]

play('nothing is to be done where all is well', async (world) => {
  await useKeys(world)
  await liveRate(world)
  await readChain(world, 2_000)
  const list = async () => [{ name: 'ventanilla-1', madeAt: world.clock.now() - dayMs, orders: 1, bytes: 1 }]
  const found = await operatorOf({
    ...world,
    chains,
    verification: onDisk,
    backups: backupsWith({ list }),
    ...surroundings({
      mode: 'production',
      publicUrl: 'https://pay.example',
      trustedProxies: ['127.0.0.1'],
      endpoints: ['https://rpc.example'],
      operatorHost: '0.0.0.0',
      addresses: () => ['127.0.0.1', '10.0.0.4'],
      privateFiles: async () => [fileWithMode('well.key', 0o600)],
    }),
  }).ask(doctor, {})
  assert.equal(
    found.checks.filter(({ ok, action }) => !ok || action !== null),
    [],
  )
  assert.is(found.ok, true)
  const broken = new Set(cases.map(({ check }) => check))
  assert.equal(
    found.checks.map(({ name }) => name).filter((name) => !broken.has(name)),
    [],
    'each goes wrong once below',
  )
})

for (const { when, change, check, sees, says } of cases) {
  play(`${when}: ${check}`, async (world) => {
    await useKeys(world)
    const found = await operatorOf({ ...world, operator: operator.name, ...(await change(world)) }).ask(
      doctor,
      {},
    )
    assert.is(found.ok, false)
    const one = found.checks.find(({ name }) => name === check)
    assert.is(one?.ok, false, JSON.stringify(one))
    assert.match(one?.detail ?? '', sees)
    assert.match(one?.action ?? '', says)
  })
}

if (process.platform !== 'win32') {
  play('a file that others could read is closed by its folder', async (world) => {
    await useKeys(world)
    mkdirSync(join(folder, 'closed'))
    const key = fileWithMode('closed/master.key', 0o644)
    const ask = () =>
      operatorOf({ ...world, ...surroundings({ privateFiles: async () => [key] }) }).ask(doctor, {})
    chmodSync(join(folder, 'closed'), 0o750)
    assert.is((await ask()).ok, true)
    chmodSync(join(folder, 'closed'), 0o755)
    assert.is((await ask()).ok, false)
  })
}

test.run()
