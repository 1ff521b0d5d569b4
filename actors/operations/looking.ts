/** What an operation would write, found out by running it over a store that writes nothing. */
import { formatPrice } from '../../machines/money.ts'
import type { Store } from '../../persistence/store.ts'
import type { Preview } from '../approvals/asking.ts'
import { fingerprintsOf, type Moved, movedBy } from '../approvals/moved.ts'
import { changesOf, newNames } from '../approvals/shown-changes.ts'
import { Looked, lookingStore, type SeenStep } from '../foundation/looking-store.ts'
import { OperationError } from '../foundation/operation.ts'
import { postingsOf } from '../orders/would-book.ts'
import type { AskedContext } from './context.ts'
import type { AnyOperation } from './index.ts'

/** Those that write in more steps than one, each of which moves money. */
const inManySteps: ReadonlySet<string> = new Set(['payment.due'])

/** What it would do. */
export interface Look {
  steps: readonly SeenStep[]
  moved: readonly Moved[]
  /** Of all steps: another text is another result. */
  fingerprint: string
  /** Nothing at all would be written. */
  isIdle: boolean
}

/** The node of an operation, with another store under everything that it writes with. */
export function over(context: AskedContext, store: Store): AskedContext {
  return { ...context, store, orders: context.orders.over(store) }
}

/** @throws OperationError, or what the operation throws where it does not come to write */
export async function look(operation: AnyOperation, context: AskedContext, input: unknown): Promise<Look> {
  const steps: SeenStep[] = []
  const onStep = inManySteps.has(operation.name) ? (seen: SeenStep) => void steps.push(seen) : undefined
  const store = lookingStore(context.store, onStep)
  try {
    await operation.run(over(context, store), input)
  } catch (error) {
    if (error instanceof Looked) steps.push(error.seen)
    // What a first step has not written is missing to a later one.
    else if (steps.length === 0 || error instanceof OperationError) throw error
  }
  return {
    steps,
    moved: movedBy(steps),
    fingerprint: JSON.stringify(fingerprintsOf(steps)),
    isIdle: steps.length === 0 && !store.wrote(),
  }
}

/** What whoever approves is shown. */
export async function previewOf(
  store: Pick<Store, 'query'>,
  { steps, moved }: Look,
  { because, withheld }: Pick<Preview, 'because' | 'withheld'>,
): Promise<Preview> {
  return {
    postings: await postingsOf(store, steps, new Map(steps.flatMap((step) => [...newNames(step)]))),
    moves: moved.map(({ currency, amountMinor }) => ({
      currency,
      amount: formatPrice(amountMinor, currency),
    })),
    changes: steps.flatMap(changesOf),
    withheld,
    because,
  }
}
