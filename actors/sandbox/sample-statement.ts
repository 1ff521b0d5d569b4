/** A bank's statement (camt.053), with every outcome that an entry can come to. */
import { randomBytes } from 'node:crypto'
import { formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { bankEntriesPage } from '../../persistence/queries/bank-entries.ts'
import { paymentsPage } from '../../persistence/queries/payments.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { findBank } from '../settlement/bank-lines.ts'
import { SampleContents, type SampleFile } from './sample-file.ts'

interface Entry {
  direction: 'in' | 'out'
  minor: bigint
  reference: string
  /** The payment that it names. */
  names?: string
  text: string
}

const looked = { after: null, limit: 100 }

/** @throws OperationError where there is no such bank */
export async function sampleStatement(store: Store, name: string, at: Instant): Promise<SampleFile> {
  const bank = await findBank(store, name)
  const sent = await paymentsOf(store, bank, ['sent', 'ordered'])
  const [named, alike] = sent
  const [before] = await store.query(bankEntriesPage({ bank: bank.name }, looked), {})
  const returned = (await paymentsOf(store, bank, ['booked']))[0] ?? sent[2]
  const contents = new SampleContents()
  const order = 'close statements and order what is due: payment order'
  const entries: Entry[] = [
    ...contents.from('booked', named, order).map((one) => outOf(one, one.id)),
    ...contents.from('proposed', alike, `${order}, two of them`).map((one) => outOf(one)),
    ...contents
      .from('returned', returned, `${order}, and book one`)
      .map((one): Entry => ({ ...outOf(one, one.id), direction: 'in', text: 'Returned: account closed' })),
    ...contents
      .from('booked_before', before, 'book an entry of this bank: bank record, or another statement')
      .map(({ direction, amount_minor: minor, reference }): Entry => {
        return { direction, minor, reference, text: 'The same entry once more' }
      }),
    { direction: 'in', minor: 12_345n, reference: ownReference(), text: 'From somebody who says nothing' },
  ]
  contents.has.push('unidentified')
  const { has, lacks } = contents
  const day = formatInstant(at).slice(0, 10)
  return {
    name: `sample-${bank.name.replaceAll(/[^\w-]+/g, '-')}-${day}.xml`,
    type: 'application/xml',
    encoding: 'utf8',
    text: written(entries, bank.currency, day),
    has,
    lacks,
  }
}

async function paymentsOf(
  store: Store,
  { name }: Row<'banks'>,
  states: readonly Row<'payments'>['state'][],
): Promise<Row<'payments'>[]> {
  const pages = await Promise.all(states.map((state) => store.query(paymentsPage({ state }, looked), {})))
  return pages.flat().filter((one) => one.bank === name && one.direction === 'out')
}

function outOf({ amount_minor: minor }: Row<'payments'>, names?: string): Entry {
  const text = names === undefined ? 'Transfer' : 'Transfer of a payment'
  return {
    direction: 'out',
    minor,
    reference: ownReference(),
    text,
    ...(names === undefined ? {} : { names }),
  }
}

/** Of the bank's: each entry is booked once by it. */
function ownReference(): string {
  return `SAMPLE-${randomBytes(6).toString('hex').toUpperCase()}`
}

/** From an opening balance of zero: statements without a number follow none. */
function written(entries: readonly Entry[], currency: string, day: string): string {
  const sum = entries.reduce((all, { direction, minor }) => all + (direction === 'in' ? minor : -minor), 0n)
  const amount = (minor: bigint) => `<Amt Ccy="${currency}">${formatPrice(minor, currency)}</Amt>`
  const way = (isIn: boolean) => `<CdtDbtInd>${isIn ? 'CRDT' : 'DBIT'}</CdtDbtInd>`
  const balance = (code: string, minor: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor < 0n ? -minor : minor)}${way(minor >= 0n)}` +
    `<Dt><Dt>${day}</Dt></Dt></Bal>`
  const lines = entries.map(({ direction, minor, reference, names, text }) => {
    const id = names === undefined ? '' : `<Refs><EndToEndId>${names}</EndToEndId></Refs>`
    const details = `<NtryDtls><TxDtls>${id}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`
    return (
      `<Ntry>${amount(minor)}${way(direction === 'in')}<Sts>BOOK</Sts><ValDt><Dt>${day}</Dt></ValDt>` +
      `<AcctSvcrRef>${reference}</AcctSvcrRef>${details}</Ntry>\n`
    )
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">' +
    `<BkToCstmrStmt><GrpHdr><MsgId>SAMPLE</MsgId></GrpHdr><Stmt><Id>SAMPLE-${day}</Id>` +
    `${balance('OPBD', 0n)}${balance('CLBD', sum)}\n${lines.join('')}</Stmt></BkToCstmrStmt></Document>\n`
  )
}
