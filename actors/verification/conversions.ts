/** Conversions held against postings: each has moved what it says (protocol 15.12). */
import { type ConversionLeg, sentLegs, soldLegs } from '../../machines/conversion.ts'
import {
  conversionPostings,
  conversionsAfter,
  exchangeAccounts,
  exchangePairs,
  exchangePostings,
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
    problems: [
      ...stray.map(({ id, reference }) => `posting ${id} is of a conversion ${reference} that is not there`),
      ...(await pairProblems(reader)),
    ],
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

/** What is told of each pair is what its postings have moved, those in the archive included; all pairs together are the accounts. */
async function pairProblems(reader: Reader): Promise<string[]> {
  const { pairs, postings, accounts } = await reader.snapshot(async (query) => ({
    pairs: await query(exchangePairs, {}),
    postings: await query(exchangePostings, {}),
    accounts: await query(exchangeAccounts, {}),
  }))
  const problems: string[] = []
  const moved = new Map(postings.map((one) => [`${one.asset} ${one.money}`, one]))
  const sums = new Map<string, bigint>()
  for (const pair of pairs) {
    const { asset, money, asset_minor, money_minor } = pair
    sums.set(asset, (sums.get(asset) ?? 0n) + asset_minor)
    sums.set(money, (sums.get(money) ?? 0n) - money_minor)
    const here = moved.get(`${asset} ${money}`)
    moved.delete(`${asset} ${money}`)
    const [assetMoved, moneyMoved] = [
      (here?.asset_minor ?? 0n) + pair.archived_asset_minor,
      (here?.money_minor ?? 0n) + pair.archived_money_minor,
    ]
    if (asset_minor !== assetMoved || money_minor !== moneyMoved)
      problems.push(
        `exchange of ${asset} for ${money}: it says ${asset_minor} and ${money_minor}, its postings ${assetMoved} and ${moneyMoved}`,
      )
  }
  for (const { asset, money, asset_minor, money_minor } of moved.values())
    problems.push(
      asset === null
        ? `exchange: ${asset_minor} and ${-money_minor} were moved by no order and no conversion`
        : `exchange of ${asset} for ${money}: it is not counted, its postings say ${asset_minor} and ${money_minor}`,
    )
  for (const { currency, balance_minor } of accounts)
    if ((sums.get(currency) ?? 0n) !== balance_minor)
      problems.push(
        `exchange: ${currency} is ${balance_minor}, all that it was exchanged for together ${sums.get(currency) ?? 0n}`,
      )
  return problems
}
