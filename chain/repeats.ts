/**
 * Which deposits the caller has stored, as far as its cursors tell: recent blocks are read again and again,
 * and what is stored need not be handed over each time. Only a memory: what it forgets is handed over again.
 */
export class Repeats {
  readonly #limit: number
  readonly #stored = new Set<string>()
  #last: { readonly cursor: string; readonly ids: readonly string[] } | null = null

  constructor(limit = 20_000) {
    this.#limit = limit
  }

  /** A page is asked for after this cursor: what the page that gave it had is stored. */
  asked(cursor: string): void {
    if (this.#last === null) return
    if (this.#last.cursor === cursor) {
      for (const id of this.#last.ids) this.#stored.add(id)
      this.#forgetOldest()
    } else {
      // The caller went on from elsewhere: it may have lost what it stored, too.
      this.#stored.clear()
    }
    this.#last = null
  }

  isStored(id: string): boolean {
    return this.#stored.has(id)
  }

  /** A page with these ids is handed over, together with its cursor. */
  handed(cursor: string, ids: readonly string[]): void {
    this.#last = { cursor, ids }
  }

  #forgetOldest(): void {
    for (const id of this.#stored) {
      if (this.#stored.size <= this.#limit) return
      this.#stored.delete(id)
    }
  }
}
