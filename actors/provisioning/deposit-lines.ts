/** A bank's reference is booked once: as a line of its statement, or as a deposit by hand (protocol 15.8). */
import { formatPrice } from '../../machines/money.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import type { Key, Row } from '../../persistence/store.ts'
import { row, rows } from '../../persistence/store.ts'
import type { Besides } from '../parties/revision.ts'
import type { ProvisioningFile } from './file.ts'
import { depositKey, type Known, partyKey } from './known.ts'

type Deposit = Pick<Row<'account_deposits'>, 'currency' | 'reference'>

/** What a file's deposits depend on and payments change. */
export function besideDeposits(file: ProvisioningFile, { parties, deposits, banks }: Known): Besides {
  const merchants = file.merchants.map((entry) => {
    const party = parties.get(partyKey('merchant', entry.name))?.party
    return {
      party,
      fresh: entry.deposits.filter(({ reference }) => !deposits.has(depositKey(party?.id ?? '', reference))),
    }
  })
  return {
    parties: merchants.flatMap(({ party, fresh }) =>
      party !== undefined && fresh.length > 0 ? [row('parties', { id: party.id })] : [],
    ),
    lines: rows(
      'bank_entries',
      merchants.flatMap(({ fresh }) =>
        fresh.flatMap(({ currency, reference }) =>
          lineKeys(banks, { currency, reference: oneSpelling(reference) }),
        ),
      ),
    ),
  }
}

/** Of the lines that would be this money: at which bank it came in is not always known. */
export function lineKeys(
  banks: Iterable<readonly [name: string, currency: string]>,
  { currency, reference }: Deposit,
): Key<'bank_entries'>[] {
  return [...banks]
    .filter(([, its]) => its === currency)
    .map(([bank]) => ({ bank, direction: 'in', reference }))
}

export function lineOf(
  lines: readonly Row<'bank_entries'>[],
  { currency, reference }: Deposit,
): Row<'bank_entries'> | undefined {
  return lines.find((line) => line.currency === currency && line.reference === reference)
}

/** The end of a sentence that begins with the reference. */
export function bookedAsLine({ bank, kind, amount_minor, currency }: Row<'bank_entries'>): string {
  const what = `${kind.replaceAll('_', ' ')} of ${formatPrice(amount_minor, currency)} ${currency}`
  return `was booked already as a line of ${bank} (${what})`
}

/** What there is to do where money is booked as a line, and nobody knows whose it is. */
export function hintOfLine({ kind, subject_id }: Row<'bank_entries'>): string {
  return kind === 'unidentified' && subject_id !== null
    ? `Say whose that line is: payment identify ${subject_id} --party NAME`
    : 'Another deposit needs another reference; bank list shows the lines.'
}
