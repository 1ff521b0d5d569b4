/** Files as networks and banks send them, made of what there is in a sandbox, with every kind of difference that can be found in one. */

export interface SampleFile {
  name: string
  type: string
  /** Of a network that agreed on it, `latin1`; then its bytes are not those of UTF-8. */
  encoding: 'utf8' | 'latin1'
  text: string
  /** The outcomes that are in it, each at least once. */
  has: string[]
  /** Those that it could not have, and what has to be there for them. */
  lacks: { outcome: string; needs: string }[]
}

/** Notes what a sample has, or what it would take. */
export class SampleContents {
  readonly has: string[] = []
  readonly lacks: SampleFile['lacks'] = []

  /** Takes what is there, as long as there is some. */
  from<Item>(outcome: string, item: Item | undefined, needs: string): Item[] {
    if (item === undefined) {
      this.lacks.push({ outcome, needs })
      return []
    }
    this.has.push(outcome)
    return [item]
  }
}
