/** Statements of a bank, written after the published layout of camt.053. */

const amountOf = (amount: string, currency = 'MXN') => `<Amt Ccy="${currency}">${amount}</Amt>`

const balance = (code: string, amount: string, way = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountOf(amount)}<CdtDbtInd>${way}</CdtDbtInd></Bal>`

export function camtEntry(
  way: string,
  amount: string,
  reference: string,
  more = '',
  status = 'BOOK',
  currency = 'MXN',
): string {
  return (
    `<Ntry>${amountOf(amount, currency)}<CdtDbtInd>${way}</CdtDbtInd><Sts>${status}</Sts><ValDt><Dt>2026-03-01</Dt></ValDt>` +
    `<AcctSvcrRef>${reference}</AcctSvcrRef>${more}</Ntry>\n`
  )
}

/** What names a payment in an entry. */
export const camtNamed = (id: string) =>
  `<NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls>`

export function camtStatement({
  number = 1,
  opening = '0.00',
  closing = '0.00',
  way = 'CRDT',
  inner = '',
}): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">' +
    `<BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S-${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>` +
    `${balance('OPBD', opening)}${balance('CLBD', closing, way)}\n${inner}</Stmt></BkToCstmrStmt></Document>`
  )
}
