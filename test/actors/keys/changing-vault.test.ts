import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChangingVault } from '../../../actors/keys/changing-vault.ts'
import { createVault, VaultError } from '../../../actors/keys/vault.ts'

const before = createVault(Buffer.alloc(32, 1))
const after = createVault(Buffer.alloc(32, 2))
const sealed = { before: before.seal('name', 'secret'), after: after.seal('name', 'secret') }

test('a vault opens what is under its key, and while the key is changed what is under the other, too', () => {
  const vault = createChangingVault(before)
  const opens = (text: string) => vault.open('name', text) === 'secret'
  const refuses = (text: string) =>
    assert.throws(
      () => vault.open('name', text),
      (it: unknown) => it instanceof VaultError,
    )
  assert.ok(opens(sealed.before))
  refuses(sealed.after)
  assert.ok(vault.admit(after))
  assert.ok(opens(sealed.before) && opens(sealed.after))
  assert.is(before.open('name', vault.seal('name', 'x')), 'x', 'sealed under the present key')
  vault.change()
  assert.is(vault.fingerprint, after.fingerprint)
  assert.ok(opens(sealed.before) && opens(sealed.after))
  assert.is(after.open('name', vault.seal('name', 'x')), 'x')
  vault.forgetOther()
  assert.ok(opens(sealed.after))
  refuses(sealed.before)
  refuses('v1.nonsense')
})

test('a change that is under way admits no other, and one that was not begun changes nothing', () => {
  const vault = createChangingVault(before)
  assert.throws(() => vault.change(), /No other master key/)
  assert.ok(vault.admit(after))
  assert.not(vault.admit(createVault(Buffer.alloc(32, 3))))
  vault.forgetOther()
  assert.ok(vault.admit(after))
})

test.run()
