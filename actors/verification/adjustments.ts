/** Corrections held against postings: each has moved what it says, and no line is corrected beyond itself (protocol 15.11). */
import { adjustmentLegs } from '../../machines/adjustment.ts'
import {
  adjustmentPostings,
  adjustmentsAfter,
  strayAdjustmentPostings,
  wronglyCorrectedLines,
} from '../../persistence/queries/adjustments.ts'
import { accountId, type Reader } from '../../persistence/store.ts'

const adjustmentsPerPage = 5_000

export async function readAdjustmentFindings(
  reader: Reader,
): Promise<{ adjustments: number; problems: string[] }> {
  const found = { adjustments: 0, problems: await generalProblems(reader) }
  for (let after = ''; ; ) {
    const page = await reader.snapshot(async (query) => {
      const adjustments = await query(adjustmentsAfter, { after, limit: adjustmentsPerPage })
      const postings = await query(adjustmentPostings, { after, last: adjustments.at(-1)?.id ?? after })
      return { adjustments, moved: Map.groupBy(postings, ({ reference }) => reference) }
    })
    for (const adjustment of page.adjustments) {
      const { party_id: ownerId, currency } = adjustment
      const said = adjustmentLegs(adjustment).map(({ kind, from, to, amountMinor }) =>
        posted(
          kind,
          accountId({ kind: from, ownerId, currency }),
          accountId({ kind: to, ownerId, currency }),
          amountMinor,
        ),
      )
      const moved = (page.moved.get(adjustment.id) ?? []).map((one) =>
        posted(one.kind, one.debit_account, one.credit_account, one.amount_minor),
      )
      if (said.join() !== moved.join())
        found.problems.push(
          `adjustment ${adjustment.id}: it says ${said.join(', ')}, its postings ${moved.join(', ') || 'nothing'}`,
        )
    }
    found.adjustments += page.adjustments.length
    const last = page.adjustments.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

function posted(kind: string, debit: string, credit: string, minor: bigint): string {
  return `${kind} ${minor} from ${debit} to ${credit}`
}

async function generalProblems(reader: Reader): Promise<string[]> {
  return reader.snapshot(async (query) => [
    ...(await query(strayAdjustmentPostings, {})).map(
      ({ id, reference }) => `posting ${id} is of an adjustment ${reference} that is not there`,
    ),
    ...(await query(wronglyCorrectedLines, {})).map(
      ({ account_id, account_number, corrected_minor, sum_minor }) =>
        `line ${account_number} of ${account_id} is corrected by ${corrected_minor}, its adjustments say ${sum_minor}`,
    ),
  ])
}
