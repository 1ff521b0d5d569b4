/** Names that are written from right to left take nothing along that stands beside them, and are found as they are copied. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readSought } from '../../../actors/search/written.ts'
import { tables } from '../../../http/console/texts/index.ts'
import { viewFor } from '../../../http/console/view.ts'
import { translationOf } from '../../../http/console/wording.ts'

const names: [name: string, shown: string][] = [
  ['Shop', 'Shop'],
  ['Zapatería Ñandú 🌮', 'Zapatería Ñandú 🌮'],
  ['متجر النور', '\u2068متجر النور\u2069'],
  ['חנות 24', '\u2068חנות 24\u2069'],
]

test('a name within a sentence has its own direction, in each language', () => {
  for (const [name, shown] of names) {
    for (const { posted } of Object.values(tables))
      assert.ok(posted.accountOf('x', name).endsWith(shown), `${name}: ${posted.accountOf('x', name)}`)
    const view = viewFor({ language: 'es', timeZone: null }, '')
    assert.is(translationOf(`There is no merchant ${name}.`, view), `No existe comercio ${shown}.`)
  }
})

test('a name that was copied out of a sentence is found', () => {
  for (const [name, shown] of names) assert.is(readSought(shown).party, name)
})

test.run()
