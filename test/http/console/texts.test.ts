/** The tables of texts: the compiler holds that none is missing; here is held what it cannot see. */
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionKinds } from '../../../actors/exceptions/kinds.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { onPages } from '../../../http/console/texts/en/on-pages.ts'
import { en } from '../../../http/console/texts/en.ts'
import { es } from '../../../http/console/texts/es.ts'
import { pt } from '../../../http/console/texts/pt.ts'
import recorded from '../../../http/console/texts/said/en.json' with { type: 'json' }
import { viewFor } from '../../../http/console/view.ts'
import { translationOf } from '../../../http/console/wording.ts'
import { recordedSentences } from '../../../scripts/sentences/record.ts'

const others = { es, pt }
const viewOf = (language: 'en' | 'es' | 'pt') => viewFor({ language, timeZone: 'America/Mexico_City' }, '')

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
  for (const language of ['es', 'pt'] as const)
    assert.equal(
      said.filter((text) => translationOf(text, viewOf(language)) === null),
      [],
      language,
    )
})

test('a translation says all that its original does, and each language has the same', () => {
  assert.equal(Object.keys(es.wording), Object.keys(pt.wording))
  const gaps = (text: string) => text.split('{}').length
  for (const [language, { wording }] of Object.entries({ en, ...others }))
    for (const [english, text] of Object.entries(wording))
      assert.is(gaps(text), gaps(english), `${language}: ${english}`)
})

test('what the node says is recorded as it is: npm run sentences', () => {
  assert.equal(Object.keys(recorded), Object.keys(recordedSentences()))
})

const templates: [english: string, spanish: string | null][] = [
  ['Confirm for Network B', 'Confirmar en nombre de Network B'],
  ['tax 1.75, by terms t-1', 'impuesto 1.75, según las condiciones t-1'],
  ['100.00 of 438.00, 338.00 left', '100.00 de 438.00, quedan 338.00'],
  // Moments are of the reader's zone, amounts as the reader has them, and statuses in the reader's words.
  [
    'The order has changed since you looked: it is CANCELLED now (revision 3).',
    'La orden ha cambiado desde que la vio: ahora está cancelada (revisión 3).',
  ],
  ['The minimum is 1000.00 MXN.', 'El mínimo es 1,000.00 MXN.'],
  [
    'The webhooks of Shop are paused already, since 2026-03-01T12:00:00.000Z.',
    'Los webhooks de Shop ya están en pausa, desde el 01/03/2026 06:00:00.',
  ],
  // Several texts, one after the other or one within another.
  [
    'The webhook COMPLETED was not delivered: its receiver answered 404. Tell Shop (ops@shop.example); once its receiver works: webhook retry 7',
    'El webhook completada no se entregó: su receptor respondió 404. Avise a Shop (ops@shop.example); cuando su receptor funcione, envíe otra vez el webhook 7',
  ],
  ['providers[0].networks[1]: is missing', 'providers[0].networks[1]: falta'],
  ['constructor', null],
  ['Something that nobody has translated', null],
]

test('what is known of a case is kept in its place', () => {
  for (const [english, spanish] of templates)
    assert.is(translationOf(english, viewOf('es')), spanish, english)
})

test('on a page the node names what the page has, and no command', () => {
  const rows: [english: string, shown: string][] = [
    [
      'The webhook COMPLETED was not delivered: its receiver answered 404. Tell Shop (ops@shop.example); once its receiver works: webhook retry 7',
      'The webhook COMPLETED was not delivered: its receiver answered 404. Tell Shop (ops@shop.example); once its receiver works, send it again with “Resend” on the page of webhook 7',
    ],
    [
      'It failed. See `ventanilla alarm list`. Then wait.',
      'It failed. See the alarms on Overview. Then wait.',
    ],
  ]
  for (const [english, shown] of rows) assert.is(translationOf(english, viewOf('en')), shown)
  assert.is(translationOf('Something that nobody has written anew', viewOf('en')), null)
  // A button is named as it is called; what only the command line can do keeps its command.
  const labels = new Set(textsIn(en))
  for (const [english, shown] of Object.entries(onPages)) {
    assert.not.match(shown, /ventanilla |\b(show|list|retry|undrain) \{\}/, english)
    for (const [, label = ''] of shown.matchAll(/“([^”]+)”/g))
      assert.ok(labels.has(label), `${label}: ${english}`)
  }
})

function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : []
}

/** Texts of three words and more that are the same in another language. */
function same(part: unknown, other: unknown): string[] {
  if (typeof part === 'string') return part === other && part.split(' ').length > 2 ? [part] : []
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, each]) => same(each, Object(other)[name]))
}

test('no sentence is left in English', () => {
  for (const [language, texts] of Object.entries(others)) assert.equal(same(en, texts), [], language)
})

/** *Ordem* for what is not an order: a sequence, a command, the ordering of a payment. */
const otherOrdem = /fora de ordem|na sua ordem|ordem de parar|ordem do pagamento/gi

test('in Portuguese an order is a pedido on every page and in every notification', () => {
  const files = globSync('{actors,http}/**/texts/**/{pt.ts,pt.json,pt/*.ts}')
  assert.ok(files.length > 20)
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').replace(otherOrdem, '').split('\n')
    assert.equal(
      lines.filter((line) => /\bord(em|ens)\b/i.test(line)),
      [],
      file,
    )
  }
})

test.run()
