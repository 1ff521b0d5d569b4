/** A bank's statement as CSV, by the columns that its bank has: protocol 16.6. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBank } from '../../../actors/reconciliation/read-bank.ts'
import type { BankBatch } from '../../../actors/reconciliation/read-camt.ts'
import type { StatementMapping } from '../../../actors/terms/statement-mapping.ts'
import { camtEntry, camtStatement } from '../../support/camt.ts'

const columns = {
  ...{ day: 'Fecha', reference: 'Referencia', amount: 'Importe', credit: null, debit: null },
  ...{ text: 'Concepto', balance: null },
}
const mapping: StatementMapping = {
  separator: null,
  encoding: 'utf-8',
  columns,
  dates: 'DD/MM/YYYY',
  decimal: ',',
}
const two = { ...columns, amount: null, credit: 'Abono', debit: 'Cargo' }

async function read(
  text: string | Buffer,
  by: StatementMapping | null = mapping,
  size = 7,
): Promise<BankBatch> {
  const bytes = Buffer.from(text)
  async function* parts() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
  }
  const all: BankBatch = { lines: [], statements: [], faults: [] }
  for await (const batch of readBank(parts(), { currency: 'MXN', mapping: by })) {
    all.lines.push(...batch.lines)
    all.statements.push(...batch.statements)
    all.faults.push(...batch.faults)
  }
  return all
}

const header = 'Fecha;Referencia;Importe;Concepto'
const entries = ({ lines, faults }: BankBatch) => {
  assert.equal(faults, [])
  return lines.map(({ line, direction, amountMinor, valueDay, reference, text }) =>
    [line, direction, amountMinor, valueDay, reference, text].join(' '),
  )
}

test('entries are read by the names of their columns, with the marks of the bank', async () => {
  const found = await read(
    `\ufeff${header}\r\n01/03/2026;SPEI 7;1.234,50;PAGO A\r\n02/03/2026;COM 1;-35,00;\r\n`,
  )
  assert.equal(entries(found), ['2 in 123450 2026-03-01 SPEI 7 PAGO A', '3 out 3500 2026-03-02 COM 1 '])
  assert.equal(found.statements, [
    { id: 'CSV', sequence: null, openingMinor: 0n, closingMinor: 119_950n, entryCount: 2 },
  ])
})

test('what came in and what went out may be two columns, with a minus or without', async () => {
  const by = { ...mapping, columns: two }
  const text =
    'Fecha;Referencia;Cargo;Abono;Concepto\n01/03/2026;A;;10,00;\n01/03/2026;B;5,00;;\n01/03/2026;C;-6,00;;\n'
  assert.equal(entries(await read(text, by)), [
    '2 in 1000 2026-03-01 A ',
    '3 out 500 2026-03-01 B ',
    '4 out 600 2026-03-01 C ',
  ])
  const [fault] = (await read('Fecha;Referencia;Cargo;Abono;Concepto\n01/03/2026;A;1,00;1,00;\n', by)).faults
  assert.equal(fault, { line: 2, problem: 'it has both a credit and a debit, or none of them' })
})

test('balances have to follow from each other, whichever entry comes first', async () => {
  const by = { ...mapping, columns: { ...columns, balance: 'Saldo' } }
  const file = (...lines: string[]) => [`${header};Saldo`, ...lines, ''].join('\n')
  const [first, second] = ['01/03/2026;A;10,00;;110,00', '01/03/2026;B;-30,00;;80,00']
  for (const text of [file(first, second), file(second, first)]) {
    const { statements, faults } = await read(text, by)
    assert.equal(faults, [])
    assert.equal([statements[0]?.openingMinor, statements[0]?.closingMinor], [10_000n, 8_000n])
  }
  const torn = await read(file(first, second, '01/03/2026;D;-1,00;;70,00'), by)
  assert.equal(torn.faults, [
    {
      line: 4,
      problem: 'its balance does not follow from the one before: an entry is missing, or comes twice',
    },
  ])
})

const refused: [text: string, line: number, problem: RegExp][] = [
  ['', 1, /the file is empty/],
  ['Fecha;Importe;Concepto\n', 1, /the column Referencia is missing/],
  [`${header}\n01/03/2026;;1,00;\n`, 2, /Referencia is missing: an entry is booked once by it/],
  [`${header}\n01/03/2026;=1+1;1,00;\n`, 2, /begins like a formula/],
  [`${header}\n2026-03-01;A;1,00;\n`, 2, /is not a day such as DD\/MM\/YYYY/],
  [`${header}\n01/03/2026;A;1.00;\n`, 2, /is not an amount/],
  [`${header}\n01/03/2026;A;0,00;\n`, 2, /its amount is zero/],
  [`${header}\n01/03/2026;A;1,00\n`, 2, /it has 3 values, and the header 4/],
  ['PK\u0003\u0004 and more\n', 1, /it is a ZIP file/],
]

for (const [text, line, problem] of refused)
  test(`a file is refused with its line: ${problem}`, async () => {
    const { faults } = await read(text, mapping, 1000)
    assert.is(faults[0]?.line, line)
    assert.match(faults[0]?.problem ?? '', problem)
  })

test('camt.053 is read of a bank that gives CSV, too, and CSV of none that has not agreed on it', async () => {
  const camt = camtStatement({ closing: '5.00', inner: camtEntry('CRDT', '5.00', 'DEP-1') })
  assert.equal(
    (await read(camt)).lines.map(({ reference }) => reference),
    ['DEP-1'],
  )
  const { faults } = await read(`${header}\n01/03/2026;A;1,00;\n`, null)
  assert.match(faults[0]?.problem ?? '', /it is CSV, and the bank has no CSV columns set/)
})

test.run()
