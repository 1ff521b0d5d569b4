import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { type Asker, assertMay, authorities, authorityOf } from '../../../actors/operations/authority.ts'
import { operationsOf } from '../../../actors/operations/index.ts'

const at = 1_000_000_000

function refusal(
  name: string,
  asker: Asker,
  more: { mode?: 'sandbox' | 'production'; isPreview?: boolean } = {},
) {
  try {
    assertMay(
      { name },
      { asker, name: 'ana', clock: { now: () => at }, mode: 'sandbox', isPreview: false, ...more },
    )
    return null
  } catch (error) {
    if (error instanceof OperationError) return error.code
    throw error
  }
}

const nobodys = { hasFactor: false, factorAt: null } as const

test('every operation has a row, and every row an operation', () => {
  const names = operationsOf('sandbox').map(({ name }) => name)
  assert.equal(Object.keys(authorities).toSorted(), names.toSorted())
  assert.throws(() => authorityOf({ name: 'money.print' }), /Nobody has said/)
})

test('what only reads asks for no second factor, and what moves money, keys or people asks for a fresh one', () => {
  const moves = /^(deposit|payment|adjustment|conversion|bank|key|withdrawal|exception)\.(?!list|show|due$)/
  for (const { name, isRead } of operationsOf('sandbox')) {
    const { factor } = authorityOf({ name })
    if (isRead) assert.is(factor, 'none', name)
    else if (moves.test(name)) assert.is(factor, 'fresh', name)
  }
  for (const name of [
    'apply',
    'order.confirm',
    'operator.add',
    'operator.invite',
    'operator.reset',
    'statement.close',
  ])
    assert.is(authorityOf({ name }).factor, 'fresh', name)
})

for (const { name } of operationsOf('sandbox')) {
  test(`${name}: the factor that its row says is asked for, and no other`, () => {
    const { role, factor } = authorityOf({ name })
    const fresh: Asker = { role, hasFactor: true, factorAt: at - 5 * 60_000 }
    const stale: Asker = { role, hasFactor: true, factorAt: at - 5 * 60_000 - 1 }
    const never: Asker = { role, ...nobodys }
    const asked = { none: null, fresh: 'unproved', machine: 'forbidden' }[factor]
    assert.is(refusal(name, stale), asked)
    assert.is(refusal(name, fresh), factor === 'machine' ? 'forbidden' : null)
    // A sandbox forces nobody to have one; in production nothing of the kind is done without.
    assert.is(refusal(name, never), factor === 'machine' ? 'forbidden' : null)
    assert.is(refusal(name, never, { mode: 'production' }), factor === 'none' ? null : 'forbidden')
    assert.is(refusal(name, stale, { isPreview: true }), factor === 'machine' ? 'forbidden' : null)
  })
}

test('no operation says its role anywhere else', () => {
  for (const operation of operationsOf('sandbox')) assert.not.ok('role' in operation, operation.name)
  const source = readFileSync('actors/foundation/operation.ts', 'utf8')
  assert.not.match(source, /readonly role/)
})

test.run()
