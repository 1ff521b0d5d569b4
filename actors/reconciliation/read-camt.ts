/**
 * A bank's statement as camt.053 (ISO 20022), read as it comes. No document type and no entity but XML's own five; amounts are never
 * floating-point numbers. It is refused as a whole where balances, counts or sums do not add up.
 */
import sax from 'sax'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import { dayOf, directionOf, Element, known } from './camt-elements.ts'
import { batchLines, type ReportFault } from './report-lines.ts'

export interface BankLine {
  /** Of the file, from 1. */
  line: number
  direction: 'in' | 'out'
  /** It takes back what was booked before. */
  isReversal: boolean
  amountMinor: bigint
  valueDay: string | null
  /** What the bank calls it. */
  reference: string
  /** What we, or whoever sent it, called it; and what was written beside. */
  endToEnd: string | null
  text: string
}

/** What of a statement does not grow with it. */
export interface BankStatement {
  id: string
  /** Null where the bank counts none. */
  sequence: number | null
  openingMinor: bigint
  closingMinor: bigint
  /** Its lines: an entry that was taken apart is several. */
  entryCount: number
}

/** What was read at once: lines, and statements that have ended. */
export interface BankBatch {
  lines: BankLine[]
  statements: BankStatement[]
  faults: ReportFault[]
}

const [maxText, maxEntries, maxDepth, maxHeld] = [2_000, 100_000, 40, 200_000]

/** In batches, so that a statement of any length is never in memory as a whole; it holds as a whole only where no batch has a fault. */
export async function* readCamt(
  bytes: AsyncIterable<Uint8Array>,
  currency: string,
): AsyncGenerator<BankBatch> {
  const reader = new CamtReader(currency)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let statementCount = 0
  try {
    for await (const chunk of bytes) {
      reader.write(decoder.decode(chunk, { stream: true }))
      const batch = reader.take(batchLines)
      if (batch === null) continue
      statementCount += batch.statements.length
      yield batch
      if (reader.isBroken) return
    }
    reader.end(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    reader.fault(reader.line, 'it is not UTF-8, from about this line on')
  }
  const last = reader.take(0) ?? noBatch()
  if (!reader.hasFaults && statementCount + last.statements.length === 0) {
    last.faults.push({ line: 1, problem: 'there is no statement in it: is it camt.053?' })
  }
  yield last
}

const noBatch = (): BankBatch => ({ lines: [], statements: [], faults: [] })

// Its types do not know of `strictEntities` yet: without it HTML's entities would be taken, too.
const strictly = { position: true, strictEntities: true }

class CamtReader {
  readonly #parser = sax.parser(true, strictly)
  readonly #currency: string
  readonly #path: Element[] = []
  #batch = noBatch()
  /** Of the statement that is being read. */
  #lineCount = 0
  #sums = { in: 0n, out: 0n }
  /** Entries that are booked, before they are taken apart. */
  #counts = { in: 0, out: 0 }
  /** Elements that are held since the last entry. */
  #held = 0
  isBroken = false
  hasFaults = false

  constructor(currency: string) {
    this.#currency = currency
    const parser = this.#parser
    parser.onerror = (error) => this.#refuse(this.#notXml(error))
    parser.ondoctype = () => this.#refuse('has a document type, which no statement has')
    parser.onprocessinginstruction = ({ name, body }) => {
      const encoding = /encoding=["']([^"']*)["']/i.exec(body)?.[1]
      if (name !== 'xml') this.#refuse(`has an instruction (${name.slice(0, 40)})`)
      else if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8')
        this.#refuse(`is ${encoding.slice(0, 40)}, and not UTF-8`)
    }
    parser.onopentag = ({ name, attributes }) => this.#open(name, attributes as Record<string, string>)
    parser.ontext = (text) => this.#text(text)
    parser.oncdata = (text) => this.#text(text)
    parser.onclosetag = () => this.#close()
  }

  get line(): number {
    return this.#parser.line + 1
  }

  write(text: string): void {
    if (!this.isBroken) this.#parser.write(text)
  }

  end(text: string): void {
    this.write(text)
    if (!this.isBroken) this.#parser.close()
  }

  /** What was read since; `null` as long as that is little. */
  take(least: number): BankBatch | null {
    const { lines, statements, faults } = this.#batch
    if (!this.isBroken && faults.length + lines.length < Math.max(least, 1) && statements.length === 0)
      return null
    const taken = this.#batch
    this.#batch = noBatch()
    return taken
  }

  /** Most often it is the table or the picture that the bank offers beside camt.053. */
  #notXml({ message }: Error): string {
    return this.#path.length === 0 && message.startsWith('Non-whitespace before first tag')
      ? 'is not XML, and a bank’s statement is camt.053 or CSV: spreadsheets, MT940 and PDF are not read'
      : `is not XML: ${message.split('\n')[0]}`
  }

  #refuse(problem: string): void {
    if (!this.isBroken) this.fault(this.line, problem)
    this.isBroken = true
    this.#parser.error = null as never
  }

  fault(line: number, problem: string): void {
    this.hasFaults = true
    this.#batch.faults.push({ line, problem })
  }

  #open(qualified: string, attributes: Record<string, string>): void {
    if (this.isBroken) return
    const name = qualified.split(':').at(-1) ?? qualified
    const element = new Element(name, this.line, attributes)
    const parent = this.#path.at(-1)
    if (parent === undefined) {
      const space = Object.entries(attributes).find(
        ([key, value]) => key.startsWith('xmlns') && value.includes('camt.053'),
      )
      if (name !== 'Document' || space === undefined) this.#refuse('is no camt.053')
    }
    if (this.#path.length >= maxDepth) this.#refuse(`is deeper than ${maxDepth} elements`)
    const names = parent === undefined ? undefined : known[parent.name]
    if (names !== undefined && !names.has(name))
      this.fault(this.line, `<${name.slice(0, 40)}> in <${parent?.name}> is not known here`)
    if (name === 'Stmt') {
      this.#lineCount = 0
      this.#sums = { in: 0n, out: 0n }
      this.#counts = { in: 0, out: 0 }
    }
    this.#held += 1
    if (this.#held > maxHeld) this.#refuse(`has an entry with more than ${maxHeld} elements`)
    // Entries are taken one by one, so that the statement does not hold them all.
    if (name !== 'Ntry') parent?.children.push(element)
    this.#path.push(element)
  }

  #text(text: string): void {
    const element = this.#path.at(-1)
    if (element === undefined || this.isBroken) return
    if (element.text.length + text.length <= maxText) element.text += text
  }

  #close(): void {
    const element = this.#path.pop()
    if (element === undefined || this.isBroken) return
    if (element.name === 'Ntry') {
      this.#held = 0
      this.#entry(element)
    }
    if (element.name === 'Stmt') this.#statement(element)
  }

  #entry(entry: Element): void {
    const status = entry.first('Sts', 'Cd') ?? entry.first('Sts')
    // What is only announced is in no balance.
    if (status === 'PDNG' || status === 'INFO') return
    if (status !== 'BOOK') {
      this.fault(entry.line, `its status “${status ?? ''}” is not known here`)
      return
    }
    const amount = this.#amount(entry.all('Amt')[0])
    const direction = directionOf(entry)
    if (typeof amount === 'string') {
      this.fault(entry.line, amount)
      return
    }
    if (direction === null) {
      this.fault(entry.line, 'it says neither CRDT nor DBIT')
      return
    }
    const reference =
      entry.first('AcctSvcrRef') ??
      entry.first('NtryRef') ??
      entry.first('NtryDtls', 'TxDtls', 'Refs', 'AcctSvcrRef')
    if (reference === null) {
      this.fault(entry.line, 'the bank gives it no reference (AcctSvcrRef, NtryRef)')
      return
    }
    if (this.#lineCount >= maxEntries) {
      this.#refuse(`has more than ${maxEntries} entries`)
      return
    }
    const whole: BankLine = {
      line: entry.line,
      direction,
      isReversal: entry.first('RvslInd') === 'true' || entry.first('RvslInd') === '1',
      amountMinor: amount,
      valueDay: dayOf(entry, 'ValDt') ?? dayOf(entry, 'BookgDt'),
      reference,
      endToEnd: null,
      text: entry.first('AddtlNtryInf') ?? '',
    }
    this.#counts[direction] += 1
    this.#sums[direction] += amount
    for (const line of this.#parts(entry, whole)) {
      this.#lineCount += 1
      this.#batch.lines.push(line)
    }
  }

  /** An entry that pays several at once is one line for each, where their amounts add up to it. */
  #parts(entry: Element, whole: BankLine): BankLine[] {
    const details = entry.all('NtryDtls', 'TxDtls')
    const parts = details.map((one, index): BankLine => {
      const amount = this.#amount(one.all('Amt')[0] ?? one.all('AmtDtls', 'TxAmt', 'Amt')[0])
      const own = one.first('Refs', 'AcctSvcrRef')
      return {
        ...whole,
        line: one.line,
        amountMinor: typeof amount === 'bigint' ? amount : 0n,
        reference: details.length === 1 ? whole.reference : (own ?? `${whole.reference}/${index + 1}`),
        endToEnd: one.first('Refs', 'EndToEndId'),
        text: [...one.all('RmtInf', 'Ustrd').map(({ text }) => text.trim()), whole.text]
          .filter(Boolean)
          .join(' '),
      }
    })
    const [first] = parts
    if (parts.length === 1 && first !== undefined) return [{ ...first, amountMinor: whole.amountMinor }]
    const sum = parts.reduce((total, { amountMinor }) => total + amountMinor, 0n)
    return parts.length > 1 && sum === whole.amountMinor && parts.every(({ amountMinor }) => amountMinor > 0n)
      ? parts
      : [whole]
  }

  #amount(element: Element | undefined): bigint | string {
    if (element === undefined) return 'it has no amount'
    const { Ccy } = element.attributes
    if (Ccy !== this.#currency)
      return `it is in ${Ccy ?? 'no currency'}, and the account in ${this.#currency}`
    const minor = parseAmount(element.text, currencyDecimals(this.#currency))
    return typeof minor === 'bigint' && minor >= 0n
      ? minor
      : `“${element.text.trim().slice(0, 40)}” is no amount`
  }

  #statement(statement: Element): void {
    const { line } = statement
    const balance = (code: string) =>
      statement.all('Bal').find((one) => one.first('Tp', 'CdOrPrtry', 'Cd') === code)
    const opening = this.#signed(balance('OPBD') ?? balance('PRCD'))
    const closing = this.#signed(balance('CLBD'))
    if (opening === null) {
      this.fault(line, 'its opening balance (OPBD) is missing, or no amount of the account')
      return
    }
    if (closing === null) {
      this.fault(line, 'its closing balance (CLBD) is missing, or no amount of the account')
      return
    }
    const moved = this.#sums.in - this.#sums.out
    if (!this.hasFaults && opening + moved !== closing) {
      this.fault(line, `opening ${opening} and entries ${moved} are not closing ${closing}, in minor units`)
    }
    this.#summary(statement, this.#sums)
    const sequence = statement.first('ElctrncSeqNb') ?? statement.first('LglSeqNb')
    this.#batch.statements.push({
      id: statement.first('Id') ?? '',
      sequence: sequence !== null && /^\d{1,15}$/.test(sequence) ? Number(sequence) : null,
      openingMinor: opening,
      closingMinor: closing,
      entryCount: this.#lineCount,
    })
  }

  #signed(balance: Element | undefined): bigint | null {
    const amount = balance === undefined ? '' : this.#amount(balance.all('Amt')[0])
    const direction = balance === undefined ? null : directionOf(balance)
    if (typeof amount === 'string' || direction === null) return null
    return direction === 'in' ? amount : -amount
  }

  /** What the bank itself has counted: sums only of booked entries, each once. */
  #summary(statement: Element, sums: { in: bigint; out: bigint }): void {
    const decimals = currencyDecimals(this.#currency)
    const said = (...path: string[]) => {
      const text = statement.first('TxsSummry', ...path)
      return text === null ? null : parseAmount(text, decimals)
    }
    const rules = [
      ['TtlCdtNtries', sums.in, this.#counts.in],
      ['TtlDbtNtries', sums.out, this.#counts.out],
      ['TtlNtries', sums.in + sums.out, this.#counts.in + this.#counts.out],
    ] as const
    for (const [name, sum, count] of rules) {
      const number = statement.first('TxsSummry', name, 'NbOfNtries')
      if (!this.hasFaults && number !== null && number !== `${count}`) {
        this.fault(statement.line, `${name} says ${number.slice(0, 20)} entries, and there are ${count}`)
      }
      const total = said(name, 'Sum')
      if (!this.hasFaults && total !== null && total !== sum) {
        this.fault(statement.line, `${name} says ${total}, and its entries are ${sum}, in minor units`)
      }
    }
  }
}
