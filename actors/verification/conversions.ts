/** Conversions held against postings: each has moved what it says (protocol 15.12). */
import { type ConversionLeg, sentLegs, soldLegs } from '../../machines/conversion.ts'
import {
  conversionPostings,
  conversionsAfter,
  strayConversionPostings,
} from '../../persistence/queries/conversions.ts'
import { accountId, type Reader, type Row } from '../../persistence/store.ts'

const conversionsPerPage = 5_000

export async function readConversionFindings(
  reader: Reader,
): Promise<{ conversions: number; problems: string[] }> {
  const stray = await reader.snapshot((query) => query(strayConversionPostings, {}))
  const found = {
    conversions: 0,
    problems: stray.map(
      ({ id, reference }) => `posting ${id} is of a conversion ${reference} that is not there`,
    ),
  }
  for (let after = ''; ; ) {
    const page = await reader.snapshot(async (query) => {
      const conversions = await query(conversionsAfter, { after, limit: conversionsPerPage })
      const postings = await query(conversionPostings, { after, last: conversions.at(-1)?.id ?? after })
      return { conversions, moved: Map.groupBy(postings, ({ reference }) => reference) }
    })
    for (const conversion of page.conversions) {
      const said = legsOf(conversion).map((leg) => {
        const [debit, credit] = [accountOf(conversion, leg, leg.from), accountOf(conversion, leg, leg.to)]
        return posted(leg.kind, debit, credit, leg.amountMinor)
      })
      const moved = (page.moved.get(conversion.id) ?? []).map((one) =>
        posted(one.kind, one.debit_account, one.credit_account, one.amount_minor),
      )
      if (said.join() !== moved.join())
        found.problems.push(
          `conversion ${conversion.id}: it says ${said.join(', ')}, its postings ${moved.join(', ') || 'nothing'}`,
        )
    }
    found.conversions += page.conversions.length
    const last = page.conversions.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

function legsOf(row: Row<'conversions'>): ConversionLeg[] {
  const { amount_minor: amountMinor, proceeds_minor: proceedsMinor, fee_part_minor: feePartMinor } = row
  const sent = sentLegs(amountMinor)
  if (proceedsMinor === null) return sent
  const sale = { amountMinor, feePartMinor: feePartMinor ?? 0n, proceedsMinor }
  const { booked_minor, fee_minor, result_minor } = row
  const proceeds = {
    bookedMinor: booked_minor ?? 0n,
    feeMinor: fee_minor ?? 0n,
    resultMinor: result_minor ?? 0n,
  }
  return [...sent, ...soldLegs(sale, proceeds)]
}

function accountOf(
  { currency, bank, bank_currency }: Row<'conversions'>,
  leg: ConversionLeg,
  place: ConversionLeg['from'],
): string {
  const of = leg.in === 'asset' ? currency : (bank_currency ?? '')
  return accountId({ kind: place, ownerId: place === 'bank' ? (bank ?? '') : '', currency: of })
}

function posted(kind: string, debit: string, credit: string, minor: bigint): string {
  return `${kind} ${minor} from ${debit} to ${credit}`
}
