/** The tables of texts: the compiler holds that none is missing; here is held what it cannot see. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionKinds } from '../../../actors/exceptions/kinds.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { en } from '../../../http/console/texts/en.ts'
import { es } from '../../../http/console/texts/es.ts'
import { pt } from '../../../http/console/texts/pt.ts'
import { translationOf } from '../../../http/console/wording.ts'

const others = { es, pt }

/** What the forms and answers of operations say. */
function saidByOperations(): string[] {
  return operationsOf('sandbox').flatMap(({ done, fields }) => {
    const ofFields = Object.values(fields).flatMap(({ form }) => {
      const { label, hint, choices = [] } = form ?? {}
      return [label, hint, ...choices.map(([, text]) => text)]
    })
    return [done, ...ofFields].flatMap((text) => (text === undefined || text === '' ? [] : [text]))
  })
}

function saidOfResolutions(): string[] {
  return Object.values(exceptionKinds).flatMap(({ resolutions }) =>
    Object.values(resolutions).flatMap((does) => (typeof does === 'string' ? [does] : Object.values(does))),
  )
}

test('whatever operations say in forms, and resolutions of themselves, is translated', () => {
  const said = [...new Set([...saidByOperations(), ...saidOfResolutions()])]
  assert.ok(said.length > 100)
  for (const [language, texts] of Object.entries(others))
    assert.equal(
      said.filter((text) => translationOf(text, texts) === null),
      [],
      language,
    )
})

test('a translation says all that its original does, and each language has the same', () => {
  assert.equal(Object.keys(es.wording), Object.keys(pt.wording))
  const gaps = (text: string) => text.split('{}').length
  for (const [language, { wording }] of Object.entries(others))
    for (const [english, text] of Object.entries(wording))
      assert.is(gaps(text), gaps(english), `${language}: ${english}`)
})

const templates: [english: string, spanish: string | null][] = [
  ['Confirm for Network B', 'Confirmar en nombre de Network B'],
  ['tax 1.75, by terms t-1', 'impuesto 1.75, según las condiciones t-1'],
  ['100.00 of 438.00, 338.00 left', '100.00 de 438.00, quedan 338.00'],
  ['constructor', null],
  ['Something that nobody has translated', null],
]

test('what is known of a case is kept in its place', () => {
  for (const [english, spanish] of templates) assert.is(translationOf(english, es), spanish, english)
})

/** Texts of three words and more that are the same in another language. */
function same(part: unknown, other: unknown): string[] {
  if (typeof part === 'string') return part === other && part.split(' ').length > 2 ? [part] : []
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, each]) => same(each, Object(other)[name]))
}

test('no sentence is left in English', () => {
  for (const [language, texts] of Object.entries(others)) assert.equal(same(en, texts), [], language)
})

test.run()
