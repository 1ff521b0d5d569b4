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
  while (start === '') {
    const next = await parts.next()
    if (next.done) break
    head.push(next.value)
    start = Buffer.from(next.value.subarray(0, 64))
      .toString('latin1')
      .replace(/^(\u00ef\u00bb\u00bf|\s)+/, '')
  }
  const whole = joined(head, parts)
  // What is neither is told by the reader of what banks usually give.
  if (mapping === null || start.startsWith('<')) return yield* readCamt(whole, currency)
  yield* readBankCsv(whole, { mapping, currency })
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
