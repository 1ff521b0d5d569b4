/** Elements of a bank's statement, and which of them are known. */

/** What may stand in an entry and in a statement: anything else might matter, and nobody knows how. */
export const known: Readonly<Record<string, ReadonlySet<string>>> = {
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
export class Element {
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

export function directionOf(element: Element): 'in' | 'out' | null {
  const said = element.first('CdtDbtInd')
  return said === 'CRDT' ? 'in' : said === 'DBIT' ? 'out' : null
}

export function dayOf(entry: Element, name: string): string | null {
  const text = entry.first(name, 'Dt') ?? entry.first(name, 'DtTm')
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0]
  return day ?? null
}
