/** What is due by a day, to whom, and what stands in the way: what `payment due` prints and orders. */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { lostPaymentsOf, owedParties } from '../../persistence/queries/payments.ts'
import { accountById } from '../../persistence/queries/provisioning.ts'
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import { settlementTermsIn } from '../../persistence/queries/terms.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { accountId, type Store } from '../../persistence/store.ts'
import { accountsAt } from '../terms/in-force.ts'
import { dueBy, dueDayOf, remainderOf, remainders } from './dues.ts'
import { maxStatements, payableMinor } from './ordering.ts'

const partiesPerPage = 100

export interface DueParty {
  partyId: string
  party: string
  kind: PartyKind
  currency: string
  /** What may be ordered; zero where the party owes the operator, or nothing is set aside. */
  payMinor: bigint
  pay: string
  /** What it owes the operator; `0.00` where it does not. */
  collect: string
  statements: { number: number; due: string | null; left: string }[]
  account: string | null
  /** Why it is not ordered; null where it is. */
  problem: string | null
}

/** Parties of which something is due by the day, in pages: constant memory however many there are. */
export async function* readDue(store: Store, day: string, at: Instant): AsyncGenerator<DueParty> {
  for (let after = { afterParty: '', afterCurrency: '' }; ; ) {
    const page = await store.query(owedParties, { ...after, limit: partiesPerPage })
    for (const owed of page) {
      const due = await readDueOf(store, owed, day, at)
      if (due !== null) yield due
    }
    const last = page.at(-1)
    if (last === undefined || page.length < partiesPerPage) return
    after = { afterParty: last.party_id, afterCurrency: last.currency }
  }
}

interface Owed {
  party_id: string
  name: string
  kind: PartyKind
  currency: string
  frozen_at: Instant | null
}

async function readDueOf(store: Store, owed: Owed, day: string, at: Instant): Promise<DueParty | null> {
  const { party_id: partyId, currency, kind } = owed
  const open = await store.query(openStatementsOf, { partyId, currency, limit: maxStatements })
  const statements = dueBy(open, day)
  if (statements.length === 0) return null
  const source = kind === 'merchant' ? ('payable' as const) : ('provider' as const)
  const accountOf = async (kind: 'payable' | 'provider' | 'debt') =>
    (await store.query(accountById, { id: accountId({ kind, ownerId: partyId, currency }) }))[0] ?? null
  const [account, debt] = [await accountOf(source), await accountOf('debt')]
  const [terms] = await store.query(settlementTermsIn, { partyId, currency })
  const left = remainders(statements)
  const lost = await store.query(lostPaymentsOf, { partyId, currency })
  const payMinor = payableMinor({ kind }, statements, { open, owed: account, debt })
  const place = terms === undefined ? null : accountsAt(terms, at).account
  return {
    partyId,
    party: owed.name,
    kind,
    currency,
    payMinor,
    pay: formatPrice(payMinor, currency),
    collect: formatPrice(left < 0n ? -left : 0n, currency),
    statements: statements.map((one) => ({
      number: one.number,
      due: dueDayOf(one),
      left: formatPrice(remainderOf(one), currency),
    })),
    account: place,
    problem: problemOf(owed, {
      payMinor,
      left,
      place,
      isLost: lost.length > 0,
      isIndebted: (debt?.balance_minor ?? 0n) < 0n,
    }),
  }
}

function problemOf(
  { frozen_at }: Owed,
  {
    payMinor,
    left,
    place,
    isLost,
    isIndebted,
  }: { payMinor: bigint; left: bigint; place: string | null; isLost: boolean; isIndebted: boolean },
): string | null {
  if (left < 0n) return 'owes the operator'
  if (isLost) return 'a payment that a restore has lost may have been paid'
  if (payMinor === 0n) return isIndebted ? 'has a debt of as much' : 'nothing is set aside for it'
  if (frozen_at !== null) return 'is frozen'
  return place === null ? 'has no account in its terms' : null
}
