/**
 * A bank's statement as camt.053 (ISO 20022), read as it comes. No document type and no entity but XML's own five; amounts are never
 * floating-point numbers. It is refused as a whole where balances, counts or sums do not add up.
 */
import sax from 'sax'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import type { ReportFault } from './report-lines.ts'

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

export interface BankStatement {
  id: string
  /** Null where the bank counts none. */
  sequence: number | null
  openingMinor: bigint
  closingMinor: bigint
  entries: BankLine[]
}

export interface BankFile {
  statements: BankStatement[]
  faults: ReportFault[]
}

const maxText = 2_000
const [maxEntries, maxDepth] = [100_000, 40]

/** What may stand in an entry and in a statement: anything else might matter, and nobody knows how. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  Stmt: new Set(
    (
      'Id StmtPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc Acct RltdAcct Intrst Bal TxsSummry Ntry ' +
      'AddtlStmtInf'
    ).split(' '),
  ),
  Ntry: new Set(
    (
      'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs ' +
      'TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf'
    ).split(' '),
  ),
}

/** An element with what is in it: of an entry, or of what stands before the entries. */
class Element {
  readonly name: string
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[] = []
  text = ''

  constructor(name: string, line: number, attributes: Readonly<Record<string, string>>) {
    this.name = name
    this.line = line
    this.attributes = attributes
  }

  all(...path: string[]): Element[] {
    return path.reduce<Element[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
      [this],
    )
  }

  first(...path: string[]): string | null {
    return this.all(...path)[0]?.text.trim() || null
  }
}

export async function readCamt(bytes: AsyncIterable<Uint8Array>, currency: string): Promise<BankFile> {
  const file: BankFile = { statements: [], faults: [] }
  const reader = new CamtReader(file, currency)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) {
      reader.write(decoder.decode(chunk, { stream: true }))
      if (file.faults.length > 0 && reader.isBroken) return file
    }
    reader.end(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    file.faults.push({ line: reader.line, problem: 'it is not UTF-8, from about this line on' })
  }
  if (file.faults.length === 0 && file.statements.length === 0) {
    file.faults.push({ line: 1, problem: 'there is no statement in it: is it camt.053?' })
  }
  return file
}

// Its types do not know of `strictEntities` yet: without it HTML's entities would be taken, too.
const strictly = { position: true, strictEntities: true }

class CamtReader {
  readonly #parser = sax.parser(true, strictly)
  readonly #file: BankFile
  readonly #currency: string
  readonly #path: Element[] = []
  #entries: BankLine[] = []
  /** Entries that are booked, before they are taken apart. */
  #counts = { in: 0, out: 0 }
  isBroken = false

  constructor(file: BankFile, currency: string) {
    this.#file = file
    this.#currency = currency
    const parser = this.#parser
    parser.onerror = (error) => this.#refuse(`is not XML: ${error.message.split('\n')[0]}`)
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

  #refuse(problem: string): void {
    if (!this.isBroken) this.#file.faults.push({ line: this.line, problem })
    this.isBroken = true
    this.#parser.error = null as never
  }

  #fault(line: number, problem: string): void {
    this.#file.faults.push({ line, problem })
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
      this.#fault(this.line, `<${name.slice(0, 40)}> in <${parent?.name}> is not known here`)
    if (name === 'Stmt') {
      this.#entries = []
      this.#counts = { in: 0, out: 0 }
    }
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
    if (element.name === 'Ntry') this.#entry(element)
    if (element.name === 'Stmt') this.#statement(element)
  }

  #entry(entry: Element): void {
    const status = entry.first('Sts', 'Cd') ?? entry.first('Sts')
    // What is only announced is in no balance.
    if (status === 'PDNG' || status === 'INFO') return
    if (status !== 'BOOK') {
      this.#fault(entry.line, `its status “${status ?? ''}” is not known here`)
      return
    }
    const amount = this.#amount(entry.all('Amt')[0])
    const direction = directionOf(entry)
    if (typeof amount === 'string') {
      this.#fault(entry.line, amount)
      return
    }
    if (direction === null) {
      this.#fault(entry.line, 'it says neither CRDT nor DBIT')
      return
    }
    const reference =
      entry.first('AcctSvcrRef') ??
      entry.first('NtryRef') ??
      entry.first('NtryDtls', 'TxDtls', 'Refs', 'AcctSvcrRef')
    if (reference === null) {
      this.#fault(entry.line, 'the bank gives it no reference (AcctSvcrRef, NtryRef)')
      return
    }
    if (this.#entries.length >= maxEntries) {
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
    this.#entries.push(...this.#parts(entry, whole))
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
      this.#fault(line, 'its opening balance (OPBD) is missing, or no amount of the account')
      return
    }
    if (closing === null) {
      this.#fault(line, 'its closing balance (CLBD) is missing, or no amount of the account')
      return
    }
    const entries = this.#entries
    const sumOf = (direction: 'in' | 'out') =>
      entries.reduce((sum, one) => (one.direction === direction ? sum + one.amountMinor : sum), 0n)
    if (this.#file.faults.length === 0 && opening + sumOf('in') - sumOf('out') !== closing) {
      this.#fault(
        line,
        `opening ${opening} and entries ${sumOf('in') - sumOf('out')} are not closing ${closing}, in minor units`,
      )
    }
    this.#summary(statement, { in: sumOf('in'), out: sumOf('out') })
    const sequence = statement.first('ElctrncSeqNb') ?? statement.first('LglSeqNb')
    this.#file.statements.push({
      id: statement.first('Id') ?? '',
      sequence: sequence !== null && /^\d{1,15}$/.test(sequence) ? Number(sequence) : null,
      openingMinor: opening,
      closingMinor: closing,
      entries,
    })
    this.#entries = []
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
      if (this.#file.faults.length === 0 && number !== null && number !== `${count}`) {
        this.#fault(statement.line, `${name} says ${number.slice(0, 20)} entries, and there are ${count}`)
      }
      const total = said(name, 'Sum')
      if (this.#file.faults.length === 0 && total !== null && total !== sum) {
        this.#fault(statement.line, `${name} says ${total}, and its entries are ${sum}, in minor units`)
      }
    }
  }
}

function directionOf(element: Element): 'in' | 'out' | null {
  const said = element.first('CdtDbtInd')
  return said === 'CRDT' ? 'in' : said === 'DBIT' ? 'out' : null
}

function dayOf(entry: Element, name: string): string | null {
  const text = entry.first(name, 'Dt') ?? entry.first(name, 'DtTm')
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0]
  return day ?? null
}
