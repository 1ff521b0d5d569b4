import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateCode, hasCheckDigit } from '../../../actors/orders/code.ts'

// Luhn numbers of 15 digits that others publish: test numbers of American Express cards, and an IMEI.
const published = ['378282246310005', '371449635398431', '378734493671000', '490154203237518']

test('published numbers of 15 digits with a Luhn check digit are taken for codes', () => {
  for (const code of published) assert.ok(hasCheckDigit(code), code)
})

test('no other check digit is', () => {
  for (const code of published) {
    const others = Array.from({ length: 10 }, (_, digit) => code.slice(0, -1) + digit)
    assert.equal(others.filter(hasCheckDigit), [code])
  }
})

const noCodes = ['', '0', '00000000000000', '0000000000000000', '37828224631000a', ' 378282246310005']

test('only 15 digits are a code', () => {
  for (const code of [...noCodes, '378282246310005\n', '3782 822463 10005', '３78282246310005'])
    assert.not(hasCheckDigit(code), JSON.stringify(code))
})

test('codes are made of 14 random digits and their check digit', () => {
  const codes = Array.from({ length: 2000 }, generateCode)
  for (const code of codes) assert.ok(hasCheckDigit(code), code)
  assert.is(new Set(codes).size, codes.length)
  // Each digit is found in each place: the chance that a fair one is missed is below 10^-80.
  for (let place = 0; place < 15; place++) assert.is(new Set(codes.map((code) => code[place])).size, 10)
})

test('a slip in one digit is noticed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...published),
      fc.nat(14),
      fc.integer({ min: 1, max: 9 }),
      (code, place, by) => {
        const digit = (Number(code[place]) + by) % 10
        assert.not(hasCheckDigit(code.slice(0, place) + digit + code.slice(place + 1)))
      },
    ),
  )
})

test.run()
