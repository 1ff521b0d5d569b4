/** Histories of one order that could have happened, by construction; and the same with a violation planted. */
import { type Random, seededRandom } from '../../durability/random.ts'
import type { Call } from './checker.ts'
import { type OrderInput, type OrderOutput, type OrderState, orderModel } from './order.ts'

export type OrderCall = Call<OrderInput, OrderOutput>

const providers = ['A', 'B', 'C']
const outputs: readonly OrderOutput[] = [
  ...[200, 400, 403, 409, 422],
  ...(['CREATED', 'READY', 'PAYMENT_STARTED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const),
]

export interface MadeHistory {
  direction: 'PAY_OUT' | 'PAY_IN'
  calls: OrderCall[]
  /** What it is when all calls are answered. */
  state: OrderState
}

/** Calls overlap, and each takes effect at one moment between its beginning and its answer; some are never answered. */
export function makeHistory(
  seed: number,
  options: { length: number; mayBeUnanswered: boolean },
): MadeHistory {
  const random = seededRandom(seed)
  for (let skipped = 0; skipped < 5; skipped++) random.fraction()
  const direction = random.chance(0.5) ? 'PAY_OUT' : 'PAY_IN'
  const model = orderModel(direction)
  let state = model.initial
  const calls = Array.from({ length: options.length }, (_, index): OrderCall => {
    const input = inputOf(random)
    const answers = outputs.flatMap((output) =>
      model.step(state, input, output).map((next) => ({ output, next })),
    )
    const chosen = answers[random.below(answers.length)]
    if (chosen === undefined) throw new Error(`An order in ${state.status} has no answer.`)
    state = chosen.next
    const isLost = options.mayBeUnanswered && random.chance(0.08)
    return {
      input,
      output: isLost ? null : chosen.output,
      beganAt: index * 10 - random.below(35),
      endedAt: isLost ? Number.POSITIVE_INFINITY : index * 10 + 1 + random.below(35),
    }
  })
  return { direction, calls, state }
}

function inputOf(random: Random): OrderInput {
  const provider = providers[random.below(providers.length)] ?? 'A'
  const chosen = random.below(20)
  if (chosen < 6) return { does: 'look' }
  if (chosen < 12) return { does: 'start', provider }
  if (chosen < 14) return { does: 'confirm', provider }
  if (chosen < 17) return { does: 'cancel', provider }
  if (chosen < 19) return { does: 'fund' }
  return random.chance(0.5) ? { does: 'operator cancels' } : { does: 'expire', held: random.chance(0.5) }
}

/** Where all calls have ended a look tells the status, and what follows of it no order of the calls can explain. */
export function plantViolation({ calls, state: { status } }: MadeHistory, seed: number): OrderCall[] {
  const random = seededRandom(seed)
  const end = Math.max(...calls.map(({ endedAt }) => endedAt))
  const [start, confirm, cancel] = (['start', 'confirm', 'cancel'] as const).map(
    (does) => (provider: string) => ({ does, provider }),
  ) as [Saying, Saying, Saying]
  const look: OrderInput = { does: 'look' }
  const planted: Record<OrderState['status'], (readonly [OrderInput, OrderOutput])[][]> = {
    CREATED: [[[look, 'READY']], [[start('A'), 200]], [[confirm('A'), 422]]],
    READY: [
      [
        [start('A'), 200],
        [start('B'), 200],
      ],
      [
        [start('A'), 200],
        [look, 'READY'],
      ],
      [[confirm('A'), 200]],
      [[cancel('A'), 200]],
    ],
    PAYMENT_STARTED: [
      [[start('A'), 200]],
      [
        [confirm('A'), 200],
        [confirm('B'), 200],
      ],
      [
        [cancel('A'), 200],
        [look, 'PAYMENT_STARTED'],
      ],
      [
        [confirm('C'), 200],
        [look, 'READY'],
      ],
    ],
    COMPLETED: [[[start('A'), 200]], [[cancel('B'), 200]], [[look, 'READY']]],
    CANCELLED: [[[start('A'), 200]], [[confirm('B'), 200]], [[look, 'READY']]],
    EXPIRED: [[[start('C'), 200]], [[confirm('A'), 200]], [[look, 'COMPLETED']]],
  }
  const chosen = planted[status][random.below(planted[status].length)] ?? []
  const after = [[look, status] as const, ...chosen].map(([input, output], place): OrderCall => {
    return { input, output, beganAt: end + 2 * place + 1, endedAt: end + 2 * place + 2 }
  })
  return [...calls, ...after]
}

type Saying = (provider: string) => OrderInput
