/** Keeps what each order was asked and what it answered, by moments that are everybody's, and judges whether that can be. */
import { type Call, isLinearizable } from './linearizability/checker.ts'
import { type OrderInput, type OrderOutput, orderModel } from './linearizability/order.ts'

type Direction = 'PAY_OUT' | 'PAY_IN'

interface Watched {
  direction: Direction
  expiryAt: number
  calls: Map<string, Call<OrderInput, OrderOutput>>
}

const graceMs = 600_000

export class Witness {
  readonly #orders = new Map<string, Watched>()
  #moments = 0
  /** Since which moment it was so late, by a clock that is right. */
  readonly #times: { moment: number; at: number }[] = []
  calls = 0

  /** It is so late now. */
  passes(at: number): void {
    this.#times.push({ moment: ++this.#moments, at })
  }

  /**
   * A message is sent; the same one again is the same call.
   * @param message what tells it from others
   */
  begins(order: { id: string; direction: Direction }, message: string, input: OrderInput): void {
    const { calls } = this.#of(order)
    if (!calls.has(message))
      calls.set(message, { input, output: null, beganAt: ++this.#moments, endedAt: Number.POSITIVE_INFINITY })
  }

  /** It was answered, and that says what was done. */
  ends(order: { id: string; direction: Direction }, message: string, output: OrderOutput): void {
    const call = this.#of(order).calls.get(message)
    if (call === undefined || call.output !== null) return
    call.output = output
    call.endedAt = ++this.#moments
    this.calls += 1
  }

  /** It was refused for something that is not the order's: nothing was done. */
  withdraws(order: { id: string; direction: Direction }, message: string): void {
    this.#of(order).calls.delete(message)
  }

  /** When the order may end by itself. */
  knows(id: string, direction: Direction, expiryAt: number): void {
    this.#of({ id, direction }).expiryAt = expiryAt
  }

  /** @returns the orders whose answers no order of the calls explains */
  impossible(): string[] {
    return [...this.#orders].flatMap(([id, watched]) => (this.#isPossible(watched) ? [] : [id]))
  }

  show(id: string): string {
    const calls = [...(this.#orders.get(id)?.calls.values() ?? [])]
    return calls
      .map(
        ({ input, output, beganAt, endedAt }) =>
          `${beganAt}–${endedAt} ${Object.values(input).join(' ')}: ${output}`,
      )
      .join(' | ')
  }

  #isPossible({ direction, expiryAt, calls }: Watched): boolean {
    const since = (at: number) => this.#times.find((one) => one.at >= at)?.moment ?? Number.POSITIVE_INFINITY
    const byItself = (input: OrderInput, beganAt: number) => ({
      ...{ input, output: null, beganAt, endedAt: Number.POSITIVE_INFINITY },
    })
    const own = [
      byItself({ does: 'fund' }, 0),
      byItself({ does: 'expire', held: false }, since(expiryAt)),
      byItself({ does: 'expire', held: true }, since(expiryAt + graceMs)),
    ].filter(({ beganAt }) => beganAt !== Number.POSITIVE_INFINITY)
    return isLinearizable(orderModel(direction), [...calls.values(), ...own])
  }

  #of({ id, direction }: { id: string; direction: Direction }): Watched {
    const known = this.#orders.get(id) ?? { direction, expiryAt: 0, calls: new Map() }
    this.#orders.set(id, known)
    return known
  }
}
