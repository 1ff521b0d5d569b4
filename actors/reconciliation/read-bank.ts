/** A bank's statement in whichever of the two forms it comes. */
import type { StatementMapping } from '../terms/statement-mapping.ts'
import { readBankCsv } from './read-bank-csv.ts'
import type { BankBatch } from './read-camt.ts'
import { readCamt } from './read-camt.ts'

export interface BankFileRules {
  currency: string
  /** Null where no columns are agreed on. */
  mapping: StatementMapping | null
}

export async function* readBank(
  bytes: AsyncIterable<Uint8Array>,
  { currency, mapping }: BankFileRules,
): AsyncGenerator<BankBatch> {
  const parts = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let start = ''
  // Blanks and a byte order mark may come before the first sign.
  while (start.length < headSigns && head.length < headSigns) {
    const next = await parts.next()
    if (next.done) break
    head.push(next.value)
    start = Buffer.concat(head.map((part) => part.subarray(0, headSigns)))
      .toString('latin1')
      .replace(/^(\u00ef\u00bb\u00bf|\s)+/, '')
  }
  const whole = joined(head, parts)
  const isXml = start.startsWith('<')
  if (mapping === null && isTable(start)) {
    yield { lines: [], statements: [], faults: [{ line: 1, problem: csvWithoutColumns }] }
    return
  }
  // What is neither is told by the reader of what banks usually give.
  if (mapping === null || isXml) return yield* readCamt(whole, currency)
  yield* readBankCsv(whole, { mapping, currency })
}

const headSigns = 200

/** The bank has to be given columns, and the file is in order. */
export const csvWithoutColumns = 'it is CSV, and the bank has no CSV columns set'

/** No XML, spreadsheet, PDF, nor a message of SWIFT. */
function isTable(start: string): boolean {
  return /^[^\r\n]*[,;|\t]/.test(start) && !/^(<|%PDF|PK|\{1:|:\d\d)/.test(start)
}

async function* joined(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head
  for (;;) {
    const next = await rest.next()
    if (next.done) return
    yield next.value
  }
}
