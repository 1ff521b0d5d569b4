/** What the lines of a statement add up to by kind and direction, told one line after the other. */
import type { Row } from '../../persistence/store.ts'

type Sum = Row<'statement_sums'>
type Line = Row<'statement_lines'>

export class LineSums {
  readonly #sums = new Map<string, Sum>()

  add({ party_id, currency, number, kind, direction, amount_minor, fee_minor, tax_minor }: Line): void {
    const known = this.#sums.get(`${kind} ${direction ?? ''}`)
    this.#sums.set(`${kind} ${direction ?? ''}`, {
      ...{ party_id, currency, number, kind, direction: direction ?? '' },
      line_count: (known?.line_count ?? 0) + 1,
      amount_minor: (known?.amount_minor ?? 0n) + amount_minor,
      fee_minor: (known?.fee_minor ?? 0n) + fee_minor,
      tax_minor: (known?.tax_minor ?? 0n) + tax_minor,
    })
  }

  /** In the order of their kinds. */
  get all(): readonly Sum[] {
    return [...this.#sums.keys()].toSorted().flatMap((key) => this.#sums.get(key) ?? [])
  }
}
