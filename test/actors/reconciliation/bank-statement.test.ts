/** A bank's statement, held against the payments: protocol 16.6. The files are written after the published layout of camt.053. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { reconciliationBank } from '../../../actors/reconciliation/bank-operation.ts'
import { reconciliationDay } from '../../../actors/reconciliation/day-operations.ts'
import { type BankBatch, readCamt } from '../../../actors/reconciliation/read-camt.ts'
import { paymentBook, paymentOrder, paymentShow } from '../../../actors/settlement/payment-operations.ts'
import { camtEntry as entry, camtNamed as named, camtStatement as statement } from '../../support/camt.ts'
import { inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { close, network, paymentProblems, settle } from '../../support/payment-world.ts'
import { addNetworks, filesOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'

const amountOf = (amount: string, currency = 'MXN') => `<Amt Ccy="${currency}">${amount}</Amt>`

async function read(text: string | Buffer, size = 64): Promise<BankBatch> {
  async function* chunks() {
    const bytes = Buffer.from(text)
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
  }
  const all: BankBatch = { lines: [], statements: [], faults: [] }
  for await (const { lines, statements, faults } of readCamt(chunks(), 'MXN')) {
    all.lines.push(...lines)
    all.statements.push(...statements)
    all.faults.push(...faults)
  }
  return all
}

const problems: readonly [what: string, text: string | Buffer, problem: RegExp][] = [
  [
    'balances that do not add up',
    statement({ closing: '1.00' }),
    /opening 0 and entries 0 are not closing 100/,
  ],
  [
    'another currency',
    statement({ inner: `<Ntry>${amountOf('5.00', 'USD')}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>` }),
    /it is in USD/,
  ],
  ['an unknown element', statement({ inner: '<Strange/>' }), /<Strange> in <Stmt> is not known/],
  ['an unknown status', statement({ inner: entry('CRDT', '1.00', 'A', '', 'FUTR') }), /status “FUTR”/],
  ['an unknown way', statement({ inner: entry('BOTH', '1.00', 'A') }), /neither CRDT nor DBIT/],
  ['an amount that is none', statement({ inner: entry('CRDT', '1e3', 'A') }), /“1e3” is no amount/],
  ['too many decimals', statement({ inner: entry('CRDT', '1.005', 'A') }), /“1.005” is no amount/],
  [
    'no reference',
    statement({ inner: `<Ntry>${amountOf('1.00')}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>` }),
    /no reference/,
  ],
  [
    'a wrong count',
    statement({
      closing: '1.00',
      inner: `<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>${entry('CRDT', '1.00', 'A')}`,
    }),
    /TtlNtries says 2 entries, and there are 1/,
  ],
  [
    'a wrong sum',
    statement({
      closing: '1.00',
      inner: `<TxsSummry><TtlCdtNtries><Sum>2.00</Sum></TtlCdtNtries></TxsSummry>${entry('CRDT', '1.00', 'A')}`,
    }),
    /TtlCdtNtries says 200, and its entries are 100/,
  ],
  [
    'a document type',
    statement({}).replace('<Document', '<!DOCTYPE x [<!ENTITY a "aaaa">]><Document'),
    /has a document type/,
  ],
  ['an entity of HTML', statement({ inner: entry('CRDT', '1.00', '&eacute;') }), /is not XML/],
  ['another encoding', statement({}).replace('UTF-8', 'ISO-8859-1'), /is ISO-8859-1, and not UTF-8/],
  ['bytes that are no UTF-8', Buffer.from(statement({}).replace('S-1', 'S-\u00e9'), 'latin1'), /not UTF-8/],
  ['a file that is cut off', statement({}).slice(0, 300), /is not XML/],
  ['something else', '<x/>', /is no camt.053/],
  ['a table', 'Date;Amount\n2026-03-01;5.00\n', /is not XML, and a bank’s statement is camt\.053/],
  ['a spreadsheet', 'PK\u0003\u0004 and more', /is not XML, and a bank’s statement is camt\.053/],
  ['nothing', '', /is not XML|no statement/],
]
for (const [what, text, problem] of problems)
  test(`a statement with ${what} is refused as a whole`, async () => {
    const { faults } = await read(text)
    assert.ok(
      faults.some((fault) => problem.test(fault.problem)),
      JSON.stringify(faults),
    )
  })

test('entries are read whole wherever the file is cut, those announced are left out, and batches are taken apart', async () => {
  const batch =
    `<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch><TxDtls><Refs><EndToEndId>e1</EndToEndId></Refs>${amountOf('20.00')}</TxDtls>` +
    `<TxDtls><AmtDtls><TxAmt>${amountOf('30.00')}</TxAmt></AmtDtls><RmtInf><Ustrd>a &amp; b</Ustrd></RmtInf></TxDtls></NtryDtls>`
  const text = statement({
    opening: '100.00',
    closing: '60.50',
    inner:
      entry('DBIT', '50.00', 'A', batch) +
      entry('CRDT', '10.50', 'B', '<RvslInd>true</RvslInd>') +
      entry('CRDT', '9.00', 'C', '', 'PDNG'),
  })
  for (const size of [1, 7, 100_000]) {
    const { lines, statements, faults } = await read(text, size)
    assert.equal(
      statements.map(({ entryCount }) => entryCount),
      [3],
    )
    assert.equal(faults, [])
    assert.equal(
      lines.map(({ reference, amountMinor, endToEnd, text: words, isReversal }) => [
        reference,
        amountMinor,
        endToEnd,
        words,
        isReversal,
      ]),
      [
        ['A/1', 2_000n, 'e1', '', false],
        ['A/2', 3_000n, null, 'a & b', false],
        ['B', 1_050n, null, '', true],
      ],
    )
  }
})

async function bankOf(world: OrderWorld) {
  const files = filesOf(world)
  const { ask, refusal } = await settle({ ...world, ...files })
  const send = (text: string, dryRun = false) =>
    ask(reconciliationBank, { file: files.uploads.add(text).id, bank: 'main', dryRun })
  const refused = (text: string) =>
    refusal('reconciliation.bank', { file: files.uploads.add(text).id, bank: 'main' })
  return { ask, send, refused, files: files.uploads }
}

play(
  'a payment that names itself is booked, one with the amount is proposed, and what fits nothing waits',
  async (world) => {
    const { ask, send, files } = await bankOf(world)
    await close(world, shop.id, { number: 1, dueMinor: 30_000n })
    await close(world, network.id, { number: 1, dueMinor: 20_000n })
    const { payment: first } = await ask(paymentOrder, { party: 'Shop', bank: 'main', reason })
    const { payment: second } = await ask(paymentOrder, { party: 'Network A', bank: 'main', reason })
    const text = statement({
      opening: '1000.00',
      closing: '507.00',
      inner:
        entry('DBIT', '300.00', 'SPEI 1', named(first.id.replaceAll('-', ''))) +
        entry('DBIT', '200.00', 'SPEI 2') +
        entry('CRDT', '7.00', 'SPEI 3'),
    })
    const outcomes = ['booked', 'proposed', 'unidentified']
    const looked = await send(text, true)
    assert.equal(
      looked.verdicts.map(({ outcome }) => outcome),
      outcomes,
    )
    assert.equal(
      [await world.rows('bank_entries'), await world.rows('exceptions')],
      [[], []],
      'only looked at',
    )
    const sent = await send(text)
    assert.equal(
      sent.verdicts.map(({ outcome, payment }) => [outcome, payment]),
      [
        ['booked', first.id],
        ['proposed', second.id],
        ['unidentified', null],
      ],
    )
    assert.equal((await ask(paymentShow, { id: first.id })).bankReference, 'SPEI 1')
    assert.equal(
      (await world.rows('exceptions')).map(({ kind }) => kind),
      ['bank_unidentified'],
    )
    // A person says that it is that one.
    await ask(paymentBook, { id: second.id, reference: 'SPEI 2', reason })
    const before = [await world.rows('postings'), await world.rows('bank_entries')]
    const again = await send(text)
    assert.equal([...new Set(again.verdicts.map(({ outcome }) => outcome))], ['booked_before'])
    assert.equal([await world.rows('postings'), await world.rows('bank_entries')], before)
    assert.is(files.texts.size, 1, 'the one that was looked at alone, for whoever books it then')
    assert.equal(await paymentProblems(world), [])
  },
)

play('a payment that came back is returned, and is due again', async (world) => {
  const { ask, send } = await bankOf(world)
  await close(world, shop.id, { number: 1, dueMinor: 30_000n })
  const { payment } = await ask(paymentOrder, { party: 'Shop', bank: 'main', reason })
  const text = statement({
    opening: '300.00',
    closing: '300.00',
    inner:
      entry('DBIT', '300.00', 'SPEI 1', named(payment.id)) +
      entry('CRDT', '300.00', 'DEV 1', `<RvslInd>true</RvslInd>${named(payment.id)}`),
  })
  assert.equal(
    (await send(text)).verdicts.map(({ outcome }) => outcome),
    ['booked', 'returned'],
  )
  assert.is((await ask(paymentShow, { id: payment.id })).state, 'returned')
  assert.equal(await paymentProblems(world), [])
})

play('of a day that is settled which a bank has booked, and not what is only ordered', async (world) => {
  await addNetworks(world)
  const { ask, send } = await bankOf(world)
  await close(world, network.id, { number: 1, dueMinor: 30_000n })
  const settled = async () =>
    (await ask(reconciliationDay, { network: '000A', day: '2026-02-01' })).statements.map(
      (one) => one.settled,
    )
  assert.equal(await settled(), ['0.00'])
  const { payment } = await ask(paymentOrder, { party: network.name, bank: 'main', reason })
  assert.equal(await settled(), ['0.00'], 'it is only ordered')
  await send(
    statement({
      opening: '300.00',
      closing: '0.00',
      inner: entry('DBIT', '300.00', 'SPEI 1', named(payment.id)),
    }),
  )
  assert.equal(await settled(), ['300.00'])
})

play('statements follow each other, and so do their balances', async (world) => {
  const { send, refused } = await bankOf(world)
  await send(statement({ number: 7, opening: '5.00', closing: '5.00' }))
  assert.match(
    (await refused(statement({ number: 9, opening: '5.00', closing: '5.00' }))).message,
    /number 9, and the last one was 7: one is missing/,
  )
  assert.match(
    (await refused(statement({ number: 8, opening: '6.00', closing: '6.00' }))).message,
    /opens with 6.00, and the last one closed with 5.00/,
  )
  await send(statement({ number: 8, opening: '5.00', closing: '5.00' }))
  await send(statement({ number: 7, opening: '5.00', closing: '5.00' }))
  const wrong = await refused(statement({ number: 9, opening: '5.00', closing: '6.00' }))
  assert.equal([wrong.code, wrong.details.length], ['invalid', 1])
})

test.run()
