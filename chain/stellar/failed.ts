/** A failure on its way out of a piece of work; `HorizonNetwork.ask` turns it into a value. */
import type { ChainFailureKind } from '../chain.ts'

export class ChainFailed extends Error {
  override readonly name = 'ChainFailed'
  readonly kind: ChainFailureKind
  /** `message` continues the endpoint's name: "answers for another network …". */
  constructor(kind: ChainFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
