/** Amounts that are typed into forms: read in one way only, whatever language and zone their pages are written in. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operationsOf } from '../../../actors/operations/index.ts'
import { amountKinds, formPath } from '../../../http/console/forms.ts'
import { actions } from '../../../http/console/rooms.ts'
import {
  type AmountKind,
  typeableUnits,
  typedAmount,
  withTypedAmounts,
} from '../../../http/console/typed-amounts.ts'
import { currencyDecimals, parseAmount } from '../../../machines/money.ts'
import { addOperators, type ConsoleVisitor, visitorAs } from '../../support/console.ts'
import { changesOf, look } from '../../support/console-forms.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const readings: [written: string, kind: AmountKind, read: string | null][] = [
  ['1000', 'amount', '1000'],
  ['1000.5', 'amount', '1000.5'],
  ['1000,5', 'amount', '1000.5'],
  ['1000.50', 'amount', '1000.50'],
  ['1000,50', 'amount', '1000.50'],
  ['0,05', 'amount', '0.05'],
  ['-5,00', 'amount', '-5.00'],
  [' 1000 ', 'amount', '1000'],
  ['1000,00 MXN', 'amount', '1000.00 MXN'],
  ['1.000', 'amount', null],
  ['1,000', 'amount', null],
  ['0.125', 'amount', null],
  ['1.000 MXN', 'amount', null],
  ['1.000,00', 'amount', null],
  ['1,000.00', 'amount', null],
  ['1.000.000', 'amount', null],
  ['1,000,000', 'amount', null],
  ['1 000', 'amount', null],
  ['1\u00a0000,00', 'amount', null],
  ['1\u202f000', 'amount', null],
  ['1’000.00', 'amount', null],
  ['1.0000', 'amount', null],
  ['.50', 'amount', null],
  ['50.', 'amount', null],
  ['1e3', 'amount', null],
  ['٣', 'amount', null],
  ['$ 5', 'amount', null],
  ['5 $', 'amount', null],
  ['mil', 'amount', null],
  ['0.125', 'units', '0.125'],
  ['0,000001', 'units', '0.000001'],
  ['17,25', 'units', '17.25'],
  ['950.4321', 'units', '950.4321'],
  ['1.000', 'units', null],
  ['17,253', 'units', null],
  ['17,2530', 'units', '17.253'],
  ['1.000,5', 'units', null],
]

test('a point and a comma stand before decimals, and whatever could be thousands is refused', () => {
  for (const [written, kind, read] of readings)
    assert.is(typedAmount(written, kind), read, `${written} ${kind}`)
})

test('what is filled in already is what is read again', () => {
  for (const units of ['0.25', '1.125', '0.125', '17.253', '950.4321', '12', '1.00', '12345.678'])
    assert.is(typedAmount(typeableUnits(units), 'units'), units)
})

/** As pages write a thousand and a half to readers in their own countries: none of it is read as something else. */
const seen: [language: string, currency: string, shown: number, minor: bigint | null][] = [
  ['es-CL', 'CLP', 1000, null],
  ['es-CL', 'CLP', 100, 100n],
  ['es-MX', 'MXN', 1000.5, null],
  ['es-MX', 'MXN', 100.5, 10050n],
  ['es-AR', 'USD', 1000.5, null],
  ['es-AR', 'USD', 100.5, 10050n],
  ['en-US', 'CLP', 1000, null],
  ['en-US', 'MXN', 1000.5, null],
  ['en-US', 'USD', 100.5, 10050n],
  ['pt-BR', 'CLP', 1000, null],
  ['pt-BR', 'MXN', 1000.5, null],
  ['pt-BR', 'USD', 100.5, 10050n],
]

test('a number as a page shows it is what it says, or refused', () => {
  for (const [language, currency, shown, minor] of seen) {
    const decimals = currencyDecimals(currency)
    const written = new Intl.NumberFormat(language, { minimumFractionDigits: decimals }).format(shown)
    const read = typedAmount(written, 'amount')
    assert.is(
      read === null ? null : parseAmount(read, decimals),
      minor,
      `${written} ${currency} in ${language}`,
    )
  }
})

test('all amounts of a form are told that are not clear, and what is empty stays so', () => {
  const kinds = new Map<string, AmountKind>([
    ['min', 'amount'],
    ['max', 'amount'],
    ['fixed', 'amount'],
  ])
  assert.throws(
    () => withTypedAmounts({ min: '1.000', max: '50.000', fixed: '', note: '1.000' }, kinds),
    ({ code, details }: { code: string; details: string[] }) =>
      code === 'invalid' && details.map((line) => line.split(':')[0]).join() === 'min,max',
  )
  assert.equal(withTypedAmounts({ min: '10,5', fixed: '', max: 'none', note: '1.000' }, kinds), {
    min: '10.5',
    fixed: '',
    max: 'none',
    note: '1.000',
  })
})

test('each amount that an operation has in a form is read like that', () => {
  const sent = new Set(actions.map(({ path }) => path))
  const asked = operationsOf('sandbox').filter((operation) => sent.has(formPath(operation)))
  const amounts = asked.flatMap(({ name, fields }) => {
    const known = amountKinds(
      Object.entries(fields).map(([of, { form }]) => ({ name: of, type: form?.control })),
    )
    return Object.entries(fields)
      .filter(([, { form, option }]) => form !== undefined && /<amount>/.test(option?.[0] ?? ''))
      .map(([field]) => [`${name} ${field}`, known.has(field)] as const)
  })
  assert.ok(amounts.length > 8)
  assert.equal(
    amounts.filter(([, isRead]) => !isRead),
    [],
  )
})

let node: TestNode
let administrator: ConsoleVisitor

test.before(async () => {
  node = await startTestNode()
  await node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
  await addOperators(node)
  administrator = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

test('a preview shows what was read, and what is not clear is told beside its field and changes nothing', async () => {
  const path = '/merchants/Shop?form=pair-MX-MXN'
  const shown = await look(administrator, path, { min: '12,5', max: '60000,00' })
  assert.equal(changesOf(shown), [
    'min | 10.00 MXN | 12.50 MXN | at once',
    'max | 50,000.00 MXN | 60,000.00 MXN | at once',
  ])
  const refused = await look(administrator, path, { max: '60.000' })
  assert.is(refused.status, 400)
  assert.match(refused.text, /-max-problem">[^<]*is not clear as an amount/)
  assert.match(refused.text, /name="max"[^>]*\s[^>]*value="60\.000"/)
})

test('in a form that books, too, and in the reader’s language', async () => {
  const form = { kind: 'charge', bank: 'main', reference: 'COM 1', reason: 'monthly', form_page: '/bank' }
  const ask = (amount: string) => administrator.post('/bank/record', { ...form, amount, dryRun: 'yes' })
  await administrator.get('/bank')
  assert.match((await ask('35,5')).text, /35\.50 MXN/)
  const refused = await ask('1.000')
  assert.is(refused.status, 400)
  assert.match(refused.text, /amount: &quot;1\.000&quot; is not clear as an amount/)
  const set = { language: 'es', zone: 'America/Santiago', form_page: '/account' }
  await administrator.get('/account')
  assert.is((await administrator.post('/operator/set-own', set)).status, 303)
  await administrator.get('/bank')
  assert.match((await ask('1.000')).text, /importe: «1\.000» no es claro como importe: escríbalo sin/)
  assert.match((await ask('1000,50')).text, /1\.000,50 MXN/)
})

test.run()
