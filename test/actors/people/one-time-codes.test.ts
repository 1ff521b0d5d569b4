import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateTotpSecret, stepOfCode, totpUri } from '../../../actors/people/one-time-codes.ts'
import { generateRecoveryCodes, recoveryCodeDigest } from '../../../actors/people/recovery-codes.ts'

/** The ASCII of RFC 6238, appendix B, in base32: 12345678901234567890. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// Appendix B, SHA-1, the last six of its eight digits.
for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const) {
  test(`the code of ${seconds} s is that of RFC 6238, and of one step beside it`, () => {
    const step = Math.floor(seconds / 30)
    const at = seconds * 1000
    for (const shift of [-30_000, 0, 30_000])
      assert.is(stepOfCode(secret, code, at + shift), step, `${shift}`)
    for (const shift of [-60_000, 60_000]) assert.is(stepOfCode(secret, code, at + shift), null, `${shift}`)
  })
}

test('what is no code of six digits is none', () => {
  for (const code of ['', '28708', '2870820', '28708a', ' 287082', '２８７０８２', '-87082'])
    assert.is(stepOfCode(secret, code, 59_000), null, code)
})

test('an authenticator is told issuer, name and a secret of 160 bits', () => {
  const made = generateTotpSecret()
  assert.match(made, /^[A-Z2-7]{32}$/)
  assert.is.not(generateTotpSecret(), made)
  const url = new URL(totpUri(made, { issuer: 'Ventanilla localhost', name: 'ana' }))
  assert.is(`${url.protocol}${url.host}`, 'otpauth:totp')
  assert.is(decodeURIComponent(url.pathname), '/Ventanilla localhost:ana')
  assert.equal(
    ['secret', 'issuer', 'digits', 'period', 'algorithm'].map((name) => url.searchParams.get(name)),
    [made, 'Ventanilla localhost', '6', '30', 'SHA1'],
  )
})

test('recovery codes are ten, each another, and read however they are typed', () => {
  const codes = generateRecoveryCodes()
  assert.is(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){3}$/)
  const [code = ''] = codes
  const digest = recoveryCodeDigest(code)
  assert.match(digest ?? '', /^[\w-]{43}$/)
  for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    assert.is(recoveryCodeDigest(typed), digest)
  for (const wrong of ['', '123456', code.slice(1), `${code}a`, code.replace(/.$/, '0')])
    assert.is(recoveryCodeDigest(wrong), null, wrong)
})

test.run()
