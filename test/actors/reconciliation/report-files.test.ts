/** Shapes of networks' files, one a row: what is read of them, or which line is wrong and why (protocol 16.2). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readReportCsv } from '../../../actors/reconciliation/read-csv.ts'
import {
  maxReportLines,
  type ReportFault,
  type ReportLine,
} from '../../../actors/reconciliation/report-lines.ts'
import { mappingOf, type ReportMapping } from '../../../actors/terms/report-mapping.ts'

const usual = mappingOf(null)
const latin: Partial<ReportMapping> = {
  decimal: ',',
  dates: 'DD/MM/YYYY HH:mm',
  timeZone: 'America/Mexico_City',
  columns: {
    order: 'Código',
    reference: null,
    amount: 'Importe',
    paidAt: 'Fecha',
    outcome: null,
    number: null,
  },
}
const total = { label: 'TOTAL', count: 'reference', amount: 'amount' }
const numbered = { columns: { ...usual.columns, number: 'no' } }

async function read(text: string | Uint8Array, changes: Partial<ReportMapping> = {}, currency = 'MXN') {
  const lines: ReportLine[] = []
  const faults: ReportFault[] = []
  async function* bytes() {
    const all = typeof text === 'string' ? Buffer.from(text) : text
    for (let start = 0; start < all.length; start += 7) yield all.subarray(start, start + 7)
  }
  for await (const batch of readReportCsv(bytes(), { mapping: { ...usual, ...changes }, currency })) {
    lines.push(...batch.lines)
    faults.push(...batch.faults)
  }
  return { lines, faults }
}

const head = 'order,outcome,amount,paid_at,reference'
const one = '1,paid,1234.50,2026-03-01T12:00:00Z,F-1'
const noon = Date.UTC(2026, 2, 1, 12)
const plain = [{ line: 2, kind: 'paid', named: '1', reference: 'F-1', amountMinor: 123_450n, paidAt: noon }]

const whole: readonly [
  what: string,
  text: string | Uint8Array,
  lines: readonly object[],
  mapping?: Partial<ReportMapping>,
][] = [
  ['line feeds', `${head}\n${one}\n`, plain],
  ['CRLF', `${head}\r\n${one}\r\n`, plain],
  ['no end of the last line', `${head}\n${one}`, plain],
  ['a byte order mark', `\ufeff${head}\r\n${one}\r\n`, plain],
  ['semicolons', `${head}\n${one}`.replaceAll(',', ';'), plain],
  ['tabs', `${head}\n${one}`.replaceAll(',', '\t'), plain],
  [
    'quotes',
    `"order","outcome","amount","paid_at","reference"\n"1","paid","1,234.50","2026-03-01T12:00:00Z","F-1"`,
    plain,
  ],
  [
    'other orders of columns, and more of them',
    'x,reference,paid_at,amount,outcome,order\n,F-1,2026-03-01T12:00:00Z,1234.50,PAID,1',
    plain,
  ],
  ['blank lines', `${head}\n\n${one}\n\n`, [{ ...plain[0], line: 3 }]],
  ['0 lines', `${head}\n`, []],
  ['0 lines and totals', `${head}\nTOTAL,,0.00,,0\n`, [], { total }],
  ['right totals', `${head}\n${one}\nTOTAL,,1234.50,,1\n`, plain, { total }],
  ['rising numbers', `no,${head}\n7,${one}\n8,${one}`, [plain[0] ?? {}, { ...plain[0], line: 3 }], numbered],
  [
    'a payment below zero: taken back',
    `${head}\n${one.replace('1234', '-1234')}`,
    [{ ...plain[0], kind: 'reversed' }],
  ],
  [
    'not paid, without an amount',
    `${head}\n1,not_paid,,,`,
    [{ line: 2, kind: 'not_paid', named: '1', reference: null, amountMinor: null, paidAt: null }],
  ],
  [
    'decimal commas, a zone and days as people write them',
    'Código;Importe;Fecha\n1;"1.234,50";01/03/2026 06:00',
    [{ ...plain[0], reference: null }],
    latin,
  ],
  [
    'windows-1252',
    Buffer.from('C\u00f3digo;Importe;Fecha\n1;1234,50;01/03/2026 06:00', 'latin1'),
    [{ ...plain[0], reference: null }],
    { ...latin, encoding: 'windows-1252' },
  ],
]
for (const [what, text, lines, mapping] of whole)
  test(`a file with ${what} is read`, async () => {
    assert.equal(await read(text, mapping), { lines, faults: [] })
  })

const most = '92233720368547758.07'
const wrong: readonly [
  what: string,
  text: string | Uint8Array,
  fault: RegExp,
  mapping?: Partial<ReportMapping>,
][] = [
  ['nothing in it', '', /^1: the file is empty/],
  ['blanks alone', '\n \n', /^1: the file is empty/],
  [
    'a wrong sum',
    `${head}\n${one}\nTOTAL,,1.00,,1\n`,
    /^3: it says 1.00, and its payments are 123450 minor units/,
    { total },
  ],
  [
    'a wrong count',
    `${head}\n${one}\nTOTAL,,1234.50,,2\n`,
    /^3: it says 2 payments, and there are 1 \(1 lines\)/,
    { total },
  ],
  [
    'no totals where there should be some',
    `${head}\n${one}\n`,
    /^2: the line of totals \(TOTAL\) is missing/,
    { total },
  ],
  [
    'lines behind its totals',
    `${head}\nTOTAL,,0.00,,0\n${one}\n`,
    /^3: there is more behind the line of totals/,
    { total },
  ],
  ['a number that skips', `no,${head}\n7,${one}\n9,${one}`, /^3: no is 9 after 7/, numbered],
  ['a number that comes twice', `no,${head}\n7,${one}\n7,${one}`, /^3: no is 7 after 7/, numbered],
  ['no column of amounts', 'order,outcome,paid_at\n1,paid,2026-03-01', /^1: the column amount is missing/],
  ['a column twice', `${head},amount\n${one},1`, /^1: the column amount appears twice/],
  ['a line with a value more', `${head}\n${one},x`, /^2: it has 6 values, and the header 5/],
  [
    'an unknown outcome',
    `${head}\n${one.replace('paid', 'lost')}`,
    /^2: outcome “lost” is none that was agreed on/,
  ],
  ['neither order nor reference', `${head}\n,paid,1.00,2026-03-01T12:00:00Z,`, /^2: it names neither/],
  [
    'an amount that is none',
    `${head}\n${one.replace('1234.50', '1e3')}`,
    /^2: amount “1e3” is not an amount/,
  ],
  ['an amount of zero', `${head}\n${one.replace('1234.50', '0.00')}`, /^2: amount is zero/],
  [
    'too many decimals',
    `${head}\n${one.replace('1234.50', '1.005')}`,
    /^2: amount “1.005” is no amount of this currency/,
  ],
  [
    'a sum that no ledger holds',
    `${head}\n${one.replace('1234.50', most)}\n${one.replace('1234.50', most)}`,
    /^3: the sum of its payments is more than the ledger can hold/,
  ],
  [
    'a day that there is not',
    `${head}\n${one.replace('03-01', '02-30')}`,
    /^2: paid_at “2026-02-30T12:00:00Z” is not a time/,
  ],
  ['a formula', `${head}\n${one.replace('F-1', '=1+1')}`, /^2: reference “=1\+1” begins like a formula/],
  ['a control character', `${head}\n${one.replace('F-1', 'F\u00071')}`, /^2: reference has characters in it/],
  [
    'a name that is too long',
    `${head}\n${one.replace('F-1', 'F'.repeat(101))}`,
    /^2: reference is longer than 100/,
  ],
  ['a quote that is not closed', `${head}\n"${one}`, /is not CSV/],
  ['a record of a megabyte', `${head}\n"${'x'.repeat(1_000_000)}`, /is longer than 16384 characters/],
  ['a ZIP', 'PK\x03\x04rest', /^1: it is a ZIP file, or a spreadsheet/],
  ['a gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /^1: it is compressed/],
  ['a PDF', '%PDF-1.7', /^1: it is a PDF/],
  ['XML', '<?xml version="1.0"?><a/>', /^1: it is XML/],
  ['UTF-16', Buffer.from(`\ufeff${head}`, 'utf16le'), /^1: it is UTF-16/],
  ['Latin-1', Buffer.from(`${head}\n${one.replace('F-1', 'se\u00f1al')}`, 'latin1'), /^2: it is not utf-8/],
  [
    'an end in mid-character',
    Buffer.concat([Buffer.from(`${head}\n${one}`), Buffer.from([0xc3])]),
    /it ends within a character/,
  ],
]
for (const [what, text, fault, mapping] of wrong)
  test(`a file with ${what} is refused with its line`, async () => {
    const { faults } = await read(text, mapping)
    const told = faults.map(({ line, problem }) => `${line}: ${problem}`)
    assert.ok(
      told.some((one) => fault.test(one)),
      told.join('\n'),
    )
  })

test('a file is read to the line that is too many, and no further', async () => {
  async function* bytes() {
    yield Buffer.from(`${head}\n`)
    for (;;) yield Buffer.from('1,not_paid,,,\n'.repeat(1000))
  }
  let count = 0
  let last: ReportFault | undefined
  for await (const { lines, faults } of readReportCsv(bytes(), { mapping: usual, currency: 'MXN' })) {
    count += lines.length
    last = faults.at(-1) ?? last
  }
  assert.ok(count <= maxReportLines)
  assert.match(last?.problem ?? '', /more than 200000 lines/)
})

test.run()
