/**
 * A network's report and a bank's statement of a hundred thousand lines, from the file to the end, on a node with its threads: what
 * they take of time and memory, and that memory does not grow with them. The everyday share has two thousand lines.
 */

import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  reconciliationBank,
  type reconciliationBankProgress,
} from '../../actors/reconciliation/bank-operation.ts'
import {
  reconciliationApply,
  type reconciliationProgress,
  reconciliationRead,
} from '../../actors/reconciliation/operations.ts'
import { dispatchOf } from '../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { isLargeShare } from './share.ts'

const lineCount = isLargeShare ? 100_000 : 2_000
const mebibyte = 1024 * 1024

let node: TestNode
const folder = mkdtempSync(join(tmpdir(), 'large-imports-'))
test.before(async () => {
  node = await startTestNode()
  await node.apply({
    banks: [{ name: 'main', currency: 'MXN' }],
    providers: [{ name: 'Network B', networks: [{ id: '0002', currency: 'MXN' }] }],
  })
})
test.after(async () => {
  await stopTestNode(node)
  rmSync(folder, { recursive: true, force: true })
})

async function written(name: string, lines: Iterable<string>): Promise<string> {
  const path = join(folder, name)
  const file = createWriteStream(path)
  for (const line of lines) if (!file.write(line)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
  return path
}

async function sent(path: string): Promise<string> {
  const received = await node.core.uploads.receive(createReadStream(path))
  if (!received.ok) throw new Error(received.reason)
  return received.upload.id
}

/** Watches what the process takes, its threads' heaps included. */
function watch(): { peakMiB(): number; stop(): void } {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  return { peakMiB: () => Math.round((peak - before) / mebibyte), stop: () => clearInterval(timer) }
}

function told(what: string, startedAt: number, memory: ReturnType<typeof watch>): void {
  memory.stop()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${what} of ${lineCount} lines: ${seconds} s, ${memory.peakMiB()} MiB more at most`)
  // The files have 4 and 18 MB at full size: nothing here is allowed to hold several times that.
  assert.ok(memory.peakMiB() < 200, `${memory.peakMiB()} MiB`)
}

test('a network’s report is looked at and applied', async () => {
  const ask = dispatchOf(node)
  function* lines() {
    yield 'order,outcome,amount,paid_at,reference\r\n'
    for (let number = 0; number < lineCount; number++) yield `,not_paid,,,REF-${number}\r\n`
  }
  const file = await sent(await written('report.csv', lines()))
  const memory = watch()
  const startedAt = performance.now()
  const input = { file, provider: 'Network B', day: '2026-03-01' }
  const settled = async (first: unknown) => {
    let document = first as Awaited<ReturnType<typeof reconciliationProgress.run>>
    while (document.state === 'reading' || document.state === 'applying')
      document = (await ask('reconciliation.progress', { run: document.run, wait: 'yes' }, 'ana')) as never
    return document
  }
  const looked = await settled(await ask(reconciliationRead.name, input, 'ana'))
  assert.equal([looked.state, looked.read, looked.outcomes], ['ready', lineCount, { matched: lineCount }])
  const applied = await settled(await ask(reconciliationApply.name, { run: looked.run }, 'ana'))
  assert.equal([applied.state, applied.stored], ['applied', lineCount])
  told('a report', startedAt, memory)
})

test('a bank’s statement is held against the payments, and each entry is booked once', async () => {
  const ask = dispatchOf(node)
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="MXN">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`
  function* lines() {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">'
    yield `<BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S-1</Id><ElctrncSeqNb>1</ElctrncSeqNb>`
    yield `${balance('OPBD', '0.00')}${balance('CLBD', `${lineCount}.00`)}\n`
    for (let number = 0; number < lineCount; number++)
      yield `<Ntry><Amt Ccy="MXN">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><ValDt><Dt>2026-03-01</Dt></ValDt><AcctSvcrRef>R${number}</AcctSvcrRef></Ntry>\n`
    yield '</Stmt></BkToCstmrStmt></Document>'
  }
  const path = await written('statement.xml', lines())
  const memory = watch()
  const startedAt = performance.now()
  const send = async () => {
    const file = await sent(path)
    let document = (await ask(reconciliationBank.name, { file, bank: 'main' }, 'ana')) as Awaited<
      ReturnType<typeof reconciliationBankProgress.run>
    >
    while (document.state === 'reading' || document.state === 'booking')
      document = (await ask('bank.progress', { run: document.run, wait: 'yes' }, 'ana')) as never
    return document
  }
  const first = await send()
  assert.equal(
    [first.state, first.read, first.judged, first.outcomes, first.verdicts.length],
    ['done', lineCount, lineCount, { unidentified: lineCount }, Math.min(500, lineCount)],
  )
  told('a statement', startedAt, memory)
  const again = await send()
  assert.equal(again.outcomes, { booked_before: lineCount })
})

test.run()
