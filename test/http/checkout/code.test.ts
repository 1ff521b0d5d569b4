/** The code as people and scanners read it. */
import { encode } from 'uqr'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { barcodeSvg } from '../../../http/checkout/barcode.ts'
import { groupCode } from '../../../http/checkout/code.ts'
import { qrSvg } from '../../../http/pages/qr.ts'

const code = '840129375561204'

const groups: readonly [code: string, text: string][] = [
  ['840129375561204', '8401 2937 5561 204'],
  ['1234567890', '1234 567 890'],
  ['123456789', '123 456 789'],
  ['1234', '1234'],
  ['12345', '123 45'],
  ['', ''],
]
for (const [text, grouped] of groups) {
  test(`the code "${text}" is read as "${grouped}"`, () => assert.is(groupCode(text).join(' '), grouped))
}

test('the QR draws every module of the bare code, and a quiet zone', () => {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(String(qrSvg(code, 'QR')))?.[1])
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const path = /fill="#000" d="([^"]*)"/.exec(String(qrSvg(code, 'QR')))?.[1] ?? ''
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  }
  assert.equal(drawn, encode(code, { ecc: 'M', border: 4 }).data)
  assert.is(size, 21 + 8, 'digits are packed as digits: the smallest QR there is')
})

/** What JsBarcode 3.12, which knows nothing of ours, draws for these: runs of bars (1) and spaces (0). */
const barcodes: readonly [code: string, modules: string][] = [
  [
    '840129375561204',
    '11010011100100111101001100110110011100110010100011010001110100011011001000010110' +
      '010011101011110111011001001110111010011001100011101011',
  ],
  ['12345678', '1101001110010110011100100010110001110001011011000010100100011101101100011101011'],
  ['AB-1', '1101001000010100011000100010110001001101110010011100110100100110001100011101011'],
]
for (const [text, modules] of barcodes) {
  test(`the barcode of ${text} is drawn as the standard has it, with white beside it`, () => {
    const svg = String(barcodeSvg(text, 'Barcode'))
    const width = Number(/viewBox="0 0 (\d+) 1"/.exec(svg)?.[1])
    const cells = Array.from({ length: width }, () => '0')
    const path = /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
    for (const [, x, wide] of path.matchAll(/M(\d+) 0h(\d+)v1h-\d+z/g)) {
      cells.fill('1', Number(x), Number(x) + Number(wide))
    }
    assert.is(cells.join(''), `${'0'.repeat(10)}${modules}${'0'.repeat(10)}`)
  })
}

test.run()
