/** Lines of banks that are no party's, between the bank and the operator's own places. */
import type { Fact } from './facts.ts'
import { minor } from './figures.ts'

type Side = readonly [kind: string, owner: string]

/** Against which of the operator's own places a line of a bank is. */
const ownPlaces: Readonly<Record<string, string>> = {
  charge: 'fee',
  interest: 'fee',
  tax_payment: 'tax_collected',
  tax_refund: 'tax_credited',
  capital: 'equity',
  unidentified: 'suspense',
  sent_back: 'suspense',
}

/** What it moves, from where to where; what is identified, back. */
export function ownLine({
  is,
  line: { bank, direction, kind, amount, currency },
}: Extract<Fact, { line: unknown; is: 'bankLine' | 'identified' }>): [
  amount: bigint,
  currency: string,
  from: Side,
  to: Side,
] {
  const own = ownPlaces[kind]
  if (own === undefined) throw new Error(`The model knows no line of a bank that is a ${kind}.`)
  const [there, here]: [Side, Side] = [
    ['bank', bank],
    [own, ''],
  ]
  const isIn = (direction === 'in') !== (is === 'identified')
  return [minor(amount, currency), currency, isIn ? there : here, isIn ? here : there]
}
