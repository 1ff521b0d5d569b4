/**
 * Forms that were sent: each that a page shows can be carried out once. Whoever presses twice, or goes back and sends it again, pays
 * once. It is known to this process alone: what has to hold among nodes has names and revisions of its own.
 */
/** Hidden in each form of a page; what is without one is not held against others. */
export const formIdField = 'form_id'

const mostKnown = 10_000

export class SentForms {
  readonly #known = new Set<string>()

  /** @returns false where it was carried out, or is just being. */
  begin(id: string): boolean {
    if (this.#known.has(id)) return false
    const [oldest] = this.#known
    if (this.#known.size >= mostKnown && oldest !== undefined) this.#known.delete(oldest)
    this.#known.add(id)
    return true
  }

  /** Nothing came of it: it may be sent again. */
  forget(id: string): void {
    this.#known.delete(id)
  }
}
